"""Simultaneous perturbation stochastic approximation (Spall 1998), with the schedule that engine tuners use.

Parameters are moved together: in each iteration all are perturbed at once, each up or down by chance, the two engines that
result play pairs of games, and every parameter goes a step towards the side that won.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

ALPHA, GAMMA = 0.602, 0.101
# The share of a run that the early steps are damped by.
STABILITY = 0.1


@dataclass(frozen=True)
class Parameter:
    """A number to tune. `c_end` is how far it is perturbed at the end of a run, `r_end` the learning rate there, a share of `c_end` a pair."""

    name: str
    kind: str  # int or float
    start: float
    min: float
    max: float
    c_end: float
    r_end: float

    def clip(self, value: float) -> float:
        return min(max(value, self.min), self.max)

    def played(self, value: float, rng: random.Random) -> float:
        """The value that an engine is given: a whole number, for whole numbers, whose expectation is `value`."""
        if self.kind == "int":
            value = float(math.floor(value + rng.random()))
        return self.clip(value)

    def text(self, value: float) -> str:
        """The nearest value that an option can have."""
        return str(round(value)) if self.kind == "int" else f"{value:.6g}"


@dataclass(frozen=True)
class Schedule:
    """Steps over a run of `pairs` pairs of games. Formulas: c_k = c / k^gamma with c = c_end N^gamma, and R_k = a / (A + k)^alpha / c_k^2 with
    a = r_end c_end^2 (A + N)^alpha, so that both are c_end and r_end at k = N."""

    pairs: int
    stability: float
    alpha: float = ALPHA
    gamma: float = GAMMA

    def perturbation(self, parameter: Parameter, k: int) -> float:
        """c_k, in the parameter's unit; k counts pairs from 1."""
        return parameter.c_end * (self.pairs / k) ** self.gamma

    def gain(self, parameter: Parameter, k: int) -> float:
        """a_k = a / (A + k)^alpha, in the parameter's unit squared."""
        a = parameter.r_end * parameter.c_end**2 * (self.stability + self.pairs) ** self.alpha
        return a / (self.stability + k) ** self.alpha

    def rate(self, parameter: Parameter, k: int) -> float:
        """R_k, the step as a share of c_k for each point by which the plus side wins."""
        return self.gain(parameter, k) / self.perturbation(parameter, k) ** 2


@dataclass(frozen=True)
class Trial:
    """The two settings of an iteration."""

    signs: tuple[int, ...]
    plus: tuple[float, ...]
    minus: tuple[float, ...]


def trial(parameters: list[Parameter], theta: list[float], schedule: Schedule, k: int, rng: random.Random) -> Trial:
    """Perturbs all parameters. The same `rng` state gives the same trial."""
    signs = tuple(rng.choice((-1, 1)) for _ in parameters)
    steps = [sign * schedule.perturbation(parameter, k) for parameter, sign in zip(parameters, signs)]
    plus = tuple(p.played(value + step, rng) for p, value, step in zip(parameters, theta, steps))
    minus = tuple(p.played(value - step, rng) for p, value, step in zip(parameters, theta, steps))
    return Trial(signs, plus, minus)


def step(parameters: list[Parameter], theta: list[float], schedule: Schedule, k: int, signs: tuple[int, ...], lead: float) -> list[float]:
    """The parameters after an iteration which the plus side won by `lead` games (wins less losses)."""
    moved = []
    for parameter, value, sign in zip(parameters, theta, signs):
        moved.append(parameter.clip(value + schedule.rate(parameter, k) * schedule.perturbation(parameter, k) * sign * lead))
    return moved
