"""How far a script is, on standard error: rate and time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Tells of units done: over itself on a terminal, a line now and then elsewhere."""

    def __init__(self, unit: str, done: int, total: int, stream: TextIO | None = None, interval: float = 10.0, clock: Callable[[], float] = time.monotonic,
                 at_most: bool = False) -> None:
        """`at_most`: it may be over before the total is reached."""
        self.unit, self.first, self.total, self.bound = unit, done, total, "at most " if at_most else ""
        self.stream = sys.stderr if stream is None else stream
        self.terminal = self.stream.isatty()
        self.interval, self.clock = (0.2 if self.terminal else interval), clock
        self.began, self.told = clock(), clock()
        self.open = False

    def line(self, done: int, more: str = "") -> str:
        """Units done, their rate since the script began, and the time that the rest takes at that rate."""
        seconds, new = self.clock() - self.began, done - self.first
        text = f"{done} of {self.bound}{self.total} {self.unit}"
        if new > 0 and seconds > 0:
            text += f", {new / seconds * 60:.1f} a minute, {self.bound}{duration((self.total - done) * seconds / new)} left"
        return f"{text}; {more}" if more else text

    def tell(self, done: int, more: str = "", always: bool = False) -> None:
        now = self.clock()
        if not always and now - self.told < self.interval:
            return
        self.told = now
        if self.terminal:
            self.stream.write("\r\x1b[K" + self.line(done, more))
            self.open = True
        else:
            self.stream.write(self.line(done, more) + "\n")
        self.stream.flush()

    def end(self) -> None:
        if self.open:
            self.stream.write("\n")
            self.open = False


def duration(seconds: float) -> str:
    minutes, s = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {s:02d} s"
