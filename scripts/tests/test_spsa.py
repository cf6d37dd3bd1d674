"""The arithmetic of SPSA: the schedule, the perturbation, the step, and that it finds an optimum that is known."""

import json
import math
import os
import random
import unittest
from dataclasses import replace
from unittest import mock

import tune
from kete_tune import penta, spsa
from kete_tune.objectives import Quadratic
from kete_tune.spsa import Parameter, Schedule
from tests.tuning import Tuning

WHOLE = Parameter("Whole", "int", 50, 0, 1000, 10, 0.002)
REAL = replace(WHOLE, name="Real", kind="float")
# N = 1000 with A a tenth of it: k, c_k, R_k, a_k, computed apart from this code.
CHECK = [(1, 20.090928, 0.002086157, 0.842067537), (100, 12.618275, 0.003505325, None), (500, 10.725166, 0.002504340, None), (1000, 10.0, 0.002, None)]


class Values(unittest.TestCase):
    def test_check_values(self) -> None:
        schedule = Schedule(1000, spsa.STABILITY * 1000)
        for k, c, rate, gain in CHECK:
            with self.subTest(k=k):
                self.assertAlmostEqual(schedule.perturbation(WHOLE, k), c, delta=5e-7)
                self.assertAlmostEqual(schedule.rate(WHOLE, k), rate, delta=5e-10)
                if gain is not None:
                    self.assertAlmostEqual(schedule.gain(WHOLE, k), gain, delta=5e-10)

    def test_stability_damps_the_early_steps(self) -> None:
        self.assertLess(Schedule(1000, 500).gain(WHOLE, 1), Schedule(1000, 100).gain(WHOLE, 1))
        self.assertAlmostEqual(Schedule(1000, 500).rate(WHOLE, 1000), 0.002)
        self.assertAlmostEqual(Schedule(1000, 0).rate(WHOLE, 1000), 0.002)

    def test_step(self) -> None:
        schedule = Schedule(1000, 100)
        size = 0.003505325 * 12.618275 * 3
        self.assertAlmostEqual(spsa.step([REAL], [50.0], schedule, 100, (1,), 3)[0], 50 + size, places=5)
        self.assertAlmostEqual(spsa.step([REAL], [50.0], schedule, 100, (-1,), 3)[0], 50 - size, places=5)
        self.assertAlmostEqual(spsa.step([REAL], [50.0], schedule, 100, (1,), -3)[0], 50 - size, places=5)
        # Whole numbers move by less than one as well.
        self.assertAlmostEqual(spsa.step([WHOLE], [50.0], schedule, 100, (1,), 3)[0], 50 + size, places=5)
        self.assertEqual(spsa.step([REAL], [50.0], schedule, 100, (1,), 0), [50.0])

    def test_clipping(self) -> None:
        schedule = Schedule(10, 1)
        for parameter in (WHOLE, REAL):
            low, high = replace(parameter, start=1.0), replace(parameter, start=999.0)
            for seed in range(20):
                made = spsa.trial([low, high], [1.0, 999.0], schedule, 1, random.Random(seed))
                for values in (made.plus, made.minus):
                    self.assertTrue(all(0 <= v <= 1000 for v in values), values)
                self.assertIn(0.0, (made.plus[0], made.minus[0]))
                self.assertIn(1000.0, (made.plus[1], made.minus[1]))
            eager = replace(parameter, r_end=1.0)
            self.assertEqual(spsa.step([eager], [999.0], schedule, 5, (1,), 20), [1000.0])
            self.assertEqual(spsa.step([eager], [1.0], schedule, 5, (1,), -20), [0.0])

    def test_rounding_is_unbiased(self) -> None:
        rng = random.Random(3)
        for value in (7.0, 7.25, 7.5, 7.9, -3.3):
            parameter = replace(WHOLE, min=-100)
            drawn = [parameter.played(value, rng) for _ in range(20000)]
            self.assertLessEqual(set(drawn), {float(math.floor(value)), float(math.floor(value) + 1)})
            # Four standard deviations of the mean of 20,000, each of at most 1/2.
            self.assertAlmostEqual(sum(drawn) / len(drawn), value, delta=4 * 0.5 / math.sqrt(20000))
        self.assertEqual(REAL.played(7.25, rng), 7.25)

    def test_trials(self) -> None:
        schedule, parameters, theta = Schedule(1000, 100), [REAL] * 8, [500.0] * 8
        made = spsa.trial(parameters, theta, schedule, 100, random.Random("a"))
        self.assertEqual(made, spsa.trial(parameters, theta, schedule, 100, random.Random("a")))
        self.assertNotEqual(made.signs, spsa.trial(parameters, theta, schedule, 100, random.Random("b")).signs)
        for sign, plus, minus in zip(made.signs, made.plus, made.minus):
            self.assertAlmostEqual(plus, 500 + sign * 12.618275, places=5)
            self.assertAlmostEqual(minus, 500 - sign * 12.618275, places=5)
        signs = [s for seed in range(2000) for s in spsa.trial(parameters, theta, schedule, 1, random.Random(seed)).signs]
        self.assertEqual(set(signs), {-1, 1})
        self.assertLess(abs(sum(signs)), 4 * math.sqrt(len(signs)))

    def test_texts(self) -> None:
        self.assertEqual([WHOLE.text(v) for v in (7.4, 7.6, -0.2)], ["7", "8", "0"])
        self.assertEqual([REAL.text(v) for v in (7.0, 0.1234567)], ["7", "0.123457"])


class Penta(unittest.TestCase):
    def test_counts(self) -> None:
        counts = (5, 4, 3, 2, 1)
        self.assertEqual(penta.lead(counts), -10)
        self.assertAlmostEqual(penta.score(counts), (0 * 5 + 1 * 4 + 2 * 3 + 3 * 2 + 4 * 1) / (4 * 15))
        self.assertIsNone(penta.score(penta.NONE))
        self.assertEqual(penta.score((3, 0, 0, 0, 0)), 0)
        self.assertEqual(penta.added(counts, (1, 0, 0, 0, 2)), (6, 4, 3, 2, 3))
        self.assertEqual(penta.text(counts), "5-4-3-2-1")


class OnAQuadratic(Tuning):
    def test_twenty_seeds_of_twenty_come_near(self) -> None:
        # 250 iterations each, which a disk need not have.
        with mock.patch.object(os, "fsync"):
            for seed in range(1, 21):
                out = self.directory / str(seed)
                self.assertEqual(self.tune("--objective", "quadratic", "--pairs", 2000, "--seed", seed, out=out)[0], 0)
                state = json.loads((out / "state.json").read_text())
                self.assertEqual(state["pairs"], 2000)
                for p, best, value in zip(tune.QUADRATIC, tune.QUADRATIC_OPTIMUM, state["theta"], strict=True):
                    with self.subTest(seed=seed, parameter=p.name):
                        self.assertGreater(abs(p.start - best), 0.2 * (p.max - p.min))
                        self.assertLessEqual(abs(value - best), 0.1 * (p.max - p.min))

    def test_chances(self) -> None:
        game = Quadratic(tune.QUADRATIC, tune.QUADRATIC_OPTIMUM, 1)
        best = spsa.Trial((1,) * 5, tuple(tune.QUADRATIC_OPTIMUM), tuple(v + 0.1 * (p.max - p.min) for p, v in zip(tune.QUADRATIC, tune.QUADRATIC_OPTIMUM)))
        self.assertEqual(game.worth(best.plus), 0)
        self.assertAlmostEqual(game.worth(best.minus), -2000 * 5 * 0.1**2)
        told: list[int] = []
        counts = game.play(1, 0, 500, best, told.append)
        self.assertEqual((sum(counts), told[-1], len(told)), (500, 1000, 500))
        expected = 1 / (1 + 10 ** (game.worth(best.minus) / 400))
        self.assertAlmostEqual(penta.score(counts), expected, delta=4 * 0.5 / math.sqrt(1000))
        self.assertEqual(counts, game.play(1, 0, 500, best, told.append))
        self.assertNotEqual(counts, game.play(2, 0, 500, best, told.append))
        swapped = game.play(1, 0, 500, spsa.Trial(best.signs, best.minus, best.plus), told.append)
        self.assertAlmostEqual(penta.score(swapped), 1 - expected, delta=4 * 0.5 / math.sqrt(1000))


if __name__ == "__main__":
    unittest.main()
