"""`bots.toml`: short names for programs (docs/bots.md). What is wrong in it is a sentence with the file and the key."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import SuitorsError
from .program import PROTOCOLS, OptionValue, Program

DEFAULT_FILE = "bots.toml"

LONGEST_NAME = 22
"""The letters of the longest name: it is shown whole in every table and plot."""

NAME = re.compile(rf"\w[\w.+ -]{{0,{LONGEST_NAME - 1}}}")
KEYS = ("command", "protocol", "directory", "options")


def read_programs(path: Path, taken: Mapping[str, object]) -> dict[str, Program]:
    """The programs of a file by their names, none of which may be `taken`."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _bad(path, f"cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _bad(path, f"is not TOML: {error}") from None
    for name in data:
        if not NAME.fullmatch(name):
            raise _bad(path, f"names a bot {name!r:.60}: a name has {LONGEST_NAME} letters, digits or .+-_ at most")
        if name in taken:
            raise _bad(path, f"names a program '{name}', which is the name of a built-in bot")
    return {name: _Reader(path, name, part).read() for name, part in data.items()}


def _bad(path: Path, message: str) -> SuitorsError:
    return SuitorsError("bad-bots-file", f"{path} {message}.")


class _Reader:
    """Checks the table of one program."""

    def __init__(self, path: Path, name: str, data: object) -> None:
        self.path = path
        self.name = name
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}

    def read(self) -> Program:
        for key in self.data:
            if key not in KEYS:
                raise self._wrong(key, f"is unknown; there are {', '.join(KEYS)}")
        protocol = self.data.get("protocol", PROTOCOLS[0])
        if type(protocol) is not int or protocol not in PROTOCOLS:
            raise self._wrong("protocol", f"is {' or '.join(map(str, PROTOCOLS))}, not {protocol!r:.40}")
        return Program(self._command(), protocol, self._options(protocol), self._directory())

    def _command(self) -> tuple[str, ...]:
        words = self.data.get("command")
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise self._wrong("command", 'is a list of texts, such as ["python3", "my_bot.py"]')
        return tuple(words)

    def _directory(self) -> Path:
        """The working directory: the file's own, or one that is found from there."""
        given = self.data.get("directory", ".")
        if not isinstance(given, str):
            raise self._wrong("directory", "is a text")
        found = (self.path.parent / given).resolve()
        if not found.is_dir():
            raise self._wrong("directory", f"is '{given:.80}', which is no folder")
        return found

    def _options(self, protocol: int) -> dict[str, OptionValue]:
        options = self.data.get("options", {})
        if not isinstance(options, dict) or not all(isinstance(value, OptionValue) for value in options.values()):
            raise self._wrong("options", "is a table of texts, numbers and booleans")
        if options and protocol == 1:
            raise self._wrong("options", "needs protocol = 2: version 1 has no options")
        return options

    def _wrong(self, key: str, message: str) -> SuitorsError:
        return _bad(self.path, f"is wrong: {self.name}.{key} {message}")
