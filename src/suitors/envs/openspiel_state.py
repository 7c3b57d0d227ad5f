"""A round as a state of OpenSpiel: chance puts the deck in order, then the players decide."""

import json
from functools import lru_cache
from typing import Any

import pyspiel

from ..action_table import actions
from ..errors import SuitorsError, brief
from ..lab.checks import check_rules
from ..notation import CARD_NAMES
from ..rules import Card, Edition, edition_data
from .single import SingleTable

ROWS = 8
"""More things than a decision that does not end the round lets anybody see."""

Step = tuple[tuple[int, ...], int]
"""The rows of events of the deal or of an action, and the action; -1 for the deal."""


class Terms:
    """What a game is played with; it never changes, so all of its states share it."""

    def __init__(self, edition: str, players: int, options: str) -> None:
        self.given = (edition, players, options)
        self.edition, self.rules = check_rules(edition, players, read_options(options))
        self.kinds = [int(card) for card in Card if self.rules.copies[card]]
        self.texts = actions(edition_data(self.edition), players).texts
        self.blank = SingleTable(self.rules)
        self.decisions = most_decisions(self.rules)
        self.entries = 2 + self.rules.face_up + players + ROWS * self.decisions  # most that a seat sees of a round

    def __deepcopy__(self, memo: dict[int, Any]) -> "Terms":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return terms, self.given


@lru_cache(maxsize=64)
def terms(edition: str, players: int, options: str) -> Terms:
    """What a game of an edition, given as text, is played with."""
    return Terms(edition, players, options)


def most_decisions(rules: Edition) -> int:
    """As many decisions as a round may have, or more: a turn for each card of the deck, and all second steps."""
    second_steps = sum(rules.copies[card] for card in (Card.CHANCELLOR, Card.CARDINAL, Card.BISHOP))
    return rules.cards - rules.aside - rules.face_up - rules.players + second_steps


def read_options(options: str) -> Any:
    """The switches of an edition from their text."""
    try:
        return json.loads(options or "{}")
    except ValueError:
        raise SuitorsError("bad-options", f"The options are an object in JSON, not {brief(options)}.") from None


class Progress:
    """The cards of the deck that chance has put in order, then the table. It is quick to copy and short when stored."""

    def __init__(self, of: Terms) -> None:
        self.terms = of
        self.order: list[int] = []
        self.left = [of.rules.copies[card] for card in of.kinds]
        self.single: SingleTable | None = None  # once all cards are in order
        self.steps: list[Step] = []

    def put(self, kind: int) -> None:
        """Put a card under those in order; where only equal ones are left, they follow."""
        self.order.append(self.terms.kinds[kind])
        self.left[kind] -= 1
        rest = self.terms.rules.cards - len(self.order)
        if rest in self.left:  # all that are left are of one kind
            self.order += [self.terms.kinds[self.left.index(rest)]] * rest
            self.left = [0] * len(self.left)
            self.single = self.terms.blank.copy()
            self.single.deal(self.order, 0)
            self._note(self.single, -1)

    def act(self, action: int) -> None:
        """Take a legal action."""
        assert self.single is not None
        self.single.act(action)
        self._note(self.single, action)

    def _note(self, single: SingleTable, action: int) -> None:
        """Keep what was told, for the seats that may see it."""
        self.steps.append((tuple(single.table.rows[: single.table.told]), action))

    def __deepcopy__(self, memo: dict[int, Any]) -> "Progress":
        twin = object.__new__(Progress)
        twin.terms, twin.order, twin.left, twin.steps = self.terms, self.order[:], self.left[:], self.steps[:]
        twin.single = None if self.single is None else self.single.copy()
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return replayed, (self.terms, self.order, [action for _, action in self.steps[1:]])


def replayed(of: Terms, order: list[int], moves: list[int]) -> Progress:
    """A round in which these cards were put in order and these actions were taken."""
    progress = Progress(of)
    for card in order:
        if progress.single is None:
            progress.put(of.kinds.index(card))
    for action in moves:
        progress.act(action)
    return progress


class RoundState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel is untyped
    """A round being dealt or played. All that OpenSpiel copies and stores of it is its progress."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.progress = Progress(game.terms)

    def current_player(self) -> int:
        """The seat that decides, chance while the deck is put in order, or nobody."""
        single = self.progress.single
        if single is None:
            return CHANCE
        return TERMINAL if single.over else single.table.decider

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.progress.single is not None and self.progress.single.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Which card may be the next in the deck: its place among the cards of the edition, and its chance."""
        left = self.progress.left
        total = sum(left)
        return [(kind, copies / total) for kind, copies in enumerate(left) if copies]

    def _legal_actions(self, player: int) -> list[int]:
        """The numbers of the legal actions, ascending."""
        single = self.progress.single
        if single is None or single.over or single.table.decider != player:
            return []
        return single.legal()

    def _apply_action(self, action: int) -> None:
        """Put a card under those in order, or take a legal action."""
        (self.progress.put if self.progress.single is None else self.progress.act)(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """A card of the deck, or a move; its seats are counted from the one that acts."""
        of = self.progress.terms
        return CARD_NAMES[of.kinds[action]] if player == CHANCE else of.texts[action]

    def returns(self) -> list[float]:
        """What the round was worth to each seat: its tokens less what the others won on average."""
        single = self.progress.single
        return single.rewards[:] if single is not None and single.over else [0.0] * self.progress.terms.rules.players

    def __str__(self) -> str:
        """The deck and the moves so far."""
        moves = "; ".join(self.progress.terms.texts[action] for _, action in self.progress.steps[1:])
        return f"{' '.join(CARD_NAMES[card] for card in self.progress.order)} | {moves}".rstrip(" |")


CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
