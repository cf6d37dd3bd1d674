#!/usr/bin/env python3
"""Is an engine with the new net stronger? A sequential test by kete-match, with pairs of games and sides swapped.

    python scripts/accept_eval.py --variant kigogo --new new.knet --old old.knet

Losses on held-out games do not say which net plays better, so a net is accepted by this alone.
Exit codes: 0 accepted (H1), 1 refuted (H0), 2 it could not be played (what is wrong is said), 3 undecided after all rounds, 130 interrupted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kete_eval import net_file
from kete_eval.data_file import FileError
from kete_eval.inputs import SETS

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED, REFUTED, FAILED, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130


class MatchError(Exception):
    """Why there is no result."""


@dataclass
class Match:
    """What kete-match has told so far."""

    ending: str | None = None  # H0, H1, finished, failed, interrupted
    detail: str | None = None
    directory: str | None = None
    results: dict = field(default_factory=dict)

    def take(self, line: str) -> str | None:
        """Reads a line of `kete-match --json`. Returns the kind of event."""
        try:
            event = json.loads(line)
            kind = event["event"]
        except (ValueError, KeyError, TypeError) as error:
            raise MatchError(f"kete-match printed {line.strip()[:200]!r}, expected an event as JSON") from error
        self.directory = event.get("directory", self.directory)
        if kind in ("rating", "end"):
            self.results = event["results"]
        if kind == "end":
            self.ending, self.detail = event["ending"], event.get("detail")
        return kind

    def exit_code(self) -> int:
        codes = {"H1": ACCEPTED, "H0": REFUTED, "finished": UNDECIDED, "interrupted": INTERRUPTED}
        return codes.get(self.ending or "", FAILED)

    def line(self) -> str:
        """Score, differences and LLR of the new net against the old."""
        pairings = self.results.get("pairings") or []
        if not pairings:
            return "no games"
        p, sprt = pairings[0], self.results.get("sprt") or {}
        text = f"games {p['games']}, W {p['wins']} D {p['draws']} L {p['losses']}, pairs {'-'.join(map(str, p['penta']))}, "
        text += f"Elo {_with_error(p['elo'], p['elo_error'])}, nElo {_with_error(p['nelo'], p['nelo_error'])}"
        if sprt.get("llr") is not None:
            text += f", LLR {sprt['llr']:.2f} of {sprt['lower']:.2f} to {sprt['upper']:.2f}"
        return text


def _with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return "n/a"
    return f"{value:+.1f}" + ("" if error is None else f" ± {error:.1f}")


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Accept or refute a net by a match.", formatter_class=argparse.ArgumentDefaultsHelpFormatter,
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
    add("--kete-match", type=Path, metavar="PROGRAM", help="default: target/release/kete-match, built by cargo if it is missing")
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


def command(args: argparse.Namespace, program: Path) -> list[str]:
    limit = f"nodes={args.nodes}" if args.nodes is not None else f"st={args.st}"
    words = [str(program), "--variant", args.variant, *engine("new", args.new, args), *engine("old", args.old, args), "--each", limit]
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


def runner(args: argparse.Namespace) -> Path:
    program = args.kete_match or ROOT / "target" / "release" / "kete-match"
    if args.kete_match is None and not program.exists():
        print("building kete-match", file=sys.stderr)
        subprocess.run(["cargo", "build", "--release", "--locked", "--bin", "kete-match"], cwd=ROOT, check=True)
    return program


def follow(lines: Iterable[str]) -> Match:
    """Reads events to the end and tells ratings on standard error."""
    match = Match()
    for line in lines:
        if line.strip() and match.take(line) == "rating":
            print(match.line(), file=sys.stderr)
    return match


def play(words: list[str]) -> Match:
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        match = follow(process.stdout)
        process.wait()
    finally:
        if process.poll() is None:
            process.terminate()  # kete-match then ends its engines; games in progress are lost, finished ones are on the disk.
            process.wait()
    if match.ending is None:
        raise MatchError(f"kete-match ended with exit code {process.returncode} and no result; its message stands above")
    return match


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    try:
        check_nets(args)
        match = play(command(args, runner(args)))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FileError, MatchError, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    code = match.exit_code()
    verdict = {ACCEPTED: "accepted", REFUTED: "refuted", UNDECIDED: "undecided after all rounds", INTERRUPTED: "interrupted"}.get(code, "failed")
    print(match.line())
    print(f"records in {match.directory}")
    print(f"verdict: {verdict}" + (f" ({match.detail})" if match.detail else ""))
    return code


if __name__ == "__main__":
    sys.exit(main())
