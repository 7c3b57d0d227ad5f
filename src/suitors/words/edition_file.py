"""Editions that people write: one TOML file each; what is wrong in it is reported with its line.

A file holds what the object of an edition holds (rules/own.py), and besides the switches to play it with, and its title
and what is special about it in every language. These are not part of the edition itself.
"""

import json
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import SuitorsError, check_options
from ..notation import CARD_NAMES
from ..rules import BOXES, BadEdition, Option, check_dealable, edition, find_box, own_slug
from .languages import LANGUAGES
from .own_editions import Told, tell_edition
from .theme_lines import line_of

SUFFIX = ".toml"
TEXTS = ("title", "about")
LONGEST = {"title": 60, "about": 300}

HEAD = """\
# An edition for Suitors: a published one as the base, and what differs. Leave out what is to stay as it is there.
# Check it with `suitors edition check {name}`, play it with `suitors serve --edition {name}` or
# `suitors match --edition {name} --bots expert,novice`, print it with `suitors print --edition {name}`.
#
# base      premium, modern, classic, demo or house: the numbers of players, and all rules that are not here
# cards     the whole deck: any of the 19 cards, 1 to 8 copies; one at most of jester, bishop and princess; 40 in all
# values    the numbers on cards, 0 to 9
# goals     the tokens that win, 1 to 20; aside and face_up: the cards beside the deck; all by the number of players
# options   switches of the rules (docs/contract.md), for matches that say nothing else
# en, fr    a title and a sentence about it
"""

SEVERAL = "# For every number of players; leave the cards out to keep the base's decks, which differ by it."


class EditionFileError(SuitorsError):
    """What is wrong in an edition file, and in which line."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__("bad-edition", f"{path.name}, line {line}: {message}")
        self.line = line

    def __reduce__(self) -> tuple[Any, ...]:
        return SuitorsError, (self.code, str(self))


@dataclass(frozen=True)
class EditionFile:
    """What a file describes."""

    slug: str  # the text of the edition's object
    options: Mapping[str, Option]
    told: Told

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players with whom it can be dealt and played."""
        return tuple(n for n in find_box(self.slug).players if not self.why_not(n))

    def why_not(self, players: int) -> str:
        """Why it cannot be played with so many, in a sentence; empty where it can."""
        try:
            check_dealable(edition(self.slug, players, self.options))
        except BadEdition as error:
            return str(error)
        return ""


def read_edition(path: Path) -> EditionFile:
    """The edition of a file; a sentence with the line for the first thing that is wrong in it."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SuitorsError(
            "bad-edition", f"{path} cannot be read: {getattr(error, 'strerror', '') or error}."
        ) from None
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SuitorsError("bad-edition", f"{path.name} is not TOML: {error}.") from None
    found = _Reader(path, text, data).read()
    if found.told:
        tell_edition(found.slug, found.told)
    return found


@dataclass
class _Reader:
    """Checks the parts of a file."""

    path: Path
    text: str
    data: dict[str, Any]

    def read(self) -> EditionFile:
        rest = {key: value for key, value in self.data.items() if key not in ("options", *LANGUAGES)}
        try:
            slug = own_slug(rest)
        except BadEdition as error:
            raise self._error(str(error), *error.where) from None
        found = EditionFile(slug, self._options(), self._told())
        if not found.players:
            raise self._error(found.why_not(find_box(slug).players[0]), "cards")
        return found

    def _options(self) -> dict[str, Option]:
        given = self.data.get("options", {})
        try:
            return {key: value for key, value in check_options(given).items() if key in given}
        except SuitorsError as error:
            raise self._error(str(error), "options") from None

    def _told(self) -> Told:
        return {lang: self._texts(lang) for lang in LANGUAGES if lang in self.data}

    def _texts(self, lang: str) -> dict[str, str]:
        texts = self.data[lang]
        if not isinstance(texts, dict):
            raise self._error(f"{lang} is a table with {' and '.join(TEXTS)}.", lang)
        for key, text in texts.items():
            if key not in TEXTS:
                raise self._error(f"{lang} has no {key!r:.40}, only {' and '.join(TEXTS)}.", lang, key)
            if not isinstance(text, str) or len(text) > LONGEST[key]:
                raise self._error(f"the {key} is a text of {LONGEST[key]} characters at most.", lang, key)
        return texts

    def _error(self, message: str, *where: str) -> EditionFileError:
        return EditionFileError(self.path, line_of(self.text, where), message)


def new_edition(path: Path, base: str) -> None:
    """Start an edition file that is like a published edition. Raises a SuitorsError where it cannot be written."""
    box = find_box(own_slug({"base": base}))
    deck = box.decks[box.players[-1]]
    parts: dict[str, Mapping[Any, int]] = {
        "cards": {CARD_NAMES[card]: copies for card, copies in deck.items()},
        "goals": box.goals,
        "aside": box.aside,
        "face_up": {n: box.face_up.get(n, 0) for n in box.players},
    }
    head = HEAD.format(name=shlex.quote(" ".join(path.name.split())))
    lines = [head, f'base = "{base}"', f"name = {json.dumps(path.stem, ensure_ascii=False)}"]
    for key, numbers in parts.items():
        several = key == "cards" and any(other != deck for other in box.decks.values())
        lines += ["", *([SEVERAL] if several else []), f"[{key}]"]
        lines += [f"{word} = {number}" for word, number in numbers.items()]
    lines += ["", "[values]", *(f"# {CARD_NAMES[card]} = {box.values[card]}" for card in BOXES[base].values)]
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    except FileExistsError:
        raise SuitorsError("bad-edition", f"{path} exists already: choose another name.") from None
    except OSError as error:
        raise SuitorsError("bad-edition", f"{path} cannot be written: {error.strerror or error}.") from None
