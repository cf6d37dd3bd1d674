"""The model in floating point, its training, its quantisation, and what is said of the result.

A logit of the mover's win is `out_bias[stage] + relu(bias + sum of the active rows) . out[stage]`. Probabilities are the mover's.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from . import net_file
from .inputs import SETS, InputSet
from .net_file import Net

# Scores from here on are proved: 32000 less the plies to the end.
PROVED = 30000
# Up to this many rows the gradient of the rows is a product with dense one-hot inputs, beyond it sums by row: what was faster when measured
# (batch 4096, 32 hidden values: 768 rows 3 ms against 10, 1198 rows 5 against 9, 3072 rows 12 against 3).
DENSE_ROWS = 2000
# A hidden value is held below this (255.99 would fill 16 bits; the rest is for rounding), an output weight below that (of 127.99).
HIDDEN_LIMIT = 250.0
OUT_LIMIT = 120.0
# The sum of a node's output in logits (65535 would fill 32 bits).
SUM_LIMIT = 60000.0


@dataclass
class Positions:
    """Positions as the model takes them, with what they are trained and judged by."""

    active: np.ndarray  # uint16 [positions, columns]
    stage: np.ndarray  # uint8
    score: np.ndarray  # i16, 1/256 logit of the mover, or proved
    result: np.ndarray  # 0, 0.5, 1 for the mover
    material: np.ndarray  # seeds, mover less opponent

    def __len__(self) -> int:
        return len(self.score)

    def where(self, mask: np.ndarray) -> Positions:
        return Positions(*(a[mask] for a in (self.active, self.stage, self.score, self.result, self.material)))


def game_hash(games: np.ndarray, file: int, salt: int) -> np.ndarray:
    """A number in 0 to 1 for each position that depends on its game and file alone (splitmix64), so that a split never parts a game."""
    with np.errstate(over="ignore"):
        x = games.astype(np.uint64) + (np.uint64(file) << np.uint64(32)) + (np.uint64(salt) << np.uint64(48))
        x += np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return x.astype(np.float64) / 2.0**64


def sigmoid(z: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def loss(logits: np.ndarray, target: np.ndarray) -> float:
    """Mean cross-entropy in nats."""
    z = logits.astype(np.float64)
    return float(np.mean(np.logaddexp(0.0, z) - target * z))


def fit_logistic(columns: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression without constant, by Newton's method. `columns` is [positions, weights]."""
    x, weights = columns.astype(np.float64), np.zeros(columns.shape[1])
    for _ in range(50):
        p = sigmoid(x @ weights)
        # The small ridge keeps perfectly parted data finite.
        curvature = (x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(len(weights))
        step = np.linalg.solve(curvature, x.T @ (target - p) - 1e-6 * weights)
        # A full step can overshoot where the sigmoid is flat.
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-30))
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def score_scale(positions: Positions) -> float:
    """k for which sigmoid(k * score / 256) fits the results best, over scores that are not proved."""
    open_ = np.abs(positions.score.astype(np.int32)) < PROVED
    if not open_.any():
        return 1.0
    return float(fit_logistic(positions.score[open_, None] / 256.0, positions.result[open_])[0])


@dataclass
class ScoreMap:
    """The mover's probability to win by the score of a search, the same for both sides of 0: straight between knots, level beyond the last.

    One slope for all scores is not enough: small leads are worth more than it says, and large ones less.
    """

    scores: np.ndarray
    probabilities: np.ndarray

    @staticmethod
    def of_scale(k: float) -> ScoreMap:
        """A logistic of the slope k."""
        scores = np.arange(0, 32 * 256, 16)
        return ScoreMap(scores, sigmoid(k * scores / 256))

    @staticmethod
    def fit(positions: Positions, knots: int = 32) -> ScoreMap:
        """What the results of games say about scores that are not proved, in classes of as many positions each."""
        score = positions.score.astype(np.int64)
        open_ = (np.abs(score) < PROVED) & (score != 0)
        if open_.sum() < 1000:
            return ScoreMap.of_scale(score_scale(positions))
        size = np.abs(score[open_])
        # What the side ahead made of it.
        result = np.where(score[open_] > 0, positions.result[open_], 1 - positions.result[open_])
        order = np.argsort(size, kind="stable")
        classes = np.array_split(order, min(knots, len(order) // 500))
        scores = np.array([0.0] + [float(size[c].mean()) for c in classes])
        means = np.maximum.accumulate(np.array([0.5] + [float(result[c].mean()) for c in classes]))
        # Knots of the same score, of which there are some where scores are coarse, are one.
        scores, first = np.unique(scores, return_index=True)
        return ScoreMap(scores, means[first])

    def __call__(self, score: np.ndarray) -> np.ndarray:
        ahead = np.interp(np.abs(score), self.scores, self.probabilities)
        return np.where(score >= 0, ahead, 1 - ahead)


def labels(positions: Positions, chance: ScoreMap, result_weight: float) -> np.ndarray:
    """The probability that each position is trained to. A proved score is a fact, which the game's result (random moves and all) cannot better."""
    score = positions.score.astype(np.float64)
    mixed = (1 - result_weight) * chance(score) + result_weight * positions.result
    proved = np.abs(score) >= PROVED
    return np.where(proved, score > 0, mixed).astype(np.float32)


class Model:
    """Weights as float32. The rows have one more at the end, always zero: where no row of a group is active."""

    def __init__(self, game: str, hidden: int, stages: int, seed: int) -> None:
        self.game, self.stages = game, stages
        self.inputs: InputSet = SETS[game]
        rng = np.random.default_rng(seed)
        self.bias = np.full(hidden, 0.1, np.float32)
        self.rows = np.zeros((self.inputs.rows + 1, hidden), np.float32)
        # A direction a group that grows with the count, so that a rare count begins near its neighbours.
        for first, size in self.inputs.groups:
            self.rows[first : first + size] = rng.normal(0, 0.1, hidden) * (np.arange(size) / size)[:, None] + rng.normal(0, 0.02, (size, hidden))
        self.out = np.tile(rng.normal(0, hidden**-0.5, hidden), (stages, 1)).astype(np.float32)
        self.out_bias = np.zeros(stages, np.float32)

    def stage_of(self, stage: np.ndarray) -> np.ndarray:
        return stage if self.stages > 1 else np.zeros_like(stage)

    def hidden(self, active: np.ndarray) -> np.ndarray:
        """Hidden values after the ReLU, [positions, hidden]."""
        columns = np.ascontiguousarray(active.T, dtype=np.intp)
        total = self.rows[columns[0]]
        total += self.bias
        part = np.empty_like(total)
        for column in columns[1:]:
            # "clip" spares a check and a copy; no index is out of range.
            total += self.rows.take(column, axis=0, out=part, mode="clip")
        return np.maximum(total, 0, out=total)

    def logits(self, positions: Positions) -> np.ndarray:
        parts = []
        for begin in range(0, len(positions), 16384):
            some = slice(begin, begin + 16384)
            stage = self.stage_of(positions.stage[some])
            parts.append(self.out_bias[stage] + (self.hidden(positions.active[some]) * self.out[stage]).sum(1))
        return np.concatenate(parts)

    def weights(self) -> list[np.ndarray]:
        return [self.bias, self.rows, self.out, self.out_bias]

    def keep_in_bounds(self) -> None:
        """Holds the weights where the engine's integers cannot overflow.

        A hidden value that could grow too large is made smaller and its output weight larger by the same factor, which changes no output.
        """
        largest = net_file.largest_hidden(self.game, self.bias, self.rows[:-1])
        factor = np.minimum(1, HIDDEN_LIMIT / np.maximum(largest, 1e-9)).astype(np.float32)
        self.rows *= factor
        self.bias *= factor
        self.out /= factor
        np.clip(self.out, -OUT_LIMIT, OUT_LIMIT, out=self.out)
        for stage in range(self.stages):
            reach = np.abs(self.out_bias[stage]) + np.abs(self.out[stage]) @ (largest * factor)
            if reach > SUM_LIMIT:
                self.out[stage] *= SUM_LIMIT / reach
                self.out_bias[stage] *= SUM_LIMIT / reach

    def scale_output(self, factor: float) -> None:
        self.out *= np.float32(factor)
        self.out_bias *= np.float32(factor)

    def quantised(self, training: dict) -> Net:
        self.keep_in_bounds()

        def whole(weights: np.ndarray, scale: int, dtype: str) -> np.ndarray:
            return np.rint(weights.astype(np.float64) * scale).astype(dtype)

        one, two = net_file.SCALE, net_file.OUTPUT_SCALE
        return Net(
            self.game, whole(self.bias, one, "<i2"), whole(self.rows[:-1], one, "<i2"), whole(self.out, two, "<i2"),
            whole(self.out_bias, one * two, "<i4"), training,
        )  # fmt: skip


class RowGradient:
    """Sums the gradients of hidden values over the positions in which each row was active. The last row, "none", gets none: it stays zero."""

    # Positions whose one-hot inputs stand side by side: few enough to stay in the cache, which is a third faster than the whole batch.
    PIECE = 512

    def __init__(self, rows: int, hidden: int) -> None:
        self.rows, self.hidden = rows, hidden
        self.one_hot = np.zeros((self.PIECE, rows), np.float32) if rows <= DENSE_ROWS else None
        self.base = np.arange(self.PIECE, dtype=np.int64)[:, None] * rows

    def __call__(self, active: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        sums = np.zeros((self.hidden, self.rows), np.float32)
        if self.one_hot is None:
            flat, columns = active.ravel(), active.shape[1]
            for j in range(self.hidden):
                sums[j] = np.bincount(flat, np.repeat(gradient[:, j], columns), self.rows)
            sums[:, -1] = 0
            return sums.T
        flat = self.one_hot.reshape(-1)
        for begin in range(0, len(active), self.PIECE):
            piece = active[begin : begin + self.PIECE]
            at = self.base[: len(piece)] + piece
            flat[at] = 1
            sums += gradient[begin : begin + self.PIECE].T @ self.one_hot[: len(piece)]
            # Only what was set is cleared: far less than the whole buffer.
            flat[at] = 0
        sums[:, -1] = 0
        return sums.T


def gradients(model: Model, row_gradient: RowGradient, active: np.ndarray, stage: np.ndarray, y: np.ndarray) -> tuple[float, list[np.ndarray]]:
    """The loss summed over a batch, and the derivatives of its mean by all weights."""
    stage = model.stage_of(stage)
    hidden = model.hidden(active)
    z = model.out_bias[stage] + (hidden * model.out[stage]).sum(1)
    summed = float((np.logaddexp(0, z) - y * z).sum(dtype=np.float64))
    dz = ((sigmoid(z) - y) / len(y)).astype(np.float32)
    by_stage = np.zeros((len(y), model.stages), np.float32)
    by_stage[np.arange(len(y)), stage] = dz
    dh = dz[:, None] * model.out[stage]
    dh *= hidden > 0
    return summed, [dh.sum(0), row_gradient(active, dh), by_stage.T @ hidden, by_stage.sum(0)]


def train(
    model: Model, data: Positions, target: np.ndarray, held: Positions, held_target: np.ndarray, *, epochs: int, batch: int, lr: float, seed: int
) -> list[dict]:
    """Trains in place by Adam with a rate that falls along a cosine to a hundredth. Returns the losses of each epoch."""
    batch = min(batch, len(data))
    rng = np.random.default_rng([seed, 1])
    # A row that no position has would stay at chance, so it starts, and stays, at zero.
    met = np.bincount(data.active.ravel(), minlength=len(model.rows)) > 0
    met[-1] = False
    model.rows[~met] = 0
    row_gradient = RowGradient(len(model.rows), len(model.bias))
    first = [np.zeros_like(w) for w in model.weights()]
    second = [np.zeros_like(w) for w in model.weights()]
    steps = epochs * -(-len(data) // batch)
    step, started, said, history = 0, time.monotonic(), 0.0, []
    for epoch in range(epochs):
        order, total = rng.permutation(len(data)), 0.0
        for begin in range(0, len(data), batch):
            chosen = order[begin : begin + batch]
            summed, slopes = gradients(model, row_gradient, data.active[chosen], data.stage[chosen], target[chosen])
            total += summed
            step += 1
            rate = lr * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * step / steps)))
            _adam(model.weights(), slopes, first, second, step, rate)
            now = time.monotonic() - started
            if now - said >= 5:
                said = now
                _progress(epoch, epochs, step, steps, now, total / (begin + len(chosen)), len(data))
        model.keep_in_bounds()
        history.append({"train": round(total / len(data), 6), "held_out": round(loss(model.logits(held), held_target), 6)})
        now = time.monotonic() - started
        print(f"epoch {epoch + 1}/{epochs}: loss {history[-1]['train']:.5f}, held out {history[-1]['held_out']:.5f}, "
              f"{(epoch + 1) * len(data) / now:,.0f} positions/s, {now / step * (steps - step):.0f} s left", file=sys.stderr)  # fmt: skip
    return history


def _progress(epoch: int, epochs: int, step: int, steps: int, now: float, mean: float, positions: int) -> None:
    rate = step / steps * epochs * positions / now
    print(f"epoch {epoch + 1}/{epochs}, step {step}/{steps}: loss {mean:.5f}, {rate:,.0f} positions/s, {now / step * (steps - step):.0f} s left", file=sys.stderr)


def _adam(weights: list[np.ndarray], gradients: list[np.ndarray], first: list[np.ndarray], second: list[np.ndarray], step: int, rate: float) -> None:
    """One step of Kingma and Ba's Adam, beta 0.9 and 0.999."""
    rate *= np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    for w, g, m, v in zip(weights, gradients, first, second):
        m += np.float32(0.1) * (g - m)
        v += np.float32(0.001) * (g * g - v)
        w -= np.float32(rate) * m / (np.sqrt(v) + np.float32(1e-8))


def calibration(p: np.ndarray, result: np.ndarray) -> list[dict]:
    """For each tenth of the predicted probability: positions, mean prediction, mean result, and their difference in points (result less prediction)."""
    band = np.minimum((p * 10).astype(int), 9)
    table = []
    for b in range(10):
        inside = band == b
        if inside.any():
            predicted, happened = float(p[inside].mean()), float(result[inside].mean())
            table.append({"band": f"{10 * b}-{10 * b + 10} %", "n": int(inside.sum()), "predicted": round(predicted, 4),
                          "result": round(happened, 4), "points": round(100 * (happened - predicted), 2)})  # fmt: skip
    return table


def baselines(data: Positions, target: np.ndarray, held: Positions, held_target: np.ndarray) -> dict:
    """Held-out losses of what knows nothing (a constant) and of the seed difference, each fitted to the same training data."""
    found: dict[str, dict[str, float]] = {}
    for name, columns in (("constant", lambda p: np.ones((len(p), 1))), ("material", lambda p: np.stack([np.ones(len(p)), p.material], 1))):
        found[name] = {}
        for against, fit_to, judged_by in (("labels", target, held_target), ("results", data.result, held.result)):
            weights = fit_logistic(columns(data), fit_to)
            found[name][against] = round(loss(columns(held) @ weights, judged_by), 6)
    return found
