#!/usr/bin/env python3
"""What does each parameter of a tuning run do by itself? A least-squares fit over its whole history.

    python3 scripts/effects.py runs/kigogo

SPSA's last values carry the noise of the last steps; a fit uses every pair that was played. For each parameter: Elo of a side that has it larger by
2 c, with half of the 95 % interval. Effects are taken to be linear, so they speak of the neighbourhood that the run was in.
Exit codes: 0 finished, 2 it cannot be done.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from kete_tune import penta
from kete_tune.effects import Trials, effects
from kete_tune.errors import ScriptError
from kete_tune.exits import FINISHED, code_of
from kete_tune.run_directory import read_json


def trials(directory: Path) -> tuple[list[dict], list[Trials]]:
    """The parameters of a run, as its config.json has them, and its iterations."""
    path = directory / "config.json"
    config = read_json(path)
    if config.get("kind") != "tuning":
        raise ScriptError(f"{path} is not of a tuning run")
    found, history = [], directory / "history.csv"
    try:
        parameters = [{"name": str(p["name"]), "c_end": float(p["c_end"])} for p in config["parameters"]]
        with open(history, encoding="utf-8", newline="") as file:
            # A line that is being written has no end yet.
            lines = [line for line in file if line.endswith("\n")]
        for row in csv.DictReader(lines):
            counts = tuple(int(row[key]) for key in ("ll", "ld", "even", "wd", "ww"))
            differences = [(float(row[p["name"] + "+"]) - float(row[p["name"] + "-"])) / (2 * p["c_end"]) for p in parameters]
            if sum(counts) < 1:
                raise ValueError("an iteration without pairs")
            found.append(Trials(sum(counts), penta.lead(counts), differences))  # type: ignore[arg-type]
    except (OSError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ScriptError(f"{history} cannot be read as that of the run, iteration {len(found) + 1}: {error}") from error
    return parameters, found


def show(directory: Path) -> int:
    parameters, found = trials(directory)
    fitted = effects(found)
    if fitted is None:
        raise ScriptError(f"{directory}: {len(found)} iterations are too few for the effects of {len(parameters)} parameters")
    width = max(len("up by 2 c"), *(len(p["name"]) for p in parameters))
    print(f"{sum(t.pairs for t in found)} pairs in {len(found)} iterations")
    print(f"{'up by 2 c':<{width}} {'c':>8}             Elo")
    for p, effect in zip(parameters, fitted):
        print(f"{p['name']:<{width}} {p['c_end']:>8g} {effect.elo:>+8.1f} ± {effect.error:.1f}")
    return FINISHED


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What each parameter of a tuning run does by itself.", epilog="Exit codes: 0 finished, 2 it cannot be done.")
    parser.add_argument("run", type=Path, metavar="RUN", help="directory of a tuning run, finished or not")
    args = parser.parse_args(argv)
    return code_of(lambda: show(args.run))


if __name__ == "__main__":
    sys.exit(main())
