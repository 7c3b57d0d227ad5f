"""Positions, scenes and a policy to ask for tests of the bots' engine."""

import random
from collections.abc import Iterator, Sequence

import pytest

from suitors import Match
from suitors.bots import arrays, opponents, solo, tree_search, worlds
from suitors.bots.engine.buffers import PolicyBuffers
from suitors.bots.engine.odds import ODDS
from suitors.bots.engine.policy import MOST_FEATURES, WEIGHTS, score_moves
from suitors.knowledge.notes import SEATS
from suitors.rules import Edition, Refusal, Table, why_not
from suitors.rules.choices import MOST_MOVES
from suitors.solve import equilibrium, solver
from support.random_play import step as random_step
from support.scenes import NAMES, cards

COMPILING = (arrays, tree_search, worlds, opponents, equilibrium, solo, solver)
"""The modules that ask whether the compiler is installed."""


def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were no compiler."""
    for module in COMPILING:
        monkeypatch.setattr(module, "available", lambda: False)
    opponents._rounds.clear()


def positions(slug: str, players: int, seed: int, steps: int = 40) -> Iterator[Match]:
    """A match by chance at every decision that leaves a choice, the same object again and again."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], rng=rng)
    for _ in range(steps):
        if match.over:
            match = Match(slug, NAMES[:players], rng=rng)
        if match.turn is not None and len(match.moves()) > 1:
            yield match
        random_step(match, rng)


def some_positions(slug: str, players: int, seed: int, count: int, steps: int = 40) -> list[Match]:
    """A few of them."""
    found = [match.copy() for match in positions(slug, players, seed, steps)]
    return random.Random(seed).sample(found, min(count, len(found)))


def dealt(slug: str, hands: Sequence[str], draws: str, *, seed: int = 0, lying: str = "") -> Match:
    """A match whose first round is dealt so: each seat's first card, then the cards drawn, the rest in any order.

    Seat 0 starts. `lying` are the cards laid aside, face down first; where there are none, any.
    """
    match = Match(slug, NAMES[: len(hands)], dealt=False)
    rest = list(match.rules.box)
    first, drawn, laid = (cards(words) for words in (" ".join(hands), draws, lying))
    for card in (*first, *drawn, *laid):
        rest.remove(card)
    random.Random(seed).shuffle(rest)
    while len(laid) < match.rules.aside + match.rules.face_up:
        laid.append(rest.pop())  # type: ignore[arg-type]
    match.start((*laid, *first, *drawn, *rest), 0)
    return match


def other_world(match: Match, rng: random.Random) -> Match | None:
    """The same match with two cards of the last deck in each other's place, if the same moves are legal in it."""
    twin = Match(match.edition, match.players, match.options, dealt=False)
    for number, old in enumerate(match.rounds):
        order = list(old.deck)
        if number == len(match.rounds) - 1:
            i, j = rng.sample(range(len(order)), 2)
            order[i], order[j] = order[j], order[i]
        twin.start(tuple(order), old.first)
        for move in old.moves:
            if twin.turn is None or why_not(twin.table, twin.rules, move) != Refusal.FINE:
                return None
            twin.push(move)
    return twin


class Policy:
    """The policy with weights that make every feature count, or these, and the lists it works on."""

    def __init__(self, theta: Sequence[float] | None = None) -> None:
        rng = random.Random(5)
        self.theta = list(theta) if theta is not None else [rng.gauss(0, 1) for _ in range(WEIGHTS)]
        self.buffers = PolicyBuffers(
            odds=[0.0] * ((SEATS + 1) * ODDS),
            rows=[0] * SEATS,
            features=[0] * MOST_FEATURES,
            values=[0.0] * MOST_FEATURES,
            moves=[0] * MOST_MOVES,
            chances=[0.0] * MOST_MOVES,
        )

    def scores(self, t: Table, ed: Edition, notes: list[int]) -> dict[int, float]:
        """The chance of each move."""
        n = score_moves(t, ed, notes, self.theta, self.buffers)
        return dict(zip(self.buffers.moves[:n], self.buffers.chances[:n], strict=True))
