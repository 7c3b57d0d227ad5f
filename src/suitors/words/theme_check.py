"""What a theme file may hold: every key, type, length and brace is checked, and the first fault named with its line."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import art
from ..art.drawing import DrawingError, read_drawing
from ..notation import CARD_NAMES
from ..rules import BOXES
from .bots import bot_words
from .languages import LANGUAGES, gettext, known_sentences
from .lesson import lesson_file
from .nouns import FORMS
from .theme_lines import ThemeFileError, line_of
from .themes import ORNAMENTS, THEMES, load_theme
from .vocabulary import fields, forms_asked

MAX_NAME, MAX_TEXT, MAX_STORY = 24, 160, 400
"""Characters in the longest name, in the longest effect, line or sentence, and in the longest premise."""

COLOURS = ("ink", "parchment", "wax", "gold", "ribbon", "fog")
STORIES = {"premise": MAX_STORY, "premise_solo": MAX_STORY, "victory": MAX_TEXT}
"""The texts of a theme's story, with the most characters of each."""

TOP_KEYS = frozenset(
    {"title", "about", "editions", "emblems", "ornaments", "persons_are_titles", "tokens", "colours", "cards"}
    | {"sentences", "opponents", "lesson", *STORIES}
)
CARD_KEYS = frozenset({"persons", "aliases", "emblem", "tint", *LANGUAGES})
PERSON_KEYS = frozenset({"name", "copies", "emblem", "line"})
TEXTS = {"name": MAX_NAME, "subtitle": MAX_NAME, "plural": MAX_NAME}
TEXTS |= dict.fromkeys(("text", "text_number", "text_solo", "line"), MAX_TEXT)
"""The texts of a card, with the most characters of each."""

BOT_KEYS = frozenset({"name", "character"})
LESSON_KEYS = frozenset({"title", "text", "task", "wrong"})
LESSON_WORDS = tuple((word, "") for word in ("ben", "cleo", "dora", "ezra", "reference", "know"))
MAX_COPIES = 8
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that no text has."""

Asked = tuple[str, str]
"""A word in braces, and the form of it that is asked for."""

KNOWN_FORMS: frozenset[str] = frozenset().union(*FORMS.values())
WORD_KEYS = frozenset({*TEXTS, "article", "gender", "proper"})
EMBLEM_SETS = ("court", "tempest", "mule")


class ThemeChecker:
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
        title = self._told("title", self.path.stem, MAX_NAME)
        cards = {name: self._card(name, found) for name, found in self.table(("cards",)).items()}
        self._different(cards)
        return {
            "title": title,
            "about": self._told("about", title, MAX_STORY),
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

    def _different(self, cards: Mapping[str, Any]) -> None:
        """Refuse two cards of one title, for people may call a card by it."""
        titles: dict[str, str] = {}
        for card, words in cards.items():
            for title in {words[lang]["name"].casefold() for lang in LANGUAGES}:
                other = titles.setdefault(title, card)
                if other != card:
                    raise self.error(("cards", card), f"{card} and {other} have the same name")

    def _story(self, key: str, court: Mapping[str, Any]) -> dict[str, str]:
        """A text of the story, the court's where the file has none; its length and its placeholders are checked."""
        return self._told(key, court[key], STORIES[key])

    def _told(self, key: str, usual: Any, most: int) -> dict[str, str]:
        """A text at the top of the file in every language."""
        texts = self._translated(self.data.get(key, usual), (key,))
        for text in texts.values():
            self._readable(text, most, (key,))
        return texts

    def _readable(self, text: str, most: int, where: tuple[str, ...], given: Collection[Asked] = ()) -> None:
        """Refuse a text that is too long or no text, or that has something in braces which cannot stand there."""
        if not 1 <= len(text.strip()) <= len(text) <= most or CONTROL.search(text):
            raise self.error(where, f"the {where[-1]:.40} must be a text of at most {most} characters")
        try:
            asked = forms_asked(text)
        except ValueError as error:
            raise self.error(where, f"a brace is wrong in {text!r:.60}: {error}") from None
        nouns = ["token", *self.table(("cards",))]
        for name, form in asked:
            if name not in nouns and name not in {word for word, _ in given}:
                known = ", ".join(dict.fromkeys([*nouns, *(word for word, _ in given)]))
                raise self.error(where, f"{{{name:.40}}} is not known here; there are {known}")
            if (name, form) not in given and (name not in nouns or form.removeprefix("^") not in KNOWN_FORMS):
                raise self.error(where, f"{{{name:.20}:{form:.20}}} is no form that {{{name:.20}}} has here")

    def _sentence(self, sentence: str) -> dict[str, str]:
        """A sentence of the program as the theme says it, with the same words in braces."""
        where = ("sentences", sentence)
        if sentence not in known_sentences():
            raise self.error(where, f"the program never says {sentence!r:.60}")
        texts = self._translated(self.table(("sentences",))[sentence], where)
        usual = {asked for translate in map(gettext, LANGUAGES) for asked in forms_asked(translate(sentence))}
        given = {*usual, *((name, "") for name, _ in usual)}
        for text in texts.values():
            self._readable(text, MAX_STORY, where, given)
            if fields(text) != fields(sentence):
                raise self.error(where, f"what stands in braces must be what {sentence!r:.60} has")
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
                    self._readable(text, MAX_STORY, (key, name, lang, part), LESSON_WORDS)
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
        if (
            not isinstance(found, list)
            or not found
            or not all(isinstance(slug, str) and slug in BOXES for slug in found)
        ):
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
        return self._rgb(self.table(("colours",)).get(name), ("colours", name), f"the colour {name}")

    def _tint(self, found: Mapping[str, Any], where: tuple[str, ...]) -> dict[str, str]:
        """The second ink of a card's drawing, if the file gives one."""
        return {"tint": self._rgb(found["tint"], (*where, "tint"), "a tint")} if "tint" in found else {}

    def _rgb(self, found: Any, where: tuple[str, ...], what: str) -> str:
        if not isinstance(found, str) or not re.fullmatch("#[0-9a-fA-F]{6}", found):
            raise self.error(where, f"{what} must be written as #rrggbb")
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
        more = {**self._drawing(found, where), **self._tint(found, where)}
        return {**filled, "aliases": aliases, "persons": self._persons(name, found), **more}

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
            and (found.get("article") not in ("le", "la", "l’") or found.get("gender") not in ("m", "f"))
        ):
            raise self.error(where, f'in French {name} needs article and gender = "m" or "f", or proper = true')
        if not isinstance(found.get("proper", False), bool):
            raise self.error((*where, "proper"), "proper must be true or false")
        return dict(found)

    def _drawing(self, found: Mapping[str, Any], place: tuple[str, ...]) -> dict[str, str]:
        """The own emblem of a card or a person, if there is one."""
        if "emblem" not in found:
            return {}
        where, given = (*place, "emblem"), found["emblem"]
        if given in art.names(kind := self._emblems()):
            return {"drawing": art.emblem(kind, given)}
        if not isinstance(given, str) or not given or Path(given).name != given:
            raise self.error(where, "emblem must be an SVG file beside this one, or a drawing of the set")
        file = self.path.parent / given
        try:
            return {"drawing": read_drawing(file.read_text("utf-8"))}
        except DrawingError as error:
            raise ThemeFileError(file, error.line, str(error)) from None
        except (OSError, ValueError):
            raise self.error(where, f"{given:.60} cannot be read; it must lie beside this file") from None
