#!/usr/bin/env python3
"""Spreads a match or a tuning run over cores and machines, by Dask distributed.

    python3 scripts/cluster.py match --variant kigogo --engine cmd=./new name=new --engine cmd=./old name=old --rounds 1000 --out runs/new-vs-old
    python3 scripts/cluster.py tune --variant kigogo --pairs 20000 --pairs-per-iteration 32 --out runs/kigogo --scheduler tcp://host:8786

Work goes out in shards, a few openings each, and a shard whose worker is lost is played again by another. Without --scheduler the workers are processes
on this machine. The same command goes on with what was interrupted or killed: shards that have arrived are not played again.
Exit codes: 0 finished, 2 it cannot be done as typed (nothing was played), 3 a match failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tune
from kete_tune import penta, programs
from kete_tune.errors import ScriptError
from kete_tune.exits import FINISHED, code_of
from kete_tune.matches import MatchError, begun
from kete_tune.objectives import Matches, texts
from kete_tune.openings import Openings, chosen
from kete_tune.options import VARIANTS, HelpFormatter, add_openings_option, whole
from kete_tune.progress import Progress
from kete_tune.run_directory import locked, settle, wait_until_free
from kete_tune.shards import Shard, ShardStore, files_in, hashes, missing, penta_of, unpack
from kete_tune.spsa import Trial

if TYPE_CHECKING:
    from kete_tune.dask_cluster import Fleet

FORMAT = 1

if __name__ == "__mp_main__":
    # A worker on this machine begins by importing this file. Ctrl-C in a terminal goes to it as well, but its client ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def parser() -> argparse.ArgumentParser:
    shape = HelpFormatter
    codes = "Exit codes: 0 finished, 2 cannot be done as typed, 3 a match failed, 130 interrupted. The same command goes on with a run."
    parser = argparse.ArgumentParser(description="Spread a match or a tuning run over cores and machines.", formatter_class=shape, epilog=codes)
    commands = parser.add_subparsers(dest="command", required=True)

    match = commands.add_parser("match", help="a match between settings or engines", formatter_class=shape, epilog=codes)
    add = match.add_argument
    add("--variant", required=True, choices=VARIANTS, help="the game")
    add("--engine", required=True, nargs="+", action="append", metavar="KEY=VALUE", help="an engine, in the words of kete-match: cmd= name= option.NAME=VALUE nodes=N; for each")
    add("--each", nargs="+", default=["nodes=20000"], metavar="KEY=VALUE", help="the same for all engines; with nodes= and depth= a match can be repeated exactly")
    add("--rounds", type=whole(1), default=100, help="openings for each pairing, each played twice with sides swapped")
    add("--plies", type=whole(0), metavar="N", help="random plies of the openings; default: 8, in kigogo 6, in kimasai 16")
    add_openings_option(match)
    add("--seed", type=whole(0), default=1, help="where random numbers start")
    add("--out", required=True, type=Path, metavar="DIR", help="directory of the match, new or to be gone on with")
    add("--concurrency", type=whole(0), default=1, help="games of a shard at the same time, 0: as many as there are cores; no part of the configuration")
    add("--kete-match", metavar="COMMAND", help="default: target/release/kete-match, built if it is missing")
    add_cluster_options(match, "rounds a shard, the least that is lost with a worker", 10)

    options = tune.parser()
    tuning = commands.add_parser("tune", help="SPSA as by tune.py, whose runs can be gone on with", formatter_class=shape, epilog=codes, parents=[options], add_help=False)
    add_cluster_options(tuning, "pairs a shard; default: those of an iteration over all workers", None)
    return parser


def add_cluster_options(parser: argparse.ArgumentParser, shard: str, shard_default: int | None) -> None:
    add = parser.add_argument
    add("--shard", type=whole(1), default=shard_default, metavar="N", help=shard)
    add("--scheduler", metavar="ADDRESS", help="of a Dask scheduler, as in tcp://host:8786; default: workers on this machine")
    add("--workers", type=whole(1), metavar="N", help="worker processes on this machine; default: as many as there are cores")


def fleet_of(args: argparse.Namespace) -> Fleet:
    """The workers that were asked for. Those of a scheduler are connected to at once, so that a wrong address is told before anything is done."""
    if args.scheduler is not None and args.workers is not None:
        raise ScriptError("--workers are processes on this machine, --scheduler has its own: expected one of them")
    try:
        from kete_tune.dask_cluster import Fleet
    except ImportError as error:
        raise ScriptError(f"Dask is missing ({error}): pip install -r scripts/requirements.txt") from error
    fleet = Fleet(args.scheduler, args.workers or os.cpu_count())
    if args.scheduler is not None:
        try:
            fleet.connect()
        except BaseException:
            fleet.close()
            raise
    return fleet


def ask(words: list[str]) -> str:
    """What kete-match prints, if it does what it was asked to."""
    process = programs.start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, message = process.communicate()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode != 0:
        raise ScriptError(message.strip().removeprefix("error: ") or f"kete-match ended with exit code {process.returncode}")
    return output


def placed(word: str) -> str:
    """A word of --engine that means the same wherever it is read: programs and directories have whole paths."""
    key, equals, value = word.partition("=")
    if key == "cmd" and value != "builtin":
        found = value if "/" in value else shutil.which(value)
        return f"cmd={os.path.abspath(found)}" if found else word
    return f"dir={os.path.abspath(value)}" if key == "dir" else word


@dataclass(frozen=True)
class ClusterMatch:
    """A match as it was asked for."""

    kete_match: list[str]
    variant: str
    engines: list[list[str]]
    each: list[str]
    rounds: int
    openings: Openings
    seed: int
    concurrency: int

    @classmethod
    def of(cls, args: argparse.Namespace) -> ClusterMatch:
        engines = [[placed(word) for word in words] for words in args.engine]
        if len(engines) < 2:
            raise ScriptError("--engine is given once, expected two engines or more")
        each = [placed(word) for word in args.each]
        return cls(programs.find("kete-match", args.kete_match), args.variant, engines, each, args.rounds, chosen(args), args.seed, args.concurrency)

    @property
    def games(self) -> int:
        """Games of a round."""
        return len(self.engines) * (len(self.engines) - 1)

    def words(self, shard: Shard) -> list[str]:
        """The command that plays a shard."""
        words = [*self.kete_match, "--variant", self.variant]
        for engine in self.engines:
            words += ["--engine", *engine]
        words += ["--each", *self.each, "--rounds", str(shard.rounds), *self.openings.words(shard.first)]
        return [*words, "--seed", str(self.seed), "--concurrency", str(self.concurrency)]

    def files(self) -> dict[str, str]:
        """The SHA-256 of all that workers need to have: programs, and files that options name."""
        pairs = [word.partition("=") for words in [*self.engines, self.each] for word in words]
        programs = [value for key, _, value in pairs if key == "cmd" and value != "builtin"]
        return hashes(dict.fromkeys([self.kete_match[0], *programs, *self.openings.files(), *files_in(value for key, _, value in pairs if key.startswith("option."))]))

    def configuration(self, files: dict[str, str]) -> dict:
        """All that the result depends on; how it is cut into shards is no part of it."""
        return {
            "format": FORMAT,
            "kind": "cluster match",
            "variant": self.variant,
            "engines": self.engines,
            "each": self.each,
            "rounds": self.rounds,
            "openings": self.openings.settings(),
            "seed": self.seed,
            "kete_match": self.kete_match,
            "sha256": files,
        }


def play_match(args: argparse.Namespace) -> int:
    match = ClusterMatch.of(args)
    with fleet_of(args) as fleet, locked(args.out):
        fresh = not (args.out / "config.json").exists()
        if fresh:
            # All rounds at once: it is also seen whether there are so many openings.
            ask([*match.words(Shard(0, match.rounds)), "--dry-run"])
        files = match.files()
        if not fresh:
            settle(args.out, match.configuration(files))
        store = ShardStore(args.out / "shards", match.rounds, match.seed, games=match.games)
        there = [] if fresh else store.there()
        left = missing(match.rounds, there, args.shard)
        if left:
            fleet.check(files)
        if fresh:
            settle(args.out, match.configuration(files))
            store.there()
        play_shards(fleet, match, store, files, there, left, args.out)
        there = store.there()
        print(pooled(match.kete_match, [store.path(shard) for shard in there], args.out / "pooled"), end="")
    return FINISHED


def play_shards(fleet: Fleet, match: ClusterMatch, store: ShardStore, files: dict[str, str], there: list[Shard], left: list[Shard], out: Path) -> None:
    """Plays what is left, and writes each shard down as it arrives."""
    done = match.games * sum(shard.rounds for shard in there)
    progress = Progress("games", done, match.games * match.rounds)
    shards = len(left)

    def arrived(shard: Shard, records: bytes) -> None:
        nonlocal done, shards
        store.add(shard, records)
        done, shards = done + match.games * shard.rounds, shards - 1
        progress.tell(done, f"{shards} shards to come", always=shards == 0)

    try:
        if left:
            fleet.play({shard: match.words(shard) for shard in left}, files, arrived, lambda: progress.tell(done, f"{shards} shards to come"))
    except MatchError as error:
        raise with_records(error, out / "failed") from error
    finally:
        progress.end()


def with_records(error: MatchError, directory: Path) -> MatchError:
    """The same error, with the place where the records of a failure are, if a worker sent any."""
    records, shard = getattr(error, "records", b""), getattr(error, "shard", None)
    if not records or shard is None:
        return error
    directory.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(directory / shard.name, ignore_errors=True)
    unpack(records, directory / shard.name)
    return MatchError(f"{error}; records in {directory / shard.name}")


def pooled(kete_match: list[str], shards: list[Path], directory: Path) -> str:
    """Pools all shards into the directory. Returns the table."""
    temporary = directory.with_name(directory.name + ".new")
    shutil.rmtree(temporary, ignore_errors=True)
    table = ask([*kete_match, "merge", *map(str, shards), "--out", str(temporary)])
    shutil.rmtree(directory, ignore_errors=True)
    os.rename(temporary, directory)
    return f"{table}\nRecords: {directory}\nTo look at them: kete-match report {directory}\n"


@dataclass
class ShardedMatches(Matches):
    """The matches of a tuning run, each in shards. What has arrived of the iteration in play is kept where tune.py keeps its games."""

    fleet: Fleet
    size: int | None

    def __post_init__(self) -> None:
        start = tuple(p.start for p in self.parameters)
        engines = {"plus": texts(self.parameters, start), "minus": texts(self.parameters, start)}
        ask([*self.plan.words(engines, 0, 1), "--dry-run"])
        self.files = hashes(dict.fromkeys([self.plan.kete_match[0], self.plan.engine[0], *self.plan.openings.files(), *files_in(self.plan.options.values())]))
        self.fleet.check(self.files)

    def play(self, iteration: int, first_pair: int, pairs: int, trial: Trial, tell: Callable[[int], None]) -> penta.Penta:
        engines = {"plus": texts(self.parameters, trial.plus), "minus": texts(self.parameters, trial.minus)}
        games = self._games(iteration)
        if begun(games):
            # tune.py played into it. What it played of this one iteration is not used.
            wait_until_free(games / "games.jsonl")
            shutil.rmtree(games)
        # As in MatchPlan.words: the first opening of the sequence is passed over.
        store = ShardStore(games, pairs, self.plan.seed, passed_over=first_pair)
        there = store.there()
        total = penta.NONE
        for shard in there:
            total = penta.added(total, penta_of(store.records(shard), "plus"))

        def arrived(shard: Shard, records: bytes) -> None:
            nonlocal total
            store.add(shard, records)
            total = penta.added(total, penta_of(store.records(shard), "plus"))

        left = missing(pairs, there, self.size or -(-pairs // self.fleet.threads()))
        jobs = {shard: self.plan.words(engines, first_pair + shard.first, shard.rounds) for shard in left}
        try:
            self.fleet.play(jobs, self.files, arrived, lambda: tell(2 * sum(total)))
        except MatchError as error:
            raise with_records(error, self.directory / "failed") from error
        if sum(total) != pairs:
            raise MatchError(f"iteration {iteration}: {sum(total)} pairs in {games}, expected {pairs}")
        return total


def run_tune(args: argparse.Namespace) -> int:
    with fleet_of(args) as fleet:
        return tune.tune(args, lambda plan, found, out: ShardedMatches(plan, found, out, fleet, args.shard))


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return code_of(lambda: play_match(args) if args.command == "match" else run_tune(args))


if __name__ == "__main__":
    sys.exit(main())
