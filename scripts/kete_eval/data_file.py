"""Reads `.kdata`: positions with the score of a search and the result of their game, as `kete datagen` writes them.

Eight bytes of magic, a version, the length of a JSON object, the object; then chunks, each with a checksum of its records. A last chunk that was
cut off (a generator that was interrupted, or still runs) is left out with a remark; everything else that does not fit is an error.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC = b"KETEDATA"
VERSION = 1
CHUNK_MAGIC = 0x4B4E4843
# Magic, number of the first game, games, records, checksum.
CHUNK_HEAD = struct.Struct("<IQIII")

# Every score is from the mover's view; `result` is 0, 1, 2 for the mover's loss, draw, win.
_LABEL = [("score", "<i2"), ("result", "u1"), ("game", "<u4")]
RECORDS = {
    "kigogo": np.dtype([("own", "u1", (24,)), ("theirs", "u1", (24,)), *_LABEL]),
    # Occupied pits as 24 bits, lowest byte first.
    "kimasai": np.dtype([("own", "u1", (3,)), ("theirs", "u1", (3,)), *_LABEL]),
    "kiswahili": np.dtype(
        [("own", "u1", (16,)), ("theirs", "u1", (16,)), ("own_reserve", "u1"), ("their_reserve", "u1"), ("flags", "u1"), ("takasia", "u1"), *_LABEL]
    ),
}


class FileError(Exception):
    """What is wrong with a file: names the file, what was found and what was expected."""


@dataclass
class DataFile:
    """All records of one file, and what its header says."""

    name: str
    game: str
    sha256: str
    header: dict
    records: np.ndarray


def read(path: str | Path) -> DataFile:
    """Reads and checks a whole data file.

    Raises FileError if it is not what a generator writes.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error
    header, at = _header(path, content)
    game = header["game"]
    dtype = RECORDS[game]
    parts: list[np.ndarray] = []
    while at < len(content):
        if at + CHUNK_HEAD.size > len(content):
            _remark_cut(path, at)
            break
        magic, first_game, games, count, checksum = CHUNK_HEAD.unpack_from(content, at)
        if magic != CHUNK_MAGIC:
            raise FileError(f"{path}: byte {at}: a chunk begins with {CHUNK_MAGIC:#x}, found {magic:#x}")
        begin = at + CHUNK_HEAD.size
        end = begin + count * dtype.itemsize
        if end > len(content):
            _remark_cut(path, at)
            break
        data = memoryview(content)[begin:end]
        found = int.from_bytes(hashlib.sha256(data).digest()[:4], "little")
        if found != checksum:
            raise FileError(f"{path}: chunk at byte {at}: checksum {found:#010x}, expected {checksum:#010x}: the file is damaged")
        records = np.frombuffer(data, dtype)
        _check(f"{path}: chunk at byte {at}", game, records, first_game, games)
        parts.append(records)
        at = end
    records = np.concatenate(parts) if parts else np.empty(0, dtype)
    return DataFile(path.name, game, hashlib.sha256(content).hexdigest(), header, records)


def _header(path: Path, content: bytes) -> tuple[dict, int]:
    """The JSON object, and where the chunks begin."""
    if content[:8] != MAGIC:
        raise FileError(f"{path}: begins with {content[:8]!r}, expected {MAGIC!r}: not a data file")
    if len(content) < 16:
        raise FileError(f"{path}: ends inside its header")
    version, length = struct.unpack_from("<II", content, 8)
    if version != VERSION:
        raise FileError(f"{path}: version {version}, expected {VERSION}")
    if 16 + length > len(content):
        raise FileError(f"{path}: ends inside its header ({length} bytes of JSON expected, {len(content) - 16} found)")
    try:
        header = json.loads(content[16 : 16 + length])
    except ValueError as error:
        raise FileError(f"{path}: the header is no JSON: {error}") from error
    game = header.get("game") if isinstance(header, dict) else None
    if not isinstance(game, str) or game not in RECORDS:
        raise FileError(f"{path}: game {game!r}, expected one of {', '.join(RECORDS)}")
    if header.get("record_bytes") != RECORDS[game].itemsize:
        raise FileError(f"{path}: record_bytes {header.get('record_bytes')!r}, expected {RECORDS[game].itemsize} for {game}")
    return header, 16 + length


def _check(where: str, game: str, records: np.ndarray, first_game: int, games: int) -> None:
    """Refuses values that no position has; a checksum does not see a generator's mistake."""
    limits = [("result", 0, 2), ("game", first_game, first_game + games - 1)]
    if game == "kiswahili":
        limits += [("own_reserve", 0, 22), ("their_reserve", 0, 22), ("flags", 0, 3), ("takasia", 0, 8)]
    for field, low, high in limits:
        wrong = np.flatnonzero((records[field] < low) | (records[field] > high))
        if wrong.size:
            raise FileError(f"{where}: record {wrong[0]}: {field} {records[field][wrong[0]]}, expected {low} to {high}")


def _remark_cut(path: Path, at: int) -> None:
    print(f"{path}: the chunk at byte {at} is cut off and left out", file=sys.stderr)


def write(path: str | Path, game: str, chunks: list[tuple[int, int, np.ndarray]], **header: object) -> None:
    """Writes a data file from chunks of (number of the first game, games, records). For tests and for files put together by hand."""
    text = json.dumps({"game": game, "record_bytes": RECORDS[game].itemsize, **header}).encode()
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<II", VERSION, len(text)) + text)
        for first_game, games, records in chunks:
            data = records.tobytes()
            checksum = int.from_bytes(hashlib.sha256(data).digest()[:4], "little")
            out.write(CHUNK_HEAD.pack(CHUNK_MAGIC, first_game, games, len(records), checksum) + data)
