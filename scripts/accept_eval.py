#!/usr/bin/env python3
"""Is an engine with the new net stronger? A sequential test by kete-match, with pairs of games and sides swapped.

    python scripts/accept_eval.py --variant kigogo --new new.knet --old old.knet

Losses on held-out games do not say which net plays better, so a net is accepted by this alone.
Exit codes: 0 accepted (H1), 1 refuted (H0), 2 it could not be played (what is wrong is said), 3 undecided after all rounds, 130 interrupted.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

from kete_eval import net_file
from kete_eval.data_file import FileError
from kete_eval.inputs import SETS
from kete_tune import programs
from kete_tune.errors import ScriptError
from kete_tune.matches import Match, follow
from kete_tune.options import HelpFormatter, interruptible

ACCEPTED, REFUTED, FAILED, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
CODES = {"H1": ACCEPTED, "H0": REFUTED, "finished": UNDECIDED, "interrupted": INTERRUPTED}


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Accept or refute a net by a match.", formatter_class=HelpFormatter,
                                     epilog="Exit codes: 0 accepted, 1 refuted, 2 could not be played, 3 undecided after all rounds, 130 interrupted.")  # fmt: skip
    add = parser.add_argument
    add("--variant", required=True, choices=sorted(SETS), help="the game")
    add("--new", required=True, metavar="NET", help="the net to judge")
    add("--old", default="material", metavar="NET", help="what it has to beat: a net, or `material`, the seed count")
    add("--player", default="alphabeta", help="the engine's option Player, for both")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--st", type=float, default=0.05, metavar="SEC", help="seconds a move")
    limit.add_argument("--nodes", type=int, metavar="N", help="nodes a move, in place of seconds: blind to the net's speed, but repeatable")
    add("--elo0", type=float, default=0.0, help="normalized Elo that is refuted")
    add("--elo1", type=float, default=20.0, help="normalized Elo that is accepted")
    add("--max-rounds", type=int, default=400, help="openings, each played twice, after which the test gives up")
    add("--concurrency", type=int, default=2, help="games at the same time; no more than there are free cores")
    add("--seed", type=int, help="of the openings; default: a random one, which is recorded")
    add("--kete-match", metavar="PROGRAM", help="default: target/release/kete-match, built by cargo if it is missing")
    add("--out", metavar="DIR", help="directory for the records; default: a new one in runs/")
    return parser.parse_args(argv)


def engine(name: str, net: str, args: argparse.Namespace) -> list[str]:
    """The words of `--engine` for one side."""
    words = ["--engine", "cmd=builtin", f"name={name}"]
    if net == "material":
        words.append("option.Evaluation=material")
    else:
        # Absolute, for an engine may run in another directory.
        words += ["option.Evaluation=net", f"option.EvalFile={Path(net).resolve()}"]
    return [*words, f"option.Player={args.player}"]


def command(args: argparse.Namespace, program: list[str]) -> list[str]:
    limit = f"nodes={args.nodes}" if args.nodes is not None else f"st={args.st}"
    words = [*program, "--variant", args.variant, *engine("new", args.new, args), *engine("old", args.old, args), "--each", limit]
    words += ["--sprt", f"elo0={args.elo0}", f"elo1={args.elo1}", "--rounds", str(args.max_rounds), "--concurrency", str(args.concurrency), "--json"]
    if args.seed is not None:
        words += ["--seed", str(args.seed)]
    if args.out is not None:
        words += ["--out", args.out]
    return words


def check_nets(args: argparse.Namespace) -> None:
    """A wrong file is better refused here, by name, than by an engine; and the output says which bytes were judged."""
    for side, path in (("new", args.new), ("old", args.old)):
        if side == "old" and path == "material":
            print("old: material")
            continue
        net = net_file.read(path)
        if net.game != args.variant:
            raise FileError(f"{path}: a net for {net.game}, expected {args.variant}")
        print(f"{side}: {path}, sha256 {hashlib.sha256(Path(path).read_bytes()).hexdigest()}")


def tell(event: dict, match: Match) -> None:
    """Ratings on standard error."""
    if event["event"] == "rating":
        print(match.line(), file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    try:
        check_nets(args)
        with interruptible():
            match = follow(command(args, programs.find("kete-match", args.kete_match)), tell)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FileError, ScriptError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    code = CODES.get(match.ending or "", FAILED)
    verdict = {ACCEPTED: "accepted", REFUTED: "refuted", UNDECIDED: "undecided after all rounds", INTERRUPTED: "interrupted"}.get(code, "failed")
    print(match.line())
    print(f"records in {match.directory}")
    print(f"verdict: {verdict}" + (f" ({match.detail})" if match.detail else ""))
    return code


if __name__ == "__main__":
    sys.exit(main())
