"""Themes that people write: one TOML file each; what is wrong in it is reported with its line."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from ..art.drawing import DrawingError, read_drawing
from ..notation import CARD_NAMES
from ..rules import BOXES
from .languages import LANGUAGES
from .themes import THEMES, Theme, WordsError, load_theme

MAX_NAME, MAX_TEXT = 24, 160
"""Characters in the longest name and effect."""

COLOURS = ("ink", "parchment", "wax", "gold", "ribbon", "fog")
TOP_KEYS = frozenset({"title", "about", "editions", "emblems", "tokens", "colours", "cards"})
CARD_KEYS = frozenset({"persons", "aliases", "emblem", *LANGUAGES})
WORD_KEYS = frozenset({"name", "subtitle", "text", "text_number", "text_solo", "article", "gender", "proper"})
EMBLEM_SETS = ("court", "mule")

HEAD = """\
# A theme for Suitors: names, texts, colours and emblems, never rules. Change what you like; what you delete in one
# language is taken from the other. Check it with `suitors theme check {name}`, print it with
# `suitors print --theme {name} --edition EDITION`, play it with `suitors serve --theme {name}`.
#
# editions     those for which every card of the deck has a name here
# emblems      the set of drawings, "court" or "mule"; a card may have its own: emblem = "my-guard.svg" (viewBox
#              "0 0 100 140", lines in currentColor), a file beside this one
# colours      six, as #rrggbb
# text         the effect, at most {text} characters; text_number where a Guard names numbers (premium); text_solo in
#              the solo game
# fr.article   le, la or l’; fr.gender m or f; or fr.proper = true for a name that takes no article
"""


class ThemeFileError(WordsError):
    """What is wrong in a theme file, and in which line."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path.name}, line {line}: {message}.")
        self.line = line


def new_theme(path: Path, model: str = THEMES[0]) -> None:
    """Start a theme file from a built-in theme; a WordsError if the file exists."""
    editions = load_theme(model).editions
    text = resources.files(__package__).joinpath("themes", f"{model}.toml").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "editions = "))]
    lines.insert(lines.index(""), f"editions = {json.dumps(editions)}")
    body = "\n".join(lines)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(HEAD.format(name=path.name, text=MAX_TEXT) + body + "\n")
    except FileExistsError:
        raise WordsError(f"{path} exists already: choose another name.") from None
    except OSError as error:
        raise WordsError(f"{path} cannot be written: {error.strerror or error}.") from None


def read_theme(path: Path) -> Theme:
    """The theme that a file describes; a ThemeFileError for the first thing that is wrong in it."""
    slug = path.stem.lower()
    if not re.fullmatch("[a-z][a-z0-9-]{0,30}", slug) or slug in THEMES:
        raise WordsError(
            f"{path.name}: a theme has the name of its file, so use letters, digits and hyphens, "
            f"and not {', '.join(THEMES)}."
        )
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WordsError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*?) \(at line (\d+)", str(error))
        line, why = (int(found[2]), found[1]) if found else (len(text.splitlines()), str(error))
        raise ThemeFileError(path, line, f"this is not TOML: {why[:1].lower()}{why[1:]}") from None
    return Theme(slug, _Checker(path, text, data).checked())


class _Checker:
    """Checks the contents of a theme file, from the top."""

    def __init__(self, path: Path, text: str, data: dict[str, Any]) -> None:
        self.path = path
        self.text = text
        self.data = data

    def error(self, where: tuple[str, ...], message: str) -> ThemeFileError:
        """An error for the line of a key."""
        return ThemeFileError(self.path, line_of(self.text, where), message)

    def checked(self) -> dict[str, Any]:
        """The checked theme; what is missing in one language is taken from another."""
        self._known(self.data, TOP_KEYS, ())
        court = load_theme(THEMES[0]).data
        title = self._translated(self.data.get("title", self.path.stem), ("title",))
        cards = {name: self._card(name, found) for name, found in self.table(("cards",)).items()}
        return {
            "title": title,
            "about": self._translated(self.data.get("about", title), ("about",)),
            "editions": self._editions(cards),
            "emblems": self._emblems(),
            "tokens": self._tokens(court["tokens"]),
            "colours": {name: self._colour(name) for name in COLOURS},
            "cards": cards,
        }

    def table(self, where: tuple[str, ...]) -> Mapping[str, Any]:
        """A table of the file."""
        found: Any = self.data
        for key in where:
            found = found.get(key, {}) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            raise self.error(where, f"{'.'.join(where)} must be a table")
        return found

    def _known(self, found: Mapping[str, Any], known: frozenset[str], where: tuple[str, ...]) -> None:
        for key in found:
            if key not in known:
                raise self.error((*where, key), f"{key!r:.40} is not known here; known are {', '.join(sorted(known))}")

    def _translated(self, found: Any, where: tuple[str, ...]) -> dict[str, str]:
        """A text in every language; a plain one is the same in all."""
        if isinstance(found, str):
            return dict.fromkeys(LANGUAGES, found)
        if not isinstance(found, dict) or not all(isinstance(found.get(lang, ""), str) for lang in LANGUAGES):
            raise self.error(where, f"{'.'.join(where)} must be a text, or one for each language")
        self._known(found, frozenset(LANGUAGES), where)
        some = next(filter(None, (found.get(lang) for lang in LANGUAGES)), "")
        return {lang: found.get(lang) or some for lang in LANGUAGES}

    def _editions(self, cards: Mapping[str, Any]) -> list[str]:
        found = self.data.get("editions")
        if not isinstance(found, list) or not found or not all(slug in BOXES for slug in found):
            raise self.error(("editions",), f"editions must list some of {', '.join(BOXES)}")
        for slug in found:
            for card in sorted({card for deck in BOXES[slug].decks.values() for card in deck}):
                if CARD_NAMES[card] not in cards:
                    raise self.error(("editions",), f"{slug} has a card {CARD_NAMES[card]}, which has no name here")
        return found

    def _emblems(self) -> str:
        found = self.data.get("emblems", EMBLEM_SETS[0])
        if found not in EMBLEM_SETS:
            raise self.error(
                ("emblems",), f"emblems must be {' or '.join(EMBLEM_SETS)}; a card may have a drawing of its own"
            )
        return str(found)

    def _tokens(self, usual: Mapping[str, Any]) -> dict[str, Any]:
        found = self.table(("tokens",))
        self._known(found, frozenset(LANGUAGES), ("tokens",))
        for lang, words in found.items():
            if (
                not isinstance(words, dict)
                or not isinstance(words.get("one"), str)
                or not isinstance(words.get("many"), str)
            ):
                raise self.error(("tokens", lang), f'tokens.{lang} must be {{ one = "…", many = "…" }}')
        return {**usual, **found}

    def _colour(self, name: str) -> str:
        found = self.table(("colours",)).get(name)
        if not isinstance(found, str) or not re.fullmatch("#[0-9a-fA-F]{6}", found):
            raise self.error(("colours", name), f"the colour {name} must be written as #rrggbb")
        return found.lower()

    def _card(self, name: str, found: Any) -> dict[str, Any]:
        where = ("cards", name)
        if name not in CARD_NAMES:
            raise self.error(where, f"there is no card {name!r:.40}; there are {', '.join(CARD_NAMES)}")
        if not isinstance(found, dict):
            raise self.error(where, f"cards.{name} must be a table")
        self._known(found, CARD_KEYS, where)
        words = {lang: self._words(name, lang, found[lang]) for lang in LANGUAGES if lang in found}
        if not words:
            raise self.error(where, f"{name} must have a name and a text in at least one language")
        some = next(iter(words.values()))
        filled = {lang: words.get(lang, {**some, "proper": True}) for lang in LANGUAGES}
        known = {key: self._names(found.get(key, []), (*where, key)) for key in ("persons", "aliases")}
        return {**filled, **known, **self._drawing(name, found)}

    def _names(self, found: Any, where: tuple[str, ...]) -> list[str]:
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            raise self.error(where, f"{where[-1]} must be a list of names")
        return found

    def _words(self, name: str, lang: str, found: Any) -> dict[str, Any]:
        where = ("cards", name, lang)
        if not isinstance(found, dict):
            raise self.error(where, f"{'.'.join(where)} must be a table of words")
        self._known(found, WORD_KEYS, where)
        for key, most in (("name", MAX_NAME), ("text", MAX_TEXT), ("text_number", MAX_TEXT), ("text_solo", MAX_TEXT)):
            text = found.get(key)
            if text is None and key in ("name", "text"):
                raise self.error(where, f"{name} has no {key} in {lang}")
            if text is not None and (not isinstance(text, str) or not 1 <= len(text) <= most):
                raise self.error((*where, key), f"the {key} of {name} must be a text of at most {most} characters")
        if (
            lang == "fr"
            and not found.get("proper")
            and ("article" not in found or found.get("gender") not in ("m", "f"))
        ):
            raise self.error(where, f'in French {name} needs article and gender = "m" or "f", or proper = true')
        return dict(found)

    def _drawing(self, name: str, found: Mapping[str, Any]) -> dict[str, str]:
        """The card's own emblem, if it has one."""
        if "emblem" not in found:
            return {}
        where, given = ("cards", name, "emblem"), found["emblem"]
        if not isinstance(given, str) or Path(given).name != given:
            raise self.error(where, "emblem must be the name of an SVG file beside this one")
        file = self.path.parent / given
        try:
            return {"drawing": read_drawing(file.read_text("utf-8"))}
        except (OSError, UnicodeDecodeError):
            raise self.error(where, f"{given} cannot be read; it must lie beside this file") from None
        except DrawingError as error:
            raise ThemeFileError(file, error.line, str(error)) from None


def line_of(text: str, where: tuple[str, ...]) -> int:
    """The line of a key, or of the nearest key above it."""
    best, line = 0, 1
    for number, keys in _keys(text):
        shared = next(
            (k for k, (a, b) in enumerate(zip(keys, where, strict=False)) if a != b), min(len(keys), len(where))
        )
        if shared > best and shared == min(len(keys), len(where)):
            best, line = shared, number
    return line


def _keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The keys of a TOML file with their lines."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = tuple(part.strip().strip("\"'") for part in head[1].split("."))
            yield number, table
        elif key := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            yield number, (*table, *(part.strip("\"'") for part in key[1].split(".")))
