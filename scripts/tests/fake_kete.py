#!/usr/bin/env python3
"""Stands in for kete: lists parameters, takes options, and has a bench whose signature depends on them.

Those called ...Still change nothing, one called ...Cap only from 61.
"""

import sys

ROWS = """name, type, value, default, min, max, c_end, r_end, meaning
KiswahiliExploration, int, 75, 75, 0, 1000, 50, 0.002, in all games
KigogoExploration, int, 150, 150, 0, 1000, 50, 0.002, in all games
KimasaiExploration, int, 70, 70, 0, 1000, 50, 0.002, in all games
KiswahiliLeafDepth, int, 4, 4, 1, 11, 0.5, 0.002, in all games
KigogoLeafDepth, int, 5, 5, 1, 11, 0.5, 0.002, in all games
KimasaiLeafDepth, int, 6, 6, 1, 11, 0.5, 0.002, in all games
KigogoOdd, int, 3, 3, 0, 9, 1, 0.002, in one game
KigogoShare, float, 0.5, 0.5, 0, 1, 0.05, 0.002, a fraction
KigogoCap, int, 50, 50, 0, 100, 5, 0.002, changes something if it is large
KigogoStill, int, 3, 3, 0, 9, 1, 0.002, changes nothing"""

defaults = {row.split(", ")[0]: row.split(", ")[3] for row in ROWS.splitlines()[1:]}
options = dict(defaults)
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["params"]:
        print(ROWS)
    elif words[:2] == ["setoption", "name"]:
        options[words[2]] = words[4]
    elif words[:1] == ["bench"]:
        seen = {name: str(max(60, int(value))) if name.endswith("Cap") else value for name, value in options.items() if not name.endswith("Still")}
        print("signature", "/".join(value for _, value in sorted(seen.items())))
    elif words[:1] == ["quit"]:
        break
