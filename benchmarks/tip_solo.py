"""What is measured for each tip of the solo game: exact chances to win with the best play, and how such games end."""

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from suitors.bots.arrays import ints, zeros
from suitors.fast.compiler import kernel
from suitors.fast.games import STATE, seed_chance, shuffle
from suitors.fast.layout import edition_record, solo_record, solo_type
from suitors.notation import write_move
from suitors.rules import NO_CARD, Card, Edition, Phase, SoloTable
from suitors.rules.solitaire import deal_solo, play_solo
from suitors.rules.solitaire_choices import count_solo_moves, nth_solo_move
from suitors.rules.solitaire_table import new_solo
from suitors.solve import compiled
from suitors.solve.solver import explore
from suitors.solve.tables import best_move, position_of, switches_of

BITS = 25
"""Slots of the memory as a power of two: 512 MB, enough for the whole game and for all starts with an open card."""

RETINUE = 6
BEFORE_PRINCESS = RETINUE - 1
"""The place of the last card before the Princess."""

Open = Mapping[int, Card]
"""Cards of the queue that lie open, by their places."""


class SoloFigures:
    """Values of positions in a first turn, all from one memory."""

    def __init__(self, ed: Edition) -> None:
        self.ed = ed
        self.switches = switches_of(ed)
        self.memory = compiled.new_memory(BITS)
        self.copies: dict[Card, int] = {Card(card): ed.box.count(card) for card in ed.box}

    def table(self, hand: Card, drawn: Card | None = None, queue: Open | None = None, agent: Card | None = None) -> Any:
        """A table at the start of the game, or after the first draw; what is not given lies face down."""
        t, up = new_solo(self.ed), dict(queue or {})
        rest = [int(card) for card in self.ed.box]
        for card in (hand, drawn, agent, *up.values()):
            if card is not None:
                rest.remove(card)
        t.phase = Phase.START if drawn is None else Phase.PLAY
        t.hand, t.drawn = hand, NO_CARD if drawn is None else drawn
        t.length = RETINUE + 1
        for place in range(RETINUE):
            t.queue[place], t.up[place] = (up[place], 1) if place in up else (rest.pop(), 0)
        t.queue[RETINUE], t.up[RETINUE] = Card.PRINCESS, 1
        t.agent, t.agent_up = (rest.pop(), 0) if agent is None else (agent, 1)
        t.bottom = self.ed.cards
        t.top = t.bottom - len(rest)
        t.deck[t.top : t.bottom] = rest
        return t

    def moves(self, t: SoloTable) -> dict[str, float]:
        """The value of every legal move."""
        record = solo_record(t, self.ed)
        found = {}
        for k in range(count_solo_moves(t, self.ed)):
            move = nth_solo_move(t, self.ed, k)
            found[write_move(self.ed, move)] = float(compiled.VALUE_AT(self.memory, record, self.switches, move))
        return found

    def start(self, queue: Open | None = None, agent: Card | None = None) -> float:
        """The chance to win before the hand is dealt."""
        left = dict(self.copies)
        for card in [*(queue or {}).values(), *([] if agent is None else [agent])]:
            left[card] -= 1
        hands = [card for card in left if left[card]]
        keys = [position_of(self.table(card, queue=queue, agent=agent), card) for card in hands]
        values = explore(self.memory, keys, self.switches)
        return sum(left[card] * values[key] for card, key in zip(hands, keys, strict=True)) / sum(left.values())

    def mean(self, values: Iterable[tuple[tuple[Card, ...], float]]) -> float:
        """The mean over deals, each as likely as its cards are to be dealt in this order."""
        weighed = [(self._weight(cards), value) for cards, value in values]
        return sum(weight * value for weight, value in weighed) / sum(weight for weight, _ in weighed)

    def _weight(self, cards: tuple[Card, ...]) -> int:
        return prod(self.copies[card] - cards[:k].count(card) for k, card in enumerate(cards))

    # The figures of each tip

    def exact(self) -> dict[str, dict[str, float]]:
        """The figures that are computed, by the names of their tips."""
        start = self.start()
        open_agent = self.mean([((agent,), self.start(agent=agent)) for agent in self.copies])
        called = self.mean([((hand,), self.moves(self.table(hand))["agent"]) for hand in self.copies])
        return {
            **self.first_plays(),
            "solo.handmaid": {
                name: self.start({BEFORE_PRINCESS: card})
                for name, card in (("worst", Card.HANDMAID), ("bad", Card.BARON), ("harmless", Card.PRIEST))
            },
            "solo.prince": self.princes(),
            "general.solo-agent": {"draw": start, "agent": called},
            "general.solo-shield": {"down": start, "up": open_agent},
        }

    def first_plays(self) -> dict[str, dict[str, float]]:
        """First plays from some pairs of cards."""
        guards = self.moves(self.table(Card.GUARD, Card.GUARD))
        look = self.moves(self.table(Card.PRIEST, Card.PRIEST))
        compare = self.moves(self.table(Card.BARON, Card.COUNTESS))
        trade = self.moves(self.table(Card.GUARD, Card.KING))
        return {
            "solo.guard": {"fifth": guards["guard q5 baron"], "first": best(guards, "guard q1")},
            "solo.priest": {"fourth": look["priest q4"], "last": look["priest q6"], "first": look["priest q1"]},
            "solo.baron": {"hand": best(compare, "baron", "hand"), "agent": best(compare, "baron", "agent")},
            "solo.king": {"kept": best(trade, "guard"), "played": best(trade, "king")},
            "solo.countess": {"compared": best(compare, "baron"), "played": compare["countess"]},
        }

    def princes(self) -> dict[str, float]:
        """A Prince that replaces an open agent, and one with the best of its other targets."""
        agent, elsewhere = [], []
        for other, up in product(self.copies, repeat=2):
            deal = (Card.PRINCE, other, up)
            if other != Card.COUNTESS and self._weight(deal):
                plays = self.moves(self.table(other, Card.PRINCE, agent=up))
                agent.append((deal, plays["prince agent"]))
                elsewhere.append((deal, max(best(plays, "prince hand"), best(plays, "prince q"))))
        return {"agent": self.mean(agent), "elsewhere": self.mean(elsewhere)}

    def endings(self, games: int, seed: int) -> NDArray[np.int8]:
        """The card that won each of so many games played by the best moves, NO_CARD where the game was lost."""
        last = np.zeros(games, np.int8)
        rng, order = ints([0] * STATE), zeros(self.ed.cards)
        table = np.zeros(1, solo_type(self.ed))
        play_best(self.memory, table, edition_record(self.ed), self.switches, rng, order, seed, last)
        return last


def best(moves: Mapping[str, float], start: str, end: str = "") -> float:
    """The value of the best move that begins and ends so."""
    return max(value for move, value in moves.items() if move.startswith(start) and move.endswith(end))


@kernel
def play_best(memory: Any, tables: Any, eds: Any, switches: int, rng: Any, order: Any, seed: int, last: Any) -> None:
    """Play random deals by the best moves; for each the verb of the last decision, NO_CARD after a loss."""
    t, ed = tables[0], eds[0]
    for game in range(len(last)):
        seed_chance(rng, seed, game)
        for k in range(ed.cards):
            order[k] = ed.box[k]
        shuffle(order, ed.cards, rng)
        deal_solo(t, ed, order, 0)
        while t.phase != Phase.OVER:
            move = best_move(memory, t, ed, switches)
            last[game] = move & 31
            play_solo(t, ed, move)
        if t.champions == 0:
            last[game] = NO_CARD
