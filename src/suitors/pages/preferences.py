"""A visitor's preferences: language, theme and look, and what was played last; kept in a cookie."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qsl, urlencode

from ..bots import BOTS
from ..rules import BOXES
from ..words import LANGUAGES, THEMES, known_themes, load_theme
from ..words.numbers import percent
from ..words.vocabulary import Vocabulary, vocabulary

COOKIE = "suitors-reader"

CHOICES: dict[str, tuple[str, ...]] = {
    "lang": LANGUAGES,
    "look": ("auto", "light", "dark"),
    "size": ("plain", "large"),
    "know": ("off", "on"),
    "pace": ("brisk", "calm", "quick"),
    "wait": ("nod", "seconds", "off"),
    "confirm": ("off", "on"),
    "undo": ("off", "on"),
    "edition": ("modern", *(slug for slug in BOXES if slug != "modern")),
    "players": tuple(str(n) for n in sorted({n for box in BOXES.values() for n in box.players})),
    "bot": ("mixed", *BOTS),
    "way": ("bots", "friends", "pass", "solo"),
}
"""What may be chosen besides themes, the default first."""


@dataclass(frozen=True)
class Preferences:
    """What a visitor has chosen in the settings and for the last game."""

    lang: str = "en"
    theme: str = "court"
    look: str = "auto"
    size: str = "plain"
    know: str = "off"  # whether chances are shown
    pace: str = "brisk"  # how fast bots play
    wait: str = "nod"  # what a move aimed at the visitor waits for
    confirm: str = "off"  # whether every move is asked about
    undo: str = "off"  # whether the last move can be taken back where that is allowed
    edition: str = "modern"
    players: str = "3"
    bot: str = "mixed"
    way: str = "bots"  # with whom

    @property
    def say(self) -> Callable[[str], str]:
        """Says a sentence in the visitor's language and theme."""
        return self.words_for(None).say

    def words_for(self, edition: str | None) -> Vocabulary:
        """The visitor's words for an edition, or for none; the plain theme's where theirs has no names for it."""
        theme = load_theme(self.theme)
        fits = edition is None or theme.fits(edition)
        return vocabulary(theme if fits else load_theme(THEMES[0]), edition, self.lang)

    @property
    def favourite(self) -> str:
        """The edition that the visitor played last, or the first that the theme is for."""
        editions = load_theme(self.theme).editions
        return self.edition if self.edition in editions else editions[0]

    def percent(self, share: float, digits: int = 0) -> str:
        """A share as percents, as the visitor's language writes them."""
        return percent(share, self.lang, digits)

    def choose(self, values: Mapping[str, str]) -> "Preferences":
        """The preferences with these values, as far as they are valid."""
        choices = {**CHOICES, "theme": known_themes()}
        good = {key: value for key, value in values.items() if value in choices.get(key, ())}
        return replace(self, **good)

    def cookie(self) -> str:
        """The value of the cookie."""
        return urlencode({field.name: getattr(self, field.name) for field in fields(self)})


def read_preferences(cookie: str | None, accepted: str = "") -> Preferences:
    """The preferences in a cookie; without one, the language that the browser asks for."""
    values = dict(parse_qsl(cookie or ""))
    return Preferences(lang=accepted_language(accepted)).choose(values)


def accepted_language(accepted: str) -> str:
    """The first language of an Accept-Language header that we have."""
    for part in accepted.split(","):
        lang = part.split(";")[0].strip().lower()[:2]
        if lang in LANGUAGES:
            return lang
    return LANGUAGES[0]
