"""JSON from strangers: strict, and not brought down by deep nesting or huge numbers.

The standard decoder accepts NaN, refuses integers of more than 4300 digits and runs out of stack on deep nesting.
`parse` refuses the first, reads the second as infinity and falls back to a decoder without recursion for the third.
"""

import json
import math
import re
from typing import Any, NoReturn

DEPTH_KEPT = 64
"""How deep what is read is kept; anything deeper is checked and becomes None."""

DEPTH_READ = 100_000
"""How deep it reads at all."""


class NotJson(ValueError):
    """The bytes are not JSON in UTF-8."""


def parse(raw: bytes) -> Any:
    """The value of a JSON text, or NotJson."""
    try:
        text = raw.decode("utf-8")
        value = _DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise NotJson(f"This is not UTF-8 text: byte {error.start} is wrong.") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"This is not JSON: {error.msg.lower()} at character {error.pos}.") from None
    except RecursionError:
        return _Deep(text).value()
    return value if _shallow(value) else _Deep(text).value()


def _shallow(value: Any) -> bool:
    """Whether nothing lies deeper than the fallback would keep it, so that no later step runs out of stack."""
    level = [value]
    for _ in range(DEPTH_KEPT - 1):
        boxes = [box.values() if isinstance(box, dict) else box for box in level if isinstance(box, dict | list)]
        level = [item for box in boxes for item in box if isinstance(item, dict | list)]
        if not level:
            return True
    return False


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 18 else math.inf


def _constant(name: str) -> NoReturn:
    raise NotJson(f"This is not JSON: {name} is no JSON number.")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)
_TOKEN = re.compile(
    r'[ \t\n\r]*+(?:(?P<mark>[][{},:])|(?P<scalar>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
    r"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)|(?P<end>\Z))"
)


class _Deep:
    """A decoder with its own stack of open brackets; containers below DEPTH_KEPT are checked, not kept."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.open: list[str] = []
        self.kept: list[Any] = [[]]
        self.keys: list[str | None] = []

    def value(self) -> Any:
        """Read everything: a value, and nothing behind it."""
        want = "value"
        while want != "done":
            want = self._step(want)
        return self.kept[0][0]

    def _step(self, want: str) -> str:
        """Read one token; what may come next is `value`, `first` (value or end), `key`, `colon`, `comma` or `done`."""
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            self._fail()
        self.place = found.end()
        mark, scalar = found["mark"], found["scalar"]
        if scalar is not None and want in ("value", "first"):
            return self._store(_DECODER.decode(scalar))
        if scalar is not None and want in ("key", "first-key") and scalar[0] == '"':
            self.keys[-1] = json.loads(scalar)
            return "colon"
        if mark == ":" and want == "colon":
            return "value"
        if mark == "," and want == "comma" and self.open:
            return "key" if self.open[-1] == "{" else "value"
        if mark is not None and mark in "[{" and want in ("value", "first"):
            return self._enter(mark)
        if mark is not None and mark in "]}" and self._may_close(mark, want):
            return self._leave()
        if found["end"] is not None and want == "comma" and not self.open:
            return "done"
        self._fail()

    def _may_close(self, mark: str, want: str) -> bool:
        opening = "[" if mark == "]" else "{"
        empty = "first" if mark == "]" else "first-key"
        return bool(self.open) and self.open[-1] == opening and want in ("comma", empty)

    def _enter(self, mark: str) -> str:
        if len(self.open) >= DEPTH_READ:
            raise NotJson(f"This is nested more than {DEPTH_READ} levels deep.")
        self.open.append(mark)
        self.keys.append(None)
        if len(self.open) < DEPTH_KEPT:
            self.kept.append([] if mark == "[" else {})
        return "first" if mark == "[" else "first-key"

    def _leave(self) -> str:
        kept = self.kept.pop() if len(self.open) < DEPTH_KEPT else None
        self.open.pop()
        self.keys.pop()
        return self._store(kept)

    def _store(self, value: Any) -> str:
        if len(self.open) < DEPTH_KEPT:
            key = self.keys[-1] if self.keys else None
            if key is None:
                self.kept[-1].append(value)
            else:
                self.kept[-1][key] = value
        return "comma"

    def _fail(self) -> NoReturn:
        raise NotJson(f"This is not JSON: something is wrong at character {self.place}.")
