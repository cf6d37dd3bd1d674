"""A run of SPSA whose every iteration is on the disk before the next begins."""

from __future__ import annotations

import csv
import io
import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from kete_tune import penta, spsa
from kete_tune.errors import ScriptError
from kete_tune.objectives import Objective
from kete_tune.penta import Penta
from kete_tune.run_directory import as_json, read_json, replace_file
from kete_tune.spsa import Parameter, Schedule

FORMAT = 1


@dataclass
class State:
    """How far a run is. `history` is the length in bytes of what history.csv holds of it."""

    iteration: int
    pairs: int
    theta: list[float]
    penta: Penta
    history: int


class Run:
    """A tuning run in its directory: state.json is replaced after each iteration, history.csv grows by a line, best.txt follows."""

    def __init__(self, directory: Path, parameters: list[Parameter], schedule: Schedule, per_iteration: int, seed: int) -> None:
        self.directory, self.parameters, self.schedule, self.per_iteration, self.seed = directory, parameters, schedule, per_iteration, seed
        self.state = self._load()

    def _load(self) -> State:
        path = self.directory / "state.json"
        if not path.exists():
            header, history = self._header().encode(), self.directory / "history.csv"
            if history.exists() and history.stat().st_size > len(header):
                raise ScriptError(f"{path} is missing, but {history} has iterations: expected both or neither")
            replace_file(history, header.decode())
            state = State(0, 0, [p.start for p in self.parameters], penta.NONE, len(header))
            self._save(state)
            return state
        value = read_json(path)
        try:
            if value.pop("format") != FORMAT:
                raise ScriptError(f"{path} has another format, expected {FORMAT}")
            state = State(**value)
            state.penta = tuple(state.penta)  # type: ignore[assignment]
            counts = (state.iteration, state.pairs, state.history, *state.penta)
            fits = all(type(n) is int and n >= 0 for n in counts) and len(state.penta) == 5 and sum(state.penta) == state.pairs <= self.schedule.pairs
            fits = fits and len(state.theta) == len(self.parameters) and all(p.min <= v <= p.max for p, v in zip(self.parameters, state.theta))
        except (KeyError, TypeError) as error:
            raise ScriptError(f"{path} cannot be read: {error}") from error
        if not fits:
            raise ScriptError(f"{path} does not belong to this run: {len(state.theta)} parameters, {state.pairs} pairs")
        # A line that was written before the state was is written again when its iteration has been counted.
        history = self.directory / "history.csv"
        try:
            size = history.stat().st_size
            if size > state.history:
                os.truncate(history, state.history)
        except OSError as error:
            raise ScriptError(f"{history} cannot be gone on with: {error.strerror or error}") from error
        if size < state.history:
            raise ScriptError(f"{history} has {size} bytes, expected {state.history} for {state.iteration} iterations")
        return state

    def tidy(self, objective: Objective) -> None:
        """Does what is done after an iteration's state is on the disk, should that have been interrupted."""
        replace_file(self.directory / "best.txt", self.best())
        if self.state.iteration:
            objective.settled(self.state.iteration)

    def _header(self) -> str:
        names = [p.name for p in self.parameters]
        return ",".join(["iteration", "pairs", "ll", "ld", "even", "wd", "ww", *names, *(n + "+" for n in names), *(n + "-" for n in names)]) + "\n"

    def _save(self, state: State) -> None:
        replace_file(self.directory / "state.json", as_json({"format": FORMAT, **asdict(state)}))
        self.state = state

    def best(self) -> str:
        """The parameters as they are now, as lines for an engine."""
        return "".join(f"setoption name {p.name} value {p.text(v)}\n" for p, v in zip(self.parameters, self.state.theta))

    @property
    def finished(self) -> bool:
        return self.state.pairs >= self.schedule.pairs

    def iterate(self, objective: Objective, tell: Callable[[int], None] = lambda games: None) -> None:
        """Plays an iteration and takes its step."""
        old = self.state
        iteration, k = old.iteration + 1, old.pairs + 1
        pairs = min(self.per_iteration, self.schedule.pairs - old.pairs)
        # Drawn from the iteration's number, so that nothing of the generator has to be kept.
        trial = spsa.trial(self.parameters, old.theta, self.schedule, k, random.Random(f"signs {self.seed} {iteration}"))
        result = objective.play(iteration, old.pairs, pairs, trial, tell)
        theta = spsa.step(self.parameters, old.theta, self.schedule, k, trial.signs, penta.lead(result))
        row = io.StringIO()
        csv.writer(row, lineterminator="\n").writerow([iteration, old.pairs + pairs, *result, *map(_short, theta), *map(_short, trial.plus), *map(_short, trial.minus)])
        with open(self.directory / "history.csv", "a", encoding="utf-8") as file:
            file.write(row.getvalue())
            file.flush()
            os.fsync(file.fileno())
        self._save(State(iteration, old.pairs + pairs, theta, penta.added(old.penta, result), old.history + len(row.getvalue().encode())))
        self.tidy(objective)


def _short(value: float) -> str:
    return f"{value:.10g}"


def go_on(run: Run, objective: Objective, report: Callable[[Run, int], None]) -> float:
    """Iterates to the end. `report` is called with the run and the games done in the iteration under way. Returns the seconds it took."""
    began = time.monotonic()
    run.tidy(objective)
    while not run.finished:
        run.iterate(objective, lambda games: report(run, games))
        report(run, 0)
    return time.monotonic() - began
