"""Where games begin: after random plies, or at the positions of a file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from kete_tune import programs
from kete_tune.errors import ScriptError

# Random plies before a game begins, enough for tens of thousands of openings in kigogo and some ten thousand in the others: 6 plies of kiswahili have 1,281.
PLIES = {"kiswahili": 8, "kigogo": 6, "kimasai": 16}


@dataclass(frozen=True)
class RandomPlies:
    """Positions after so many random plies from the start; which ones, the seed of the match says."""

    plies: int

    def words(self, first: int) -> list[str]:
        """The words for kete-match, from opening number `first` (counted from 0)."""
        return ["--openings", "random", f"plies={self.plies}", f"start={first}"]

    def settings(self) -> dict:
        """What is on record of them."""
        return {"random": {"plies": self.plies}}

    def files(self) -> list[str]:
        """What a machine has to have for them."""
        return []

    def __str__(self) -> str:
        return f"{self.plies} random plies"


@dataclass(frozen=True)
class File:
    """The lines of a file, in its order, as `openings.py` writes one."""

    path: str

    def words(self, first: int) -> list[str]:
        return ["--openings", f"file={self.path}", "order=sequential", f"start={first}"]

    def settings(self) -> dict:
        return {"file": {"path": self.path, "sha256": programs.sha256([self.path])}}

    def files(self) -> list[str]:
        return [self.path]

    def __str__(self) -> str:
        return f"openings of {self.path}"


Openings = RandomPlies | File


def given(args: argparse.Namespace) -> Openings | None:
    """What --openings or --plies says; None if neither is there."""
    if args.openings is None:
        return None if args.plies is None else RandomPlies(args.plies)
    if args.plies is not None:
        raise ScriptError(f"--plies {args.plies} and --openings {args.openings} are given, expected one of them")
    path = Path(args.openings)
    if not path.is_file():
        raise ScriptError(f"--openings {path} is no file; expected one with an opening a line, as openings.py writes it")
    return File(str(path.resolve()))


def chosen(args: argparse.Namespace) -> Openings:
    """What --openings or --plies says, else as many random plies as the game wants."""
    return given(args) or RandomPlies(PLIES[args.variant])


def recorded(settings: dict) -> Openings:
    """What `settings` wrote down.

    Raises:
        KeyError, TypeError: if it did not.
    """
    return File(settings["file"]["path"]) if "file" in settings else RandomPlies(settings["random"]["plies"])
