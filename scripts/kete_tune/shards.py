"""Parts of a match: which openings each plays, how its records travel, how they are kept, and how a worker plays one. Nothing here needs Dask."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kete_tune.errors import ScriptError
from kete_tune.penta import Penta
from kete_tune.programs import sha256, start

# What of a match's directory is worth sending; the rest is what engines wrote to standard error.
RECORDS = ("config.json", "games.jsonl", "failures")
# Outcomes of a shard. Only a lost one is played again: the others would end in the same way.
PLAYED, REFUSED, FAILED, LOST = "played", "refused", "failed", "lost"
# How often a worker looks whether its shard is still wanted, and how long kete-match may take to end if it is not.
LOOK_SECONDS, END_SECONDS = 0.2, 10


@dataclass(frozen=True, order=True)
class Shard:
    """Openings `first` to `first + rounds - 1`, counted from 0 over the match that it is a part of."""

    first: int
    rounds: int

    @property
    def name(self) -> str:
        return f"{self.first:05d}"


def missing(rounds: int, there: Iterable[Shard], size: int) -> list[Shard]:
    """What is left to play of so many rounds, in shards of no more than `size`."""
    found, at = [], 0
    for shard in [*sorted(there), Shard(rounds, 0)]:
        if shard.first < at or shard.first + shard.rounds > rounds:
            raise ScriptError(f"shard {shard.name} has openings {shard.first} to {shard.first + shard.rounds - 1}, which are in another shard or no part of {rounds} rounds")
        found += [Shard(first, min(size, shard.first - first)) for first in range(at, shard.first, size)]
        at = shard.first + shard.rounds
    return found


def pack(directory: Path) -> bytes:
    """The records of a match as a compressed archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name in RECORDS:
            if (directory / name).exists():
                archive.add(directory / name, name)
    return buffer.getvalue()


def unpack(data: bytes, directory: Path) -> None:
    """Writes an archive of `pack` into a new directory, to the disk itself. What came over a network writes nothing anywhere else."""
    directory.mkdir()
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                parts = member.name.split("/")
                if parts[0] not in RECORDS or any(part in ("", ".", "..") for part in parts) or not (member.isfile() or member.isdir()):
                    raise ScriptError(f"a worker sent {member.name!r}, expected records of a match")
                path = directory.joinpath(*parts)
                if member.isdir():
                    path.mkdir(exist_ok=True)
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                content = archive.extractfile(member)
                assert content is not None
                # "x": a name that comes twice is no match's record.
                with content, open(path, "xb") as file:
                    shutil.copyfileobj(content, file)
                    file.flush()
                    os.fsync(file.fileno())
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ScriptError(f"a worker's records cannot be written to {directory}: {error}") from error


@dataclass
class ShardStore:
    """Shards that have arrived, each in a directory that is named after its first opening and stands there whole or not at all.

    `passed_over` openings of the seed's sequence come before the first of this match. `games` are those of one round.
    """

    directory: Path
    rounds: int
    seed: int
    passed_over: int = 0
    games: int = 2

    def there(self) -> list[Shard]:
        """The shards that are on the disk, each looked at; what was being written when the script was killed is removed."""
        found = []
        self.directory.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.directory.iterdir()):
            if path.name.startswith("."):
                shutil.rmtree(path)
                continue
            try:
                config = json.loads((path / "config.json").read_text(encoding="utf-8"))["match"]
                shard = Shard(int(path.name), config["rounds"])
                fits = (config["seed"], _passed_over(config["openings"])) == (self.seed, self.passed_over + shard.first)
                count = len(self.records(shard))
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise ScriptError(f"{path} is no shard that can be read ({error}); if it is removed, it is played again") from error
            if not fits or count != self.games * shard.rounds:
                raise ScriptError(f"{path} has {count} games of another seed, other openings or another number; if it is removed, it is played again")
            found.append(shard)
        return found

    def path(self, shard: Shard) -> Path:
        return self.directory / shard.name

    def add(self, shard: Shard, data: bytes) -> None:
        """Writes a shard's records. After a crash all of them stand there, or none."""
        temporary = self.directory / f".{shard.name}"
        shutil.rmtree(temporary, ignore_errors=True)
        unpack(data, temporary)
        count = sum(1 for line in (temporary / "games.jsonl").read_bytes().splitlines() if line)
        if count != self.games * shard.rounds:
            raise ScriptError(f"a worker sent {count} games of shard {shard.name}, expected {self.games * shard.rounds}")
        os.rename(temporary, self.path(shard))
        descriptor = os.open(self.directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def records(self, shard: Shard) -> list[dict]:
        """The games of a shard."""
        with open(self.path(shard) / "games.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]


def penta_of(games: Iterable[dict], first: str) -> Penta:
    """Pairs of the engine named `first`, each of two games from one opening."""
    halves: dict[int, list[int]] = {}
    for game in games:
        south = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[game["result"]]
        halves.setdefault(game["pair"], []).append(south if game["south"] == first else 2 - south)
    counts = [0] * 5
    for pair, points in halves.items():
        if len(points) != 2:
            raise ScriptError(f"pair {pair} has {len(points)} games, expected 2")
        counts[sum(points)] += 1
    return tuple(counts)  # type: ignore[return-value]


def _passed_over(openings: dict) -> int:
    """How many openings come before the first one, in whatever kind of openings kete-match has on record."""
    (kind,) = openings.values()
    return kind["start"]


def files_in(options: Iterable[str]) -> list[str]:
    """The values of options that name files, such as a net: a worker needs the same."""
    return [value for value in options if value and os.path.isfile(value)]


def hashes(paths: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {path: sha256([path]) for path in paths}


def unlike(files: dict[str, str]) -> str | None:
    """What differs in the files of this machine from those that are expected, if anything does."""
    for path, expected in files.items():
        try:
            found = sha256([path])
        except OSError as error:
            return f"{path} cannot be read: {error.strerror or error}"
        if found != expected:
            return f"{path} is another file than the client's: SHA-256 {found[:16]}..., expected {expected[:16]}..."
    return None


def play_shard(words: list[str], files: dict[str, str], within: str | None, wanted: Callable[[], bool]) -> tuple[str, str, bytes]:
    """Plays `words`, a command of kete-match, in a directory inside `within` that is then removed. Returns an outcome, a message, and the records.

    This runs on a worker. The match ends early, as lost, when `wanted` says so.
    """
    problem = unlike(files)
    if problem is not None:
        return REFUSED, problem, b""
    with tempfile.TemporaryDirectory(prefix="kete-shard-", dir=within, ignore_cleanup_errors=True) as name:
        out, directory = Path(name), Path(name) / "match"
        # Files, not pipes: nobody reads while the games are played.
        with open(out / "events", "w", encoding="utf-8") as events, open(out / "messages", "w", encoding="utf-8") as messages:
            try:
                process = start([*words, "--json", "--out", str(directory)], stdin=subprocess.DEVNULL, stdout=events, stderr=messages)
            except ScriptError as error:
                return REFUSED, str(error), b""
            try:
                while process.poll() is None and wanted():
                    try:
                        process.wait(LOOK_SECONDS)
                    except subprocess.TimeoutExpired:
                        continue
            finally:
                if process.poll() is None:
                    process.terminate()
                    try:
                        process.wait(END_SECONDS)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.wait()
        code, message = process.returncode, (out / "messages").read_text(encoding="utf-8", errors="replace").strip()
        if code == 0:
            return PLAYED, "", pack(directory)
        if code == 3:
            last = (out / "events").read_text(encoding="utf-8").splitlines()[-1:]
            detail = json.loads(last[0]).get("detail") if last else None
            return FAILED, detail or message, pack(directory)
        if code in (1, 2):
            return REFUSED, message.removeprefix("error: ") or f"kete-match ended with exit code {code}", b""
        # By a signal, an interruption, or something that it does not say.
        return LOST, f"kete-match ended with exit code {code}" + (f": {message}" if message else ""), b""
