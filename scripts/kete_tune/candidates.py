"""Settings to be verified: the result of a tuning run, or a file of `setoption` lines; and how they get into the source."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from kete_tune import openings as known_openings
from kete_tune import parameters as known_parameters
from kete_tune import programs
from kete_tune.errors import ScriptError
from kete_tune.options import VARIANTS
from kete_tune.run_directory import read_json
from kete_tune.spsa import Parameter

_SETOPTION = re.compile(r"setoption\s+name\s+(\S+)\s+value\s+(\S+)")


@dataclass(frozen=True)
class Candidate:
    """Values of parameters, and what the games were like in which they were found; None where that is not known."""

    name: str
    variant: str
    values: dict[str, str]
    options: dict[str, str]
    engine: list[str] | None = None
    limit: str | None = None
    openings: known_openings.Openings | None = None
    seed: int | None = None
    # Pairs played and pairs planned.
    pairs: tuple[int, int] | None = None


def of_run(directory: Path, any_engine: bool) -> Candidate:
    """The result of a run of tune.py so far. With `any_engine` it does not matter what has become of the run's engine."""
    if not (directory / "config.json").exists():
        raise ScriptError(f"{directory} is no tuning run: it has no config.json; expected the --out of tune.py")
    config = read_json(directory / "config.json")
    if config.get("kind") != "tuning":
        raise ScriptError(f"{directory} is no tuning run but a {config.get('kind', 'match')}; expected the --out of tune.py")
    if config.get("objective") != "match":
        raise ScriptError(f"{directory} is a run of the synthetic function {config.get('objective')}, expected one whose objective are matches")
    state = read_json(directory / "state.json")
    try:
        tuned = [Parameter(p["name"], p["type"], p["start"], p["min"], p["max"], p["c_end"], p["r_end"]) for p in config["parameters"]]
        # Rounded as best.txt is.
        values = {p.name: p.text(value) for p, value in zip(tuned, state["theta"], strict=True)}
        engine = config["engine"]
        command, recorded = list(engine["command"]), engine["sha256"]
        found = Candidate(str(directory), config["variant"], values, dict(engine["options"]), command, config["limit"], known_openings.recorded(config["openings"]),
                          config["seed"], (state["pairs"], config["pairs"]))  # fmt: skip
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ScriptError(f"{directory}: config.json and state.json are not as tune.py writes them: {error!r}") from error
    if not any_engine:
        _refuse_another(directory, command, recorded)
    return found


def _refuse_another(directory: Path, command: list[str], recorded: str) -> None:
    try:
        now = programs.sha256(command)
    except OSError as error:
        raise ScriptError(f"{directory}: its engine {command[0]} cannot be read: {error.strerror or error}; name one with --engine") from error
    if now != recorded:
        raise ScriptError(f"{directory}: its engine {command[0]} is another program now: SHA-256 {now}, expected {recorded}; "
                          f"to verify with it as it is now, say --engine {shlex.quote(shlex.join(command))}")  # fmt: skip


def of_file(path: Path, variant: str, options: dict[str, str]) -> Candidate:
    """The values in a file of `setoption name NAME value VALUE` lines; empty lines and those that begin with # count for nothing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path} cannot be read: {error}") from error
    values: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _SETOPTION.fullmatch(line)
        if match is None:
            raise ScriptError(f"{path}, line {number}: {line[:100]!r}, expected `setoption name NAME value VALUE`")
        if match[1] in values:
            raise ScriptError(f"{path}, line {number}: {match[1]} is there twice")
        values[match[1]] = match[2]
    if not values:
        raise ScriptError(f"{path} holds no `setoption name NAME value VALUE`")
    return Candidate(str(path), variant, values, options)


def changes(candidate: Candidate, known: dict[str, Parameter]) -> dict[str, tuple[str, str]]:
    """The parameters whose value is not the engine's default: the default and the value, as texts."""
    found = {}
    for name, text in candidate.values.items():
        parameter = known_parameters.named(name, known)
        known_parameters.refuse_other_games(name, candidate.variant)
        if name in candidate.options:
            raise ScriptError(f"{candidate.name}: {name} is to be verified, and is an option of both sides as well")
        default, value = parameter.text(parameter.start), known_parameters.value(text, parameter, f"{candidate.name}: {name}")
        if value != default:
            found[name] = (default, value)
    return found


def source_rows(names: list[str], values: dict[str, str], known: dict[str, Parameter]) -> list[str] | None:
    """For each of these parameters the defaults of its row in src/search/params.rs, with `values` in place of what the engine has by default.

    None if the names are not made of a game and a row, or the row has not all games.
    """
    games = [variant.capitalize() for variant in VARIANTS]
    rows = []
    for name in names:
        row = next((name.removeprefix(game) for game in games if name.startswith(game)), "")
        columns = [known.get(game + row) for game in games]
        if not row or any(column is None or column.kind != "int" for column in columns):
            return None
        defaults = ", ".join(values.get(column.name, column.text(column.start)) for column in columns if column is not None)
        rows.append(f"{row}: defaults: [{defaults}],")
    return rows


def setoptions(values: dict[str, str]) -> list[str]:
    return [f"setoption name {name} value {value}" for name, value in values.items()]
