#!/usr/bin/env python3
"""Are tuned values better than the engine's defaults? A sequential test at a longer limit, on openings that the tuning has not seen.

    python3 scripts/verify.py runs/kigogo runs/kimasai --concurrency 2
    python3 scripts/verify.py --values hand.txt --variant kigogo --each nodes=80000

A run's defaults: four times its limit (a depth: 2 plies more), its random plies, its engine and options, the seed after its own. The games go to
RUN/verify-LIMIT-SEED, and the same command goes on with them after an interruption. What is accepted is printed as it goes into src/search/params.rs.
Elo and nElo are those of the tuned side, with half of their 95 % interval.
Exit codes: 0 all accepted (H1), 1 some refuted (H0), 2 it cannot be done as typed or there is nothing to verify, 3 undecided or a match failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from kete_tune import candidates, penta, programs
from kete_tune import parameters as known_parameters
from kete_tune.candidates import Candidate
from kete_tune.errors import ScriptError
from kete_tune.exits import FAILED, FINISHED, REFUSED, code_of
from kete_tune.match_progress import MatchProgress
from kete_tune.matches import Match, MatchError, begun, check, failures, play_or_resume
from kete_tune.objectives import MatchPlan
from kete_tune.openings import PLIES, File, RandomPlies, given
from kete_tune.options import HelpFormatter, add_match_options, engine_options, longer, whole
from kete_tune.run_directory import as_json, locked, replace_file, settle, warn
from kete_tune.spsa import Parameter

FORMAT = 1
REFUTED, UNDECIDED = 1, 3
# What tune.py has if nothing is said, for values of which nothing is known.
TUNING_LIMIT, TUNING_SEED = "nodes=20000", 1
VERDICTS = {"H1": "accepted", "H0": "refuted", "finished": "undecided"}


@dataclass(frozen=True)
class Verification:
    """A match to play: `changes` has the default and the value of each parameter in which the sides differ."""

    candidate: Candidate
    known: dict[str, Parameter]
    changes: dict[str, tuple[str, str]]
    plan: MatchPlan
    rounds: int
    sprt: dict[str, float]
    directory: Path

    @property
    def values(self) -> dict[str, str]:
        return {name: value for name, (_, value) in self.changes.items()}

    def config(self) -> dict:
        """All that the result depends on."""
        values = [{"name": name, "default": default, "value": value} for name, (default, value) in self.changes.items()]
        config = {
            "format": FORMAT,
            "kind": "verification",
            "variant": self.plan.variant,
            "values": values,
            "rounds": self.rounds,
            "seed": self.plan.seed,
            "sprt": {"model": "normalized"} | self.sprt,
        }
        return config | self.plan.settings()

    def words(self) -> list[str]:
        """The command of kete-match: the tuned side first, so that the results are its own."""
        words = self.plan.words({"tuned": self.values, "default": {}}, 0, self.rounds)
        return [*words, "--sprt", *(f"{key}={value:g}" for key, value in self.sprt.items()), "model=normalized"]

    @property
    def games(self) -> Path:
        return self.directory / "match"


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Verify tuned values by a sequential test against the engine's defaults.", formatter_class=HelpFormatter,
                                     epilog="Exit codes: 0 all accepted, 1 some refuted, 2 cannot be done as typed or nothing to verify, 3 undecided or a match failed, "
                                            "130 interrupted. The same command goes on after an interruption.")  # fmt: skip
    add = parser.add_argument
    add("runs", nargs="*", type=Path, metavar="RUN", help="directory of a tuning run, finished or not")
    add("--values", type=Path, metavar="FILE", help="`setoption` lines to verify in place of a run; needs --variant")
    add("--elo0", type=float, default=0.0, help="normalized Elo that is refuted")
    add("--elo1", type=float, default=20.0, help="normalized Elo that is accepted")
    add("--alpha", type=float, default=0.05, help="probability that the test accepts what is worth elo0")
    add("--beta", type=float, default=0.05, help="probability that it refutes what is worth elo1")
    add("--rounds", type=whole(1), default=2000, metavar="PAIRS", help="pairs of games after which the test gives up")
    add("--out", type=Path, metavar="DIR", help="directory for the records of one run; default: RUN/verify-LIMIT-SEED, or FILE-verify-LIMIT-SEED beside the file")
    add_match_options(
        parser,
        limit_default=None,
        seed_default=None,
        variant="the game of --values; a run says it itself",
        engine="default: that of the run, or target/release/kete for --values; where it is given, a run's engine may have changed",
        option="an option of both sides beside those of the run, repeatable",
        each=f"nodes=, depth=, st= or tc= of both sides; default: four times the run's, a depth 2 plies more; for --values four times {TUNING_LIMIT}",
        plies="random plies of the openings; default: those of the run; for --values 8, in kigogo 6, in kimasai 16",
        openings="a file of openings, in place of random ones, as openings.py writes it; for a run that was tuned on a file another one, or --plies",
        seed=f"of the openings; default: the one after the run's; for --values {TUNING_SEED + 1}",
    )
    return parser


def sprt(args: argparse.Namespace) -> dict[str, float]:
    """The test, if it is one."""
    if not (math.isfinite(args.elo0) and math.isfinite(args.elo1) and args.elo0 < args.elo1):
        raise ScriptError(f"--elo0 is {args.elo0:g} and --elo1 {args.elo1:g}, expected the first below the second")
    for name in ("alpha", "beta"):
        if not 0 < getattr(args, name) < 0.5:
            raise ScriptError(f"--{name} is {getattr(args, name):g}, expected a probability above 0 and below 0.5")
    return {name: getattr(args, name) for name in ("elo0", "elo1", "alpha", "beta")}


def found_candidates(args: argparse.Namespace) -> list[Candidate]:
    options = engine_options(args)
    if args.values is not None:
        if args.runs:
            raise ScriptError(f"--values {args.values} and the run {args.runs[0]} are given, expected one of them")
        if args.variant is None:
            raise ScriptError("--variant is missing, which --values needs: expected kiswahili, kigogo or kimasai")
        return [candidates.of_file(args.values, args.variant, options)]
    if not args.runs:
        raise ScriptError("nothing to verify: expected the directory of a tuning run, or --values FILE")
    if args.variant is not None:
        raise ScriptError("--variant is given, but a run says its game itself; it goes with --values")
    if args.out is not None and len(args.runs) > 1:
        raise ScriptError(f"--out is for one run, and {len(args.runs)} are given; leave it out, or verify one at a time")
    found = []
    for directory in args.runs:
        candidate = candidates.of_run(directory, args.engine is not None)
        found.append(replace(candidate, options=candidate.options | options))
    return found


def prepared(candidate: Candidate, args: argparse.Namespace) -> Verification:
    """What is to be played, as the user or the run has it."""
    engine = candidate.engine if candidate.engine is not None and args.engine is None else programs.find("kete", args.engine)
    known = known_parameters.listed(engine)
    tuning_seed = TUNING_SEED if candidate.seed is None else candidate.seed
    # Seeds of kete-match have 64 bits.
    seed = (tuning_seed + 1) % 2**64 if args.seed is None else args.seed
    limit = longer(candidate.limit or TUNING_LIMIT) if args.each is None else args.each
    openings = given(args) or candidate.openings or RandomPlies(PLIES[candidate.variant])
    if openings == candidate.openings and isinstance(openings, File):
        raise ScriptError(f"{candidate.name} was tuned on the {openings}, expected --openings with another file, or --plies")
    plan = MatchPlan(args.kete_match, engine, candidate.variant, candidate.options, limit, openings, seed, args.concurrency)
    directory = args.out
    if directory is None:
        place = f"verify-{re.sub('[^0-9A-Za-z=.+-]', '_', limit)}-{seed}"
        directory = args.values.with_name(f"{args.values.stem}-{place}") if args.values is not None else Path(candidate.name) / place
    return Verification(candidate, known, candidates.changes(candidate, known), plan, args.rounds, sprt(args), directory)


def introduce(v: Verification) -> None:
    """What is compared, and what speaks against it."""
    c = v.candidate
    if c.pairs is not None and c.pairs[0] < c.pairs[1]:
        warn(f"{c.name} is not finished: {c.pairs[0]} of {c.pairs[1]} pairs")
    if c.seed == v.plan.seed and c.openings == v.plan.openings:
        warn(f"{c.name} was tuned with the seed {c.seed}: the openings are among those of the tuning")
    if not v.changes:
        print(f"{c.name}: nothing to verify: all {len(c.values)} values are the engine's defaults, once they are rounded")
        return
    differing = ", ".join(f"{name} {default} -> {value}" for name, (default, value) in v.changes.items())
    print(f"{c.name}: {len(v.changes)} of {len(c.values)} values differ from the defaults: {differing}", flush=True)
    print(f"{v.plan.variant}, {v.plan.limit}, seed {v.plan.seed}, {v.plan.openings}, at most {v.rounds} pairs; records in {v.directory}", file=sys.stderr)


def about(match: Match) -> str:
    """Score and test of a match under way."""
    share, test = penta.score(match.penta()), match.results.get("sprt") or {}
    if share is None:
        return ""
    text = f"score {100 * share:.1f} %"
    if test.get("llr") is not None:
        text += f", LLR {test['llr']:.2f} of {test['lower']:.2f} to {test['upper']:.2f}"
    if test.get("expected_remaining") is not None:
        text += f", some {test['expected_remaining']} more pairs expected"
    return text


def play(v: Verification) -> Match:
    """Plays the match, or what is left of it, and puts its result on record."""
    progress = MatchProgress(about, at_most=True)
    try:
        match = play_or_resume(v.words(), v.games, progress)
    finally:
        progress.end()
    if match.ending not in VERDICTS:
        raise MatchError(f"{v.candidate.name}: the match ended as {match.ending}: {match.detail or 'its message stands above'}; records in {v.games}")
    replace_file(v.directory / "result.json", as_json({"format": FORMAT, "verdict": VERDICTS[match.ending], "results": match.results}))
    lost = failures(v.games)
    if lost:
        warn(f"{v.candidate.name}: in game {', '.join(lost)} an engine failed, which counts as its loss; see {v.games / 'failures'}")
    return match


def verify(args: argparse.Namespace) -> int:
    args.kete_match = programs.find("kete-match", args.kete_match)
    sprt(args)
    all_of_them = [prepared(candidate, args) for candidate in found_candidates(args)]
    places = [v.directory.resolve() for v in all_of_them]
    for v, place in zip(all_of_them, places):
        if places.count(place) > 1:
            raise ScriptError(f"{v.candidate.name} is given twice")
    with ExitStack() as held:
        # Whatever can be wrong is found before the first game of the first run.
        for v in all_of_them:
            introduce(v)
            if v.changes:
                if not begun(v.games):
                    check(v.words())
                held.enter_context(locked(v.directory))
                settle(v.directory, v.config())
        return verdicts(all_of_them)


def verdicts(all_of_them: list[Verification]) -> int:
    """Plays one after the other and tells what came out. A match that fails does not keep the others from being played."""
    endings: list[str] = []
    accepted: dict[str, str] = {}
    for v in all_of_them:
        if not v.changes:
            endings.append("nothing")
            continue
        try:
            match = play(v)
        except MatchError as error:
            print(f"error: {error}\nthe same command goes on", file=sys.stderr)
            endings.append("failed")
            continue
        verdict = VERDICTS[match.ending or ""]
        endings.append(verdict)
        print(f"{v.candidate.name}: {match.line()}; {verdict}" + (f" after all {v.rounds} pairs" if verdict == "undecided" else ""), flush=True)
        if verdict == "accepted":
            # With what was accepted of other games, so that the lines can be pasted in this order.
            accepted |= v.values
            print_accepted(v, accepted)
    for ending, code in (("failed", FAILED), ("refuted", REFUTED), ("nothing", REFUSED), ("undecided", UNDECIDED)):
        if ending in endings:
            return code
    return FINISHED


def print_accepted(v: Verification, accepted: dict[str, str]) -> None:
    rows = candidates.source_rows(list(v.changes), accepted, v.known)
    if rows is not None:
        print("for the table in src/search/params.rs:")
        print("".join(f"  {row}\n" for row in rows), end="")
    print("as options:")
    print("".join(f"  {line}\n" for line in candidates.setoptions(v.values)), end="", flush=True)


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return code_of(lambda: verify(args))


if __name__ == "__main__":
    sys.exit(main())
