"""What the tests of tuning share: tune.py in this process or in one of its own, directories in memory, and processes found by a mark."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

import tune
from tests.built import program
from tests.processes import heed_interrupts

SCRIPTS = Path(__file__).resolve().parents[1]
# Where there is a file system in memory, nothing waits for a disk; the records do not know the difference.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
RECORDS = ("history.csv", "state.json", "best.txt")
# Far more than anything here takes; it is to hang no test.
SECONDS = 120


def script(path: Path, text: str) -> Path:
    """A program in Python."""
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return path


def records(directory: Path) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in RECORDS}


class Tuning(unittest.TestCase):
    """A temporary directory `self.directory`, whose `run` is the run's, and a mark in the environment of all that the test starts."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(dir=MEMORY, prefix="kete tune's ")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.out = self.directory / "run"
        self.mark = f"KETE_TEST_MARK={uuid.uuid4()}"

    def tune(self, *words: object, out: Path | None = None) -> tuple[int, str, str]:
        """Exit code and both outputs of tune.py, in this process."""
        with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                code = tune.main([str(word) for word in (*words, "--out", out or self.out)])
            except SystemExit as end:  # argparse
                code = end.code
        return code, told.getvalue(), err.getvalue()

    def start(self, *words: object, out: Path | None = None) -> subprocess.Popen[str]:
        """tune.py in a process group of its own, as a shell would start it."""
        name, _, value = self.mark.partition("=")
        command = [sys.executable, "-B", str(SCRIPTS / "tune.py"), *map(str, words), "--out", str(out or self.out)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {name: value}, start_new_session=True, preexec_fn=heed_interrupts)

    def finish(self, process: subprocess.Popen[str]) -> tuple[int, str, str]:
        out, err = process.communicate(timeout=SECONDS)
        return process.returncode, out, err

    def assert_nothing_runs(self) -> None:
        """No process that the test has started is left; one that has just been told to end gets moments for it."""
        until = time.monotonic() + 15
        while marked(self.mark):
            if time.monotonic() > until:
                left = marked(self.mark)
                for process in left:
                    with contextlib.suppress(OSError):
                        os.kill(int(process.partition(":")[0]), signal.SIGKILL)
                self.fail(f"still running: {left}")
            time.sleep(0.02)


class RealMatches(Tuning):
    """With the engine and kete-match as they were built."""

    def setUp(self) -> None:
        super().setUp()
        self.engine, self.kete_match = program("kete"), program("kete-match")

    def words(self, *more: object, pairs: int = 4, each: str = "nodes=20", engine: object = None, kete_match: object = None) -> list[object]:
        """The arguments of a small run without a probe, which takes long in a debug build; two pairs an iteration."""
        return ["--variant", "kigogo", "--param", "KigogoExploration", "--param", "KigogoLeafMargin=70,c=15,r=0.02", "--pairs", pairs, "--pairs-per-iteration", 2, "--each", each,
                "--engine", engine or self.engine, "--kete-match", kete_match or self.kete_match, "--no-probe", *more]  # fmt: skip


def marked(mark: str) -> list[str]:
    """The command lines of the processes that have the mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(f"{process.name}: " + (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found
