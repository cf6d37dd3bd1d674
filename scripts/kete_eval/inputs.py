"""What a net sees of a position: for each game its groups of rows, of which at most one is active each.

The engine computes the same from its own positions; a change here needs another name of the input set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# Seeds in a pit to one of 16 buckets: 0 to 9 alone, then coarser, for a pit of 25 is much like one of 26.
BUCKET = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 12, 12, 13, 13, 13, 13] + [14] * 7 + [15] * 228, np.uint16)


@dataclass(frozen=True)
class InputSet:
    """A game's inputs."""

    name: str
    rows: int
    # First row and size of each group. At most one row of a group is active.
    groups: tuple[tuple[int, int], ...]
    # Records to active rows, uint16 [positions, columns]; `rows` itself where a column has none.
    active: Callable[[np.ndarray], np.ndarray]
    # Records to one of four stages, uint8.
    stage: Callable[[np.ndarray], np.ndarray]


def material(game: str, records: np.ndarray) -> np.ndarray:
    """Seeds of the mover less seeds of the opponent, float32: what the plainest evaluation knows."""
    own, theirs = (_seeds(game, records, side) for side in ("own", "theirs"))
    return (own - theirs).astype(np.float32)


def _seeds(game: str, records: np.ndarray, side: str) -> np.ndarray:
    if game == "kimasai":
        return _bits(records[side]).sum(1, dtype=np.int32)
    seeds = records[side].sum(1, dtype=np.int32)
    if game == "kiswahili":
        seeds += records["own_reserve" if side == "own" else "their_reserve"]
    return seeds


def _kigogo(records: np.ndarray) -> np.ndarray:
    pits = np.concatenate([records["own"], records["theirs"]], 1)
    return BUCKET[pits] + np.arange(0, 768, 16, dtype=np.uint16)


def _kigogo_stage(records: np.ndarray) -> np.ndarray:
    total = _seeds("kigogo", records, "own") + _seeds("kigogo", records, "theirs")
    return np.minimum(3, total * 4 // 93).astype(np.uint8)


def _bits(bytes_: np.ndarray) -> np.ndarray:
    """24 bits from three bytes, the lowest first."""
    return np.unpackbits(bytes_, axis=1, bitorder="little")


def _kimasai(records: np.ndarray) -> np.ndarray:
    own, theirs = _bits(records["own"]), _bits(records["theirs"])
    # A column from the mover's back pit to the opponent's: own back c, own front 23 - c, their front 12 + c, their back 11 - c.
    c = np.arange(12)
    columns = np.stack([own[:, c], own[:, 23 - c], theirs[:, 12 + c], theirs[:, 11 - c]], 2)
    pairs = np.packbits(columns.reshape(-1, 6, 8), axis=2, bitorder="little")[:, :, 0]
    patterns = np.concatenate([records["own"], records["theirs"], pairs], 1).astype(np.uint16)
    return patterns + np.arange(0, 3072, 256, dtype=np.uint16)


def _kimasai_stage(records: np.ndarray) -> np.ndarray:
    total = _seeds("kimasai", records, "own") + _seeds("kimasai", records, "theirs")
    return np.minimum(3, total * 4 // 47).astype(np.uint8)


# Offsets inside one half: 32 pits, two houses, two reserves, takasia.
_OWN_HOUSE, _THEIR_HOUSE, _OWN_RESERVE, _THEIR_RESERVE, _TAKASIA, _HALF = 512, 528, 544, 567, 590, 599
_HOUSE = 4


def _kiswahili(records: np.ndarray) -> np.ndarray:
    rows = np.empty((len(records), 37), np.uint16)
    pits = BUCKET[np.concatenate([records["own"], records["theirs"]], 1)]
    rows[:, :32] = pits + np.arange(0, 512, 16, dtype=np.uint16)
    rows[:, 32] = _OWN_HOUSE + pits[:, _HOUSE]
    rows[:, 33] = _THEIR_HOUSE + pits[:, 16 + _HOUSE]
    rows[:, 34] = _OWN_RESERVE + records["own_reserve"].astype(np.uint16)
    rows[:, 35] = _THEIR_RESERVE + records["their_reserve"].astype(np.uint16)
    rows[:, 36] = _TAKASIA + records["takasia"].astype(np.uint16)
    # Namua and mtaji are two games in one: each half has its own rows.
    rows += (np.uint16(_HALF) * (records["own_reserve"] == 0).astype(np.uint16))[:, None]
    rows[records["flags"] & 1 == 0, 32] = 2 * _HALF
    rows[records["flags"] & 2 == 0, 33] = 2 * _HALF
    return rows


def _kiswahili_groups() -> tuple[tuple[int, int], ...]:
    half = [(16 * g, 16) for g in range(34)] + [(_OWN_RESERVE, 23), (_THEIR_RESERVE, 23), (_TAKASIA, 9)]
    return tuple((base + first, size) for base in (0, _HALF) for first, size in half)


def _kiswahili_stage(records: np.ndarray) -> np.ndarray:
    reserves = records["own_reserve"].astype(np.int32) + records["their_reserve"]
    return np.searchsorted([1, 15, 29], reserves, side="right").astype(np.uint8)


SETS = {
    "kigogo": InputSet("kigogo-pits-1", 768, tuple((16 * g, 16) for g in range(48)), _kigogo, _kigogo_stage),
    "kimasai": InputSet("kimasai-patterns-1", 3072, tuple((256 * g, 256) for g in range(12)), _kimasai, _kimasai_stage),
    "kiswahili": InputSet("kiswahili-pits-1", 2 * _HALF, _kiswahili_groups(), _kiswahili, _kiswahili_stage),
}
