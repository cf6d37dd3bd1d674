"""What is read of kete-match's events, and what it is told."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

from kete_tune import matches, programs, run_directory
from kete_tune.errors import ScriptError
from kete_tune.matches import Match, MatchError, engine_words, play, play_or_resume
from kete_tune.objectives import MatchPlan
from kete_tune.openings import RandomPlies
from tests.tuning import RealMatches, Tuning, marked

FAKE = Path(__file__).with_name("failing_kete_match.py")


def event(kind: str, **more: object) -> str:
    return json.dumps({"event": kind, **more}) + "\n"


def pairing(variant: str | None, penta: list[int], **more: object) -> dict:
    numbers = {"games": 40, "wins": 22, "draws": 1, "losses": 17, "elo": 43.7, "elo_error": 40.0, "nelo": -60.04, "nelo_error": None}
    return {"variant": variant, "penta": penta} | numbers | more


class Events(unittest.TestCase):
    def test_of_a_match(self) -> None:
        match = Match()
        match.take(event("start", directory="runs/x", done=0))
        self.assertEqual((match.directory, match.ending, match.penta(), match.line()), ("runs/x", None, (0, 0, 0, 0, 0), "no games"))
        match.take(event("rating", results={"pairings": [pairing("kigogo", [0, 0, 1, 0, 0])]}))
        self.assertEqual(match.penta(), (0, 0, 1, 0, 0))
        self.assertEqual(match.take(event("game", done=3))["done"], 3)
        sprt = {"llr": 2.955, "lower": -2.94, "upper": 2.94}
        pairings = [pairing("kigogo", [1, 0, 15, 1, 3]), pairing("kimasai", [0, 1, 2, 0, 0], elo=None)]
        match.take(event("end", ending="H1", detail="d", directory="runs/x", results={"pairings": pairings, "sprt": sprt}))
        self.assertEqual((match.ending, match.detail, match.penta()), ("H1", "d", (1, 1, 17, 1, 3)))
        self.assertEqual(match.pairing("kimasai")["penta"], [0, 1, 2, 0, 0])
        self.assertIsNone(match.pairing("kiswahili"))
        self.assertEqual(match.line(), "games 40, W 22 D 1 L 17, pairs 1-0-15-1-3, Elo +43.7 ± 40.0, nElo -60.0, LLR 2.96 of -2.94 to 2.94")
        self.assertIn("Elo n/a", match.line("kimasai"))

    def test_what_is_no_event(self) -> None:
        for line in ("panic\n", "3\n", "[1]\n", "null\n", "{}\n", '{"event":"end"}\n', '{"event":"rating"}\n', '"event"\n'):
            with self.subTest(line=line), self.assertRaisesRegex(MatchError, "expected an event as JSON"):
                Match().take(line)


class Words(unittest.TestCase):
    def test_of_a_match(self) -> None:
        plan = MatchPlan(["/k m", "x"], ["/e e", "--net", "a'b c"], "kigogo", {"Hash": "1"}, "nodes=5", RandomPlies(6), 9, 2)
        words = plan.words({"plus": {"P": "1"}, "minus": {"P": "2"}}, 30, 8)
        self.assertEqual(words, ["/k m", "x", "--variant", "kigogo",
            "--engine", "cmd=/e e", "name=plus", "args='--net' 'a'\\''b c'", "option.Hash=1", "option.P=1",
            "--engine", "cmd=/e e", "name=minus", "args='--net' 'a'\\''b c'", "option.Hash=1", "option.P=2",
            "--each", "nodes=5", "--rounds", "8", "--openings", "random", "plies=6", "start=30", "--seed", "9", "--concurrency", "2"])  # fmt: skip
        self.assertEqual(engine_words("a", ["kete"], {}), ["--engine", "cmd=kete", "name=a"])


class Fakes(Tuning):
    def play(self, how: str) -> Match:
        plan = self.directory / "plan"
        plan.write_text(f"1 {how}")
        with mock.patch.dict(os.environ, FAKE_FAIL=str(plan), REAL_KETE_MATCH="none"), open(self.directory / "err", "w") as err:
            real = programs.start
            with mock.patch.object(programs, "start", lambda command, **how: real(command, stderr=err, **how)):
                return play([sys.executable, str(FAKE)])

    def test_matches_without_a_result(self) -> None:
        for how, message in (
            ("exit", "ended with exit code 2 and no result"),
            ("killed", "exit code -9 and no result"),
            ("garbage", "'thread main panicked', expected an event"),
            ("no text", "expected an event"),
        ):
            with self.subTest(how=how), self.assertRaisesRegex(MatchError, message):
                self.play(how)
        with self.assertRaises(KeyboardInterrupt):
            self.play("interrupted")

    def test_one_that_does_not_end_when_told(self) -> None:
        began = time.monotonic()
        with mock.patch.object(matches, "END_SECONDS", 0.3), self.assertRaisesRegex(MatchError, "'\\?', expected an event"):
            self.play("stubborn")
        self.assertLess(time.monotonic() - began, 20)

    def test_a_program_that_is_not_there(self) -> None:
        for path in ("/no/such", str(self.directory)):
            with self.assertRaisesRegex(Exception, "cannot be started"):
                play([path])

    @unittest.skipUnless(sys.platform == "linux", "elsewhere it plays on to its end")
    def test_a_program_ends_with_its_parent(self) -> None:
        name, _, value = self.mark.partition("=")
        code = f"import sys, time\nsys.path.insert(0, {str(FAKE.parents[1])!r})\nfrom kete_tune import programs\n"
        code += "programs.start([sys.executable, '-c', 'import time; time.sleep(100)'])\nprint(flush=True)\ntime.sleep(100)\n"
        with subprocess.Popen([sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, env=os.environ | {name: value}) as process:
            assert process.stdout is not None
            process.stdout.readline()
            self.assertEqual(len(marked(self.mark)), 2)
            process.kill()
        self.assert_nothing_runs()
        # A process that is killed in the moment between its child's fork and the child's request is one that the child finds gone.
        parent = os.getppid()
        code = f"import ctypes, os, sys\nsys.path.insert(0, {str(FAKE.parents[1])!r})\nfrom kete_tune import programs\nprograms._end_with({parent}, ctypes.CDLL(None))\nprint('goes on')\n"
        self.assertEqual(subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True).stdout, "")
        self.assertEqual(subprocess.run([sys.executable, "-B", "-c", code.replace(str(parent), str(os.getpid()))], capture_output=True, text=True).stdout, "goes on\n")


class Resuming(RealMatches):
    def test_what_was_begun_is_gone_on_with(self) -> None:
        plan = MatchPlan([self.kete_match], [self.engine], "kigogo", {}, "nodes=5", RandomPlies(6), 1, 1)
        games = self.directory / "games"

        def words(first: int, pairs: int) -> list[str]:
            return plan.words({"plus": {}, "minus": {}}, first, pairs)

        def openings(directory: Path) -> list[str]:
            return [json.loads(line)["opening"] for line in (directory / "games.jsonl").read_text().splitlines()][::2]

        games.mkdir()
        (games / "config.json").write_text('{"mat')
        seen: list[str] = []
        match = play_or_resume(words(0, 3), games, lambda event, match: seen.append(event["event"]))
        self.assertEqual((sum(match.penta()), seen.count("game"), match.ending), (3, 6, "finished"))
        journal = (games / "games.jsonl").read_bytes()
        seen.clear()
        again = play_or_resume(words(0, 3), games, lambda event, match: seen.append(event["event"]))
        self.assertEqual((again.penta(), seen.count("game"), (games / "games.jsonl").read_bytes()), (match.penta(), 0, journal))
        os.truncate(games / "games.jsonl", journal.index(b"\n") + 30)
        seen.clear()
        again = play_or_resume(words(0, 3), games, lambda event, match: seen.append(event["event"]))
        self.assertEqual((again.penta(), seen.count("game")), (match.penta(), 5))
        # What another process still plays into is waited for.
        with open(games / "games.jsonl") as file, mock.patch.object(run_directory, "LOCK_SECONDS", 0.1):
            fcntl.flock(file, fcntl.LOCK_EX)
            with self.assertRaisesRegex(ScriptError, "is in use by another process"):
                play_or_resume(words(0, 3), games)
        # Every opening of the sequence is played once, from the first: what begins at pair 1 has the second and third.
        later = self.directory / "later"
        play_or_resume(words(1, 2), later)
        self.assertEqual(openings(later), openings(games)[1:])
        self.assertEqual(len(set(openings(games))), 3)
        first = openings(games)[:1]
        shutil.rmtree(games)
        before = words(0, 1)[: words(0, 1).index("--openings")]
        subprocess.run([*before, "--openings", "random", "plies=6", "--seed", "1", "--quiet", "--out", str(games)], check=True, capture_output=True)
        self.assertEqual(openings(games), first)


if __name__ == "__main__":
    unittest.main()
