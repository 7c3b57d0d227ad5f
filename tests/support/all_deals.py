"""The belief by brute force: every world that a seat cannot tell from the real one, on tables with a handful of cards.

Nothing here knows how suitors.knowledge works. Every order of the deck is dealt, the moves that were made are made in
each, and a world stays as long as the seat sees in it, row by row, what it saw at the real table. It weighs as much as
the others' choices were likely in it; an opponent's hidden `keep` is tried in every way.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from suitors.knowledge.belief import Belief
from suitors.rules import (
    NO_CARD,
    Card,
    Edition,
    Event,
    Phase,
    Refusal,
    Table,
    copy_table,
    count_moves,
    deal,
    edition,
    new_table,
    nth_move,
    play,
    why_not,
)
from suitors.rules.names import EVERYBODY
from suitors.rules.table import COLUMNS
from suitors.view.match import Sight, View, aside, make_view, public_facts, seen
from suitors.view.memory import Memory
from support.scenes import NAMES, cards

Policy = Callable[[Table, Edition], Mapping[int, float]]
Chances = dict[int, float]
Place = tuple[str, int, int]
"""("hand", seat, which card), ("aside", 0, which card) or ("deck", 0, place from the top)."""


def small(slug: str, players: int, words: str, *, box: int | None = None, **changes: Any) -> Edition:
    """An edition with just these cards; `box` is the number of players whose numbers it has, if not these."""
    deck = sorted(int(card) for card in cards(words))
    copies = tuple(deck.count(card) for card in Card)
    return replace(
        edition(slug, box or players), players=players, copies=copies, box=tuple(deck), cards=len(deck), **changes
    )


def moves(t: Table, ed: Edition) -> list[int]:
    """The legal moves."""
    return [nth_move(t, ed, k) for k in range(count_moves(t, ed))]


def evenly(t: Table, ed: Edition) -> dict[int, float]:
    """The policy that chooses by chance."""
    legal = moves(t, ed)
    return dict.fromkeys(legal, 1 / len(legal))


def with_whims(t: Table, ed: Edition, mercy: int = 0) -> dict[int, float]:
    """A policy with odd tastes in what it holds, what lies open and who is protected; absolute ones, without mercy."""
    held = sorted(card for card in (t.hand[t.decider], t.drawn, t.extra) if card != NO_CARD)
    if t.phase == Phase.ANSWER:
        held = [t.hand[t.decider]]
    seed = sum((k + 3) * (card + 2) ** 2 for k, card in enumerate(held))
    seed += 31 * t.discards + 17 * t.shielded + 13 * t.standing + 7 * (t.bottom - t.top) + 3 * t.mark + t.decider
    seed += 19 * t.active + 5 * t.favourite + sum((seat + 2) * tokens for seat, tokens in enumerate(t.tokens))
    seed += sum(t.piles[k] * (t.owners[k] + 1) for k in range(t.discards))
    tastes = {move: (move * 7919 + seed * 104729) // 11 % 5 + mercy for move in moves(t, ed)}
    total = sum(tastes.values())
    return {move: taste / total if total else 1 / len(tastes) for move, taste in tastes.items()}


def with_mild_whims(t: Table, ed: Edition) -> dict[int, float]:
    """The same, but anything may happen."""
    return with_whims(t, ed, 1)


def orders(deck: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of the cards, equal cards being one."""
    if not deck:
        yield ()
    for card in sorted(set(deck)):
        rest = list(deck)
        rest.remove(card)
        for order in orders(rest):
            yield (card, *order)


@lru_cache(maxsize=2)  # thousands of tables
def dealt(ed: Edition, first: int) -> list[Table]:
    """A table for every order of the deck, just dealt."""
    tables = []
    for order in orders(ed.box):
        t = new_table(ed)
        deal(t, ed, order, first)
        tables.append(t)
    return tables


def told(t: Table, seat: int | None) -> list[int | None]:
    """What the last step told the seat: the columns of view.seen one behind the other, None for a hidden card."""
    rows: list[int | None] = []
    for k in range(0, t.told, COLUMNS):
        event, actor, target, card, audience = t.rows[k : k + COLUMNS]
        open_to_me = audience == EVERYBODY or (seat is not None and audience >> seat & 1 == 1)
        rows += (event, actor, target, card if open_to_me else None)
    return rows


@dataclass
class World:
    """A table that may be the real one, and how much speaks for it."""

    table: Table
    weight: float = 1.0


class Worlds:
    """The worlds that one seat cannot tell from the real one."""

    def __init__(self, ed: Edition, seat: int | None, first: int, policy: Policy, real: Table) -> None:
        self.ed, self.seat, self.policy = ed, seat, policy
        told_me = told(real, seat)
        self.worlds = [World(t) for t in dealt(ed, first) if told(t, seat) == told_me]

    def step(self, move: int, real: Table) -> None:
        """The real table has just made this move."""
        told_me = told(real, self.seat)
        asked: dict[tuple[int, ...], Mapping[int, float]] = {}
        self.worlds = [new for old in self.worlds for new in self._next(old, move, told_me, asked)]

    def _next(
        self, old: World, move: int, told_me: list[int | None], asked: dict[tuple[int, ...], Mapping[int, float]]
    ) -> Iterator[World]:
        """What the world may come to. A policy is asked once for each hand: all else that it sees is the same."""
        t = old.table
        if t.decider == self.seat:
            chances: Mapping[int, float] = {move: 1.0}
        else:
            hand = (t.hand[t.decider], t.drawn, t.extra)
            if hand not in asked:
                asked[hand] = self.policy(t, self.ed)
            chances = asked[hand]
        for made in chances if told_me[3] is None else (move,):
            chance = chances.get(made, 0.0)
            if chance > 0:
                table = copy_table(t)
                play(table, self.ed, made)
                if told(table, self.seat) == told_me:
                    yield World(table, old.weight * chance)

    def chances(self) -> dict[Place, Chances]:
        """The chances of every hidden card."""
        found: dict[Place, Chances] = {}
        total = sum(world.weight for world in self.worlds)
        for world in self.worlds:
            for place, card in lie(world.table, self.ed).items():
                row = found.setdefault(place, {})
                row[card] = row.get(card, 0.0) + world.weight / total
        return found

    def joint(self) -> dict[tuple[int, ...], float]:
        """The chances of all hidden cards together, in the order of `lie`."""
        found: dict[tuple[int, ...], float] = {}
        total = sum(world.weight for world in self.worlds)
        for world in self.worlds:
            deal = tuple(lie(world.table, self.ed).values())
            found[deal] = found.get(deal, 0.0) + world.weight / total
        return found


def lie(t: Table, ed: Edition) -> dict[Place, int]:
    """Where the cards lie that are not face up."""
    found: dict[Place, int] = {}
    for seat in range(ed.players):
        held = [t.hand[seat], *((t.drawn, t.extra) if seat == t.active else ())]
        found |= {("hand", seat, k): card for k, card in enumerate(held) if card != NO_CARD}
    if aside(t, ed):
        found |= {("aside", 0, k): t.deck[k] for k in range(ed.aside)}
    return found | {("deck", 0, k): t.deck[t.top + k] for k in range(t.bottom - t.top)}


def stated(belief: Belief) -> dict[Place, Mapping[Card, float]]:
    """The chances of every hidden card as a belief states them."""
    view = belief.view
    found: dict[Place, Mapping[Card, float]] = {}
    for seat, hand in enumerate(belief.hands):
        found |= {("hand", seat, k): chances for k, chances in enumerate(hand)}
    if belief.aside is not None:
        found |= {("aside", 0, k): belief.aside for k in range(view.aside)}
    return found | {("deck", 0, k): belief.deck(k) for k in range(view.deck)}


@dataclass
class SmallGame:
    """A round on a small table, with every seat's log."""

    ed: Edition
    first: int
    table: Table = field(init=False)
    rows: list[tuple[int, ...]] = field(default_factory=list)

    def start(self, order: Sequence[int]) -> None:
        """Deal."""
        self.table = new_table(self.ed)
        deal(self.table, self.ed, order, self.first)
        self._note()

    def make(self, move: int) -> None:
        """Make a move."""
        assert why_not(self.table, self.ed, move) == Refusal.FINE
        play(self.table, self.ed, move)
        self._note()

    def _note(self) -> None:
        self.rows.append(tuple(self.table.rows[: self.table.told]))

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.table.phase in (Phase.DEAL, Phase.OVER)

    def view(self, seat: int | None) -> View:
        """What a seat knows."""
        sight = Sight(seat, Memory(self.ed))
        sight.update(self.rows)
        facts = public_facts(self.table, self.ed, "small", NAMES[: self.ed.players], {}, 0)
        return make_view(facts, seat, sight.memory, (), (seen(self.rows, seat),))


def chosen(t: Table, ed: Edition, policy: Policy, rng: random.Random) -> int:
    """A move that the policy may make, by what comes of it: rare things, ties above all, rather than knock-outs."""
    outcomes: dict[tuple[int, ...], list[int]] = {}
    for move, chance in policy(t, ed).items():
        if chance > 0:
            after = copy_table(t)
            play(after, ed, move)
            events = after.rows[0 : after.told : COLUMNS]
            outcomes.setdefault((Event.OUT in events, move & 31, *events), []).append(move)
    keys = sorted(outcomes)
    weights = [1 if key[0] else 9 if Event.EQUAL in key[2:] else 3 for key in keys]
    return rng.choice(outcomes[rng.choices(keys, weights)[0]])
