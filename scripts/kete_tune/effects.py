"""What each parameter does by itself, from all iterations of a tuning run: a least-squares fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

# Elo for each point of score at equality: the slope of -400 log10(1/s - 1) at 1/2.
ELO_PER_SCORE = 1600 / math.log(10)
# Of the normal distribution, for 95 %.
QUANTILE = 1.959964


@dataclass(frozen=True)
class Trials:
    """An iteration: its pairs, the games that the plus side won less those it lost, and by how much the sides' parameters differed, in units of 2 c_end."""

    pairs: int
    lead: int
    differences: list[float]


@dataclass(frozen=True)
class Effect:
    """Elo of a side whose parameter is 2 c_end larger, all else equal, and half of its 95 % interval."""

    elo: float
    error: float


def effects(trials: list[Trials]) -> list[Effect] | None:
    """The effect of each parameter, taken to be linear and independent of the others. Each pair of an iteration weighs the same.

    Returns:
        None if there are too few iterations, or a parameter did not vary by itself.
    """
    count = len(trials[0].differences) if trials else 0
    if len(trials) <= count or not count:
        return None
    normal = [[sum(t.pairs * t.differences[i] * t.differences[j] for t in trials) for j in range(count)] for i in range(count)]
    inverse = _inverse(normal)
    if inverse is None:
        return None
    towards = [sum(t.differences[i] * t.lead for t in trials) for i in range(count)]
    leads = [sum(a * b for a, b in zip(row, towards)) for row in inverse]
    # The spread of what is left says how much a pair's result varies.
    left = [t.lead / t.pairs - sum(d * lead for d, lead in zip(t.differences, leads)) for t in trials]
    variance = sum(t.pairs * rest**2 for t, rest in zip(trials, left)) / (len(trials) - count)
    # A pair has four points to lead by.
    unit = ELO_PER_SCORE / 4
    return [Effect(unit * lead, unit * QUANTILE * math.sqrt(variance * inverse[i][i])) for i, lead in enumerate(leads)]


def _inverse(matrix: list[list[float]]) -> list[list[float]] | None:
    """By elimination with pivots; None of a singular matrix."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    least = 1e-9 * max((abs(x) for row in matrix for x in row), default=0.0)
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        if abs(rows[pivot][column]) <= least:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for i in range(size):
            if i != column:
                factor = rows[i][column]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column])]
    return [row[size:] for row in rows]
