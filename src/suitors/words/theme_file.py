"""Themes that people write: one TOML file each; what is wrong in it is reported with its line."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from .. import art
from ..art.drawing import DrawingError, read_drawing
from ..notation import CARD_NAMES
from ..rules import BOXES
from .bots import bot_words
from .languages import LANGUAGES, known_sentences
from .lesson import lesson_file
from .themes import ORNAMENTS, THEMES, Theme, WordsError, load_theme
from .vocabulary import fields

MAX_NAME, MAX_TEXT, MAX_STORY = 24, 160, 400
"""Characters in the longest name, in the longest effect, line or sentence, and in the longest premise."""

COLOURS = ("ink", "parchment", "wax", "gold", "ribbon", "fog")
STORIES = {"premise": MAX_STORY, "premise_solo": MAX_STORY, "victory": MAX_TEXT}
"""The texts of a theme's story, with the most characters of each."""

TOP_KEYS = frozenset(
    {"title", "about", "editions", "emblems", "ornaments", "persons_are_titles", "tokens", "colours", "cards"}
    | {"sentences", "opponents", "lesson", *STORIES}
)
CARD_KEYS = frozenset({"persons", "aliases", "emblem", *LANGUAGES})
PERSON_KEYS = frozenset({"name", "copies", "emblem", "line"})
TEXTS = {"name": MAX_NAME, "subtitle": MAX_NAME, "plural": MAX_NAME}
TEXTS |= dict.fromkeys(("text", "text_number", "text_solo", "line"), MAX_TEXT)
"""The texts of a card, with the most characters of each."""

BOT_KEYS = frozenset({"name", "character"})
LESSON_KEYS = frozenset({"title", "text", "task", "wrong"})
LESSON_NOUNS = ("ben", "cleo", "reference", "know")
MAX_COPIES = 8
WORD_KEYS = frozenset({*TEXTS, "article", "gender", "proper"})
EMBLEM_SETS = ("court", "tempest", "mule")

HEAD = """\
# A theme for Suitors: names, texts, colours and emblems, never rules. Change what you like; what you delete in one
# language is taken from the other. Check it with `suitors theme check {name}`, print it with
# `suitors print --theme {name} --edition EDITION`, play it with `suitors serve --theme {name}`.
#
# editions     those for which every card of the deck has a name here
# emblems      the set of drawings: "court", "tempest" or "mule"; a card or a person may have its own:
#              emblem = "my-guard.svg" (viewBox "0 0 100 140", lines in currentColor), a file beside this one
# premise      the story that opens the rules, at most {story} characters; victory: what is read when a match is won
# persons      who is on the copies of a card, in order: [[cards.guard.persons]] with name, copies and line
# sentences    what the theme says instead of a sentence of the program: "Right!" = {{ en = "…", fr = "…" }}
# {{guard}}      in a text is the card with its article, {{token:a}} a token; docs/themes.md has all forms
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
            file.write(HEAD.format(name=path.name, text=MAX_TEXT, story=MAX_STORY) + body + "\n")
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
            **{key: self._story(key, court) for key in STORIES if key in self.data or key != "premise_solo"},
            "editions": self._editions(cards),
            "emblems": self._emblems(),
            "ornaments": self._ornaments(),
            "persons_are_titles": self._flag("persons_are_titles"),
            "tokens": self._tokens(),
            "colours": {name: self._colour(name) for name in COLOURS},
            "sentences": {key: self._sentence(key) for key in self.table(("sentences",))},
            "opponents": self._texts("opponents", bot_words()["bots"], BOT_KEYS),
            "lesson": self._texts("lesson", {"start", *lesson_file()["steps"]}, LESSON_KEYS),
            "cards": cards,
        }

    def _story(self, key: str, court: Mapping[str, Any]) -> dict[str, str]:
        """A text of the story, the court's where the file has none; its length and its placeholders are checked."""
        texts = self._translated(self.data.get(key, court[key]), (key,))
        for text in texts.values():
            self._readable(text, STORIES[key], (key,))
        return texts

    def _readable(self, text: str, most: int, where: tuple[str, ...], given: Iterable[str] = ()) -> None:
        """Refuse a text that is too long, or that has something in braces which cannot stand there."""
        if not 1 <= len(text) <= most:
            raise self.error(where, f"the {where[-1]:.40} must be a text of at most {most} characters")
        try:
            names = fields(text)
        except ValueError as error:
            raise self.error(where, f"a brace is wrong in {text!r:.60}: {error}") from None
        known = ["token", *self.table(("cards",)), *given]
        for name in names.difference(known):
            raise self.error(where, f"{{{name:.40}}} is not known here; there are {', '.join(known)}")

    def _sentence(self, sentence: str) -> dict[str, str]:
        """A sentence of the program as the theme says it, with no more in braces than the sentence has."""
        where = ("sentences", sentence)
        if sentence not in known_sentences():
            raise self.error(where, f"the program never says {sentence!r:.60}")
        texts = self._translated(self.table(("sentences",))[sentence], where)
        for text in texts.values():
            self._readable(text, MAX_STORY, where, fields(sentence))
        return texts

    def _texts(self, key: str, names: Iterable[str], known: frozenset[str]) -> dict[str, dict[str, dict[str, str]]]:
        """A table of texts by language, as for opponents and for the steps of the lesson."""
        self._known(self.table((key,)), frozenset(names), (key,))
        found: dict[str, dict[str, dict[str, str]]] = {}
        for name in self.table((key,)):
            self._known(self.table((key, name)), frozenset(LANGUAGES), (key, name))
            for lang in self.table((key, name)):
                texts = self.table((key, name, lang))
                self._known(texts, known, (key, name, lang))
                for part, text in texts.items():
                    if not isinstance(text, str):
                        raise self.error((key, name, lang, part), f"{part} must be a text")
                    self._readable(text, MAX_STORY, (key, name, lang, part), LESSON_NOUNS)
                found.setdefault(name, {})[lang] = dict(texts)
        return found

    def _flag(self, key: str) -> bool:
        found = self.data.get(key, False)
        if not isinstance(found, bool):
            raise self.error((key,), f"{key} must be true or false")
        return found

    def _ornaments(self) -> dict[str, str]:
        found = self.table(("ornaments",))
        self._known(found, frozenset(ORNAMENTS), ("ornaments",))
        known = art.names("ornaments")
        for use, name in found.items():
            if name not in known:
                where = ("ornaments", use)
                raise self.error(where, f"there is no ornament {name!r:.40}; there are {', '.join(known)}")
        return dict(found)

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
            sets = f"{', '.join(EMBLEM_SETS[:-1])} or {EMBLEM_SETS[-1]}"
            raise self.error(("emblems",), f"emblems must be {sets}; a card may have a drawing of its own")
        return str(found)

    def _tokens(self) -> dict[str, Any]:
        found = self.table(("tokens",))
        self._known(found, frozenset(LANGUAGES), ("tokens",))
        for lang, words in found.items():
            if (
                not isinstance(words, dict)
                or not isinstance(words.get("one"), str)
                or not isinstance(words.get("many"), str)
            ):
                raise self.error(("tokens", lang), f'tokens.{lang} must be {{ one = "…", many = "…" }}')
            if lang == "fr" and words.get("gender") not in ("m", "f"):
                raise self.error(("tokens", lang), 'tokens.fr needs gender = "m" or "f"')
        return dict(found)

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
        aliases = self._names(found.get("aliases", []), (*where, "aliases"))
        return {**filled, "aliases": aliases, "persons": self._persons(name, found), **self._drawing(found, where)}

    def _persons(self, name: str, found: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The persons on the copies of a card; a list of names is enough where there is no more to say."""
        where, given = ("cards", name, "persons"), found.get("persons", [])
        if not isinstance(given, list) or not all(isinstance(person, str | dict) for person in given):
            raise self.error(where, "persons must be a list of names or of tables [[cards.….persons]]")
        return [
            self._person(name, k, {"name": person} if isinstance(person, str) else person)
            for k, person in enumerate(given)
        ]

    def _person(self, name: str, number: int, found: Mapping[str, Any]) -> dict[str, Any]:
        where = ("cards", name, "persons", str(number))
        self._known(found, PERSON_KEYS, where)
        copies = found.get("copies", 1)
        if type(copies) is not int or not 1 <= copies <= MAX_COPIES:
            raise self.error((*where, "copies"), f"copies must be a number from 1 to {MAX_COPIES}")
        texts = {key: self._translated(found.get(key, ""), (*where, key)) for key in ("name", "line")}
        for key, most in (("name", MAX_NAME), ("line", MAX_TEXT)):
            for text in texts[key].values():
                if text or key == "name":
                    self._readable(text, most, (*where, key))
        drawing = self._drawing(found, where)
        return {**texts, "copies": copies, **drawing, **({"emblem": f"{name}-{number}"} if drawing else {})}

    def _names(self, found: Any, where: tuple[str, ...]) -> list[str]:
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            raise self.error(where, f"{where[-1]} must be a list of names")
        return found

    def _words(self, name: str, lang: str, found: Any) -> dict[str, Any]:
        where = ("cards", name, lang)
        if not isinstance(found, dict):
            raise self.error(where, f"{'.'.join(where)} must be a table of words")
        self._known(found, WORD_KEYS, where)
        for key, most in TEXTS.items():
            text = found.get(key)
            if text is None and key in ("name", "text"):
                raise self.error(where, f"{name} has no {key} in {lang}")
            if text is not None and (not isinstance(text, str) or not 1 <= len(text) <= most):
                raise self.error((*where, key), f"the {key} of {name} must be a text of at most {most} characters")
            if text is not None:
                self._readable(text, most, (*where, key))
        if (
            lang == "fr"
            and not found.get("proper")
            and ("article" not in found or found.get("gender") not in ("m", "f"))
        ):
            raise self.error(where, f'in French {name} needs article and gender = "m" or "f", or proper = true')
        return dict(found)

    def _drawing(self, found: Mapping[str, Any], place: tuple[str, ...]) -> dict[str, str]:
        """The own emblem of a card or a person, if there is one."""
        if "emblem" not in found:
            return {}
        where, given = (*place, "emblem"), found["emblem"]
        if given in art.names(kind := self._emblems()):
            return {"drawing": art.emblem(kind, given)}
        if not isinstance(given, str) or Path(given).name != given:
            raise self.error(where, "emblem must be an SVG file beside this one, or a drawing of the set")
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
    lists = Counter[tuple[str, ...]]()
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*(\[+)([^\[\]]+)\]", line):
            table = tuple(part.strip().strip("\"'") for part in head[2].split("."))
            if head[1] == "[[":
                lists[table] += 1
                table = (*table, str(lists[table] - 1))
            yield number, table
        elif key := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            yield number, (*table, *(part.strip("\"'") for part in key[1].split(".")))
