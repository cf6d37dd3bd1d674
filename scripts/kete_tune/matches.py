"""Matches by kete-match: its command line, its events, what it found."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kete_tune import programs
from kete_tune.errors import ScriptError
from kete_tune.penta import Penta
from kete_tune.run_directory import wait_until_free


# How long kete-match may take to end its engines and itself.
END_SECONDS = 20


class MatchError(ScriptError):
    """Why there is no result."""


@dataclass
class Match:
    """What kete-match has told so far."""

    ending: str | None = None  # H0, H1, finished, failed, interrupted
    detail: str | None = None
    directory: str | None = None
    results: dict = field(default_factory=dict)

    def take(self, line: str) -> dict:
        """Reads a line of `kete-match --json`. Returns the event."""
        try:
            event = json.loads(line)
            kind = event["event"]
            self.directory = event.get("directory", self.directory)
            if kind in ("rating", "end"):
                self.results = event["results"]
            if kind == "end":
                self.ending, self.detail = event["ending"], event.get("detail")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MatchError(f"kete-match printed {line.strip()[:200]!r}, expected an event as JSON") from error
        return event

    def pairing(self, variant: str | None = None) -> dict | None:
        """The results of the first engine against the second, in a game if one is named."""
        for pairing in self.results.get("pairings") or []:
            if variant in (None, pairing["variant"]):
                return pairing
        return None

    def penta(self) -> Penta:
        """Pairs of the first engine against the second, of all games together."""
        counts = [pairing["penta"] for pairing in self.results.get("pairings") or []]
        return tuple(sum(column) for column in zip(*counts)) if counts else (0, 0, 0, 0, 0)  # type: ignore[return-value]

    def line(self, variant: str | None = None) -> str:
        """Score, differences and LLR of the first engine against the second."""
        p, sprt = self.pairing(variant), self.results.get("sprt") or {}
        if p is None:
            return "no games"
        text = f"games {p['games']}, W {p['wins']} D {p['draws']} L {p['losses']}, pairs {'-'.join(map(str, p['penta']))}, "
        text += f"Elo {with_error(p['elo'], p['elo_error'])}, nElo {with_error(p['nelo'], p['nelo_error'])}"
        if sprt.get("llr") is not None:
            text += f", LLR {sprt['llr']:.2f} of {sprt['lower']:.2f} to {sprt['upper']:.2f}"
        return text


def with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return "n/a"
    return f"{value:+.1f}" + ("" if error is None else f" ± {error:.1f}")


def engine_words(name: str, command: list[str], options: dict[str, str]) -> list[str]:
    """The words of `--engine` for one side."""
    words = ["--engine", f"cmd={command[0]}", f"name={name}"]
    if len(command) > 1:
        # kete-match takes the words of one program apart at spaces; `args=` can be given once.
        words.append("args=" + " ".join(_quoted(word) for word in command[1:]))
    return words + [f"option.{option}={value}" for option, value in options.items()]


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


Tell = Callable[[dict, Match], None]


def _silent(event: dict, match: Match) -> None:
    pass


def follow(command: list[str], tell: Tell = _silent) -> Match:
    """Runs a command of kete-match that prints JSON to its end, whichever that is. `tell` is called with every event.

    Raises:
        MatchError: if it ended without saying how.
        ScriptError: if it cannot be started.
    """
    process = programs.start(command, stdout=subprocess.PIPE)
    match = Match()
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.strip():
                tell(match.take(line), match)
        process.wait()
    finally:
        if process.poll() is None:
            process.terminate()  # kete-match then ends its engines; games in progress are lost, finished ones are on the disk.
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        process.stdout.close()
    if match.ending is None:
        raise MatchError(f"kete-match ended with exit code {process.returncode} and no result; its message stands above")
    return match


def play(words: list[str], tell: Tell = _silent) -> Match:
    """Plays a match to its end.

    Raises:
        MatchError: if it ended without a result.
        KeyboardInterrupt: if it was interrupted; games that were finished are in its records.
    """
    match = follow([*words, "--json"], tell)
    if match.ending == "interrupted":
        raise KeyboardInterrupt
    return match


def check(words: list[str]) -> None:
    """Has kete-match look at everything that the match needs (limit, options, openings enough), so that a mistake is found before the first game.

    Raises:
        ScriptError: with its sentence, if it refuses.
    """
    with programs.start([*words, "--dry-run"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            _, said = process.communicate()
        finally:
            if process.poll() is None:
                process.terminate()
    if process.returncode:
        errors = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
        raise ScriptError(f"{words[0]} refuses the match: {errors[0] if errors else said.strip() or f'exit code {process.returncode}'}")


def failures(directory: Path) -> list[str]:
    """The numbers of the games in which an engine failed. Each is on record as its loss, and counts when the match is gone on with."""
    try:
        return sorted((path.name for path in (directory / "failures").iterdir()), key=lambda name: (len(name), name))
    except FileNotFoundError:
        return []


def play_or_resume(words: list[str], directory: Path, tell: Tell = _silent) -> Match:
    """Plays the match into the directory, or what is left of it if it was begun there by the same command."""
    wait_until_free(directory / "games.jsonl")
    if begun(directory):
        # --concurrency is no part of a match and can be another one now.
        concurrency = words.index("--concurrency") if "--concurrency" in words else None
        more = words[concurrency : concurrency + 2] if concurrency is not None else []
        program = words[: words.index("--variant")]
        return play([*program, "--resume", str(directory), *more], tell)
    if directory.exists():
        # Killed before anything was written down.
        shutil.rmtree(directory)
    return play([*words, "--out", str(directory)], tell)


def begun(directory: Path) -> bool:
    """Whether a match stands there that can be gone on with."""
    try:
        return "match" in json.loads((directory / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False
