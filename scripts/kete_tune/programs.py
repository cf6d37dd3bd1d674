"""The programs that scripts start: where they are, what they are, and how they end with their script."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from kete_tune.errors import ScriptError

ROOT = Path(__file__).resolve().parents[2]


def find(name: str, given: str | None) -> list[str]:
    """The command of `kete` or `kete-match`: as the user gave it, or the release build, which cargo makes if it is missing."""
    if given is None:
        program = ROOT / "target" / "release" / name
        if not program.exists():
            print(f"building {name}", file=sys.stderr)
            try:
                subprocess.run(["cargo", "build", "--release", "--locked", "--bin", name], cwd=ROOT, check=True)
            except (OSError, subprocess.CalledProcessError) as error:
                raise ScriptError(f"{name} could not be built: {error}") from error
        return [str(program)]
    try:
        # A path with spaces in it is one word if it is there as it stands.
        words = [given] if Path(given).exists() else shlex.split(given)
    except ValueError as error:
        raise ScriptError(f"{given!r} is no command: {error}") from error
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ScriptError(f"no program {words[0] if words else given!r}; expected the path of {name}")
    # A link is not followed: what a program does can depend on the name it is started by.
    return [os.path.abspath(program), *words[1:]]


def sha256(command: list[str]) -> str:
    with open(command[0], "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _end_with(parent: int, libc: ctypes.CDLL | None) -> None:
    # Linux tells a process of its parent's end, even by SIGKILL, if it asks (PR_SET_PDEATHSIG = 1). Elsewhere, games in progress are played out.
    if libc is not None:
        libc.prctl(1, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)  # It ended before it was asked.


def start(command: list[str], **how: object) -> subprocess.Popen[str]:
    """Starts a program that ends with this one: on Linux with the thread that started it, which is to wait for it."""
    parent = os.getpid()
    # Loaded here: in a process of several threads the child may do little between fork and exec.
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    try:
        return subprocess.Popen(command, encoding="utf-8", errors="replace", preexec_fn=lambda: _end_with(parent, libc), **how)  # type: ignore[call-overload]
    except OSError as error:
        raise ScriptError(f"{command[0]} cannot be started: {error.strerror or error}") from error


def ask(command: list[str], lines: list[str], seconds: float = 300) -> list[str]:
    """What an engine answers to these lines, until it ends."""
    with start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            answer, _ = process.communicate("\n".join([*lines, "quit", ""]), timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise ScriptError(f"{command[0]} did not end within {seconds:.0f} s after {lines[-1]!r}") from error
        finally:
            if process.poll() is None:
                process.kill()
    return answer.splitlines()
