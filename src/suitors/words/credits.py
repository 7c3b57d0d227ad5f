"""Who made the games: the people and houses that the rulebooks name."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .languages import gettext
from .nouns import listed
from .themes import read_toml


@dataclass(frozen=True)
class Credit:
    """What some people made."""

    names: tuple[str, ...]
    work: str


@lru_cache
def _works() -> tuple[dict[str, Any], ...]:
    return tuple(read_toml("credits.toml")["works"])


def all_credits(lang: str) -> tuple[Credit, ...]:
    """Everybody, in the order of the file."""
    return tuple(Credit(tuple(work["names"]), work[lang]) for work in _works())


def kit_credits(edition: str, theme: str, lang: str) -> str:
    """The line of a printed kit: who designed what is in it, and that it is a fan's work."""
    say = gettext(lang)
    named = [
        f"{listed(work['names'], say('{some} and {last}'))} ({work[lang]})"
        for work in _works()
        if work.get("kit")
        and (not work.get("editions") or edition in work["editions"])
        and (not work.get("themes") or theme in work["themes"])
    ]
    people = say("By {people}.").format(people=", ".join(named))
    return f"{people} {say('A fan’s kit made with Suitors, without a text or picture of the game’s publishers.')}"
