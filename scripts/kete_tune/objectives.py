"""What is maximised: the score in matches, or a function whose optimum is known."""

from __future__ import annotations

import argparse
import random
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kete_tune import programs
from kete_tune.matches import MatchError, check, engine_words, failures, play_or_resume
from kete_tune.openings import Openings, chosen
from kete_tune.options import engine_options
from kete_tune.penta import NONE, Penta, added
from kete_tune.run_directory import wait_until_free
from kete_tune.spsa import Parameter, Trial


class Objective(Protocol):
    """Plays pairs between the two settings of an iteration."""

    def play(self, iteration: int, first_pair: int, pairs: int, trial: Trial, tell: Callable[[int], None]) -> Penta:
        """The pairs of the plus side. `first_pair` counts from 0 over the whole run; `tell` is called with the games done. The same arguments
        give the same result, if the engines' limits do, and what was played before an interruption is not played again."""

    def settled(self, iteration: int) -> None:
        """The result of an iteration is on record: what was kept to go on with it may go."""


@dataclass(frozen=True)
class MatchPlan:
    """All that the matches of a run have in common."""

    kete_match: list[str]
    engine: list[str]
    variant: str
    options: dict[str, str]
    limit: str
    openings: Openings
    seed: int
    concurrency: int

    @classmethod
    def of(cls, args: argparse.Namespace) -> MatchPlan:
        """From the options of a script, once `engine` and `kete_match` are commands."""
        return cls(args.kete_match, args.engine, args.variant, engine_options(args), args.each, chosen(args), args.seed, args.concurrency)

    def settings(self) -> dict:
        """What the result of a match depends on, for the record. The seed is not among it, nor the concurrency, which changes nothing."""
        return {
            "engine": {"command": self.engine, "sha256": programs.sha256(self.engine), "options": self.options},
            "kete_match_sha256": programs.sha256(self.kete_match),
            "limit": self.limit,
            "openings": self.openings.settings(),
        }

    def words(self, engines: dict[str, dict[str, str]], first_pair: int, pairs: int) -> list[str]:
        """The command that plays `pairs` openings, from number `first_pair` (counted from 0), between engines that differ in options alone."""
        words = [*self.kete_match, "--variant", self.variant]
        for name, options in engines.items():
            words += engine_words(name, self.engine, self.options | options)
        words += ["--each", self.limit, "--rounds", str(pairs), *self.openings.words(first_pair)]
        return [*words, "--seed", str(self.seed), "--concurrency", str(self.concurrency)]

    def check(self, pairs: int) -> None:
        """Lets kete-match look at everything that the pairs of a run need: limit, options, openings enough. Nothing is played."""
        check(self.words({"plus": {}, "minus": {}}, 0, pairs))


def texts(parameters: list[Parameter], values: tuple[float, ...]) -> dict[str, str]:
    return {p.name: p.text(value) for p, value in zip(parameters, values)}


@dataclass
class Matches:
    """Pairs of games by kete-match. The games of the iteration in play are in a directory of their own, so that they outlive an interruption."""

    plan: MatchPlan
    parameters: list[Parameter]
    directory: Path

    def play(self, iteration: int, first_pair: int, pairs: int, trial: Trial, tell: Callable[[int], None]) -> Penta:
        engines = {"plus": texts(self.parameters, trial.plus), "minus": texts(self.parameters, trial.minus)}
        words = self.plan.words(engines, first_pair, pairs)
        self._set_aside_failed(iteration)
        match = play_or_resume(words, self._games(iteration), lambda event, match: tell(event["done"]) if "done" in event else None)
        if match.ending != "finished":
            raise MatchError(f"the match of iteration {iteration} ended as {match.ending}: {match.detail or 'its message stands above'}; records in {match.directory}")
        penta = match.penta()
        if sum(penta) != pairs:
            raise MatchError(f"iteration {iteration}: {sum(penta)} pairs in {match.directory}, expected {pairs}")
        return penta

    def settled(self, iteration: int) -> None:
        shutil.rmtree(self._games(iteration), ignore_errors=True)

    def _set_aside_failed(self, iteration: int) -> None:
        """A game that an engine's failure has lost says nothing about the parameters, so that the iteration is played anew; the records are kept."""
        games = self._games(iteration)
        wait_until_free(games / "games.jsonl")
        if failures(games):
            aside = games.with_name(games.name.replace("games", "failed"))
            shutil.rmtree(aside, ignore_errors=True)
            os.rename(games, aside)

    def _games(self, iteration: int) -> Path:
        return self.directory / f"games-{iteration:06d}"


@dataclass
class Quadratic:
    """Games whose chances depend on the squared distance from an optimum, for tests of the method.

    A setting is worth -`elo` x the sum of ((value - optimum) / (max - min))^2, in Elo; a fifth of the games are drawn when the sides are equal.
    """

    parameters: list[Parameter]
    optimum: list[float]
    seed: int
    elo: float = 2000.0
    draws: float = field(default=0.2, repr=False)

    def worth(self, values: tuple[float, ...]) -> float:
        return -self.elo * sum(((v - best) / (p.max - p.min)) ** 2 for p, v, best in zip(self.parameters, values, self.optimum))

    def play(self, iteration: int, first_pair: int, pairs: int, trial: Trial, tell: Callable[[int], None]) -> Penta:
        chance = 1 / (1 + 10 ** ((self.worth(trial.minus) - self.worth(trial.plus)) / 400))
        drawn = self.draws * 4 * chance * (1 - chance)
        rng = random.Random(f"games {self.seed} {iteration}")
        total = NONE
        for pair in range(pairs):
            halves = sum(self._game(chance - drawn / 2, drawn, rng) for _ in range(2))
            total = added(total, tuple(int(halves == i) for i in range(5)))  # type: ignore[arg-type]
            tell(2 * (pair + 1))
        return total

    @staticmethod
    def _game(win: float, drawn: float, rng: random.Random) -> int:
        """Half points."""
        x = rng.random()
        return 2 if x < win else 1 if x < win + drawn else 0

    def settled(self, iteration: int) -> None:
        pass
