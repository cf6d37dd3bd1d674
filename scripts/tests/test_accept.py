"""accept_eval against a program that prints what kete-match would."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tests.packages import require

require("numpy")

import accept_eval
from kete_eval import net_file
from tests.test_files import small_net

FAKE = Path(__file__).with_name("fake_kete_match.py")


def event(kind: str, **more: object) -> str:
    return json.dumps({"event": kind, **more}) + "\n"


def results(llr: float, verdict: str | None = None, elo: float | None = 43.7) -> dict:
    pairing = {"first": "new", "second": "old", "variant": "kigogo", "games": 40, "wins": 22, "draws": 1, "losses": 17, "penta": [1, 0, 15, 1, 3], "score": 0.56,
               "score_error": 0.06, "elo": elo, "elo_error": 40.0, "nelo": 60.0, "nelo_error": None, "los": 0.98}  # fmt: skip
    return {"games": 40, "pairings": [pairing], "ratings": [], "sprt": {"llr": llr, "lower": -2.94, "upper": 2.94, "verdict": verdict, "expected_remaining": None}}


class Accept(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.new = self.directory / "new net.knet"
        net_file.write(self.new, small_net("kigogo"))

    def accept(self, lines: str, *words: str, code: str = "0", variant: str = "kigogo") -> tuple[int, str, str, list[str]]:
        """Exit code, both outputs, and the arguments that kete-match was given."""
        note, script = self.directory / "note", self.directory / "lines"
        script.write_text(lines)
        note.write_text("")
        with mock.patch.dict(os.environ, FAKE_NOTE=str(note), FAKE_LINES=str(script), FAKE_CODE=code):
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
                status = accept_eval.main(["--variant", variant, "--new", str(self.new), "--kete-match", str(FAKE), *words])
        return status, out.getvalue(), err.getvalue(), note.read_text().split("\n")

    def test_verdicts(self) -> None:
        start = event("start", directory="runs/x") + event("rating", results=results(0.5))
        for ending, code, word in (("H1", 0, "accepted"), ("H0", 1, "refuted"), ("finished", 3, "undecided"), ("failed", 2, "failed"), ("interrupted", 130, "interrupted")):
            lines = start + event("end", ending=ending, detail=None, directory="runs/x", results=results(2.96))
            status, out, err, _ = self.accept(lines)
            self.assertEqual(status, code, ending)
            self.assertIn(f"verdict: {word}", out)
            self.assertIn("games 40, W 22 D 1 L 17, pairs 1-0-15-1-3, Elo +43.7 ± 40.0, nElo +60.0, LLR 2.96 of -2.94 to 2.94", out)
            self.assertIn("LLR 0.50", err)

    def test_what_is_undefined_is_told_as_such(self) -> None:
        _, out, _, _ = self.accept(event("end", ending="H1", detail=None, directory="d", results=results(3, elo=None)))
        self.assertIn("Elo n/a, nElo", out)

    def test_arguments(self) -> None:
        end = event("end", ending="H1", detail=None, directory="d", results=results(3))
        old = self.directory / "old.knet"
        net_file.write(old, small_net("kigogo", 1))
        _, _, _, words = self.accept(end, "--old", str(old), "--nodes", "800", "--seed", "4", "--out", "d")
        self.assertEqual(words, ["--variant", "kigogo",
            "--engine", "cmd=builtin", "name=new", "option.Evaluation=net", f"option.EvalFile={self.new.resolve()}", "option.Player=alphabeta",
            "--engine", "cmd=builtin", "name=old", "option.Evaluation=net", f"option.EvalFile={old.resolve()}", "option.Player=alphabeta",
            "--each", "nodes=800", "--sprt", "elo0=0.0", "elo1=20.0", "--rounds", "400", "--concurrency", "2", "--json", "--seed", "4", "--out", "d"])  # fmt: skip
        _, _, _, words = self.accept(end)
        self.assertIn("option.Evaluation=material", words)
        self.assertIn("st=0.05", words)

    def test_no_result_is_an_error(self) -> None:
        for lines, code, message in (("", "2", "exit code 2 and no result"), ("panic\n", "101", "'panic', expected an event")):
            status, _, err, _ = self.accept(lines, code=code)
            self.assertEqual(status, 2)
            self.assertIn(message, err)

    def test_nets_are_checked_before_the_match(self) -> None:
        status, _, err, words = self.accept("", variant="kimasai")
        self.assertEqual((status, words), (2, [""]))
        self.assertIn("a net for kigogo, expected kimasai", err)


if __name__ == "__main__":
    unittest.main()
