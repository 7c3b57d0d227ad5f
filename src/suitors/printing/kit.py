"""What is to be printed: an edition in a theme and a language, on some paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..rules import Box, find_box
from ..words import Theme
from ..words.editions import related_edition
from ..words.vocabulary import Vocabulary, vocabulary

Paper = Literal["a4", "letter"]


@dataclass(frozen=True)
class Kit:
    """What is to be printed."""

    edition: str
    lang: str
    theme: Theme
    paper: Paper = "a4"
    duplex: bool = False
    save_ink: bool = False  # lines only

    @property
    def box(self) -> Box:
        """The edition as data."""
        return find_box(self.edition)

    @property
    def players(self) -> int:
        """The most players, whose deck has all cards."""
        return self.box.players[-1]

    @property
    def words(self) -> Vocabulary:
        """The words of its readers."""
        return vocabulary(self.theme, self.edition, self.lang)

    @property
    def deck(self) -> Mapping[int, int]:
        """The copies of each card in the whole deck."""
        return {int(card): count for card, count in self.box.decks[self.players].items()}

    @property
    def smaller(self) -> str | None:
        """The edition that is played with fewer cards of the same box, if there is one."""
        return related_edition(self.edition, "smaller")

    @property
    def core(self) -> Mapping[int, int]:
        """The copies that stay in the smaller deck: that of the smaller edition, or the one for the fewest players."""
        box = find_box(self.smaller or self.edition)
        return {int(card): count for card, count in box.decks[box.players[0]].items()}

    @property
    def added(self) -> Mapping[int, int]:
        """The copies that the whole deck has beyond the smaller one."""
        core = self.core
        return {card: count - core.get(card, 0) for card, count in self.deck.items() if count > core.get(card, 0)}

    def ranked(self, cards: Mapping[int, int]) -> list[int]:
        """Cards of the edition, highest first."""
        values = self.words.values
        return sorted(cards, key=lambda card: (-values[card], card))
