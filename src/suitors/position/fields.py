"""What the lines of all games have in common: parts with a key each, which stand for cards, seats and numbers."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from ..errors import SuitorsError, brief, check_dealt, check_edition, check_options, check_players
from ..notation import CARD_OF
from ..rules import NOBODY, Card, Edition, GameTable, Option, edition, find_box
from ..rules.seats import only
from ..view.lines import FORMAT, NOTHING

Part = TypeVar("Part")

Row = tuple[int, int, int, int, int]
"""An event: what happened, actor, target, card, audience."""


@dataclass(frozen=True)
class Position(Generic[GameTable]):
    """A table that a line describes."""

    edition: str
    options: dict[str, Option]
    rules: Edition
    table: GameTable
    order: tuple[int, ...]  # the deck of the round as if it had been dealt so; empty where no round is being played
    rows: tuple[int, ...]  # events that lead to the table: as if what is gone had been dealt and discarded


def refuse(why: str) -> NoReturn:
    """Say why a line is no position."""
    raise SuitorsError("bad-position", f"This is no position to begin with: {why}.")


def split_line(text: object, keys: Sequence[str]) -> dict[str, str]:
    """The parts of a line by their keys, which are all there and in their order."""
    if not isinstance(text, str) or not text.startswith(f"{FORMAT} "):
        refuse(f'a position is a line that begins with "{FORMAT} ", not {brief(text)}')
    pairs = [word.partition("=") for word in text.split(" ")[1:]]
    if tuple(key for key, _, _ in pairs) != tuple(keys):
        refuse(f"a position has the parts {', '.join(keys)}, each once and in this order")
    return {key: value for key, _, value in pairs}


class Fields:
    """The parts of a line: what is played, and how to read the rest."""

    def __init__(self, fields: dict[str, str], *, players: int, alone: bool) -> None:
        self.fields = fields
        self.slug = check_edition(fields["edition"])
        if find_box(self.slug).solo != alone:
            refuse(f"{self.slug} is a game for {'several: use suitors.Match' if alone else 'one: use suitors.Solo'}")
        check_players(self.slug, ("",) * players)
        self.options = check_options(self._switches())
        self.rules = edition(self.slug, players, self.options)
        check_dealt(self.rules)
        if fields["sees"] != "all":
            refuse("it is what one seat knows, not the whole table")

    def _switches(self) -> dict[str, Any]:
        found = {}
        for word in self.words("options"):
            key, _, value = word.partition(":")
            try:
                found[key] = json.loads(value)
            except (ValueError, RecursionError):
                refuse(f"{brief(word)} is no switch")
        return found

    def words(self, key: str) -> list[str]:
        """What stands between the commas of a part."""
        return listed(self.fields[key])

    def cards(self, key: str) -> list[Card]:
        """The cards of a part."""
        return read_cards(self.fields[key])

    def truth(self, key: str) -> bool:
        """Whether a part says yes."""
        if self.fields[key] not in ("yes", "no"):
            refuse(f"{key} is yes or no, not {brief(self.fields[key])}")
        return self.fields[key] == "yes"

    def seat(self, word: str) -> int:
        """The seat that a word names."""
        if read_count(word) >= self.rules.players:
            refuse(f"there is no seat {word}")
        return int(word)

    def one_seat(self, key: str) -> int:
        """The seat of a part, or NOBODY."""
        return NOBODY if self.fields[key] == NOTHING else self.seat(self.fields[key])

    def seat_set(self, key: str) -> int:
        """The set of the seats of a part."""
        return sum({only(self.seat(word)) for word in self.words(key)})

    def by_seat(self, key: str, read: Callable[[str], Part]) -> list[Part]:
        """What a part says of each seat."""
        words = self.fields[key].split("/")
        if len(words) != self.rules.players:
            refuse(f"there are {self.rules.players} players, but {len(words)} {key}")
        return [read(word) for word in words]


def read_count(word: str) -> int:
    """A small number."""
    if not (word.isascii() and word.isdigit() and len(word) < 3):
        refuse(f"{brief(word)} is no number")
    return int(word)


def read_cards(text: str) -> list[Card]:
    """Cards with commas between."""
    return [read_card(word) for word in listed(text)]


def read_card(word: str) -> Card:
    """One card."""
    if word not in CARD_OF:
        refuse(f"{brief(word)} is no card")
    return CARD_OF[word]


def listed(text: str) -> list[str]:
    """Words with commas between; none for the word for nothing."""
    return [] if text == NOTHING else text.split(",")


def flat(rows: list[Row]) -> tuple[int, ...]:
    """Rows one behind the other, as the log of a step holds them."""
    return tuple(int(number) for row in rows for number in row)
