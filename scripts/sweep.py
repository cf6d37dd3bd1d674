#!/usr/bin/env python3
"""One parameter on a grid: each value plays the engine's default, all on the same openings.

    python3 scripts/sweep.py --variant kigogo --param KigogoExploration=50,100,200 --rounds 400 --concurrency 2 --out runs/sweep
    python3 scripts/sweep.py --variant kigogo --param KigogoExploration --param KigogoLeafMargin=20:120:20 --grid 50:250:50 --out runs/sweep

Several parameters are swept one after the other, each in DIR/NAME, with config.json (never changed), match/ (the records of kete-match), results.csv (replaced
as games come in) and best.txt (`setoption` line of the best value, if one is better than the base). The same command goes on after an interruption.
Everything is told from the view of the value, not of the base; errors are half of a 95 % interval, of each value by itself. The best of many values looks
better than it is: `verify.py --values DIR/NAME/best.txt` says whether it is good.
Exit codes: 0 finished, 2 it cannot be done as typed (nothing was played), 3 a match failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from kete_tune import parameters as known_parameters
from kete_tune import programs
from kete_tune.bars import bars
from kete_tune.errors import ScriptError
from kete_tune.exits import FINISHED, code_of
from kete_tune.match_progress import MatchProgress
from kete_tune.matches import Match, MatchError, begun, check, failures, play_or_resume, with_error
from kete_tune.objectives import MatchPlan
from kete_tune.options import HelpFormatter, add_match_options, whole
from kete_tune.run_directory import locked, read_json, refuse_change, replace_file, settle, warn
from kete_tune.spsa import Parameter

FORMAT = 1
# kete-match keeps processes of every engine.
MOST_VALUES = 100
BASE = "base"


@dataclass(frozen=True)
class Sweep:
    """A parameter's values, as texts, and the value of the base that they all play."""

    parameter: Parameter
    values: list[str]
    base: str
    # Whether the base has the engine's default, which then is not set.
    default: bool
    plan: MatchPlan
    rounds: int
    directory: Path

    def config(self) -> dict:
        """All that the result depends on."""
        swept = {"name": self.parameter.name, "base": self.base, "values": self.values}
        return {"format": FORMAT, "kind": "sweep", "variant": self.plan.variant, "parameter": swept, "rounds": self.rounds, "seed": self.plan.seed} | self.plan.settings()

    def words(self) -> list[str]:
        """The command of kete-match. In a gauntlet the first engine plays each of the others, in a round all from one opening."""
        name = self.parameter.name
        engines: dict[str, dict[str, str]] = {BASE: {} if self.default else {name: self.base}}
        engines |= {value: {name: value} for value in self.values}
        # Ratings come once a round.
        return [*self.plan.words(engines, 0, self.rounds), "--tournament", "gauntlet", "--ratinginterval", str(2 * len(self.values))]

    @property
    def games(self) -> Path:
        return self.directory / "match"


@dataclass(frozen=True)
class Row:
    """A value against the base, from the view of the value. Score is a share, 0 to 1; what is undefined is None."""

    value: str
    wins: int
    draws: int
    losses: int
    penta: tuple[int, ...]
    score: float | None
    score_error: float | None
    elo: float | None
    elo_error: float | None
    nelo: float | None
    nelo_error: float | None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Play values of a parameter against its default.", formatter_class=HelpFormatter,
                                     epilog="Exit codes: 0 finished, 2 cannot be done as typed, 3 a match failed, 130 interrupted. "
                                            "The same command goes on after an interruption.")  # fmt: skip
    add = parser.add_argument
    add("--out", required=True, type=Path, metavar="DIR", help="directory for the records, of each parameter in DIR/NAME")
    add("--param", action="append", default=[], metavar="NAME[=V,V,...|=LOW:HIGH:STEP]", help="a parameter and its values, repeatable; without values it has those of --grid")
    add("--grid", metavar="LOW:HIGH:STEP", help="values from LOW to HIGH, both included")
    add("--base", action="append", default=[], metavar="NAME=VALUE", help="the value of a swept parameter that the others play, in place of the engine's default; repeatable")
    add("--rounds", type=whole(1), default=100, help="openings for each value, each played twice with sides swapped")
    add("--no-probe", action="store_true", help="do not look whether the smallest and the largest value change anything in `bench`")
    add_match_options(parser)
    return parser


def grid(text: str, what: str) -> list[float]:
    """LOW, LOW + STEP and so on up to HIGH."""
    parts = text.split(":")
    if len(parts) != 3:
        raise ScriptError(f"{what} is {text!r}, expected LOW:HIGH:STEP, as in 50:200:50")
    low, high, step = (known_parameters.number(part, what) for part in parts)
    if not (low <= high and step > 0):
        raise ScriptError(f"{what} is {text!r}, expected LOW:HIGH:STEP with LOW up to HIGH and a step above 0")
    # Not all of a fine grid is made only to be refused. A last step that falls short of HIGH by rounding alone is one.
    count = min(math.floor((high - low) / step + 1e-9), MOST_VALUES) + 1
    return [low + i * step for i in range(count)]


def values_of(specification: str, common_grid: str | None, parameter: Parameter) -> list[str]:
    """The values that were asked for, as options are given them."""
    name, equals, text = specification.partition("=")
    if not equals:
        if common_grid is None:
            raise ScriptError(f"--param {name} has no values, expected {name}=V,V,... or --grid LOW:HIGH:STEP")
        text, what = common_grid, f"--grid, for {name},"
    else:
        what = f"--param {name}: a value"
    numbers = grid(text, what) if ":" in text or not equals else [known_parameters.number(part, what) for part in text.split(",")]
    # In ten digits, for steps of a grid add up to something like 0.30000000000000004.
    values = [known_parameters.value(f"{number:.10g}", parameter, what) for number in numbers]
    for value in values:
        if values.count(value) > 1:
            raise ScriptError(f"{what} is {value} twice")
    if len(values) > MOST_VALUES:
        raise ScriptError(f"--param {name} has more than {MOST_VALUES} values; take a wider step")
    return values


def bases(args: argparse.Namespace, swept: list[str]) -> dict[str, str]:
    """What --base says, by parameter."""
    found: dict[str, str] = {}
    for text in args.base:
        name, equals, value = text.partition("=")
        if not equals or name in found:
            raise ScriptError(f"--base {text!r}: expected NAME=VALUE, each name once")
        if name not in swept:
            raise ScriptError(f"--base {text!r}: {name} is not swept, expected one of {', '.join(swept)}; what both sides have goes to --option")
        found[name] = value
    return found


def sweeps(args: argparse.Namespace) -> list[Sweep]:
    """What is to be played, one after the other."""
    if not args.param:
        raise ScriptError("--param is missing, expected a parameter with its values, as in KigogoExploration=50,100,200")
    names = [text.partition("=")[0] for text in args.param]
    if args.grid is not None and all("=" in text for text in args.param):
        raise ScriptError(f"--grid {args.grid} is for no parameter: each --param has values of its own")
    base_of, known, plan = bases(args, names), known_parameters.listed(args.engine), MatchPlan.of(args)
    found = []
    for name, text in zip(names, args.param):
        parameter = known_parameters.named(name, known)
        known_parameters.refuse_other_games(name, args.variant)
        if names.count(name) > 1:
            raise ScriptError(f"--param {name} is given twice")
        if name in plan.options:
            raise ScriptError(f"{name} is given to --option and to --param")
        default = parameter.text(parameter.start)
        base = known_parameters.value(base_of[name], parameter, f"--base {name}") if name in base_of else default
        values = values_of(text, args.grid, parameter)
        if base in values:
            print(f"note: {name}={base} is left out: it is the base itself", file=sys.stderr)
            values.remove(base)
        if not values:
            raise ScriptError(f"--param {name}: no value is left but the base, {base}")
        found.append(Sweep(parameter, values, base, base == default, plan, args.rounds, args.out / name))
    return found


def probe(all_of_them: list[Sweep]) -> None:
    """Refuses parameters whose values cannot make a difference."""
    print(f"looking whether {', '.join(s.parameter.name for s in all_of_them)} changes the search", file=sys.stderr)
    without = []
    for s in all_of_them:
        numbers = sorted(map(float, s.values))
        extremes = replace(s.parameter, start=float(s.base), min=numbers[0], max=numbers[-1])
        without += known_parameters.inert(s.plan.engine, s.plan.options, [extremes])
    if without:
        raise ScriptError(f"inert: {', '.join(without)}: neither the smallest nor the largest value changes anything in `bench`; leave it out, or say --no-probe")


def rows(s: Sweep, match: Match) -> list[Row]:
    """What is known of each value so far. kete-match tells it from the view of the base, which is turned round here."""
    by_name = {pairing["second"]: pairing for pairing in match.results.get("pairings") or []}

    def turned(value: float | None, whole: float = 0.0) -> float | None:
        return None if value is None else whole - value

    found = []
    for value in s.values:
        p = by_name.get(value)
        if p is None:
            found.append(Row(value, 0, 0, 0, (0, 0, 0, 0, 0), None, None, None, None, None, None))
        else:
            found.append(Row(value, p["losses"], p["draws"], p["wins"], tuple(reversed(p["penta"])), turned(p["score"], 1.0), p["score_error"],
                             turned(p["elo"]), p["elo_error"], turned(p["nelo"]), p["nelo_error"]))  # fmt: skip
    return found


HEADER = "parameter,value,base,games,wins,draws,losses,ll,ld,even,wd,ww,score,score_error,elo,elo_error,nelo,nelo_error"


def write_results(s: Sweep, found: list[Row]) -> None:
    """results.csv: a line for each value, in the order in which they were given; what is undefined is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER.split(","))
    for row in found:
        shares = (row.score, row.score_error, row.elo, row.elo_error, row.nelo, row.nelo_error)
        numbers = ["" if x is None else f"{x + 0.0:.6g}" for x in shares]
        writer.writerow([s.parameter.name, row.value, s.base, row.games, row.wins, row.draws, row.losses, *row.penta, *numbers])
    replace_file(s.directory / "results.csv", text.getvalue())


def best(found: list[Row]) -> Row | None:
    """The value with the highest score, if it is better than the base."""
    top = max(found, key=lambda row: row.score or 0.0)
    return top if (top.score or 0.0) > 0.5 else None


def table(s: Sweep, found: list[Row]) -> str:
    """A line for each value, and a plot of their Elo, smallest value first."""
    ordered = sorted(found, key=lambda row: float(row.value))
    cells = [[s.parameter.name, "games", "W", "D", "L", "LL-LD-even-WD-WW", "score", "Elo", "nElo"]]
    for row in ordered:
        score = "n/a" if row.score is None else f"{100 * row.score:.1f}" + ("" if row.score_error is None else f" ± {100 * row.score_error:.1f}") + " %"
        cells.append([row.value, *map(str, (row.games, row.wins, row.draws, row.losses)), "-".join(map(str, row.penta)), score,
                      with_error(_plus_zero(row.elo), row.elo_error), with_error(_plus_zero(row.nelo), row.nelo_error)])  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths)) for line in cells]
    # The base is what the others are measured against: 0, without an error.
    points = [(float(row.value), row.value, row.elo, row.elo_error) for row in ordered] + [(float(s.base), f"{BASE} {s.base}", 0.0, None)]
    plot = bars([(label, elo, error) for _, label, elo, error in sorted(points, key=lambda point: point[0])])
    return "\n".join([*lines, "", f"Elo against the base, {s.parameter.name}={s.base}", *plot])


def _plus_zero(value: float | None) -> float | None:
    # 0 turned round would be printed as -0.
    return None if value is None else value + 0.0


def play(s: Sweep) -> list[Row]:
    """Plays a gauntlet, or what is left of it, and keeps results.csv up to date."""
    name = s.parameter.name

    def about(match: Match) -> str:
        top = best(rows(s, match))
        return name if top is None else f"best so far {name}={top.value}, Elo {with_error(top.elo, top.elo_error)}"

    progress = MatchProgress(about)

    def tell(event: dict, match: Match) -> None:
        if event["event"] in ("rating", "end") and match.results.get("pairings"):
            write_results(s, rows(s, match))
        progress(event, match)

    try:
        match = play_or_resume(s.words(), s.games, tell)
    finally:
        progress.end()
    if match.ending != "finished":
        raise MatchError(f"the match of {name} ended as {match.ending}: {match.detail or 'its message stands above'}; records in {s.games}")
    found = rows(s, match)
    for row in found:
        if sum(row.penta) != s.rounds:
            raise MatchError(f"{name}={row.value}: {sum(row.penta)} pairs in {s.games}, expected {s.rounds}")
    write_results(s, found)
    lost = failures(s.games)
    if lost:
        warn(f"in game {', '.join(lost)} an engine failed, which counts as its loss; see {s.games / 'failures'}")
    return found


def sweep(args: argparse.Namespace) -> int:
    if args.variant is None:
        raise ScriptError("--variant is missing, expected kiswahili, kigogo or kimasai")
    args.engine, args.kete_match = programs.find("kete", args.engine), programs.find("kete-match", args.kete_match)
    all_of_them = sweeps(args)
    with ExitStack() as held:
        # Whatever can be wrong is found before the first game of the first parameter.
        new = []
        for s in all_of_them:
            config = s.directory / "config.json"
            if config.exists():
                refuse_change(config, read_json(config), s.config())
            else:
                new.append(s)
            if not begun(s.games):
                check(s.words())
        if new and not args.no_probe:
            probe(new)
        for s in all_of_them:
            held.enter_context(locked(s.directory))
            settle(s.directory, s.config())
        for i, s in enumerate(all_of_them):
            print(f"{s.parameter.name}: {len(s.values)} values against {s.base}, {s.rounds} openings each; records in {s.directory}", file=sys.stderr)
            found = play(s)
            if i > 0:
                print()
            print(table(s, found), flush=True)
            top = best(found)
            if top is not None:
                replace_file(s.directory / "best.txt", f"setoption name {s.parameter.name} value {top.value}\n")
                print(f"best: {s.parameter.name}={top.value}; next: python3 scripts/verify.py --variant {s.plan.variant} --values {s.directory / 'best.txt'}", flush=True)
    return FINISHED


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return code_of(lambda: sweep(args))


if __name__ == "__main__":
    sys.exit(main())
