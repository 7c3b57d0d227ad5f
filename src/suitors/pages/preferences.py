"""For whom a page is written: language, theme and look, and what was played last; kept in a cookie of the browser's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qsl, urlencode

from ..bots import BOTS
from ..rules import BOXES
from ..words import LANGUAGES, THEMES, Theme, gettext, known_themes, load_theme

COOKIE = "suitors-reader"

CHOICES: dict[str, tuple[str, ...]] = {
    "lang": LANGUAGES,
    "look": ("auto", "light", "dark"),
    "size": ("plain", "large"),
    "know": ("off", "on"),
    "edition": ("modern", *(slug for slug in BOXES if slug != "modern")),
    "players": tuple("12345678"),
    "bot": ("mixed", *BOTS),
}
"""What may be chosen besides themes, the default first."""


@dataclass(frozen=True)
class Preferences:
    """How somebody likes to read and play."""

    lang: str = "en"
    theme: str = "court"
    look: str = "auto"
    size: str = "plain"
    know: str = "off"
    edition: str = "modern"
    players: str = "3"
    bot: str = "mixed"

    @property
    def say(self) -> Callable[[str], str]:
        """Says a sentence in the reader's language."""
        return gettext(self.lang)

    def words(self, edition: str) -> Theme:
        """The reader's theme, or the plain one where that has no names for the edition."""
        theme = load_theme(self.theme)
        return theme if edition in theme.editions else load_theme(THEMES[0])

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of the whole as it is written in the reader's language."""
        text = f"{share * 100:.{digits}f}"
        return f"{text.replace('.', ',')}\u00a0%" if self.lang == "fr" else f"{text}%"

    def choose(self, wishes: Mapping[str, str]) -> "Preferences":
        """The preferences with those wishes that can be granted."""
        choices = {**CHOICES, "theme": known_themes()}
        good = {key: value for key, value in wishes.items() if value in choices.get(key, ())}
        return replace(self, **good)

    def cookie(self) -> str:
        """What the browser keeps."""
        return urlencode({field.name: getattr(self, field.name) for field in fields(self)})


def read_preferences(cookie: str | None, accepted: str = "") -> Preferences:
    """The preferences in a cookie; without one, the language that the browser asks for."""
    wishes = dict(parse_qsl(cookie or ""))
    return Preferences(lang=spoken(accepted)).choose(wishes)


def spoken(accepted: str) -> str:
    """The first language of an Accept-Language header that there is."""
    for part in accepted.split(","):
        lang = part.split(";")[0].strip().lower()[:2]
        if lang in LANGUAGES:
            return lang
    return LANGUAGES[0]
