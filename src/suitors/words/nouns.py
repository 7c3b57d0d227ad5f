"""Nouns in sentences: each language has the forms that its sentences ask for, as in {guard:a} or {guard:à}."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

VOWELS = "AEIOUÉaeioué"


@dataclass(frozen=True)
class Noun:
    """A card, a person or a token in a sentence; a text asks for the form that its language needs, as in {card:à}.

    `name` is the bare word and `s` its plural; ^ before a form begins a sentence with it, as in {guard:^a}. A form that
    the language does not have is the plain one.
    """

    forms: Mapping[str, str]

    def __format__(self, form: str) -> str:
        if form.startswith("^"):
            text = self.forms.get(form[1:], self.forms[""])
            return text[0].upper() + text[1:]
        return self.forms.get(form, self.forms[""])


def english(name: str, words: Mapping[str, Any]) -> Noun:
    """A noun as in "the Guard", "the Mule" from the title "The Mule", or "Mayor Indbur", who is a person."""
    plain = name.removeprefix("The ")
    plural = str(words.get("plural", english_plural(plain)))
    if words.get("proper"):
        return Noun({"": name, "a": name, "name": name, "s": str(words.get("plural", name))})
    one = f"an {plain}" if plain[0] in VOWELS else f"a {plain}"
    return Noun({"": f"the {plain}", "a": one, "name": plain, "s": plural})


def english_plural(name: str) -> str:
    """The plural of a regular noun."""
    if name.endswith("y") and name[-2:-1] not in VOWELS:
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def french(name: str, words: Mapping[str, Any]) -> Noun:
    """A noun as in "le Garde", "l’Assassin", "au Garde"; a person's name has no article."""
    plural = str(words.get("plural", name if words.get("proper") else f"{name}s"))
    if words.get("proper"):
        of = f"d’{name}" if name[0] in VOWELS else f"de {name}"
        return Noun({"": name, "un": name, "à": f"à {name}", "de": of, "name": name, "s": plural})
    one = "un" if words["gender"] == "m" else "une"
    article = {"l’": "l’", "le": "le ", "la": "la "}.get(words.get("article", ""), f"{one} ")
    to, of = ("au ", "du ") if article == "le " else (f"à {article}", f"de {article}".replace("de u", "d’u"))
    forms = {"": f"{article}{name}", "un": f"{one} {name}", "à": f"{to}{name}", "de": f"{of}{name}"}
    return Noun({**forms, "name": name, "s": plural})


NOUNS: dict[str, Callable[[str, Mapping[str, Any]], Noun]] = {"en": english, "fr": french}
HIDDEN = {"en": Noun({"": "a card"}), "fr": Noun({"": "une carte"})}
"""A card that the reader may not know."""

NUMERALS = {
    "en": ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "fr": ("", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
}
"""The numbers that are written in words, from one on."""

FORMS = {"en": frozenset({"", "a", "name", "s", "value"}), "fr": frozenset({"", "un", "à", "de", "name", "s", "value"})}
"""The forms of nouns that a language has."""

INDEFINITE = {"en": "a", "fr": "un"}
"""The form of a noun that means any one of its kind."""


def counted(noun: Noun, count: int, lang: str) -> str:
    """So many of a noun, as in "five Guards" or "a King"."""
    return format(noun, INDEFINITE[lang]) if count == 1 else f"{in_words(count, lang)} {noun:s}"


def in_words(number: int, lang: str) -> str:
    """A number in a sentence: a small one in words."""
    words = NUMERALS[lang]
    return words[number] if 0 < number < len(words) else str(number)


def listed(items: Iterable[str], joined: str) -> str:
    """A list inside a sentence; `joined` is how the last two are joined, as in "{some} and {last}"."""
    *some, last = items
    return joined.format(some=", ".join(some), last=last) if some else last
