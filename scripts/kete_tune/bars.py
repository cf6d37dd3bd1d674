"""Values with their errors, drawn with letters."""

from __future__ import annotations

Bar = tuple[str, float | None, float | None]


def bars(rows: list[Bar], width: int = 61) -> list[str]:
    """A line for each label, value and error: `o` at the value, dashes as far as the error goes, `|` at 0. The scale holds all of it.

    A value that is None is n/a; an error that is None is not drawn.
    """
    drawn = [(value, error or 0.0) for _, value, error in rows if value is not None]
    low = min([0.0, *(value - error for value, error in drawn)])
    high = max([0.0, *(value + error for value, error in drawn)])
    span = high - low or 1.0
    left = max((len(label) for label, *_ in rows), default=0)

    def column(value: float) -> int:
        return round((value - low) / span * (width - 1))

    lines = []
    for label, value, error in rows:
        if value is None:
            lines.append(f"{label:>{left}}  n/a")
            continue
        cells = [" "] * width
        if error is not None:
            first, last = column(value - error), column(value + error)
            cells[first : last + 1] = "-" * (last + 1 - first)
        cells[column(0.0)] = "|"
        cells[column(value)] = "o"
        lines.append(f"{label:>{left}}  {''.join(cells)}".rstrip())
    return [*lines, f"{'':{left}}  {_scale(low, high, column(0.0), width)}"]


def _scale(low: float, high: float, zero: int, width: int) -> str:
    """The numbers at both ends and, if there is room, at 0."""
    first, last = f"{low:+.0f}", f"{high:+.0f}"
    line = [*first.ljust(width - len(last)), *last]
    if len(first) < zero < width - len(last) - 1:
        line[zero] = "0"
    return "".join(line)
