"""Results of pairs of games: two losses, a loss and a draw, even, a win and a draw, two wins."""

from __future__ import annotations

Penta = tuple[int, int, int, int, int]
NONE: Penta = (0, 0, 0, 0, 0)


def added(a: Penta, b: Penta) -> Penta:
    return tuple(x + y for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def lead(penta: Penta) -> int:
    """Games won less games lost."""
    return 2 * (penta[4] - penta[0]) + penta[3] - penta[1]


def score(penta: Penta) -> float | None:
    """Share of the points, 0 to 1; None without a game."""
    pairs = sum(penta)
    return 0.5 + lead(penta) / (4 * pairs) if pairs else None


def text(penta: Penta) -> str:
    return "-".join(map(str, penta))
