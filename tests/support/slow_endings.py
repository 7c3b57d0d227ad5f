"""Endings by hand: a slow tree of dicts and tuples, grown with the rules and view.seen alone, and exact best replies.

Nothing here knows how suitors.solve.endings works. What a player knows at a node is the list of all that the player has
seen, and two nodes are in one information set if these lists are the same.
"""

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from suitors import Match, View
from suitors.rules import NO_CARD, Card, Edition, Event, Phase, Table, copy_table, count_moves, nth_move, play
from suitors.rules.table import COLUMNS
from suitors.solve import equity
from suitors.view.match import seen
from support.engine_positions import positions
from support.scenes import NAMES

SetKey = tuple[int, Hashable]
Strategy = Mapping[SetKey, Sequence[float]]


@dataclass
class Node:
    """A position of the tree: who decides there and what they know, or what it is worth to the first seat."""

    player: int | None = None
    key: SetKey | None = None
    value: float = 0.0
    moves: list[int] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


def hidden_cards(tables: Sequence[Table]) -> set[int]:
    """The cards that lie hidden anywhere."""
    found = set()
    for t in tables:
        found |= {*t.hand, t.drawn, t.extra, t.spare, *t.deck[t.top : t.bottom]}
    return found - {NO_CARD}


def sensible(t: Table, ed: Edition, words: set[int]) -> list[int]:
    """The legal moves; of those by which a Guard says what no hidden card is called, the first."""
    moves = [nth_move(t, ed, k) for k in range(count_moves(t, ed))]
    vain = [move for move in moves if move & 31 == Card.GUARD and 31 != move >> 15 & 31 not in words]
    return [move for move in moves if move not in vain[1:]]


def grow(t: Table, ed: Edition, knows: tuple[Hashable, Hashable], words: set[int]) -> Node:
    """The tree behind a position in which the players know these things."""
    if t.phase in (Phase.DEAL, Phase.OVER):
        return Node(value=equity.equity(t, ed, 0))
    node = Node(t.decider, (t.decider, knows[t.decider]), moves=sensible(t, ed, words))
    for move in node.moves:
        after = copy_table(t)
        play(after, ed, move)
        row = tuple(after.rows[: after.told])
        learnt = [(knows[seat], seen([row], seat)) for seat in (0, 1)]
        node.children.append(grow(after, ed, (learnt[0], learnt[1]), words))
    return node


def walk(node: Node) -> Iterator[Node]:
    """The node and all behind it, in the order of the moves, each with what is behind it first."""
    yield node
    for child in node.children:
        yield from walk(child)


def value(roots: Sequence[tuple[Node, float]], strategy: Strategy) -> float:
    """What the roots are worth to the first seat if both keep to the strategy."""
    total = 0.0
    for node, weight in roots:
        if node.key is None:
            total += weight * node.value
        else:
            chances = strategy[node.key]
            total += value([(c, weight * p) for c, p in zip(node.children, chances, strict=True)], strategy)
    return total


def best_reply(group: Sequence[tuple[Node, float]], player: int, strategy: Strategy) -> float:
    """What the first seat gets if this player knows the other's strategy and cannot tell the nodes of a group apart."""
    total, sets = 0.0, dict[SetKey, list[tuple[Node, float]]]()
    left = list(group)
    while left:
        node, weight = left.pop()
        if node.key is None:
            total += weight * node.value
        elif node.player == player:
            sets.setdefault(node.key, []).append((node, weight))
        else:
            left += [(c, weight * p) for c, p in zip(node.children, strategy[node.key], strict=True)]
    for alike in sets.values():
        moves = range(len(alike[0][0].moves))
        results = [best_reply([(node.children[k], w) for node, w in alike], player, strategy) for k in moves]
        total += max(results) if player == 0 else min(results)
    return total


def exploitability(roots: Sequence[tuple[Node, float]], strategy: Strategy) -> float:
    """How much both players could gain together by replying as well as can be."""
    return best_reply(roots, 0, strategy) - best_reply(roots, 1, strategy)


def endings(slug: str, deck: int, count: int, seed: int = 0) -> list[Match]:
    """Positions of matches of two by chance, with at most so many cards in the deck."""
    found: list[Match] = []
    rng = random.Random(f"{slug}/{seed}")
    while len(found) < count:
        for match in positions(slug, 2, seed, 60):
            if match.view(None).deck <= deck and len(found) < count and rng.random() < 0.7:
                found.append(match.copy())
        seed += 1
    return found


LOUD = {Event.SHOWED, Event.TRADED, Event.OUT}


def loud(match: Match, move: int) -> bool:
    """Whether a move shows somebody a card, or ends the round."""
    after = copy_table(match.table)
    play(after, match.rules, move)
    return bool(LOUD & {Event(event) for event in after.rows[0 : after.told : COLUMNS]})


def quiet_endings(slug: str, deck: int, count: int, seed: int = 0) -> list[Match]:
    """The same, of rounds in which nobody was shown a card."""
    found: list[Match] = []
    rng = random.Random(f"{slug}/{seed}")
    while len(found) < count:
        match = Match(slug, NAMES[:2], rng=rng)
        while match.turn is not None and (moves := [move for move in match.moves() if not loud(match, move)]):
            if match.view(None).deck <= deck and len(match.moves()) > 1 and len(found) < count:
                found.append(match.copy())
            match.push(rng.choice(moves))
    return found


def cards_of(view: View, t: Table, seat: int) -> tuple[int, ...]:
    """A seat's cards at a table that the view may show."""
    held = (t.hand[seat], t.drawn, t.extra) if seat == view.seat else (t.hand[seat],)
    return tuple(card for card in held if card != NO_CARD)
