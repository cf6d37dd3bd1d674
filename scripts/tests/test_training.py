"""Training learns, repeats itself to the byte, and yields nets that are safe in the engine's integers."""

import contextlib
import io
import json
import struct
import tempfile
import unittest
from pathlib import Path

from tests.packages import require

require("numpy")

import numpy as np

import train_eval
from kete_eval import net_file, training
from kete_eval.inputs import SETS
from kete_eval.training import Model, Positions
from tests import synthetic


def positions(game: str, count: int, seed: int = 1) -> Positions:
    made = synthetic.records(game, count, seed)
    inputs = SETS[game]
    return Positions(inputs.active(made), inputs.stage(made), made["score"], made["result"].astype(np.float32) / 2, np.zeros(count, np.float32))


def run(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of train_eval."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = train_eval.main(list(words))
    return code, out.getvalue(), err.getvalue()


def header(path: Path) -> dict:
    content = path.read_bytes()
    return json.loads(content[16 : 16 + struct.unpack_from("<I", content, 12)[0]])


class WholeRuns(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def test_a_run_learns_and_a_seed_repeats_it_to_the_byte(self) -> None:
        for game, stages in (("kigogo", "1"), ("kimasai", "1"), ("kiswahili", "4")):
            data = synthetic.write(self.directory / f"{game}.kdata", game, 20000)
            nets = [self.directory / f"{game}-{n}.knet" for n in range(3)]
            for net, seed in zip(nets, ("1", "1", "2")):
                words = ("--epochs", "5", "--batch", "256", "--hidden", "16", "--stages", stages, "--seed", seed)
                code, _, err = run("--data", str(data), "--out", str(net), *words)
                self.assertEqual(code, 0, err)
            self.assertEqual(nets[0].read_bytes(), nets[1].read_bytes())
            self.assertNotEqual(nets[0].read_bytes(), nets[2].read_bytes())
            found = header(nets[0])
            record = found["training"]
            self.assertEqual((found["game"], found["hidden"], found["stages"]), (game, 16, int(stages)))
            self.assertEqual((record["data"][0]["file"], record["data"][0]["positions"], record["data"][0]["header"]["nodes"]), (data.name, 20000, 800))
            self.assertNotIn(str(self.directory), json.dumps(found))
            self.assertEqual(sum(record[k] for k in ("positions", "held_out_positions", "scale_positions")), 20000)
            # The pits' weights are unequal and some negative: a net that sees pits must do clearly better than the seed difference.
            self.assertLess(record["held_out_loss"]["labels"], record["baselines"]["material"]["labels"] - 0.1)
            self.assertLess(record["held_out_loss"]["results"], record["baselines"]["material"]["results"] - 0.1)
            self.assertLess(record["losses"][-1]["train"], record["losses"][0]["train"])
            self.assertIsNone(net_file.check_bounds(net_file.read(nets[0])))

    def test_calibration_files_and_fewer_positions(self) -> None:
        data = synthetic.write(self.directory / "a.kdata", "kimasai", 6000)
        apart = synthetic.write(self.directory / "b.kdata", "kimasai", 4000, seed=2)
        net = self.directory / "net"
        code, out, err = run("--data", str(data), "--calibration", str(apart), "--out", str(net), "--epochs", "5", "--batch", "128", "--max-positions", "3000")
        self.assertEqual(code, 0, err)
        self.assertIn("Calibration on the other half of b.kdata", out)
        record = header(net)["training"]
        self.assertAlmostEqual(record["positions"] + record["held_out_positions"], 3000, delta=600)
        self.assertAlmostEqual(sum(row["n"] for row in record["calibration_apart"]), 2000, delta=400)

    def test_what_cannot_be_done_is_said(self) -> None:
        one, two = (synthetic.write(self.directory / game, game, 100) for game in ("kigogo", "kimasai"))
        code, _, err = run("--data", str(one), str(two), "--out", "none")
        self.assertEqual(code, 2)
        self.assertIn(f"{two}: positions of kimasai, expected kigogo", err)
        few = synthetic.write(self.directory / "few", "kigogo", 15)
        code, _, err = run("--data", str(few), "--out", "none")
        self.assertEqual(code, 2)
        self.assertIn("more games are needed", err)


class Parts(unittest.TestCase):
    def test_labels(self) -> None:
        some = positions("kigogo", 5)
        some.score = np.array([0, 256, 31000, -31990, 0], np.int16)
        some.result = np.array([1, 0, 0, 1, 0.5], np.float32)
        # sigmoid(2) = 0.880797; proved scores stand alone.
        np.testing.assert_allclose(training.labels(some, training.ScoreMap.of_scale(2.0), 0.1), [0.55, 0.9 * 0.880797, 1, 0, 0.5], atol=1e-6)

    def test_scores_are_read_as_the_results_say(self) -> None:
        rng = np.random.default_rng(5)
        some = positions("kimasai", 50000)
        some.score = rng.integers(-1000, 1000, 50000).astype(np.int16)
        # No logistic: a lead of any size wins three games of four, a large one nearly all.
        chance = np.where(np.abs(some.score) < 500, 0.75, 0.97)
        some.result = (rng.random(50000) < np.where(some.score > 0, chance, 1 - chance)).astype(np.float32)
        found = training.ScoreMap.fit(some)
        np.testing.assert_allclose(found(np.array([0, 300, -300, 900, -900, 29999])), [0.5, 0.75, 0.25, 0.97, 0.03, 0.97], atol=0.02)
        self.assertTrue((np.diff(found(np.arange(-2000, 2000))) >= 0).all())

    def test_the_score_scale_is_found_again(self) -> None:
        rng = np.random.default_rng(3)
        some = positions("kimasai", 50000)
        some.score = rng.integers(-1000, 1000, 50000).astype(np.int16)
        some.result = (rng.random(50000) < training.sigmoid(0.7 * some.score / 256)).astype(np.float32)
        some.score[:5000] = 31999  # Proved scores do not count.
        self.assertAlmostEqual(training.score_scale(some), 0.7, delta=0.02)

    def test_a_game_is_never_parted(self) -> None:
        games = np.repeat(np.arange(2000, dtype=np.uint32), 10)
        hashes = training.game_hash(games, 0, 1).reshape(2000, 10)
        self.assertTrue((hashes == hashes[:, :1]).all())
        self.assertAlmostEqual((hashes[:, 0] < 0.05).mean(), 0.05, delta=0.02)
        self.assertTrue((hashes[:, 0] != training.game_hash(games[::10], 1, 1)).all())

    def test_gradient_of_rows_by_both_ways(self) -> None:
        rng = np.random.default_rng(4)
        for game, inputs in SETS.items():
            active = inputs.active(synthetic.records(game, 700))
            gradient = rng.normal(size=(700, 4)).astype(np.float32)
            expected = np.zeros((inputs.rows + 1, 4))
            np.add.at(expected, active.ravel(), np.repeat(gradient, active.shape[1], 0))
            expected[-1] = 0
            np.testing.assert_allclose(training.RowGradient(inputs.rows + 1, 4)(active, gradient), expected, atol=1e-3, err_msg=game)

    def test_gradients_are_those_of_the_loss(self) -> None:
        some = positions("kiswahili", 200)
        y = training.labels(some, training.ScoreMap.of_scale(1.0), 0.1)
        model = Model("kiswahili", 8, 4, 2)
        # Half of the hidden values are zero for most positions, so that the ReLU matters; double precision for the differences.
        model.bias[::2] = -1
        model.rows[-1] = 0
        model.bias, model.rows, model.out, model.out_bias = (w.astype(np.float64) for w in model.weights())
        _, slopes = training.gradients(model, training.RowGradient(len(model.rows), 8), some.active, some.stage, y)
        rng = np.random.default_rng(6)
        for weights, slope in zip(model.weights(), slopes):
            direction = rng.normal(size=weights.shape)
            if weights is model.rows:
                direction[-1] = 0
            step, losses = 1e-5, []
            for sign in (1, -1):
                weights += sign * step * direction
                losses.append(training.loss(model.logits(some), y))
                weights -= sign * step * direction
            self.assertAlmostEqual((losses[0] - losses[1]) / (2 * step), float((slope * direction).sum()), delta=1e-3)

    def test_integers_agree_with_the_model_within_rounding(self) -> None:
        for game in SETS:
            some = positions(game, 3000)
            model = Model(game, 32, 4, 7)
            model.out_bias[:] = [0.1, -0.2, 0.3, 0.0]
            model.rows[-1] = 0
            scores = model.quantised({}).scores(some.active, some.stage)
            # Off by rounding of some 40 rows to 1/128 and of outputs to 1/256, in logits.
            self.assertLess(np.abs(scores / 256 - model.logits(some)).max(), 0.1, game)
            self.assertLess(np.abs(scores / 256 - model.logits(some)).mean(), 0.02, game)

    def test_integer_inference_of_one_position(self) -> None:
        net = net_file.Net("kigogo", np.array([-3, 5], "<i2"), np.zeros((768, 2), "<i2"), np.array([[10, -300], [0, 0], [0, 0], [0, 1]], "<i2"),
                           np.array([7, 0, 0, -5], "<i4"), {})  # fmt: skip
        net.rows[16 * 2 + 4] = [100, -4]
        active = np.arange(0, 768, 16, dtype=np.uint16)[None, :].copy()
        active[0, 2] += 4
        # Hidden values 97 and 1. Stage 0: 7 + 970 - 300 = 677, / 128 = 5.3; stage 3: -5 + 1 = -4, / 128 rounds down to -1.
        for stage, score in ((0, 5), (1, 0), (3, -1)):
            self.assertEqual(net.scores(active, np.array([stage], np.uint8)).tolist(), [score])
        net.out[0] = 32767
        self.assertEqual(net.scores(active, np.zeros(1, np.uint8)).tolist(), [8191])

    def test_weights_that_would_overflow_are_held_back_without_changing_the_output(self) -> None:
        for game in SETS:
            some = positions(game, 500)
            model = Model(game, 16, 1, 3)
            model.rows *= 300
            model.rows[-1] = 0
            model.out *= 0.01
            before = model.logits(some)
            net = model.quantised({})
            np.testing.assert_allclose(model.logits(some), before, rtol=1e-3, atol=1e-3)
            self.assertIsNone(net_file.check_bounds(net))
            model.out *= 1e6
            model.out_bias[:] = 1e6
            self.assertIsNone(net_file.check_bounds(model.quantised({})))


if __name__ == "__main__":
    unittest.main()
