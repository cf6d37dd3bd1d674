"""Data files made up for the tests: random boards whose scores and results follow a known function of the board."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kete_eval import data_file


def records(game: str, count: int, seed: int = 1, positions_a_game: int = 20) -> np.ndarray:
    """Boards whose logit, from the mover's view, is a weighted seed difference: what a net must find better than the plain difference."""
    rng = np.random.default_rng(seed)
    made = np.zeros(count, data_file.RECORDS[game])
    if game == "kimasai":
        for side in ("own", "theirs"):
            made[side] = rng.integers(0, 256, (count, 3))
        pits = [np.unpackbits(made[side], axis=1, bitorder="little").astype(float) for side in ("own", "theirs")]
    else:
        width = made["own"].shape[1]
        for side in ("own", "theirs"):
            made[side] = rng.poisson(1.5, (count, width))
        pits = [made[side].astype(float) for side in ("own", "theirs")]
    if game == "kiswahili":
        made["own_reserve"] = rng.integers(0, 23, count) * rng.integers(0, 2, count)
        made["their_reserve"] = rng.integers(0, 23, count) * rng.integers(0, 2, count)
        made["flags"] = rng.integers(0, 4, count)
        made["takasia"] = rng.integers(0, 9, count)
    weight = np.linspace(-0.5, 1.0, pits[0].shape[1])
    logit = (pits[0] - pits[1]) @ weight
    made["score"] = np.clip(256 * logit, -8000, 8000)
    made["score"][::50] = 31990
    won = rng.random(count) < 1 / (1 + np.exp(-logit))
    made["result"] = 2 * won
    made["result"][1::40] = 1
    made["game"] = np.arange(count) // positions_a_game
    return made


def write(path: Path, game: str, count: int, seed: int = 1) -> Path:
    """A file of two chunks."""
    made = records(game, count, seed)
    half = int(made["game"][-1]) // 2 + 1
    first = made["game"] < half
    chunks = [(0, half, made[first]), (half, int(made["game"][-1]) + 1 - half, made[~first])]
    data_file.write(path, game, chunks, seed=seed, nodes=800)
    return path


