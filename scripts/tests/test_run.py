"""Records that survive: what stands in a run's directory after a crash at any moment is gone on with, and what does not belong there is refused."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import unittest
from collections.abc import Callable, Iterator
from unittest import mock

from kete_tune import run_directory, spsa
from kete_tune.errors import ScriptError
from kete_tune.objectives import Quadratic
from kete_tune.penta import Penta
from kete_tune.run import Run, go_on
from kete_tune.spsa import Parameter, Schedule
from tests.tuning import Tuning, records


class Crash(BaseException):
    """The machine stops."""


@contextlib.contextmanager
def crash_at(n: int, how: str) -> Iterator[list[str]]:
    """Stops before or after the n-th operation (from 1) on files, or with half of what it was to sync. Yields the operations so far."""
    done: list[str] = []

    def hook(name: str, real: Callable) -> Callable:
        def operation(*arguments: object, **more: object) -> object:
            done.append(name)
            if len(done) > n:
                raise AssertionError("something was done after the crash")
            if len(done) == n and how == "torn" and name == "fsync":
                with contextlib.suppress(OSError):  # A directory cannot be cut.
                    size = os.fstat(arguments[0]).st_size  # type: ignore[call-overload]
                    os.ftruncate(arguments[0], max(0, size - random.Random(n).randint(1, 40)))  # type: ignore[call-overload]
            if len(done) == n and how != "after":
                raise Crash
            result = real(*arguments, **more)
            if len(done) == n:
                raise Crash
            return result

        return operation

    with contextlib.ExitStack() as stack:
        for module, name in ((os, "fsync"), (os, "replace"), (os, "truncate"), (shutil, "rmtree")):
            stack.enter_context(mock.patch.object(module, name, hook(name, getattr(module, name))))
        yield done


class Crashes(Tuning):
    WORDS = ("--objective", "quadratic", "--pairs", 5, "--pairs-per-iteration", 2)

    def test_after_each_operation_on_files(self) -> None:
        reference = self.directory / "reference"
        self.assertEqual(self.tune(*self.WORDS, out=reference)[0], 0)
        for how in ("before", "after", "torn"):
            for n in itertools.count(1):
                out = self.directory / f"{how} {n}"
                with self.subTest(how=how, n=n):
                    with crash_at(n, how) as done:
                        try:
                            code = self.tune(*self.WORDS, out=out)[0]
                        except Crash:
                            code = None
                    if code is not None:
                        break
                    code, _, err = self.tune(*self.WORDS, out=out)
                    self.assertEqual((code, records(out)), (0, records(reference)), err)
                    self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(reference)))
            # Three iterations, of a line of history, a state and a best.txt each.
            self.assertGreater(n, 3 * 7)
            self.assertEqual((code, len(done) < n), (0, True))

    def test_again_and_again(self) -> None:
        reference = self.directory / "reference"
        words = ("--objective", "quadratic", "--pairs", 60, "--pairs-per-iteration", 2)
        self.assertEqual(self.tune(*words, out=reference)[0], 0)
        seed = random.randrange(10**6)
        rng, crashes = random.Random(seed), 0
        while True:
            try:
                with crash_at(rng.randint(1, 16), rng.choice(("before", "after", "torn"))):
                    code = self.tune(*words)[0]
                break
            except Crash:
                crashes += 1
        self.assertEqual((code, records(self.out)), (0, records(reference)), f"seed {seed}")
        self.assertGreater(crashes, 10)

    def test_history(self) -> None:
        self.tune(*self.WORDS)
        head, *lines = [line.split(",") for line in (self.out / "history.csv").read_text().splitlines()]
        state = json.loads((self.out / "state.json").read_text())
        self.assertEqual(head[:8], ["iteration", "pairs", "ll", "ld", "even", "wd", "ww", "P1"])
        self.assertEqual(head[12::5], ["P1+", "P1-"])
        self.assertEqual([line[:2] for line in lines], [["1", "2"], ["2", "4"], ["3", "5"]])
        self.assertEqual([sum(map(int, line[2:7])) for line in lines], [2, 2, 1])
        self.assertEqual([sum(int(line[i]) for line in lines) for i in range(2, 7)], state["penta"])
        for shown, exact in zip(map(float, lines[-1][7:12]), state["theta"]):
            self.assertAlmostEqual(shown, exact, delta=1e-8)
        self.assertEqual((self.out / "best.txt").read_text().splitlines()[0], f"setoption name P1 value {state['theta'][0]:.6g}")
        config = json.loads((self.out / "config.json").read_text())
        self.assertEqual((config["kind"], config["pairs"], config["schedule"]), ("tuning", 5, {"A": 0.5, "alpha": 0.602, "gamma": 0.101}))

    def test_history_is_on_the_disk_before_the_state_that_counts_it(self) -> None:
        order: list[str] = []
        sync, replace = os.fsync, os.replace

        def fsync(file: int) -> None:
            path = self.out / "history.csv"
            if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
                order.append("history")
            sync(file)

        def replaced(old: object, new: object) -> None:
            order.append(os.path.basename(str(new)))
            replace(old, new)  # type: ignore[arg-type]

        with mock.patch.object(os, "fsync", fsync), mock.patch.object(os, "replace", replaced):
            self.tune(*self.WORDS)
        self.assertEqual(order, ["config.json", "history.csv", "state.json", "best.txt", *["history", "state.json", "best.txt"] * 3])

    def test_a_finished_run_is_told_again(self) -> None:
        first = self.tune(*self.WORDS)
        before = records(self.out)
        again = self.tune(*self.WORDS)
        self.assertEqual((again[0], first[1], records(self.out)), (0, again[1], before))

    def test_a_score_of_nothing_is_told_as_such(self) -> None:
        with mock.patch.object(Quadratic, "play", lambda self, iteration, first, pairs, trial, tell: (pairs, 0, 0, 0, 0)):
            _, out, _ = self.tune(*self.WORDS)
        self.assertIn("pairs of the plus side 5-0-0-0-0, score 0.0 %", out)

    def test_a_full_disk(self) -> None:
        self.tune(*self.WORDS, out=self.directory / "reference")
        real, calls = os.fsync, itertools.count(1)

        def fsync(file: int) -> None:
            if next(calls) == 12:
                raise OSError(28, "No space left on device")
            real(file)

        with mock.patch.object(os, "fsync", fsync):
            code, _, err = self.tune(*self.WORDS)
        self.assertEqual(code, 3)
        self.assertIn("No space left on device", err)
        self.assertIn("the same command goes on", err)
        self.assertEqual(self.tune(*self.WORDS)[0], 0)
        self.assertEqual(records(self.out), records(self.directory / "reference"))


class Damage(Tuning):
    WORDS = Crashes.WORDS

    def setUp(self) -> None:
        super().setUp()
        self.assertEqual(self.tune(*self.WORDS)[0], 0)
        self.state = json.loads((self.out / "state.json").read_text())

    def refused(self, message: str) -> None:
        before = {path.name: path.read_bytes() for path in self.out.iterdir()}
        code, out, err = self.tune(*self.WORDS)
        self.assertEqual((code, out), (2, ""))
        self.assertIn(message, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertEqual({path.name: path.read_bytes() for path in self.out.iterdir()}, before)

    def test_state(self) -> None:
        path = self.out / "state.json"
        for text, message in (
            ("", "is no JSON"),
            ("{", "is no JSON"),
            ("[" * 100_000, "is no JSON"),
            ("[]", "holds no JSON object"),
            ("{}", "cannot be read: 'format'"),
            (json.dumps(self.state | {"format": 2}), "has another format, expected 1"),
            (json.dumps(self.state | {"more": 2}), "cannot be read"),
            (json.dumps({k: v for k, v in self.state.items() if k != "theta"}), "cannot be read"),
        ):
            with self.subTest(text=text[:40]):
                path.write_text(text)
                self.refused(message)
        path.write_bytes(b"\xff\xfe")
        self.refused("is no JSON")
        theta = self.state["theta"]
        for change in (
            {"theta": None}, {"theta": theta[:-1]}, {"theta": ["0.5"] * 5}, {"theta": [None] * 5}, {"theta": [float("nan"), *theta[1:]]}, {"theta": [1e9, *theta[1:]]},
            {"pairs": 4}, {"pairs": "5"}, {"iteration": "3"}, {"iteration": -1}, {"history": None}, {"history": 1.5}, {"history": -1},
            {"penta": [5, 0, 0, 0]}, {"penta": [6, -1, 0, 0, 0]}, {"penta": "11111"}, {"penta": [9, 0, 0, 0, 0], "pairs": 9},
        ):  # fmt: skip
            with self.subTest(change=change):
                path.write_text(json.dumps(self.state | change))
                self.refused("state.json")

    def test_state_is_missing(self) -> None:
        (self.out / "state.json").unlink()
        self.refused("is missing, but")

    def test_history(self) -> None:
        path = self.out / "history.csv"
        os.truncate(path, self.state["history"] - 1)
        self.refused(f"has {self.state['history'] - 1} bytes, expected {self.state['history']} for 3 iterations")
        path.unlink()
        self.refused("history.csv cannot be gone on with: No such file")

    def test_configuration(self) -> None:
        path = self.out / "config.json"
        config = json.loads(path.read_text())
        path.write_text("{")
        self.refused("config.json is no JSON")
        path.write_text("3")
        self.refused("config.json holds no JSON object")
        path.write_text(json.dumps(config | {"format": 0}))
        self.refused("format was 0, now 1")
        path.unlink()
        self.refused("but no config.json: expected a new or empty directory")

    def test_changes_are_named(self) -> None:
        for words, message in ((("--seed", 2), "seed was 1, now 2"), (("--pairs", 6), "pairs was 5, now 6"), (("--stability", 3), "schedule.A was 0.5, now 3.0")):
            before = records(self.out)
            code, _, err = self.tune(*self.WORDS, *words)
            self.assertEqual((code, records(self.out)), (2, before))
            self.assertIn(f"was begun with another configuration: {message}", err)
            self.assertIn("another --out", err)


class Names(Tuning):
    def test_bytes_are_counted_not_letters(self) -> None:
        parameters = [Parameter("Größe", "float", 0.3, 0, 1, 0.05, 0.02)]

        def run() -> Run:
            return Run(self.directory, parameters, Schedule(6, 0.6), 2, 1)

        objective = Quadratic(parameters, [0.6], 1)
        first = run()
        first.iterate(objective)
        second = run()
        self.assertEqual(second.state, first.state)
        go_on(second, objective, lambda run, games: None)
        self.assertEqual((self.directory / "history.csv").read_text(encoding="utf-8").count("\n"), 4)
        self.assertTrue((self.directory / "history.csv").read_text(encoding="utf-8").startswith("iteration,pairs,ll,ld,even,wd,ww,Größe,Größe+,Größe-\n1,2,"))


class Steps(Tuning):
    def test_what_an_iteration_asks_for_and_does(self) -> None:
        parameters, schedule = [Parameter("P", "float", 50, 0, 1000, 10, 0.002)], Schedule(7, 0.7)
        asked: list[tuple] = []

        class Fixed:
            def play(self, iteration: int, first_pair: int, pairs: int, trial: spsa.Trial, tell: Callable[[int], None]) -> Penta:
                asked.append((iteration, first_pair, pairs, trial))
                return (0, 0, pairs - 1, 0, 1)

            def settled(self, iteration: int) -> None:
                asked.append(("settled", iteration))

        run = Run(self.directory, parameters, schedule, 3, 1)
        theta = 50.0
        for iteration, first, pairs in ((1, 0, 3), (2, 3, 3), (3, 6, 1)):
            run.iterate(Fixed())
            (*numbers, trial), settled = asked[-2:]
            self.assertEqual((numbers, settled), ([iteration, first, pairs], ("settled", iteration)))
            # k counts pairs from 1; a pair won twice is a lead of two games.
            theta += schedule.rate(parameters[0], first + 1) * schedule.perturbation(parameters[0], first + 1) * trial.signs[0] * 2
            self.assertAlmostEqual(run.state.theta[0], theta, places=12)
        self.assertTrue(run.finished)
        self.assertEqual(run.state.penta, (0, 0, 4, 0, 3))


class Directory(Tuning):
    def test_a_file_is_replaced_as_a_whole(self) -> None:
        path = self.directory / "file"
        path.write_text("old")
        with mock.patch.object(os, "replace", side_effect=Crash), self.assertRaises(Crash):
            run_directory.replace_file(path, "new ä\n")
        self.assertEqual(path.read_text(), "old")
        order: list[str] = []
        with mock.patch.object(os, "fsync", side_effect=lambda f: order.append("fsync")), mock.patch.object(os, "replace", side_effect=lambda a, b: order.append("replace")):
            run_directory.replace_file(path, "new ä\n")
        self.assertEqual(order, ["fsync", "replace", "fsync"])
        run_directory.replace_file(path, "new ä\n")
        self.assertEqual((path.read_text(encoding="utf-8"), os.listdir(self.directory)), ("new ä\n", ["file"]))

    def test_one_process_at_a_time(self) -> None:
        with mock.patch.object(run_directory, "LOCK_SECONDS", 0.2):
            with run_directory.locked(self.out):
                with self.assertRaisesRegex(ScriptError, "is in use by another process"), run_directory.locked(self.out):
                    self.fail("held twice")
                code, _, err = self.tune(*Crashes.WORDS)
                self.assertEqual((code, os.listdir(self.out)), (2, ["lock"]))
                self.assertIn("is in use by another process", err)
                # A program that is started meanwhile does not hold it any longer than this one.
                child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
            with run_directory.locked(self.out):
                pass
            child.communicate()
            journal = self.directory / "games.jsonl"
            run_directory.wait_until_free(journal)
            self.assertFalse(journal.exists())
            with open(journal, "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                with self.assertRaisesRegex(ScriptError, "is in use by another process"):
                    run_directory.wait_until_free(journal)
            run_directory.wait_until_free(journal)

    def test_directories_that_cannot_be_a_run_s(self) -> None:
        (self.directory / "file").write_text("")
        for out in (self.directory / "file", self.directory / "file" / "below"):
            code, _, err = self.tune(*Crashes.WORDS, out=out)
            self.assertEqual(code, 2)
            self.assertIn("cannot be written", err)
        self.out.mkdir()
        (self.out / "letter").write_text("dear")
        code, _, err = self.tune(*Crashes.WORDS)
        self.assertEqual((code, sorted(os.listdir(self.out))), (2, ["letter", "lock"]))
        self.assertIn("holds letter but no config.json", err)

    def test_settle(self) -> None:
        config = {"a": 1, "b": (1.5, None), "parameters": [{"name": "P", "c": 2}]}
        self.assertTrue(run_directory.settle(self.directory, config))
        text = (self.directory / "config.json").read_bytes()
        self.assertFalse(run_directory.settle(self.directory, config))
        for change, message in (({"a": 2}, "a was 1, now 2"), ({"b": (1.5, 0)}, r"b\.1 was null, now 0"), ({"parameters": [{"name": "P", "c": 3}]}, r"parameters\.P\.c was 2, now 3"),
                                ({"new": "x"}, 'new was null, now "x"'), ({"parameters": []}, "parameters was .* now")):  # fmt: skip
            with self.assertRaisesRegex(ScriptError, message):
                run_directory.settle(self.directory, config | change)
        self.assertEqual((self.directory / "config.json").read_bytes(), text)


if __name__ == "__main__":
    unittest.main()
