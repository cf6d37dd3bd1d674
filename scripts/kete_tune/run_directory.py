"""The directory of a run: a configuration that never changes, a state that is replaced as a whole, and one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from kete_tune.errors import ScriptError

# An interrupted run's games end within moments; a run that is in use does not.
LOCK_SECONDS = 15


def replace_file(path: Path, text: str) -> None:
    """Writes a file so that after a crash either the old or the new text stands there, whole."""
    temporary = path.with_name(path.name + ".new")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def as_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def read_json(path: Path) -> dict:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"{path} is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise ScriptError(f"{path} holds no JSON object")
    return value


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Holds the directory, so that the same run does not go on twice."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = open(directory / "lock", "a", encoding="utf-8")
    except OSError as error:
        raise ScriptError(f"{directory} cannot be written: {error.strerror or error}") from error
    with file:
        _lock(file, directory)
        yield


def wait_until_free(path: Path) -> None:
    """Returns when no process holds the file, which kete-match does as long as it plays: one whose script was killed ends within moments."""
    if path.exists():
        with open(path, "a", encoding="utf-8") as file:
            _lock(file, path.parent)


def _lock(file: TextIO, directory: Path) -> None:
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise ScriptError(f"{directory} is in use by another process") from None
            time.sleep(0.05)


def is_new(directory: Path) -> bool:
    """Whether no run was begun in the directory, which then has to be empty."""
    if (directory / "config.json").exists():
        return False
    left = [name for name in os.listdir(directory) if name not in ("lock", "config.json.new")]
    if left:
        raise ScriptError(f"{directory} holds {left[0]} but no config.json: expected a new or empty directory, or one of a run")
    return True


def settle(directory: Path, config: dict) -> bool:
    """Writes the configuration of a new run, or makes sure that it is that of the run which stands there. Returns whether it is new."""
    path = directory / "config.json"
    if is_new(directory):
        replace_file(path, as_json(config))
        return True
    refuse_change(path, read_json(path), config)
    return False


def refuse_change(path: Path, old: dict, new: dict) -> None:
    """Says which settings differ, if any do."""
    # What is written and read again is compared, so that a tuple is a list on both sides.
    changes = list(_changes(old, json.loads(json.dumps(new)), ""))
    if changes:
        raise ScriptError(f"{path} was begun with another configuration: {'; '.join(changes[:5])}; the same command goes on with it, another one needs another --out")


def _changes(old: object, new: object, where: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _changes(old.get(key), new.get(key), f"{where}.{key}" if where else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new)):
            name = a["name"] if isinstance(a, dict) and "name" in a else i
            yield from _changes(a, b, f"{where}.{name}")
    elif old != new:
        yield f"{where} was {json.dumps(old)}, now {json.dumps(new)}"


def warn(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr)
