"""A second solver of the solo game, slow and simple: it plays every possible table by the rules themselves.

What the player knows is a list of tables that look alike, each as likely as any other. Its value is the number of them
that are won if the player decides as well as can be: a whole number, so nothing is rounded.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

from suitors.rules import ALONE, NO_CARD, Edition, Phase, SoloTable
from suitors.rules.solitaire import begin_solo_turn, opponent_turn
from suitors.rules.solitaire_table import new_solo
from support.scenes import cards

Known = list[SoloTable]
"""Tables that look alike."""


def lay(
    ed: Edition, queue: str, hand: str, agent: str, unseen: str, *, guarded: bool = False, shielded: bool = False
) -> SoloTable:
    """A table between two turns: `?` is a face-down card, and what is unseen and not in such a place is the pile."""
    t, hidden = new_solo(ed), cards(unseen)
    words = queue.split()
    t.phase, t.length = Phase.START, len(words)
    for k, word in enumerate(words):
        t.queue[k], t.up[k] = (hidden.pop(), 0) if word == "?" else (cards(word)[0], 1)
    t.hand = cards(hand)[0]
    if agent:
        t.agent, t.agent_up = (hidden.pop(), 0) if agent == "?" else (cards(agent)[0], 1)
    t.bottom = len(hidden)
    t.deck[: t.bottom] = hidden
    t.guarded, t.shielded = int(guarded), int(shielded)
    return t


def copy_solo(t: SoloTable) -> SoloTable:
    """Another table in the same state."""
    new = SoloTable()
    for name, value in vars(t).items():
        setattr(new, name, value[:] if isinstance(value, list) else value)
    return new


def face_down(t: SoloTable) -> tuple[int, ...]:
    """What nobody knows: the queue's face-down cards, the agent if it is one, the pile."""
    agent = [] if t.agent == NO_CARD or t.agent_up else [t.agent]
    return (*(t.queue[k] for k in range(t.length) if not t.up[k]), *agent, *t.deck[t.top : t.bottom])


def face_up(t: SoloTable) -> tuple[object, ...]:
    """What everybody sees, but for the discard pile."""
    queue = tuple(t.queue[k] if t.up[k] else NO_CARD for k in range(t.length))
    agent = (t.agent != NO_CARD, t.agent if t.agent_up else NO_CARD)
    pile = t.bottom - t.top
    return t.phase, queue, t.hand, t.drawn, agent, pile, t.guarded, t.shielded, t.attacker, t.champions


def discarded(t: SoloTable) -> tuple[int, ...]:
    """The discard pile."""
    return tuple(t.piles[: t.discards])


def possible(t: SoloTable) -> Known:
    """All tables that look like this one: every order of the cards that lie face down."""
    return [rearranged(t, order) for order in sorted(set(permutations(face_down(t))))]


def rearranged(t: SoloTable, order: Iterable[int]) -> SoloTable:
    """The table with other cards in the face-down places."""
    new, rest = copy_solo(t), iter(order)
    for k in range(t.length):
        if not t.up[k]:
            new.queue[k] = next(rest)
    if t.agent != NO_CARD and not t.agent_up:
        new.agent = next(rest)
    new.deck[t.top : t.bottom] = list(rest)
    return new


class SecondOpinion:
    """The solver for one setting of the rules."""

    def __init__(self, ed: Edition) -> None:
        self.ed = ed
        self.rules = ALONE
        self.met: dict[object, int] = {}

    def chance(self, t: SoloTable) -> float:
        """The chance of winning where a decision is due."""
        known = possible(t)
        return self.won(known) / len(known)

    def chance_after(self, t: SoloTable, move: int) -> float:
        """The chance of winning after a legal move."""
        known = possible(t)
        return self.won_after(known, lambda new: self.rules.play(new, self.ed, move)) / len(known)

    def chance_before(self, t: SoloTable, mine: bool) -> float:
        """The chance of winning when the player's turn, or the opponent's, is about to begin."""
        known = possible(t)
        turn: Callable[[SoloTable], None] = begin_solo_turn if mine else lambda new: opponent_turn(new, self.ed)
        return self.won_after(known, turn) / len(known)

    def moves(self, t: SoloTable) -> Sequence[int]:
        """The legal moves."""
        return [self.rules.nth_move(t, self.ed, k) for k in range(self.rules.count_moves(t, self.ed))]

    def won(self, known: Known) -> int:
        """How many of these tables are won: all of them or none if the game is over, else with the best move."""
        if known[0].phase == Phase.OVER:
            return len(known) * known[0].champions
        key = face_up(known[0]), frozenset(map(face_down, known))
        if key not in self.met:
            self.met[key] = max(
                self.won_after(known, lambda new, move=move: self.rules.play(new, self.ed, move))  # type: ignore[misc]
                for move in self.moves(known[0])
            )
        return self.met[key]

    def won_after(self, known: Known, happens: Callable[[SoloTable], None]) -> int:
        """How many are won once something has happened: what can then be told apart is decided apart."""
        alike: dict[object, Known] = {}
        for t in known:
            new = copy_solo(t)
            new.told = 0
            happens(new)
            alike.setdefault((face_up(new), discarded(new)), []).append(new)
        return sum(map(self.won, alike.values()))
