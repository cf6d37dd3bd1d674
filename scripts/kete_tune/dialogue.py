"""An engine that is asked one thing after the other, each question depending on the answer before."""

from __future__ import annotations

import queue
import subprocess
import threading
from types import TracebackType

from kete_tune import programs
from kete_tune.errors import ScriptError


class Dialogue:
    """An engine over pipes. Whatever it does, no question waits longer than `seconds` for its answer."""

    def __init__(self, command: list[str], options: dict[str, str], seconds: float = 60) -> None:
        self._command, self._seconds = command, seconds
        self._process = programs.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=1)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        complaints = self.ask([f"setoption name {name} value {value}" for name, value in options.items()] + ["isready"], "readyok")[:-1]
        errors = [line for line in complaints if "error" in line]
        if errors:
            self.close()
            raise ScriptError(f"{command[0]}: {errors[0].removeprefix('info string error: ')}")

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def ask(self, questions: list[str], until: str) -> list[str]:
        """The lines of the answer, up to the one that begins with the word `until`.

        Raises:
            ScriptError: if it does not come.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{question}\n" for question in questions))
            self._process.stdin.flush()
        except OSError:
            pass  # It has ended, which is told below.
        lines: list[str] = []
        while not lines or lines[-1].split(maxsplit=1)[:1] != [until]:
            try:
                line = self._lines.get(timeout=self._seconds)
            except queue.Empty:
                line, why = None, f"did not answer {questions[-1]!r} within {self._seconds:.0f} s"
            else:
                why = f"ended instead of answering {questions[-1]!r}"
            if line is None:
                self.close()
                raise ScriptError(f"{self._command[0]} {why}; expected a line that begins with {until!r}" + (f", its last one is {lines[-1]!r}" if lines else ""))
            lines.append(line)
        return lines

    def close(self) -> None:
        """Ends the engine, whatever it is doing."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            pass

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)
