"""Finding processes of a test: each carries a mark in its environment, which whatever it starts inherits."""

import os
import signal
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.built import program

T = TypeVar("T")
VARIABLE = "KETE_TEST_MARK"


def heed_interrupts() -> None:
    """For `preexec_fn`: where the tests run in the background, SIGINT is ignored, and children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Marked:
    """Processes with a mark of their own, found in /proc."""

    def __init__(self) -> None:
        self.mark = uuid.uuid4().hex
        self.environment = os.environ | {VARIABLE: self.mark}

    def all(self) -> dict[int, tuple[int, list[str]]]:
        """Parent and command line of each, by number; what has ended and is not yet waited for has no environment any more."""
        found = {}
        for path in Path("/proc").iterdir():
            try:
                if path.name.isdigit() and f"{VARIABLE}={self.mark}".encode() in (path / "environ").read_bytes().split(b"\0"):
                    words = [word.decode() for word in (path / "cmdline").read_bytes().split(b"\0")[:-1]]
                    found[int(path.name)] = (int((path / "stat").read_text().rpartition(")")[2].split()[1]), words)
            except (OSError, IndexError, ValueError):
                continue
        return found

    def matches(self) -> dict[int, int]:
        """Processes of kete-match that play, with their parents."""
        name = Path(program("kete-match")).name
        return {pid: parent for pid, (parent, words) in self.all().items() if words and Path(words[0]).name == name and "--variant" in words and "--dry-run" not in words}

    def end(self) -> None:
        for pid in self.all():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def until(condition: Callable[[], T], what: str, seconds: float = 30) -> T:
    """Waits for something that is true, and returns it."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.05)
    return found
