#!/usr/bin/env python3
"""Stands in for an engine that lists parameters: its bench depends on all of them but on KigogoIdle, and on none that is outside its range."""

import os
import sys

KNOWN = {  # name: type, default, min, max, c_end, r_end
    "KigogoSpeed": ("int", "30", "0", "100", "5", "0.002"),
    "KigogoTaste": ("float", "0.25", "-1", "1", "0.1", "0.002"),
    "KigogoIdle": ("int", "5", "0", "10", "1", "0.002"),
    "KigogoSwitch": ("int", "10", "0", "10", "1", "0.002"),
    "KimasaiSpeed": ("int", "30", "0", "100", "5", "0.002"),
}
values = {name: row[1] for name, row in KNOWN.items()}
mode = os.environ.get("FAKE_MODE", "")
if mode == "dead":
    sys.exit(4)
for line in map(str.strip, sys.stdin):
    if line == "params" and mode != "no list":
        print("name, type, value, default, min, max, c_end, r_end, meaning")
        for name, (kind, default, low, *rest) in KNOWN.items():
            print(", ".join([name, kind, values[name], default, "low" if mode == "bad list" else low, *rest, "a meaning, with commas"]))
    elif line.startswith("setoption name "):
        name, _, value = line.removeprefix("setoption name ").partition(" value ")
        if name not in KNOWN:
            print(f'info string error: there is no option "{name}" (column 16)')
        values[name] = value
    elif line == "bench" and mode != "no bench":
        # The switch is one between zero and the rest: its largest value does what its default does.
        told = [v if name != "KigogoSwitch" else v == "0" for name, v in values.items() if name != "KigogoIdle"]
        print(f"signature {told!r}".replace(" ", "").replace("signature", "signature "))
    elif line == "quit":
        break
