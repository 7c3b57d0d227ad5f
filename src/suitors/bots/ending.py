"""Endings of two-player rounds from a view: all ways the hidden cards may lie, and the equilibrium move.

An equilibrium needs what the opponent may believe of our own hand as well, so the worlds are those of a spectator's
belief; what a player has been shown and still knows is settled in all of them, since both know that it is known.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import factorial
from typing import assert_never

from ..knowledge.belief import Belief
from ..knowledge.evidence import DRAWN, EXTRA, UNDER
from ..knowledge.likelihood import Likelihood
from ..notation import write_move
from ..rules import NO_CARD, Card, Event, Verb, copy_table
from ..rules.names import CARDS, EVENTS, Audience, first_of, is_card, verb_of
from ..solve.endings import fold
from ..solve.equilibrium import Ending, World
from ..view.match import View
from ..view.memory import Entry
from .positions import visible_table
from .tree_search import in_time

DECK = 2
"""Cards left in the deck, at most, for an ending to be solved."""

WORLDS = 900
ROUNDS = 120
"""Iterations of CFR+ for each ending."""

CHUNK, FEWEST = 10, 30
"""Iterations between two looks at the clock, and those without which there is no strategy to speak of."""

TRIFLE = 0.04
"""A move that the average strategy makes more rarely than this is a remnant of early iterations."""


def solve_ending(
    view: View, belief: Belief, likelihood: Likelihood, rng: random.Random, began: float, budget_ms: float | None
) -> str | None:
    """A move of an equilibrium strategy, or None where the ending is too large to be solved in time."""
    if view.rules.players != 2 or view.deck > DECK:
        return None
    worlds = reweighted(list(worlds_of(view, belief, likelihood)), view, belief)
    own = actual(worlds, view)
    if own is None or len(worlds) > WORLDS:
        return None
    ending = Ending(view.rules, worlds)
    if ending.full:
        return None
    while ending.done < ROUNDS and (budget_ms is None or in_time(began, budget_ms)):
        ending.improve(CHUNK)
    if ending.done < FEWEST:
        return None
    assert view.seat is not None
    chances = {move: chance for move, chance in ending.strategy(own, view.seat).items() if chance >= TRIFLE}
    return write_move(view.rules, rng.choices(list(chances), list(chances.values()))[0])


def actual(worlds: Sequence[World], view: View) -> World | None:
    """A world in which we hold what we hold: what is best there depends on that alone."""
    return next((world for world in worlds if ours(world, view)), None)


def ours(world: World, view: View) -> bool:
    """Whether we may be in this world: we hold our cards, and those we put under the deck lie there."""
    t, seat = world.table, view.seat
    assert seat is not None
    cards = (t.hand[seat], t.drawn, t.extra)
    return cards[: len(view.hand)] == view.hand and all(t.deck[t.top + k] == card for k, card in view.under.items())


def reweighted(worlds: Sequence[World], view: View, belief: Belief) -> list[World]:
    """The worlds that may be ours weighed by all that we have seen; the others need not know of it."""
    weights = [posterior(world, view, belief) if ours(world, view) else 0.0 for world in worlds]
    total = sum(weights)
    if total == 0:
        return list(worlds)
    before = sum(world.weight for world in worlds if ours(world, view))
    return [
        replace(world, weight=weight * before / total if ours(world, view) else world.weight)
        for world, weight in zip(worlds, weights, strict=True)
    ]


def posterior(world: World, view: View, belief: Belief) -> float:
    """How likely our own belief makes the hidden cards of a world."""
    t, foe = world.table, 0 if view.seat else 1
    cards = {foe: t.hand[foe]} | {UNDER + k: t.deck[k] for k in range(t.top, t.bottom)}
    rest = list(belief.unseen)
    for card in cards.values():
        rest[card] -= 1
    return weigh(belief, cards) * orders(rest) if min(rest) >= 0 else 0.0


def worlds_of(view: View, belief: Belief, likelihood: Likelihood) -> Iterator[World]:
    """Every way the hidden cards may lie, as a spectator would weigh it."""
    me = view.seat
    assert me is not None
    foe = 1 - me
    watching = Belief(spectator(view), likelihood)
    public, top = belief.evidence.public, belief.evidence.top
    mine = (me, DRAWN, EXTRA)[: len(view.hand)]
    places = (*mine, foe, *(UNDER + top + k for k in range(view.deck)))
    fixed: dict[int, int] = {}
    if view.known[foe]:
        fixed[foe] = view.known[foe][0]
    shown = public.seen[foe * 2 + me]
    if 0 <= shown < CARDS and shown == view.hand[0]:
        fixed[me] = shown
    for k in recognised(view):
        fixed[mine[k]] = view.hand[k]
    known_by = knowing_seats(view)
    blank = visible_table(view, belief.evidence.public)
    for cards, rest in fillings(places, watching.unseen, fixed):
        weight = weigh(watching, cards) * orders(rest)
        if weight > 0:
            t = copy_table(blank)
            hand, t.drawn, t.extra = (*(cards[place] for place in mine), NO_CARD, NO_CARD)[:3]
            t.hand[me], t.hand[foe] = hand, cards[foe]
            for k in range(view.deck):
                t.deck[top + k] = cards[UNDER + top + k]
            if t.spare != NO_CARD:
                t.spare = next((card for card, n in enumerate(rest) if n), NO_CARD)
            yield World(
                t, (known(0, me, cards, fixed, mine, known_by), known(1, me, cards, fixed, mine, known_by)), weight
            )


def known(
    seat: int, me: int, cards: dict[int, int], fixed: dict[int, int], mine: Sequence[int], known_by: dict[int, set[int]]
) -> int:
    """What a seat knows in a world, as a hash: the own cards, a card it was shown, cards of the deck that it knows."""
    key = 1
    for place in mine if seat == me else (1 - me,):
        key = fold(key, cards[place])
    if 1 - seat in fixed:
        key = fold(key, fixed[1 - seat])
    for place, seats in sorted(known_by.items()):
        if seat in seats and place in cards:
            key = fold(key, cards[place])
    return key


def spectator(view: View) -> View:
    """What a spectator would have seen of the running round."""
    told = tuple(hide(entry) for entry in view.log[-1])
    nothing: tuple[tuple[Card, ...], ...] = ((),) * view.rules.players
    return replace(view, seat=None, known=nothing, under={}, legal=(), log=(*view.log[:-1], told))


def hide(entry: Entry) -> Entry:
    """An entry as a spectator sees it."""
    keeping = entry.event == Event.MOVED and entry.card is not None and verb_of(entry.card) == Verb.KEEP
    private = EVENTS[entry.event].audience != Audience.EVERYBODY
    return entry._replace(card=None) if keeping or private else entry


def knowing_seats(view: View) -> dict[int, set[int]]:
    """Which seats know a card of the deck, by its place: the one that put it there."""
    bottom = UNDER + view.rules.cards
    found: dict[int, set[int]] = {}
    for entry in view.log[-1]:
        if entry.event == Event.RETURNED:
            found[bottom] = {entry.actor}
            bottom += 1
    return found


def recognised(view: View) -> list[int]:
    """Which of our cards the opponent knows, since they knew them in the deck."""
    known_by, top = knowing_seats(view), UNDER + view.rules.aside + view.rules.face_up
    held: list[tuple[int, bool]] = []
    for event, actor, _, card in view.log[-1]:
        if event in (Event.DEALT, Event.DREW):
            if actor == view.seat and card is not None:
                held.append((card, bool(known_by.get(top, set()) - {actor})))
            top += 1
        elif actor == view.seat and card is not None:
            held = _held_after(event, card, held)
    return [k for k, (_, known) in enumerate(held) if known]


def _held_after(event: Event, card: int, held: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """Our cards, and which the opponent knows, after something other than a draw happened to them."""
    match event:
        case Event.MOVED:
            if not is_card(verb_of(card)):
                return [(first_of(card), False)]
            rest = held[:]  # of equal cards, it may have been the known one
            rest.remove(max(pair for pair in held if pair[0] == verb_of(card)))
            return rest
        case Event.RECEIVED | Event.TOOK_ASIDE:
            return [(card, False)]
        case Event.DISCARDED:
            return []
        case Event.DEALT | Event.DREW | Event.RETURNED | Event.SHOWED | Event.REVEALED | Event.TRADED | Event.OUT:
            return held
        case Event.ROUND | Event.FACE_UP | Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT | Event.EQUAL:
            return held
        case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
            return held
        case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
            return held
        case _:
            assert_never(event)


def fillings(
    places: Sequence[int], unseen: Sequence[int], fixed: dict[int, int]
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Every way to fill the places with unseen cards, and what is left of these."""
    if not places:
        yield {}, list(unseen)
        return
    first, *others = places
    for card in [fixed[first]] if first in fixed else range(CARDS):
        if unseen[card]:
            left = list(unseen)
            left[card] -= 1
            for cards, rest in fillings(others, left, fixed):
                yield {first: card, **cards}, rest


def weigh(belief: Belief, cards: dict[int, int]) -> float:
    """How likely the evidence makes these cards."""
    total = 0.0
    for case in belief.evidence.cases:
        weight = case.weight
        for place, factor in case.weights.items():
            weight *= factor[cards[place]]
        total += weight
    return total


def orders(rest: Sequence[int]) -> int:
    """In how many orders the cards set aside may lie."""
    ways = factorial(sum(rest))
    for n in rest:
        ways //= factorial(n)
    return ways
