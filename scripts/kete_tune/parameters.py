"""What an engine lets a tuner set, what the user asks for, and whether it does anything."""

from __future__ import annotations

import csv
import difflib
import math
from dataclasses import replace

from kete_tune import programs
from kete_tune.errors import ScriptError
from kete_tune.options import VARIANTS
from kete_tune.spsa import Parameter

# A column of a history and a line of `params` could not hold these.
_FORBIDDEN = set(" ,=+\"'\n\r")


def listed(engine: list[str]) -> dict[str, Parameter]:
    """The tunables that the engine lists at `params`, by name, as they are by default."""
    lines = programs.ask(engine, ["params"])
    rows = [row for row in csv.reader(lines, skipinitialspace=True) if len(row) >= 8]
    header = ["name", "type", "value", "default", "min", "max", "c_end", "r_end"]
    if not rows or rows[0][:8] != header:
        raise ScriptError(f"{engine[0]} does not list its parameters: expected `{', '.join(header)}` and a line for each after `params`")
    found = {}
    for name, kind, _, default, low, high, c_end, r_end, *_ in rows[1:]:
        try:
            found[name] = Parameter(name, kind, *map(float, (default, low, high, c_end, r_end)))
        except ValueError as error:
            raise ScriptError(f"{engine[0]}: its parameter {name} cannot be read: {error}") from error
    return found


def named(name: str, known: dict[str, Parameter]) -> Parameter:
    """The parameter of that name."""
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise ScriptError(f"the engine has no parameter {name!r}" + (f"; did you mean {near[0]}?" if near else f"; expected one of {', '.join(known) or 'none'}"))
    return known[name]


def refuse_other_games(name: str, variant: str) -> None:
    """A parameter of another game changes nothing in this one."""
    others = [v for v in VARIANTS if v != variant and name.lower().startswith(v)]
    if others:
        raise ScriptError(f"{name} belongs to {others[0]}, but the games are of {variant}")


def value(text: str, parameter: Parameter, what: str) -> str:
    """A value that the parameter can have, as an option is given it. `what` says in messages whose value it is."""
    found = number(text, what)
    if not parameter.min <= found <= parameter.max:
        raise ScriptError(f"{what} is {found:g}, expected {parameter.min:g} to {parameter.max:g}")
    if parameter.kind == "int" and found != int(found):
        raise ScriptError(f"{what} is {found:g}, expected a whole number")
    return parameter.text(found)


def chosen(specification: str, known: dict[str, Parameter], r_end: float | None = None) -> Parameter:
    """A parameter as `NAME[=START][,min=][,max=][,c=][,r=]`; what is not said is as the engine lists it."""
    head, *rest = specification.split(",")
    name, equals, start = head.partition("=")
    base = named(name, known)
    values = {"start": start} if equals else {}
    for part in rest:
        key, equals, value = part.partition("=")
        field = {"min": "min", "max": "max", "c": "c_end", "r": "r_end"}.get(key)
        if not equals or field is None or field in values:
            raise ScriptError(f"{specification!r}: {part!r} is not understood, expected min=, max=, c= or r= with a number, each once")
        values[field] = value
    numbers = {field: number(value, f"{name}: {field}") for field, value in values.items()}
    if r_end is not None:
        numbers.setdefault("r_end", r_end)
    return checked(replace(base, **numbers), base)


def number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ScriptError(f"{what} is {text!r}, expected a number")
    return value


def checked(parameter: Parameter, limits: Parameter) -> Parameter:
    """The parameter, if the engine can take every value that it may have."""
    name, p = parameter.name, parameter
    if not name or set(name) & _FORBIDDEN:
        raise ScriptError(f"{name!r} cannot be a parameter's name here: it has one of space, comma, equals, plus, quote")
    for what, value in (("min", p.min), ("max", p.max), ("start", p.start)):
        if not limits.min <= value <= limits.max:
            raise ScriptError(f"{name}: {what} is {value:g}, expected {limits.min:g} to {limits.max:g}")
        if p.kind == "int" and what != "start" and value != int(value):
            raise ScriptError(f"{name}: {what} is {value:g}, expected a whole number")
    if not p.min <= p.start <= p.max:
        raise ScriptError(f"{name}: starts at {p.start:g}, expected {p.min:g} to {p.max:g}")
    if not p.min < p.max:
        raise ScriptError(f"{name}: min {p.min:g} and max {p.max:g} leave nothing to tune")
    if not 0 < p.c_end <= p.max - p.min:
        raise ScriptError(f"{name}: c is {p.c_end:g}, expected more than 0 and no more than the range, {p.max - p.min:g}")
    if not 0 < p.r_end <= 1:
        raise ScriptError(f"{name}: r is {p.r_end:g}, expected more than 0 and no more than 1")
    return p


def signature(engine: list[str], options: dict[str, str]) -> str:
    """What the engine's bench says of its search with these options."""
    lines = programs.ask(engine, [*(f"setoption name {name} value {value}" for name, value in options.items()), "bench"])
    for line in lines:
        if line.startswith("info string error"):
            raise ScriptError(f"{engine[0]}: {line.removeprefix('info string error').strip(' :')}")
    found = [line.split()[1] for line in lines if line.startswith("signature ") and len(line.split()) > 1]
    if not found:
        raise ScriptError(f"{engine[0]} prints no signature at `bench`, so it cannot be seen whether a parameter does anything; --no-probe leaves that out")
    return found[-1]


def inert(engine: list[str], options: dict[str, str], parameters: list[Parameter]) -> list[str]:
    """The names of those whose smallest and largest value both change nothing in `bench`."""
    start = {p.name: p.text(p.start) for p in parameters}
    base = signature(engine, options | start)
    without = []
    for p in parameters:
        extremes = (p.text(p.max), p.text(p.min))
        if all(signature(engine, options | start | {p.name: value}) == base for value in extremes):
            without.append(p.name)
    return without
