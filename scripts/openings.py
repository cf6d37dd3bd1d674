#!/usr/bin/env python3
"""Balanced openings: positions after random plies that a search takes to be about level, a line each, for `--openings` of the other scripts and `file=` of kete-match.

    python3 scripts/openings.py --variant kimasai --count 400 --concurrency 2 --out kimasai-openings.txt
    kete-match --variant kimasai ... --openings file=kimasai-openings.txt

Most random openings are won by one side whoever plays it, and their pairs of games are divided between equals as between unequals. Balanced ones tell more of the
engines with as many games. The same command writes the same file, whatever the concurrency.
Exit codes: 0 written, 2 it cannot be done as typed (nothing was written), 130 interrupted.
"""

from __future__ import annotations

import argparse
import queue
import random
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from kete_tune import programs
from kete_tune.dialogue import Dialogue
from kete_tune.errors import ScriptError
from kete_tune.exits import FINISHED, code_of
from kete_tune.options import HelpFormatter, add_engine_options, cores, engine_options, whole
from kete_tune.progress import Progress
from kete_tune.run_directory import replace_file

# Random plies beyond those of other matches: of few positions, fewer are level.
PLIES = {"kiswahili": 8, "kigogo": 8, "kimasai": 16}
# So many random games in a row without a new position: there are no more, or too few to be found.
MOST_IN_VAIN = 10_000
_SCORE = re.compile(r" score (cp|mate) (-?\d+) ")


@dataclass(frozen=True)
class Wanted:
    """The openings that are asked for. `within` is in centipawns, either way."""

    variant: str
    count: int
    plies: int
    within: int
    nodes: int
    seed: int


@dataclass
class Found:
    """Positions as texts: those kept, in the order in which they were come upon, and how many were looked at."""

    kept: list[str] = field(default_factory=list)
    looked_at: int = 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write openings that are about level.", formatter_class=HelpFormatter,
                                     epilog="Exit codes: 0 written, 2 cannot be done as typed, 130 interrupted.")  # fmt: skip
    add = parser.add_argument
    add("--out", required=True, type=Path, metavar="FILE", help="the file to write, which must not be there")
    add("--count", type=whole(1), default=200, metavar="N", help="how many openings")
    add("--within", type=whole(0), default=30, metavar="CP", help="the largest score either way, in centipawns")
    add("--nodes", type=whole(1), default=20000, metavar="N", help="nodes of the search that says how level a position is")
    add_engine_options(parser, option="an option of the engine, repeatable", plies="random plies before each; default: 8, in kimasai 16",
                       concurrency="positions that are searched at the same time, 0: as many as there are cores")
    return parser


def after(moves: list[str]) -> str:
    """The command that plays moves from the start."""
    return " ".join(["position startpos moves", *moves]) if moves else "position startpos"


def positions(engine: Dialogue, wanted: Wanted) -> Iterator[str]:
    """Undecided positions after random plies, each once: all moves of a position have the same chance. Ends if there are no more."""
    seen: set[str] = set()
    in_vain = 0
    for number in count():
        rng = random.Random(f"openings {wanted.seed} {number}")
        moves: list[str] = []
        for _ in range(wanted.plies):
            legal = engine.ask([after(moves), "query moves"], "response")[-1].split()[1:]
            if legal == ["(none)"]:
                break
            moves.append(rng.choice(legal))
        over = engine.ask([after(moves), "query gameover"], "response")[-1] != "response false"
        text = engine.ask(["query fen"], "response")[-1].removeprefix("response ")
        if over or text in seen:
            in_vain += 1
            if in_vain == MOST_IN_VAIN:
                return
            continue
        in_vain = 0
        seen.add(text)
        yield text


def is_level(engine: Dialogue, text: str, wanted: Wanted) -> bool:
    """Whether a search takes the position to be within the bounds; one that is proved never is, not even a draw, of which nothing is left to play."""
    lines = engine.ask([f"position fen {text}", f"go nodes {wanted.nodes}"], "bestmove")
    found = [match for line in lines if line.startswith("info ") and (match := _SCORE.search(line))]
    if not found:
        raise ScriptError(f"the engine tells no score of {text}; expected `info ... score cp X` before {lines[-1]!r}")
    kind, value = found[-1].groups()
    return kind == "cp" and abs(int(value)) <= wanted.within and " wdl 0 1000 0 " not in found[-1].string


def find(wanted: Wanted, engines: list[Dialogue]) -> Found:
    """Looks at one position after the other until there are enough.

    Raises:
        ScriptError: if there are not so many.
    """
    found = Found()
    free: queue.SimpleQueue[Dialogue] = queue.SimpleQueue()
    for engine in engines[1:]:
        free.put(engine)

    def level(text: str) -> bool:
        engine = free.get()
        try:
            return is_level(engine, text, wanted)
        finally:
            free.put(engine)

    progress = Progress("openings", 0, wanted.count)
    drawn = positions(engines[0], wanted)
    try:
        with ThreadPoolExecutor(len(engines) - 1) as pool:
            # Some at a time: what lies beyond the last one that is kept was looked at in vain.
            while batch := [text for _, text in zip(range(8 * (len(engines) - 1)), drawn)]:
                for text, keeps in zip(batch, pool.map(level, batch)):
                    found.looked_at += 1
                    if keeps:
                        found.kept.append(text)
                    if len(found.kept) == wanted.count:
                        return found
                progress.tell(len(found.kept), f"{found.looked_at} positions looked at")
    finally:
        progress.end()
    raise ScriptError(
        f"{wanted.variant} has {found.looked_at} positions that random play of {wanted.plies} plies finds, and {len(found.kept)} of them are within {wanted.within} centipawns, "
        f"{wanted.count} are needed: expected more plies, a larger --within, or fewer"
    )


def text_of(wanted: Wanted, found: Found, command: list[str], options: dict[str, str]) -> str:
    """The file."""
    said = "".join(f", {name}={value}" for name, value in options.items())
    return (
        f"# {wanted.count} openings of {wanted.variant}, of {found.looked_at} positions: {wanted.plies} random plies from the start, seed {wanted.seed};\n"
        f"# within {wanted.within} centipawns for a search of {wanted.nodes} nodes{said}; SHA-256 of the engine {programs.sha256(command)}\n"
        + "".join(f"{text}\n" for text in found.kept)
    )


def write(args: argparse.Namespace) -> int:
    if args.variant is None:
        raise ScriptError("--variant is missing, expected kiswahili, kigogo or kimasai")
    if args.out.exists():
        raise ScriptError(f"--out {args.out} is there already, expected a new file")
    if not args.out.parent.is_dir():
        raise ScriptError(f"--out {args.out}: {args.out.parent} is no directory")
    command, options = programs.find("kete", args.engine), engine_options(args)
    wanted = Wanted(args.variant, args.count, PLIES[args.variant] if args.plies is None else args.plies, args.within, args.nodes, args.seed)
    with ExitStack() as held:
        # One draws positions, the others search them.
        engines = [held.enter_context(Dialogue(command, {"UCI_Variant": wanted.variant} | options)) for _ in range(cores(args.concurrency) + 1)]
        found = find(wanted, engines)
    replace_file(args.out, text_of(wanted, found, command, options))
    print(f"{wanted.count} openings in {args.out}, {100 * wanted.count / found.looked_at:.0f} % of {found.looked_at} positions that were looked at")
    return FINISHED


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return code_of(lambda: write(args), left="nothing was written")


if __name__ == "__main__":
    sys.exit(main())
