"""What tests of the scripts share that play matches: fake programs, the events that kete-match prints, and calls of a script."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import ModuleType
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[1]
FAKE_KETE, FAKE_KETE_MATCH = (Path(__file__).with_name(name) for name in ("fake_kete.py", "fake_kete_match.py"))


def event(kind: str, **more: object) -> str:
    return json.dumps({"event": kind, **more}) + "\n"


def pairing(first: str, second: str, penta: tuple[int, int, int, int, int], elo: float | None = 43.7) -> dict:
    """Results in which every even pair is a win and a loss, and half points are draws. The rest is arbitrary, but of the shape that kete-match prints."""
    ll, ld, even, wd, ww = penta
    wins, draws, losses = 2 * ww + wd + even, ld + wd, 2 * ll + ld + even
    games = wins + draws + losses
    return {"first": first, "second": second, "variant": "kigogo", "games": games, "wins": wins, "draws": draws, "losses": losses, "penta": list(penta),
            "score": (wins + draws / 2) / games, "score_error": 0.0625, "elo": elo, "elo_error": 40.0, "nelo": 60.0, "nelo_error": None, "los": 0.98}  # fmt: skip


def end(ending: str, pairings: list[dict], llr: float | None = None, detail: str | None = None) -> str:
    sprt = None if llr is None else {"llr": llr, "lower": -2.94, "upper": 2.94, "verdict": None, "expected_remaining": None}
    return event("end", ending=ending, detail=detail, directory="d", results={"games": 40, "pairings": pairings, "ratings": [], "sprt": sprt})


class ScriptCase(unittest.TestCase):
    """A directory, fake programs in it, and what a script says."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.note, self.lines = self.directory / "note", self.directory / "lines"
        self.note.write_text("")
        self.lines.write_text("")
        # A copy, so that a test can change its bytes.
        self.kete = self.directory / "fake-kete"
        self.kete.write_bytes(FAKE_KETE.read_bytes())
        self.kete.chmod(0o755)
        environment = mock.patch.dict(os.environ, FAKE_NOTE=str(self.note), FAKE_LINES=str(self.lines))
        environment.start()
        self.addCleanup(environment.stop)

    def call(self, script: ModuleType, *words: object) -> tuple[int, str, str]:
        """Exit code and both outputs of a script, with the fake kete-match. That which programs write to standard error themselves is not in it."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                code = script.main([*map(str, words), "--kete-match", str(FAKE_KETE_MATCH)])
            except SystemExit as stop:  # argparse's way out
                code = int(str(stop.code))
        return code, out.getvalue(), err.getvalue()

    def played(self) -> list[str]:
        """The arguments of the last match; none if there was none."""
        return [word for word in self.note.read_text().split("\n") if word]

    def interrupted(self, words: list[object], journal: Path, games: int) -> tuple[int, str]:
        """Runs a script by itself and sends it SIGTERM once so many games are on record. Returns exit code and standard error."""
        process = subprocess.Popen([sys.executable, *map(str, words)], cwd=SCRIPTS, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            until = time.monotonic() + 60
            while not (journal.exists() and journal.read_bytes().count(b"\n") >= games):
                self.assertIsNone(process.poll(), "it ended before it could be interrupted")
                self.assertLess(time.monotonic(), until)
                time.sleep(0.01)
            process.terminate()
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
        return process.returncode, err


def run_script(*words: object) -> tuple[int, str, str]:
    """Exit code and both outputs of a script in a process of its own."""
    done = subprocess.run([sys.executable, *map(str, words)], cwd=SCRIPTS, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr
