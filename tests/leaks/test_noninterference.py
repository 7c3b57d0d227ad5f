"""Two matches that a seat cannot tell apart give it byte-identical views; two that it can tell apart do not."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import Match
from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, Event
from suitors.rules.names import EVERYBODY, is_card
from suitors.rules.table import COLUMNS
from suitors.view.data import view_data
from support.matches import EDITIONS
from support.other_worlds import other_world, same_moves
from support.random_play import games, new_match, position, step
from support.witness import witness

DRAWS = (Event.DEALT, Event.DREW)
ROUNDS = 4
"""So many rounds with each number of players show every card that shows something."""


def view_text(match: Match, seat: int | None) -> str:
    return json.dumps(view_data(match.view(seat)))


@pytest.mark.parametrize("slug", EDITIONS)
@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_noninterference_and_recall(slug: str, data: st.DataObject, seed: int, steps: int) -> None:
    game, rng = data.draw(games(slug)), random.Random(seed)
    real = position(game, rng, steps)
    record = real.record()
    for _ in range(12):
        other = other_world(real, rng)
        seat = rng.choice((None, *range(game[1])))
        there = same_moves(other, seat)
        if there is None:
            continue
        match, notes = witness(record, seat)
        assert (view_text(match, seat) == view_text(there[0], seat)) == (notes == there[1])


def shown_cards(match: Match) -> list[tuple[int, str]]:
    """The cards that the last step showed to some seat only, each with that seat, but for dealt and drawn ones."""
    rows = match.rounds[-1].rows[-1]
    found = []
    for k in range(0, len(rows), COLUMNS):
        event, _, _, card, audience = rows[k : k + COLUMNS]
        if audience != EVERYBODY and event not in DRAWS and is_card(card):
            found += [(seat, CARD_NAMES[card]) for seat in range(len(match.players)) if audience >> seat & 1]
    return found


def without(match: Match, card: str, rng: random.Random) -> dict[str, Any]:
    """The same match in whose last deck a card has changed places with another one, often with one yet to be drawn."""
    record = match.record()
    *before, last = record["rounds"]
    deck = last["deck"][:]
    others = [place for place, name in enumerate(deck) if name != card]
    hidden = [place for place in others if place >= match.table.top]
    i = rng.choice([place for place, name in enumerate(deck) if name == card])
    j = rng.choice(hidden if hidden and rng.random() < 0.7 else others)
    deck[i], deck[j] = deck[j], deck[i]
    return {**record, "rounds": [*before, {**last, "deck": deck}]}


@pytest.mark.parametrize("slug", EDITIONS)
def test_a_card_that_was_just_shown_is_seen_where_the_witness_says_so(slug: str) -> None:
    """Whoever forgets a new card in tests/support/witness.py learns it here."""
    rng = random.Random(slug)
    for players in BOXES[slug].players * ROUNDS:
        match = new_match((slug, players, {}), rng)
        while not match.over and not match.to_deal:
            step(match, rng)
            for seat, card in shown_cards(match):
                check_shown(match, seat, card, rng)


def check_shown(match: Match, seat: int, card: str, rng: random.Random) -> None:
    """Compare the match with others in which that card, shown to that seat, is another one."""
    for reader in (seat, seat, (seat + 1) % len(match.players)):
        there = same_moves(without(match, card, rng), reader)
        if there is not None:
            same = view_text(match, reader) == view_text(there[0], reader)
            move = match.record()["rounds"][-1]["moves"][-1]
            assert same == (witness(match.record(), reader)[1] == there[1]), (
                f"after `{move}` the view of seat {reader} and tests/support/witness.py differ about what it has seen"
            )


def test_the_worlds_of_this_test_are_often_the_same_and_often_not() -> None:
    rng = random.Random(4)
    outcomes = {"same": 0, "other": 0}
    for _ in range(400):
        real = position(("modern", 3, {}), rng, 12)
        there = same_moves(other_world(real, rng), 1)
        if there is not None:
            outcomes["same" if there[1] == witness(real.record(), 1)[1] else "other"] += 1
    assert outcomes["same"] > 50
    assert outcomes["other"] > 10
