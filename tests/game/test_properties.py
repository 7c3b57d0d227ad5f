"""Properties that hold in every position of every edition."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import IllegalMove, Match, Refusal
from suitors.game import Play
from suitors.records.record import load, summary
from suitors.rules import NO_CARD, Award, Event, Phase
from suitors.view.data import read_view, view_data
from suitors.view.match import seen
from support.random_play import Game, games, keeps, new_match, position, step, texts

SEEDS = st.integers(0, 2**32)
STEPS = st.integers(0, 120)
SLOW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def everything(match: Play) -> dict[str, Any]:
    """All fields of the table, copied."""
    return {name: value[:] if isinstance(value, list) else value for name, value in vars(match.table).items()}


def all_cards(match: Match) -> list[int]:
    """Every card of the round, wherever it is."""
    t, ed = match.table, match.rules
    aside = t.deck[: ed.aside] if not ed.spare or t.spare != NO_CARD else []
    held = [card for card in (*t.hand, t.drawn, t.extra) if card != NO_CARD]
    open_ = t.deck[ed.aside : ed.aside + ed.face_up]
    return sorted([*aside, *open_, *t.deck[t.top : t.bottom], *held, *t.piles[: t.discards]])


@SLOW
@given(games(), SEEDS, STEPS)
def test_no_card_is_lost_or_doubled(game: Game, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = new_match(game, rng)
    for _ in range(steps):
        assert all_cards(match) == list(match.rules.box)
        if match.over:
            break
        step(match, rng)


@SLOW
@given(games(), SEEDS, STEPS)
def test_tokens_come_only_as_the_rules_give_them(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    awards = [e for r in match.rounds for e in seen(r.rows, None) if e.event == Event.TOKEN]
    assert match.tokens == tuple(sum(e.actor == seat for e in awards) for seat in range(len(match.players)))
    copies = match.rules.copies
    sources = {Award.ROUND: 1, Award.BISHOP: copies[18], Award.CONSTABLE: copies[14], Award.JESTER: copies[0]}
    sources[Award.SPY] = copies[2]
    for r in match.rounds:
        given_for = Counter(Award(e.target) for e in seen(r.rows, None) if e.event == Event.TOKEN)
        assert all(sources[award] > 0 for award in given_for)
        assert given_for[Award.ROUND] == len(r.winners)
        assert all(given_for[award] <= 1 for award in set(Award) - {Award.ROUND})


@SLOW
@given(games(), SEEDS, STEPS)
def test_moves_are_listed_in_the_order_of_their_numbers(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    t, ed, rules = match.table, match.rules, match.engine
    assert match.moves() == [rules.nth_move(t, ed, k) for k in range(rules.count_moves(t, ed))]


@SLOW
@given(games(), SEEDS, STEPS)
def test_current_views_are_views_without_their_logs(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    seats = (None, *range(game[1]))
    for seat, now in match.current_views(seats).items():
        assert now == replace(match.view(seat), log=())


@SLOW
@given(games(), SEEDS, STEPS)
def test_every_legal_move_is_accepted_and_every_other_refused(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    legal, before = set(match.legal()), everything(match)
    assert len(legal) == len(match.moves())
    for text in texts(len(match.players)) + keeps(match):
        assert (match.why_not(text) == Refusal.FINE) == (text in legal), text
    assert everything(match) == before
    for text in sorted(legal):
        match.copy().play(text)
    assert everything(match) == before


@SLOW
@given(games(), SEEDS, STEPS, st.data())
def test_a_refused_move_changes_nothing(game: Game, seed: int, steps: int, data: st.DataObject) -> None:
    match = position(game, random.Random(seed), steps)
    text = data.draw(st.sampled_from([text for text in texts(len(match.players)) if text not in match.legal()]))
    before, record = everything(match), match.record()
    with pytest.raises(IllegalMove) as refused:
        match.play(text)
    assert refused.value.code == "illegal-move"
    assert (refused.value.refusal == Refusal.NO_DECISION) == (match.turn is None)
    assert (everything(match), match.record()) == (before, record)


@settings(SLOW, max_examples=25)
@given(games(), SEEDS)
def test_every_match_ends(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    match = new_match(game, rng)
    for _ in range(20_000):
        if match.over:
            break
        step(match, rng)
    assert match.over
    assert match.winners
    assert max(match.tokens) >= match.rules.goal
    assert match.legal() == []


@SLOW
@given(games(), SEEDS, STEPS)
def test_replaying_a_saved_match_gives_the_same(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    again = load(json.dumps(match.record()))
    assert everything(again) == everything(match)
    assert again.rounds == match.rounds
    assert summary(again) == summary(match)


@SLOW
@given(games(), SEEDS, STEPS)
def test_undo_takes_back_exactly_one_step(game: Game, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = position(game, rng, steps)
    if match.over:
        return
    before, record = match.copy(), match.record()
    step(match, rng)
    match.undo()
    assert match.record() == record
    assert match.view(0) == before.view(0)
    assert summary(match) == summary(before)


@SLOW
@given(games(), SEEDS, STEPS)
def test_a_copy_goes_its_own_way(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    before, twin = everything(match), match.copy()
    while not twin.over:
        step(twin, random.Random(1))
    assert everything(match) == before


@SLOW
@given(games(), SEEDS, STEPS)
def test_what_a_view_knows_is_true(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    t, ed = match.table, match.rules
    for seat in range(ed.players):
        view = match.view(seat)
        for other, known in enumerate(view.known):
            extra = [t.drawn, t.extra] if other == t.active else []
            true = Counter(card for card in (t.hand[other], *extra) if card != NO_CARD)
            assert Counter(known) <= true
            assert view.held[other] == sum(true.values())
            assert other != seat or Counter(known) == true
        assert all(t.deck[t.top + place] == card for place, card in view.under.items())


@SLOW
@given(games(), SEEDS, STEPS)
def test_a_view_survives_json(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    for seat in (None, *range(len(match.players))):
        view = match.view(seat)
        assert read_view(json.loads(json.dumps(view_data(view)))) == view


@SLOW
@given(games(), SEEDS)
def test_R9_the_aside_card_is_taken_at_most_once_and_only_in_the_last_turn(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    match = new_match(game, rng)
    while not match.over:
        step(match, rng)
    for r in match.rounds:
        events = [e.event for e in seen(r.rows, None)]
        assert events.count(Event.TOOK_ASIDE) + events.count(Event.FOUND_NONE) <= 1
        assert Event.FOUND_NONE not in events or not match.rules.spare
        if Event.TOOK_ASIDE in events:
            assert Event.DREW not in events[events.index(Event.TOOK_ASIDE) :]


@SLOW
@given(games(), SEEDS, STEPS)
def test_only_the_deciding_seat_sees_legal_moves(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    for seat in range(len(match.players)):
        assert match.view(seat).legal == (tuple(match.legal()) if seat == match.turn else ())
    assert match.view(None).legal == ()
    assert (match.turn is None) == (match.table.phase in (Phase.DEAL, Phase.OVER))
