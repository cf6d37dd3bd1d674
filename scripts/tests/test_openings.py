"""Balanced openings: what openings.py writes, and what the other scripts make of it."""

import contextlib
import io
import json
import time
from pathlib import Path
from unittest import mock

import openings
import sweep
import verify
from kete_tune import programs
from kete_tune.dialogue import Dialogue
from kete_tune.errors import ScriptError
from kete_tune.openings import File, RandomPlies, recorded
from tests.built import program
from tests.fakes import ScriptCase
from tests.tuning import Tuning, script

KETE = program("kete")


def write(*words: object) -> tuple[int, str, str]:
    """Exit code and both outputs of openings.py, in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            code = openings.main([str(word) for word in words])
        except SystemExit as end:  # argparse
            code = int(str(end.code))
    return code, out.getvalue(), err.getvalue()


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


class Written(Tuning):
    def written(self, name: str, *more: object) -> Path:
        path = self.directory / name
        words = ["--variant", "kimasai", "--engine", KETE, "--count", 12, "--within", 60, "--nodes", 300, "--plies", 14, "--seed", 3, *more, "--out", path]
        code, out, err = write(*words)
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"^12 openings in .*, \d+ % of \d+ positions that were looked at\n$")
        return path

    def test_positions_are_different_and_level_and_all_that_were_passed_over_are_not(self) -> None:
        path = self.written("one")
        texts = lines(path)
        self.assertEqual((len(texts), len(set(texts))), (12, 12))
        wanted = openings.Wanted("kimasai", 12, 14, 60, 300, 3)
        with Dialogue([KETE], {"UCI_Variant": "kimasai"}) as engine:
            drawn = openings.positions(engine, wanted)
            scores = {}
            while texts[-1] not in scores:
                text = next(drawn)
                scores[text] = score(text)
        self.assertEqual([text for text, cp in scores.items() if cp is not None and abs(cp) <= 60], texts)
        self.assertGreater(len(scores), 20, "nearly everything is level, so that this shows nothing")
        self.assertIn(f"# 12 openings of kimasai, of {len(scores)} positions: 14 random plies from the start, seed 3;\n", path.read_text())

    def test_the_same_bytes_whatever_the_concurrency(self) -> None:
        one = self.written("one").read_bytes()
        self.assertEqual(self.written("two", "--concurrency", 3).read_bytes(), one)
        self.assertNotEqual(lines(self.written("three", "--seed", 4)), lines(self.directory / "one"))

    def test_it_can_be_tuned_on(self) -> None:
        path = self.written("a file's name")
        words = ["--variant", "kimasai", "--engine", KETE, "--kete-match", program("kete-match"), "--no-probe", "--param", "KimasaiExploration", "--each", "nodes=5",
                 "--pairs-per-iteration", 6, "--openings", path]  # fmt: skip
        code, _, err = self.tune(*words, "--pairs", 13)
        self.assertEqual(code, 2)
        self.assertIn("has 12 different openings of kimasai, expected at least 13", err)
        code, _, err = self.tune(*words, "--pairs", 12)
        self.assertEqual(code, 0, err)
        config = json.loads((self.out / "config.json").read_text())
        self.assertEqual(recorded(config["openings"]), File(str(path.resolve())))
        self.assertEqual((self.out / "history.csv").read_text().count("\n"), 3)
        with contextlib.redirect_stderr(io.StringIO()) as told:
            self.assertEqual(verify.main([str(self.out), "--kete-match", program("kete-match")]), 2)
        self.assertIn(f"was tuned on the openings of {path.resolve()}, expected --openings with another file, or --plies", told.getvalue())
        path.write_text(path.read_text() + "\n")
        code, _, err = self.tune(*words, "--pairs", 12)
        self.assertEqual(code, 2)
        self.assertIn("openings.file.sha256 was", err)

    def test_refusals_write_nothing(self) -> None:
        there = self.directory / "there"
        there.write_text("mine")
        base = ["--engine", KETE, "--out", self.directory / "new"]
        for message, words in (
            ("--variant is missing, expected kiswahili, kigogo or kimasai", base),
            ("is there already, expected a new file", [*base, "--variant", "kigogo", "--out", there]),
            ("is no directory", [*base, "--variant", "kigogo", "--out", self.directory / "nowhere" / "new"]),
            ("argument --count: '0' given, expected a whole number from 1", [*base, "--variant", "kigogo", "--count", 0]),
            ('there is no option "Bad"', [*base, "--variant", "kigogo", "--option", "Bad=1"]),
            ("/true ended instead of answering 'isready'; expected a line that begins with 'readyok'", [*base, "--variant", "kigogo", "--engine", "true"]),
            ("kimasai has 7 positions that random play of 4 plies finds, and ", [*base, "--variant", "kimasai", "--plies", 4, "--nodes", 50]),
        ):
            code, out, err = write(*words)
            self.assertEqual((code, out), (2, ""), err)
            self.assertIn(message, err)
        self.assertEqual((there.read_text(), list(self.directory.glob("*new*"))), ("mine", []))

    def test_an_interrupt_writes_nothing(self) -> None:
        with mock.patch.object(openings, "is_level", side_effect=KeyboardInterrupt):
            told = write("--variant", "kimasai", "--engine", KETE, "--out", self.directory / "new")
        self.assertEqual(told, (130, "", "interrupted; nothing was written\n"))
        self.assertEqual(list(self.directory.glob("*new*")), [])


def score(text: str) -> int | None:
    """The score of a position as a process of its own tells it, in centipawns; None if it is proved."""
    told = programs.ask([KETE], ["setoption name UCI_Variant value kimasai", f"position fen {text}", "go nodes 300", "wait"])
    last = [line.split() for line in told if line.startswith("info depth")][-1]
    return int(last[last.index("cp") + 1]) if "cp" in last else None


class Asked(ScriptCase):
    def engine(self, text: str) -> list[str]:
        return [str(script(self.directory / "engine", text))]

    def test_an_engine_that_is_silent_is_not_waited_for(self) -> None:
        began = time.monotonic()
        with self.assertRaisesRegex(ScriptError, "engine did not answer 'isready' within 1 s; expected a line that begins with 'readyok', its last one is 'hello'"):
            Dialogue(self.engine("import time; print('hello', flush=True); time.sleep(600)"), {}, seconds=1)
        self.assertLess(time.monotonic() - began, 60)

    def test_an_engine_that_tells_no_score(self) -> None:
        silent = self.engine("import sys\nfor line in sys.stdin: print('readyok' if line == 'isready\\n' else 'bestmove a1', flush=True)")
        with Dialogue(silent, {}) as engine, self.assertRaisesRegex(ScriptError, "the engine tells no score of x; expected `info ... score cp X` before 'bestmove a1'"):
            openings.is_level(engine, "x", openings.Wanted("kigogo", 1, 1, 1, 1, 1))

    def test_proved_results_are_not_level(self) -> None:
        for told, level in (("score cp 30 wdl 512 0 488", True), ("score cp -31 wdl 490 0 510", False), ("score mate 3 wdl 1000 0 0", False), ("score cp 0 wdl 0 1000 0", False)):
            engine = self.engine(f"import sys\nfor line in sys.stdin: print('readyok' if line == 'isready\\n' else 'info {told} nodes 1\\nbestmove a1' if line[:2] == 'go' else '', flush=True)")
            with self.subTest(told), Dialogue(engine, {}) as dialogue:
                self.assertEqual(openings.is_level(dialogue, "x", openings.Wanted("kigogo", 1, 1, 30, 1, 1)), level)

    def test_what_kete_match_is_told(self) -> None:
        path = self.directory / "openings of mine"
        path.write_text("\n")
        words = ["--variant", "kigogo", "--engine", self.kete, "--no-probe", "--param", "KigogoExploration=50", "--rounds", 4, "--out", self.directory / "sweep"]
        code, _, err = self.call(sweep, *words, "--openings", path, "--plies", 4)
        self.assertEqual(code, 2)
        self.assertIn(f"--plies 4 and --openings {path} are given, expected one of them", err)
        code, _, err = self.call(sweep, *words, "--openings", self.directory / "none")
        self.assertEqual(code, 2)
        self.assertIn("none is no file; expected one with an opening a line", err)
        self.assertEqual(self.played(), [])
        self.call(sweep, *words, "--openings", path)
        self.assertIn(f"--openings\nfile={path.resolve()}\norder=sequential\nstart=0\n", "\n".join(self.played()))

    def test_records(self) -> None:
        self.assertEqual(recorded(RandomPlies(6).settings()), RandomPlies(6))
        self.assertEqual((str(RandomPlies(6)), str(File("/x"))), ("6 random plies", "openings of /x"))
        with self.assertRaises(KeyError):
            recorded({})


