"""A quantised net: its arithmetic in integers, as the engine does it, and its file, `.knet`."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .data_file import FileError
from .inputs import SETS

MAGIC = b"KETENET\n"
VERSION = 1
# One unit of a hidden value is 1/128, one of an output weight 1/256; a score comes out in 1/256 logit.
SCALE = 128
OUTPUT_SCALE = 256
SCORE_LIMIT = 8191
_I16 = 32767
_I32 = 2**31 - 1


@dataclass
class Net:
    """Weights as the file has them."""

    game: str
    bias: np.ndarray  # i16 [hidden]
    rows: np.ndarray  # i16 [input rows, hidden]
    out: np.ndarray  # i16 [stages, hidden]
    out_bias: np.ndarray  # i32 [stages]
    training: dict

    def scores(self, active: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """Scores of the mover in 1/256 logit, exactly those of the engine. `active` and `stage` come from an input set."""
        rows = np.vstack([self.rows.astype(np.int32), np.zeros((1, len(self.bias)), np.int32)])
        hidden = np.tile(self.bias.astype(np.int32), (len(active), 1))
        for column in range(active.shape[1]):
            hidden += rows[active[:, column]]
        np.maximum(hidden, 0, out=hidden)
        if len(self.out) == 1:
            stage = np.zeros(len(active), np.uint8)
        total = self.out_bias.astype(np.int64)[stage] + (hidden.astype(np.int64) * self.out[stage]).sum(1)
        return np.clip(total >> 7, -SCORE_LIMIT, SCORE_LIMIT).astype(np.int32)


def largest_hidden(game: str, bias: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The largest magnitude each hidden value can reach: one row of each group, all of one sign."""
    starts = [first for first, _ in SETS[game].groups]
    return np.abs(bias) + np.maximum.reduceat(np.abs(rows), starts, axis=0).sum(0)


def check_bounds(net: Net) -> str | None:
    """What could overflow in the engine's 16 and 32 bits, or None."""
    hidden = largest_hidden(net.game, net.bias.astype(np.int64), net.rows.astype(np.int64))
    if hidden.max() > _I16:
        return f"hidden value {hidden.argmax()} can reach {hidden.max()}, at most {_I16} fits"
    sums = np.abs(net.out_bias.astype(np.int64)) + np.abs(net.out.astype(np.int64)) @ hidden
    if sums.max() > _I32:
        return f"the output of stage {sums.argmax()} can reach {sums.max()}, at most {_I32} fits"
    return None


def write(path: str | Path, net: Net) -> str:
    """Writes a net and returns the SHA-256 of the file. Raises FileError if the net could overflow."""
    wrong = check_bounds(net)
    if wrong:
        raise FileError(f"{path}: not written: {wrong}")
    inputs = SETS[net.game]
    header = {
        "game": net.game,
        "inputs": inputs.name,
        "input_rows": inputs.rows,
        "hidden": len(net.bias),
        "stages": len(net.out),
        "scale": SCALE,
        "output_scale": OUTPUT_SCALE,
        "training": net.training,
    }
    text = json.dumps(header).encode()
    weights = b"".join(a.astype("<i2").tobytes() for a in (net.bias, net.rows, net.out)) + net.out_bias.astype("<i4").tobytes()
    content = MAGIC + struct.pack("<II", VERSION, len(text)) + text + weights
    content += hashlib.sha256(content).digest()
    Path(path).write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def read(path: str | Path) -> Net:
    """Reads and checks a net. Raises FileError if the engine would refuse it."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from error
    if content[:8] != MAGIC:
        raise FileError(f"{path}: begins with {content[:8]!r}, expected {MAGIC!r}: not a net")
    if len(content) < 48 or hashlib.sha256(content[:-32]).digest() != content[-32:]:
        raise FileError(f"{path}: the checksum in its last 32 bytes does not fit: the file is damaged")
    version, length = struct.unpack_from("<II", content, 8)
    if version != VERSION:
        raise FileError(f"{path}: version {version}, expected {VERSION}")
    try:
        header = json.loads(content[16 : 16 + length])
        game, hidden, stages = header["game"], int(header["hidden"]), int(header["stages"])
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{path}: the header lacks what a net needs: {error!r}") from error
    if game not in SETS:
        raise FileError(f"{path}: game {game!r}, expected one of {', '.join(SETS)}")
    rows = SETS[game].rows
    for key, expected in (("inputs", SETS[game].name), ("input_rows", rows), ("scale", SCALE), ("output_scale", OUTPUT_SCALE)):
        if header.get(key) != expected:
            raise FileError(f"{path}: {key} {header.get(key)!r}, expected {expected!r} for {game}")
    if hidden < 1 or stages not in (1, 4):
        raise FileError(f"{path}: hidden {hidden}, stages {stages}, expected at least 1, and 1 or 4")
    shorts = hidden * (1 + rows + stages)
    expected_length = 16 + length + 2 * shorts + 4 * stages + 32
    if len(content) != expected_length:
        raise FileError(f"{path}: {len(content)} bytes, expected {expected_length} for {hidden} hidden values and {stages} stages")
    weights = np.frombuffer(content, "<i2", shorts, 16 + length)
    out_bias = np.frombuffer(content, "<i4", stages, 16 + length + 2 * shorts)
    bias, body, out = np.split(weights, [hidden, hidden * (1 + rows)])
    net = Net(game, bias, body.reshape(rows, hidden), out.reshape(stages, hidden), out_bias, header.get("training", {}))
    wrong = check_bounds(net)
    if wrong:
        raise FileError(f"{path}: {wrong}")
    return net
