#!/usr/bin/env python3
"""Tunes parameters of an engine by SPSA: two settings a little apart play each other, and every parameter goes towards the side that wins.

    python3 scripts/tune.py --variant kigogo --param KigogoExploration --param KigogoLeafMargin,c=15 --pairs 2000 --out runs/kigogo

The same command goes on with a run that was interrupted or killed. A run's directory holds config.json (never changed), state.json (replaced after each
iteration), history.csv (a line an iteration) and best.txt (`setoption` lines); `kete-match report DIR` draws it, `verify.py DIR` tests the result.
Exit codes: 0 finished, 2 it cannot be done as typed (nothing was played), 3 a match failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from kete_tune import parameters as known_parameters
from kete_tune import penta, programs
from kete_tune.errors import ScriptError
from kete_tune.exits import FINISHED, code_of
from kete_tune.matches import MatchError
from kete_tune.objectives import Matches, MatchPlan, Objective, Quadratic
from kete_tune.options import HelpFormatter, add_match_options, engine_options, whole
from kete_tune.progress import Progress, duration
from kete_tune.run import FORMAT, Run, go_on
from kete_tune.run_directory import is_new, locked, settle
from kete_tune.spsa import ALPHA, GAMMA, STABILITY, Parameter, Schedule

# The synthetic function: five parameters of different ranges, begun far from the optimum.
QUADRATIC = [
    Parameter(f"P{i}", "float", low + begin * (high - low), low, high, (high - low) / 20, 0.02)
    for i, (low, high, begin) in enumerate([(0.0, 1.0, 0.2), (-5.0, 5.0, 0.8), (0.0, 100.0, 0.3), (10.0, 20.0, 0.75), (-1.0, 3.0, 0.5)], 1)
]
QUADRATIC_OPTIMUM = [p.min + share * (p.max - p.min) for p, share in zip(QUADRATIC, (0.55, 0.45, 0.65, 0.4, 0.25))]


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Tune parameters by SPSA.", formatter_class=HelpFormatter,
                                     epilog="Exit codes: 0 finished, 2 cannot be done as typed, 3 a match failed, 130 interrupted. The same command goes on with a run.")  # fmt: skip
    add = parser.add_argument
    add("--out", required=True, type=Path, metavar="DIR", help="directory of the run, new or to be gone on with")
    add("--param", action="append", default=[], metavar="NAME[=START][,min=][,max=][,c=][,r=]",
        help="a parameter, repeatable; what is not said is as the engine lists it at `params`: c is how far it is perturbed at the end, r the rate there; none: all of the game")  # fmt: skip
    add("--pairs", type=whole(1), default=2000, help="pairs of games in all, N of the schedule")
    add("--pairs-per-iteration", type=whole(1), default=8, help="pairs between two steps; no less than half the concurrency keeps all cores busy")
    add("--r-end", type=float, metavar="R", help="learning rate at the end, for parameters that do not say their own; default: as listed, 0.002, which wants tens of thousands of pairs")  # fmt: skip
    add("--stability", type=float, metavar="A", help="the A of the schedule, in pairs; default: a tenth of --pairs")
    add("--objective", choices=("match", "quadratic"), default="match", help="quadratic: a synthetic function, to see the method at work without an engine")
    add("--no-probe", action="store_true", help="do not look for parameters that change nothing in `bench`")
    add_match_options(parser)
    return parser


def tunables(args: argparse.Namespace, engine: list[str]) -> list[Parameter]:
    """The parameters that were asked for, each within what the engine can take."""
    known = known_parameters.listed(engine)
    if args.param:
        found = [known_parameters.chosen(text, known, args.r_end) for text in args.param]
    else:
        found = [known_parameters.chosen(name, known, args.r_end) for name in known if name.lower().startswith(args.variant)]
    names = [p.name for p in found]
    if not names:
        raise ScriptError(f"the engine lists no parameter of {args.variant}; name some with --param")
    for name in names:
        if names.count(name) > 1:
            raise ScriptError(f"--param {name} is given twice")
        if name.lower() in (option.lower() for option in engine_options(args)):
            raise ScriptError(f"{name} is given to --option and to --param")
        known_parameters.refuse_other_games(name, args.variant)
    return found


def probe(args: argparse.Namespace, found: list[Parameter]) -> None:
    """Makes sure that every parameter does something."""
    print(f"looking whether each of {len(found)} parameters changes the search", file=sys.stderr)
    without = known_parameters.inert(args.engine, engine_options(args), found)
    if without:
        raise ScriptError(f"inert: {', '.join(without)}: neither the smallest nor the largest value changes anything in `bench`; leave it out, or say --no-probe")


def schedule(args: argparse.Namespace) -> Schedule:
    stability = STABILITY * args.pairs if args.stability is None else args.stability
    if not 0 <= stability < float("inf"):
        raise ScriptError(f"--stability is {stability}, expected 0 or more")
    return Schedule(args.pairs, stability)


def configuration(args: argparse.Namespace, found: list[Parameter]) -> dict:
    """All that the result depends on: a run cannot be gone on with if any of it is another."""
    plan = schedule(args)
    config = {
        "format": FORMAT,
        "kind": "tuning",
        "variant": args.variant if args.objective == "match" else None,
        "objective": args.objective,
        "pairs": args.pairs,
        "pairs_per_iteration": args.pairs_per_iteration,
        "seed": args.seed,
        "schedule": {"A": plan.stability, "alpha": ALPHA, "gamma": GAMMA},
        "parameters": [{"name": p.name, "type": p.kind} | {key: v for key, v in asdict(p).items() if key not in ("name", "kind")} for p in found],
    }
    return config | (MatchPlan.of(args).settings() if args.objective == "match" else {})


def report_to(progress: Progress, found: list[Parameter]) -> Callable[[Run, int], None]:
    """A line about the run: where the parameters that went farthest are."""

    def report(run: Run, games: int) -> None:
        state = run.state
        moves = sorted(((abs(v - p.start) / p.c_end, p, v) for p, v in zip(found, state.theta)), key=lambda move: -move[0])
        text = ", ".join(f"{p.name} {p.start:g} -> {v:.4g}" for _, p, v in moves[:3])
        progress.tell(state.pairs + games // 2, f"iteration {state.iteration}; {text}", always=run.finished)

    return report


def tune(args: argparse.Namespace, matches: Callable[[MatchPlan, list[Parameter], Path], Objective] = Matches) -> int:
    """Begins a run or goes on with it. `matches` makes the objective of a run whose objective are matches."""
    if args.objective == "quadratic":
        if args.param or args.r_end is not None:
            raise ScriptError("--objective quadratic has parameters of its own, expected no --param and no --r-end")
        found = QUADRATIC
    else:
        if args.variant is None:
            raise ScriptError("--variant is missing, expected kiswahili, kigogo or kimasai")
        args.engine, args.kete_match = programs.find("kete", args.engine), programs.find("kete-match", args.kete_match)
        found = tunables(args, args.engine)
    config = configuration(args, found)
    with locked(args.out):
        # A directory that cannot be used is told at once, and what cannot be played before anything is written down.
        if is_new(args.out) and args.objective == "match":
            MatchPlan.of(args).check(args.pairs)
            if not args.no_probe:
                probe(args, found)
        settle(args.out, config)
        run = Run(args.out, found, schedule(args), args.pairs_per_iteration, args.seed)
        if args.objective == "quadratic":
            objective: Objective = Quadratic(found, QUADRATIC_OPTIMUM, args.seed)
        else:
            objective = matches(MatchPlan.of(args), found, args.out)
        progress = Progress("pairs", run.state.pairs, args.pairs)
        try:
            seconds = go_on(run, objective, report_to(progress, found))
        except OSError as error:
            # A full disk, say: games have been played by now.
            raise MatchError(f"the run stopped at iteration {run.state.iteration + 1}: {error}") from error
        finally:
            progress.end()
    state = run.state
    share = penta.score(state.penta) or 0  # of at least a pair
    print(f"{state.pairs} pairs in {state.iteration} iterations, this time {duration(seconds)}; pairs of the plus side {penta.text(state.penta)}, score {100 * share:.1f} %")
    print(run.best(), end="")
    if args.objective == "match":
        print(f"next: python3 scripts/verify.py {args.out}")
    return FINISHED


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return code_of(lambda: tune(args))


if __name__ == "__main__":
    sys.exit(main())
