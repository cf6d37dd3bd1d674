"""tune.py with the engine and kete-match as they are built: what it refuses, and what it keeps of a run that is interrupted, killed, or fails."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

import tune
from kete_tune import run_directory
from kete_tune.objectives import Matches
from tests.tuning import RealMatches, marked, records

HERE = Path(__file__).parent
FAKE_ENGINE, FAILING, CRASHING = HERE / "fake_tunable_engine.py", HERE / "failing_kete_match.py", HERE / "crashing_engine.py"


def journal(path: Path) -> list[dict]:
    """The finished games; a last line may be half written."""
    return [json.loads(line) for line in path.read_text().split("\n")[:-1]]


def wait_for_games(out: Path, count: int) -> Path:
    """The journal of the iteration in play, once so many games stand in it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for path in out.glob("games-*/games.jsonl"):
            try:
                if path.read_bytes().count(b"\n") >= count:
                    return path
            except OSError:
                pass
        time.sleep(0.005)
    raise AssertionError(f"no {count} games in {out}")


class Refusals(RealMatches):
    def refused(self, message: str, words: list[object], err_lines: int = 1) -> None:
        code, out, err = self.tune(*words)
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn(message, err)
        self.assertLessEqual(err.count("\n"), err_lines, err)

    def nothing_is_there(self) -> None:
        self.assertEqual([p.name for p in self.out.rglob("*")] if self.out.exists() else [], ["lock"] if self.out.exists() else [])

    def test_before_the_first_game(self) -> None:
        base = ["--variant", "kigogo", "--engine", self.engine, "--kete-match", self.kete_match, "--no-probe", "--each", "nodes=5"]
        for message, words in (
            ("no parameter 'KigogoExplorations'; did you mean KigogoExploration?", ["--param", "KigogoExplorations"]),
            ("KigogoExploration: start is 1001, expected 0 to 1000", ["--param", "KigogoExploration=1001"]),
            ("'k=3' is not understood", ["--param", "KigogoExploration,k=3"]),
            ("--param KigogoExploration is given twice", ["--param", "KigogoExploration", "--param", "KigogoExploration=3"]),
            ("KimasaiExploration belongs to kimasai, but the games are of kigogo", ["--param", "KimasaiExploration"]),
            ("KigogoExploration is given to --option and to --param", ["--param", "KigogoExploration", "--option", "kigogoexploration=3"]),
            ("--option 'bad': expected NAME=VALUE", ["--option", "bad"]),
            ("--option 'A=2': expected NAME=VALUE, each name once", ["--option", "A=1", "--option", "A=2"]),
            ('there is no option "Bad"', ["--option", "Bad=1"]),
            ("Hash", ["--option", "Hash=many"]),
            ("nodes=abc", ["--each", "nodes=abc"]),
            ("1281 undecided positions after 6 plies, 2000 are needed", ["--variant", "kiswahili", "--plies", 6]),
            ("--stability is nan", ["--stability", "nan"]),
            ("--stability is -1.0", ["--stability=-1"]),
            ("r is 2, expected more than 0", ["--r-end", "2"]),
            ("no program '/no/kete'; expected the path of kete", ["--engine", "/no/kete"]),
            ("no program '/no/match'; expected the path of kete-match", ["--kete-match", "/no/match"]),
            ("does not list its parameters", ["--engine", shutil.which("true")]),
            ("--objective quadratic has parameters of its own", ["--objective", "quadratic", "--param", "KigogoExploration"]),
            ("--objective quadratic has parameters of its own", ["--objective", "quadratic", "--r-end", "0.1"]),
        ):
            with self.subTest(message=message):
                self.refused(message, [*base, *words])
                self.nothing_is_there()
        self.refused("--variant is missing, expected kiswahili, kigogo or kimasai", base[2:])
        self.nothing_is_there()

    def test_arguments(self) -> None:
        for message, words in (
            ("'0' given, expected a whole number from 1", ["--pairs", "0"]),
            ("'x' given, expected a whole number from 1", ["--pairs-per-iteration", "x"]),
            ("'-1' given, expected a whole number from 0", ["--concurrency=-1"]),
            ("--seed: '-1' given, expected a whole number from 0", ["--seed=-1"]),
            ("'fast' given, expected nodes=, depth=, st=, tc= with a value", ["--each", "fast"]),
            ("'nodes=' given", ["--each", "nodes="]),
            ("invalid choice: 'chess'", ["--variant", "chess"]),
        ):
            with self.subTest(message=message):
                self.refused(message, words, err_lines=40)
                self.assertFalse(self.out.exists())
        with mock.patch.object(sys, "argv", ["tune.py"]):
            with self.assertRaises(SystemExit) as end, mock.patch("sys.stderr"):
                tune.main([])
        self.assertEqual(end.exception.code, 2)

    def test_defaults_have_openings_enough(self) -> None:
        # 10,000 pairs in each game with the plies that are chosen if nothing is said.
        class Stop(Exception):
            pass

        def stop(*_: object) -> None:
            raise Stop

        for variant in ("kiswahili", "kigogo", "kimasai"):
            with self.subTest(variant=variant), mock.patch.object(run_directory, "settle", stop), mock.patch.object(tune, "settle", stop), self.assertRaises(Stop):
                self.tune("--variant", variant, "--engine", self.engine, "--kete-match", self.kete_match, "--no-probe", "--pairs", 10_000)

    def test_inert_parameters(self) -> None:
        words = ["--variant", "kigogo", "--engine", FAKE_ENGINE, "--kete-match", shutil.which("true")]
        self.refused("inert: KigogoIdle: neither the smallest nor the largest value changes anything", words, err_lines=2)
        self.nothing_is_there()

    def test_other_programs_and_settings_than_those_of_the_run(self) -> None:
        engine, kete_match = self.directory / "kete", self.directory / "kete-match"
        for copy, original in ((engine, self.engine), (kete_match, self.kete_match)):
            shutil.copy(original, copy)
        own = {"engine": engine, "kete_match": kete_match, "pairs": 1}
        self.assertEqual(self.tune(*self.words(**own))[0], 0)
        before = {path.name: path.read_bytes() for path in self.out.iterdir()}
        for message, words in (
            ("pairs was 1, now 3", self.words(**own | {"pairs": 3})),
            ("pairs_per_iteration was 2, now 4", self.words("--pairs-per-iteration", 4, **own)),
            ("parameters was", self.words("--param", "KigogoEvalSlope", **own)),
            (", now 160.0", [w if w != "KigogoExploration" else "KigogoExploration=160" for w in self.words(**own)]),
            ("engine.options.Hash was null, now \"1\"", self.words("--option", "Hash=1", **own)),
            ("limit was \"nodes=20\", now \"nodes=30\"", self.words(**own, each="nodes=30")),
            ("openings.random.plies was 6, now 7", self.words("--plies", 7, **own)),
            ("seed was 1, now 2", self.words("--seed", 2, **own)),
            ("objective was \"match\", now \"quadratic\"", ["--objective", "quadratic"]),
            ("engine.command", self.words(**own | {"engine": self.engine})),
        ):
            with self.subTest(message=message):
                self.refused(message, words)
        for path, message in ((engine, "engine.sha256 was"), (kete_match, "kete_match_sha256 was")):
            with self.subTest(message=message):
                original = path.read_bytes()
                path.write_bytes(original + b"\0")
                self.refused(message, self.words(**own))
                path.write_bytes(original)
        self.assertEqual({path.name: path.read_bytes() for path in self.out.iterdir()}, before)
        # What is no part of it can be another one: the games that are played at the same time.
        self.assertEqual(self.tune(*self.words("--concurrency", 2, **own))[0], 0)


@unittest.skipUnless(Path("/proc/self/environ").exists(), "looks for processes in /proc")
class Interruptions(RealMatches):
    """A run of three iterations, against one that nothing has happened to."""

    PAIRS = 5
    reference: dict[str, bytes] = {}

    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(self.assert_nothing_runs)
        if not Interruptions.reference:
            out = self.directory / "reference"
            code, _, err = self.finish(self.start(*self.words(pairs=self.PAIRS), out=out))
            self.assertEqual(code, 0, err)
            Interruptions.reference = records(out)

    def assert_as_if_nothing_had_happened(self, *words: object, **more: object) -> None:
        code, out, err = self.finish(self.start(*self.words(*words, pairs=self.PAIRS, **more)))
        self.assertEqual((code, records(self.out)), (0, self.reference), err)
        self.assertIn("5 pairs in 3 iterations", out)
        self.assertIn(self.reference["best.txt"].decode(), out)
        self.assertEqual(sorted(path.name for path in self.out.iterdir() if not path.name.startswith("failed")), ["best.txt", "config.json", "history.csv", "lock", "state.json"])

    def interrupt(self, number: int, group: bool, concurrency: int = 1) -> None:
        process = self.start(*self.words("--concurrency", concurrency, pairs=self.PAIRS))
        path = wait_for_games(self.out, 1)
        (os.killpg if group else os.kill)(process.pid, number)
        code, out, err = self.finish(process)
        self.assertEqual((code, out), (130, ""), err)
        self.assertIn("interrupted; the same command goes on", err)
        self.assertNotIn("Traceback", err)
        self.assert_nothing_runs()
        kept = self.directory / "kept"
        os.link(path, kept)
        before = journal(kept)
        self.assertGreaterEqual(len(before), 1)
        self.assertEqual({game["reason"] for game in before} - {"normal", "repetition", "endless-relay", "max-plies"}, set())
        self.assert_as_if_nothing_had_happened("--concurrency", concurrency)
        # Played on in the same file, to the two pairs of an iteration, each opening from both sides.
        after = journal(kept)
        self.assertEqual(after[: len(before)], before)
        self.assertEqual(sorted(game["game"] for game in after), [1, 2, 3, 4])

    def test_sigterm(self) -> None:
        self.interrupt(signal.SIGTERM, group=False)

    def test_ctrl_c_reaches_all_processes_of_the_terminal(self) -> None:
        self.interrupt(signal.SIGINT, group=True, concurrency=2)

    def test_sigint_to_the_script_alone(self) -> None:
        self.interrupt(signal.SIGINT, group=False)

    def test_nothing_plays_on_when_the_script_is_killed(self) -> None:
        # A game takes minutes, so that nothing is printed meanwhile to a script that is gone.
        process = self.start(*self.words(each="st=1"))
        until = time.monotonic() + 60
        while len(marked(self.mark)) < 4:  # tune.py, kete-match, two engines
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        process.kill()
        process.communicate()
        self.assert_nothing_runs()

    def test_two_at_once(self) -> None:
        process = self.start(*self.words(pairs=self.PAIRS))
        wait_for_games(self.out, 1)
        with mock.patch.object(run_directory, "LOCK_SECONDS", 0.1):
            os.kill(process.pid, signal.SIGSTOP)
            try:
                code, _, err = self.tune(*self.words(pairs=self.PAIRS))
            finally:
                os.kill(process.pid, signal.SIGCONT)
        self.assertEqual(code, 2)
        self.assertIn("is in use by another process", err)
        self.assertEqual(self.finish(process)[0], 0)
        self.assertEqual(records(self.out), self.reference)

    def test_a_kete_match_that_fails(self) -> None:
        plan = self.directory / "plan"
        with mock.patch.dict(os.environ, FAKE_FAIL=str(plan), REAL_KETE_MATCH=self.kete_match):
            for how, message in (
                ("exit", "kete-match ended with exit code 2 and no result; its message stands above"),
                ("killed", "kete-match ended with exit code -9 and no result"),
                ("garbage", "kete-match printed 'thread main panicked', expected an event as JSON"),
                ("failed", "the match of iteration 2 ended as failed: game 3: plus (South): illegal move"),
                ("few pairs", "iteration 2: 1 pairs in d, expected 2"),
                ("no pairs", "iteration 2: 0 pairs in d, expected 2"),
            ):
                with self.subTest(how=how):
                    shutil.rmtree(self.out, ignore_errors=True)
                    plan.write_text(f"2 {how}")
                    code, out, err = self.finish(self.start(*self.words(pairs=self.PAIRS, kete_match=FAILING)))
                    self.assertEqual((code, out), (3, ""), err)
                    self.assertIn(message, err)
                    self.assertIn("the same command goes on", err)
                    self.assertNotIn("Traceback", err)
                    state = json.loads((self.out / "state.json").read_text())
                    self.assertEqual((state["iteration"], state["pairs"], sum(state["penta"])), (1, 2, 2))
                    self.assertEqual((self.out / "history.csv").read_bytes(), self.reference["history.csv"][: state["history"]])
            self.assert_as_if_nothing_had_happened(kete_match=FAILING)
            shutil.rmtree(self.out)
            plan.write_text("2 interrupted")
            self.assertEqual(self.finish(self.start(*self.words(pairs=self.PAIRS, kete_match=FAILING)))[0], 130)

    def test_an_engine_that_crashes(self) -> None:
        # A move of the second iteration: its first has four games of more than a hundred plies.
        plan = self.directory / "plan"
        games: list[int] = []
        with mock.patch.dict(os.environ, FAKE_CRASH=str(plan), REAL_KETE=self.engine):
            for moves, iteration in (("2", 1), ("150", 1)):
                plan.write_text(moves)
                code, out, err = self.finish(self.start(*self.words(pairs=self.PAIRS, engine=CRASHING)))
                self.assertEqual((code, out), (3, ""), err)
                self.assertIn(f"the match of iteration {iteration} ended as failed: game ", err)
                self.assertIn("exit status 7", err)
                self.assertEqual(json.loads((self.out / "state.json").read_text())["pairs"], 0)
                games.append(len(journal(self.out / f"games-{iteration:06d}" / "games.jsonl")))
            self.assertEqual(games[0], 1)
            # The game that was lost by the failure is on record, and counts for nothing.
            self.assert_as_if_nothing_had_happened(engine=CRASHING)
            aside = self.out / "failed-000001"
            self.assertEqual(journal(aside / "games.jsonl")[-1]["reason"], "crash")
            self.assertTrue((aside / "failures").is_dir())

    def test_stopped_between_a_match_and_its_record(self) -> None:
        # In this process, since the moment is a short one: all games are over, nothing is counted.
        class Crash(BaseException):
            pass

        real = Matches.play
        for when in ("before it is counted", "before its games are removed"):
            with self.subTest(when=when):
                out = self.directory / when
                with self.assertRaises(Crash):
                    if when == "before it is counted":
                        played: list[int] = []

                        def play(objective: Matches, iteration: int, *rest: object) -> object:
                            result = real(objective, iteration, *rest)
                            played.append(iteration)
                            if iteration == 2:
                                raise Crash
                            return result

                        with mock.patch.object(Matches, "play", play):
                            self.tune(*self.words(pairs=self.PAIRS), out=out)
                    else:
                        with mock.patch.object(Matches, "settled", side_effect=Crash):
                            self.tune(*self.words(pairs=self.PAIRS), out=out)
                left = list(out.glob("games-*"))
                self.assertEqual(len(left), 1)
                kept = self.directory / f"kept {when}"
                os.link(left[0] / "games.jsonl", kept)
                before = kept.read_bytes()
                self.assertEqual(self.tune(*self.words(pairs=self.PAIRS), out=out)[0], 0)
                self.assertEqual((records(out), list(out.glob("games-*")), kept.read_bytes()), (self.reference, [], before))


@unittest.skipUnless(Path("/proc/self/environ").exists(), "looks for processes in /proc")
class Kills(RealMatches):
    PAIRS = 16

    def test_killed_ten_times(self) -> None:
        seed = random.randrange(10**6)
        rng = random.Random(seed)
        words = self.words(pairs=self.PAIRS, each="nodes=100")
        reference = self.directory / "reference"
        began = time.monotonic()
        code, _, err = self.finish(self.start(*words, out=reference))
        whole = time.monotonic() - began
        self.assertEqual(code, 0, err)

        kept: list[tuple[Path, list[dict]]] = []
        log = []
        while len(log) < 10:
            process = self.start(*words)
            # An eighth of the whole at the most, so that ten do not reach the end; if the machine has become faster meanwhile, another run is begun.
            moment = rng.uniform(0, whole / 8)
            time.sleep(moment)
            if process.poll() is not None:
                code, _, err = self.finish(process)
                self.assertEqual((code, records(self.out)), (0, records(reference)), f"seed {seed}, killed after {'; '.join(log)}\n{err}")
                self.out = self.directory / f"run after {len(log)}"
                continue
            process.kill()
            process.communicate()
            state = self.out / "state.json"
            log.append(f"{moment:.2f} s, {json.loads(state.read_text())['pairs'] if state.exists() else 0} pairs")
            for path in self.out.glob("games-*/games.jsonl"):
                link = self.directory / f"{self.out.name}, {path.parent.name}: {len(log)}"
                os.link(path, link)
                kept.append((link, journal(link)))
                log[-1] += f" and {len(kept[-1][1])} games"
        code, out, err = self.finish(self.start(*words))
        told = f"seed {seed}, {whole:.1f} s without a kill; killed after {'; '.join(log)}"
        if os.environ.get("KETE_TESTS_SHOW"):
            print(f"\n{told}", file=sys.stderr)
        self.assertEqual((code, records(self.out)), (0, records(reference)), f"{told}\n{err}")
        self.assert_nothing_runs()

        state = json.loads((self.out / "state.json").read_text())
        self.assertEqual((state["pairs"], sum(state["penta"])), (self.PAIRS, self.PAIRS))
        lines = [line.split(",") for line in (self.out / "history.csv").read_text().splitlines()[1:]]
        self.assertEqual([int(line[1]) for line in lines], list(range(2, self.PAIRS + 1, 2)))
        self.assertEqual(list(self.out.glob("games-*")), [])
        # A journal that had games was played on to its end, and no game of it again; an iteration had one journal.
        journals: dict[str, int] = {}
        for link, before in kept:
            if before:
                with self.subTest(journal=link.name, told=told):
                    after = journal(link)
                    self.assertEqual(after[: len(before)], before)
                    self.assertEqual(sorted(game["game"] for game in after), [1, 2, 3, 4])
                    self.assertEqual(journals.setdefault(link.name.partition(":")[0], link.stat().st_ino), link.stat().st_ino)


if __name__ == "__main__":
    unittest.main()
