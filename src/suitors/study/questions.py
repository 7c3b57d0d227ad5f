"""The questions of a study: what is counted in rounds, and how the sums become an answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arena.tally import WHOLE
from ..notation import CARD_NAMES
from ..rules import Card, End
from ..rules.names import CARDS
from ..view.data import END_NAMES
from .answers import Answer, Ints, Sums
from .rounds import Rounds, StudyTable

LONGEST = 64
"""More decisions than any round has."""

Rows = list[dict[str, Any]]
Counted = tuple[Ints, Ints]
"""For each group and kind of case: what was won, in parts of WHOLE, and of how many cases."""


@dataclass(frozen=True)
class Question:
    """A question: the kinds of cases that are counted, how they are counted in rounds, and the rows of the answer."""

    kinds: Callable[[StudyTable], int]
    count: Callable[[StudyTable, Rounds], Counted]
    rows: Callable[[StudyTable, Sums], Rows]
    fair: Callable[[StudyTable], float | None] = lambda table: 1 / table.players
    guesses: bool = False  # it is asked of rounds that begin with a Guard

    def answer(self, name: str, table: StudyTable, sums: Sums, rounds: int) -> Answer:
        """The answer that follows from sums over so many rounds."""
        return Answer(name, table, rounds, self.rows(table, sums), self.fair(table))


def by_kind(rounds: Rounds, kind: Ints, won: Ints, kinds: int) -> Counted:
    """Cases of which each has its kind; both arrays have a row for each group."""
    groups = len(rounds.numbers)
    places = (np.arange(groups).reshape(-1, *[1] * (kind.ndim - 1)) * kinds + kind).ravel()
    size = groups * kinds
    sums = np.bincount(places, weights=won.ravel(), minlength=size), np.bincount(places, minlength=size)
    return sums[0].astype(np.int64).reshape(groups, kinds), sums[1].astype(np.int64).reshape(groups, kinds)


def shares(rounds: Rounds, kind: Ints, kinds: int) -> Counted:
    """How often rounds are of each kind."""
    _, games = by_kind(rounds, kind, np.zeros_like(kind), kinds)
    return games * WHOLE, np.full(games.shape, kind.shape[1], np.int64)


def of_starter(rounds: Rounds) -> Ints:
    """What whoever started has won."""
    return np.take_along_axis(rounds.won, rounds.first[..., None], axis=2)[..., 0]


def count_turns(table: StudyTable, rounds: Rounds) -> Counted:
    """What is won by turn: first the one who starts, then clockwise."""
    turn = (np.arange(table.players) - rounds.first[..., None]) % table.players
    return by_kind(rounds, turn, rounds.won, table.players)


def count_cards(table: StudyTable, rounds: Rounds) -> Counted:
    """What is won by the card that a seat was dealt."""
    return by_kind(rounds, rounds.hands, rounds.won, CARDS)


def count_openings(table: StudyTable, rounds: Rounds) -> Counted:
    """What the one who starts wins, by the card that they play first."""
    return by_kind(rounds, rounds.opening & 31, of_starter(rounds), CARDS)


def count_guesses(table: StudyTable, rounds: Rounds) -> Counted:
    """What the one who starts wins, by what their Guard names; behind that, how often it is right."""
    names, spoken = np.asarray(table.guesses), np.asarray(table.rules.spoken)
    right = (spoken[rounds.hands[..., 1]] == names) * WHOLE
    won = np.concatenate([of_starter(rounds), right], axis=1)
    return won, np.ones(won.shape, np.int64)


def count_balance(table: StudyTable, rounds: Rounds) -> Counted:
    """What the one who starts wins, how many decisions there are, showdowns, and rounds that nobody wins alone."""
    shared = (rounds.winners & (rounds.winners - 1) != 0) | (rounds.winners == 0)
    showdown = rounds.ending == End.SHOWDOWN
    columns = [of_starter(rounds), rounds.length * WHOLE, showdown * WHOLE, shared * WHOLE]
    won = np.stack([column.sum(axis=1) for column in columns], axis=1)
    return won, np.full(won.shape, rounds.first.shape[1], np.int64)


def turn_rows(table: StudyTable, sums: Sums) -> Rows:
    """A row for each turn."""
    return [{"turn": turn + 1, **sums.figures(turn)} for turn in range(table.players)]


def card_rows(table: StudyTable, sums: Sums) -> Rows:
    """A row for each card that there was, the best first."""
    found = [card for card in Card if sums.tally(card).games]
    rows = [{"card": CARD_NAMES[card], **sums.figures(card), "times": sums.tally(card).games} for card in found]
    return sorted(rows, key=lambda row: -row["rate"])


def guess_rows(table: StudyTable, sums: Sums) -> Rows:
    """A row for each name, the best first."""
    names = table.guesses
    rows = [
        {
            "name": str(name) if table.rules.by_number else CARD_NAMES[name],
            **sums.figures(k),
            "right": round(sums.tally(len(names) + k).rate, 6),
        }
        for k, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: -row["rate"])


def length_rows(table: StudyTable, sums: Sums) -> Rows:
    """A row for each number of decisions that there was."""
    return [{"decisions": n, **sums.figures(n)} for n in range(LONGEST) if sums.tally(n).won]


def ending_rows(table: StudyTable, sums: Sums) -> Rows:
    """A row for each way in which rounds ended."""
    return [{"end": name, **sums.figures(end)} for end, name in END_NAMES.items() if sums.tally(end).won]


def balance_rows(table: StudyTable, sums: Sums) -> Rows:
    """One row: the first player's share, the mean length, and how rounds ended."""
    length, showdown, shared = (round(sums.tally(kind).rate, 6) for kind in (1, 2, 3))
    return [{"who": "first player", **sums.figures(0), "length": length, "showdown": showdown, "shared": shared}]


QUESTIONS: Mapping[str, Question] = {
    "first": Question(lambda t: t.players, count_turns, turn_rows),
    "cards": Question(lambda t: CARDS, count_cards, card_rows),
    "opening": Question(lambda t: CARDS, count_openings, card_rows),
    "guess": Question(lambda t: 2 * len(t.guesses), count_guesses, guess_rows, guesses=True),
    "length": Question(
        lambda t: LONGEST,
        lambda t, rounds: shares(rounds, np.minimum(rounds.length, LONGEST - 1), LONGEST),
        length_rows,
        lambda t: None,
    ),
    "ending": Question(
        lambda t: len(End), lambda t, rounds: shares(rounds, rounds.ending, len(End)), ending_rows, lambda t: None
    ),
    "balance": Question(lambda t: 4, count_balance, balance_rows),
}
"""The questions of names.py."""
