"""Tells on standard error how far a match is, from the events of kete-match."""

from __future__ import annotations

from collections.abc import Callable

from kete_tune.matches import Match
from kete_tune.progress import Progress


class MatchProgress:
    """Counts pairs of games. `about` gives, whenever something is told, what is to be said of the match besides; with `at_most` it may end early."""

    def __init__(self, about: Callable[[Match], str], at_most: bool = False) -> None:
        self.about, self.at_most = about, at_most
        self.progress: Progress | None = None

    def __call__(self, event: dict, match: Match) -> None:
        done, total = event.get("done"), event.get("total")
        if done is None or total is None:
            return
        if self.progress is None:
            self.progress = Progress("pairs", done // 2, total // 2, at_most=self.at_most)
        self.progress.tell(done // 2, self.about(match), always=event["event"] == "start" and done > 0)

    def end(self) -> None:
        if self.progress is not None:
            self.progress.end()
