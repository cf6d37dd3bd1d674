"""The fit over a run's history: known effects are found again, with an error that says how well."""

import contextlib
import io
import json
import math
import random
import tempfile
import unittest
from pathlib import Path

import effects as script
from kete_tune.effects import ELO_PER_SCORE, Trials, effects


def simulated(true: list[float], iterations: int, seed: int) -> list[Trials]:
    """Iterations of 10 pairs whose games are worth, by these Elo for each parameter, what the signs say."""
    rng = random.Random(seed)
    found = []
    for _ in range(iterations):
        differences = [rng.choice((-1.0, 1.0)) for _ in true]
        chance = 1 / (1 + 10 ** (-sum(d * elo for d, elo in zip(differences, true)) / 400))
        lead = sum(1 if rng.random() < chance else -1 for _ in range(20))
        found.append(Trials(10, lead, differences))
    return found


class Fit(unittest.TestCase):
    def test_what_is_linear_is_found_exactly(self) -> None:
        # A lead of 0.4 a pair by the first, -0.2 by the second.
        rows = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (0.5, 2.0)]
        fitted = effects([Trials(10, round(10 * (0.4 * a - 0.2 * b)), [a, b]) for a, b in rows])
        self.assertAlmostEqual(fitted[0].elo, 0.1 * ELO_PER_SCORE, places=6)
        self.assertAlmostEqual(fitted[1].elo, -0.05 * ELO_PER_SCORE, places=6)
        self.assertAlmostEqual(fitted[0].error, 0, places=6)

    def test_pairs_weigh_the_same_wherever_they_were_played(self) -> None:
        # Nine pairs say 1, one says -1.
        fitted = effects([Trials(9, 9, [1.0]), Trials(1, -1, [1.0])])
        self.assertAlmostEqual(fitted[0].elo, 0.8 * ELO_PER_SCORE / 4)

    def test_intervals_hold_what_is_true_as_often_as_they_say(self) -> None:
        true = [10.0, 0.0, -20.0]
        hits = misses = 0
        for seed in range(100):
            for effect, elo in zip(effects(simulated(true, 60, seed)), true):
                hits += abs(effect.elo - elo) <= effect.error
                misses += abs(effect.elo - elo) > effect.error
        # 285 of 300 are expected; five standard deviations are 19.
        self.assertLess(abs(hits - 0.95 * (hits + misses)), 19)

    def test_error_falls_with_the_root_of_the_pairs(self) -> None:
        few, many = (effects(simulated([5.0], iterations, 1))[0].error for iterations in (100, 1600))
        self.assertAlmostEqual(few / many, 4, delta=1)
        # Twenty games an iteration, each worth +1 or -1: in score, 1 / (2 sqrt(games)).
        self.assertAlmostEqual(many, 1.959964 * ELO_PER_SCORE / (2 * math.sqrt(32_000)), delta=0.3)

    def test_what_says_nothing(self) -> None:
        self.assertIsNone(effects([]))
        self.assertIsNone(effects([Trials(1, 1, [1.0])]))
        self.assertIsNone(effects([Trials(1, 1, [0.0, 1.0]), Trials(1, 1, [0.0, -1.0]), Trials(1, 0, [0.0, 1.0])]))
        self.assertIsNone(effects([Trials(1, 1, [1.0, 1.0]), Trials(1, 1, [-1.0, -1.0]), Trials(1, 0, [1.0, 1.0])]))


class Script(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.run_directory = Path(holder.name)

    def write(self, rows: str, config: dict | None = None) -> None:
        parameters = [{"name": "A", "c_end": 5}, {"name": "B", "c_end": 0.5}]
        (self.run_directory / "config.json").write_text(json.dumps(config or {"kind": "tuning", "parameters": parameters}))
        (self.run_directory / "history.csv").write_text("iteration,pairs,ll,ld,even,wd,ww,A,B,A+,B+,A-,B-\n" + rows)

    def call(self) -> tuple[int, str, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = script.main([str(self.run_directory)])
        return code, out.getvalue(), err.getvalue()

    def test_of_a_run(self) -> None:
        # A 2 c higher on the plus side leads by a game a pair, whatever B is; the last line is being written.
        self.write("1,2,0,0,1,0,1,0,0,15,1.5,5,0.5\n2,4,1,0,1,0,0,0,0,5,1.5,15,0.5\n3,6,0,0,1,0,1,0,0,15,0.5,5,1.5\n4,8,1,0,1,0,0,0,0,5,0.5,15,1.5\n5,9,0,0")
        code, out, _ = self.call()
        lines = out.splitlines()
        self.assertEqual(code, 0)
        self.assertEqual(lines[0], "8 pairs in 4 iterations")
        self.assertEqual(lines[2].split(), ["A", "5", "+173.7", "±", "0.0"])
        self.assertEqual(lines[3].split(), ["B", "0.5", "+0.0", "±", "0.0"])

    def test_what_cannot_be_read(self) -> None:
        for rows, config, message in (
            ("1,2,0,0,1,0,1,0,0,15,1.5,5,0.5\n", None, "1 iterations are too few for the effects of 2 parameters"),
            ("1,2,0,0,x,0,1,0,0,15,1.5,5,0.5\n", None, "iteration 1: invalid literal"),
            ("1,2,0,0\n", None, "history.csv cannot be read as that of the run, iteration 1"),
            ("1,2,0,0,0,0,0,0,0,15,1.5,5,0.5\n", None, "an iteration without pairs"),
            ("", {"kind": "sweep"}, "config.json is not of a tuning run"),
            ("", {"kind": "tuning", "parameters": [{}]}, "cannot be read"),
        ):
            with self.subTest(message=message):
                self.write(rows, config)
                code, out, err = self.call()
                self.assertEqual((code, out), (2, ""))
                self.assertIn(message, err)
                self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
