"""How a program of version 2 introduces itself: its name, and the options that can be set (docs/bots.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from .failure import BotFailure
from .program import OptionValue

PROTOCOL = 2

KINDS: Mapping[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "text": (str,),
    "choice": (str,),
}
"""The types of options, and what their values are in Python."""


class BadOption(BotFailure):
    """A value that the program's option does not take, or an option that it does not have."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(key, message)
        self.key = key

    def __str__(self) -> str:
        return str(self.args[1])


@dataclass(frozen=True)
class ProgramOption:
    """An option as the program declares it."""

    kind: str
    default: OptionValue
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()

    def fits(self, value: object) -> bool:
        """Whether the option may have this value."""
        if type(value) not in KINDS[self.kind]:
            return False
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = (-inf if self.least is None else self.least), (inf if self.most is None else self.most)
            return isfinite(value) and low <= value <= high
        return self.kind != "choice" or value in self.values

    def __str__(self) -> str:
        """What it takes, for a sentence."""
        if self.kind == "choice":
            return f"one of {', '.join(self.values)}"
        limits = [f"{word} {limit:g}" for word, limit in (("from", self.least), ("to", self.most)) if limit is not None]
        return " ".join([f"a{'n' if self.kind == 'integer' else ''} {self.kind}", *limits])


@dataclass(frozen=True)
class Hello:
    """What a program says of itself."""

    name: str
    version: str
    options: Mapping[str, ProgramOption]
    actions: bool  # moves shall come with their numbers

    def option_values(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The values of all options: those given, and the defaults of the others."""
        for key, value in given.items():
            if key not in self.options:
                known = f"it has {', '.join(self.options)}" if self.options else "it has none"
                raise BadOption(key, f"has no option '{key:.40}'; {known}")
            if not self.options[key].fits(value):
                raise BadOption(key, f"takes {self.options[key]} as its option {key}, not {value!r:.40}")
        return {key: given.get(key, option.default) for key, option in self.options.items()}


def read_hello(data: Mapping[str, Any]) -> Hello:
    """The introduction in a program's first message."""
    if data.get("protocol") != PROTOCOL:
        raise BotFailure(f"speaks version {data.get('protocol')!r:.20} of the protocol, not {PROTOCOL}")
    name, version, options = data.get("name"), data.get("version", ""), data.get("options", {})
    if not (isinstance(name, str) and name and isinstance(version, str)):
        raise BotFailure("said hello without a name, or with a version that is no text")
    if not isinstance(options, dict):
        raise BotFailure("said hello with options that are no object")
    declared = {key: _option(key, option) for key, option in options.items()}
    return Hello(name, version, declared, data.get("actions") is True)


def _option(key: str, data: object) -> ProgramOption:
    bad = BotFailure(f"declares its option '{key:.40}' in a way that the protocol does not know")
    if not isinstance(data, dict) or data.get("type") not in KINDS:
        raise bad
    limits, values = (data.get("min"), data.get("max")), data.get("values", [])
    if not all(limit is None or type(limit) in (int, float) for limit in limits):
        raise bad
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise bad
    option = ProgramOption(data["type"], data.get("default", ""), *limits, values=tuple(values))
    if not option.fits(data.get("default")):
        raise bad
    return option
