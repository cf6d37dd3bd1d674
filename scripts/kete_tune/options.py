"""Command line options that scripts share, and what they mean."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
from collections.abc import Callable, Iterator

from kete_tune.errors import ScriptError

VARIANTS = ("kiswahili", "kigogo", "kimasai")
LIMITS = ("nodes", "depth", "st", "tc")


class HelpFormatter(argparse.ArgumentDefaultsHelpFormatter):
    """Tells defaults, where there are any: None, an empty list and the False of a flag say nothing."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        # By identity, for 0 is equal to False.
        none = action.default is None or action.default is False or action.default == []
        return action.help if none else super()._get_help_string(action)


def whole(least: int) -> Callable[[str], int]:
    """A type of argument: whole numbers from `least`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} given, expected a whole number from {least}")
        return value

    return read


def limit(text: str) -> str:
    """A type of argument: what kete-match takes after --each."""
    key, equals, value = text.partition("=")
    if key not in LIMITS or not value:
        raise argparse.ArgumentTypeError(f"{text!r} given, expected {'=, '.join(LIMITS)}= with a value, as in nodes=20000 or tc=8+0.08")
    return text


def longer(text: str, factor: int = 4, plies: int = 2) -> str:
    """The limit times `factor`: nodes, seconds a move, clock and increment; a depth is `plies` deeper. The moves of a clock stay as they are."""
    key, _, value = text.partition("=")
    found = _LIMIT_VALUES[key].fullmatch(value)
    if found is None:
        raise ScriptError(f"{text!r} cannot be made longer, expected such as {_LIMIT_EXAMPLES[key]}; say with --each what is meant")
    if key == "depth":
        return f"depth={int(value) + plies}"
    if key == "nodes":
        return f"nodes={int(value) * factor}"
    if key == "st":
        return f"st={_seconds(factor * float(value))}"
    moves, minutes, seconds, increment = found.groups()
    time = _seconds(factor * (60 * int(minutes or 0) + float(seconds)))
    return "tc=" + (f"{moves}/" if moves else "") + time + (f"+{_seconds(factor * float(increment))}" if increment else "")


_SECONDS = r"\d+(?:\.\d{1,3})?"
_LIMIT_VALUES = {
    "nodes": re.compile(r"\d+"),
    "depth": re.compile(r"\d+"),
    "st": re.compile(_SECONDS),
    "tc": re.compile(rf"(?:(\d+)/)?(?:(\d+):)?({_SECONDS})(?:\+({_SECONDS}))?"),
}
_LIMIT_EXAMPLES = {"nodes": "nodes=20000", "depth": "depth=8", "st": "st=0.05", "tc": "tc=8+0.08"}


def _seconds(value: float) -> str:
    # Milliseconds are the finest that kete-match reads.
    return f"{value:.3f}".rstrip("0").rstrip(".")


_HELP = {
    "variant": "the game",
    "engine": "default: target/release/kete, built by cargo if it is missing",
    "option": "an option of both sides, repeatable",
    "each": "nodes=, depth=, st= or tc= of both sides; with nodes= and depth= a run can be repeated exactly",
    "plies": "random plies of the openings; default: 8, in kigogo 6, in kimasai 16",
    "openings": "a file of openings, in place of random ones, as openings.py writes it",
    "seed": "where random numbers start",
    "concurrency": "games at the same time, 0: as many as there are cores; no part of the configuration",
    "kete_match": "default: target/release/kete-match, built if it is missing",
}


def add_engine_options(parser: argparse.ArgumentParser, seed_default: int | None = 1, **other_help: str) -> None:
    """What every script needs to know that has an engine play from random positions. `other_help` says of an option, by its name, what the help should say in place
    of the usual."""
    add, text = parser.add_argument, _HELP | other_help
    add("--variant", choices=VARIANTS, help=text["variant"])
    add("--engine", metavar="COMMAND", help=text["engine"])
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=text["option"])
    add("--plies", type=whole(0), metavar="N", help=text["plies"])
    add("--seed", type=whole(0), default=seed_default, help=text["seed"])
    add("--concurrency", type=whole(0), default=1, help=text["concurrency"])


def add_match_options(parser: argparse.ArgumentParser, limit_default: str | None = "nodes=20000", seed_default: int | None = 1, **other_help: str) -> None:
    """What every match of a script needs to know; `other_help` as in `add_engine_options`."""
    add_engine_options(parser, seed_default, **other_help)
    add, text = parser.add_argument, _HELP | other_help
    add("--each", type=limit, default=limit_default, metavar="LIMIT", help=text["each"])
    add_openings_option(parser, **other_help)
    add("--kete-match", metavar="COMMAND", help=text["kete_match"])


def add_openings_option(parser: argparse.ArgumentParser, **other_help: str) -> None:
    parser.add_argument("--openings", metavar="FILE", help=(_HELP | other_help)["openings"])


def engine_options(args: argparse.Namespace) -> dict[str, str]:
    """The options of both sides."""
    found: dict[str, str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals or not name or name in found:
            raise ScriptError(f"--option {text!r}: expected NAME=VALUE, each name once")
        found[name] = value
    return found


def cores(concurrency: int) -> int:
    """What --concurrency means: 0 is as many as there are cores."""
    return concurrency or os.cpu_count() or 1


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM ends a script as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
