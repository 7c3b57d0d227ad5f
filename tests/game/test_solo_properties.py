"""Properties that hold in every position of every solo game."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from suitors import Card, IllegalMove, Refusal, Solo
from suitors.game import Play
from suitors.notation import CARD_NAMES, PLACE_OF, WORDS
from suitors.records.record import load, summary, trace
from suitors.rules import NO_CARD, SWITCHES, Option
from suitors.view.data import read_view, view_data
from support.matches import SOLO_EDITIONS

LONGEST = 60
"""Every game is over within so many moves."""

Game = tuple[str, dict[str, Option]]
SEEDS = st.integers(0, 2**32)
STEPS = st.integers(0, 25)
SLOW = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def games(draw: st.DrawFn) -> Game:
    """An edition and its switches."""
    options = {key: draw(st.sampled_from(SWITCHES[key])) for key in ("solo_prince", "solo_last_card")}
    return draw(st.sampled_from(SOLO_EDITIONS)), options


def step(match: Solo, rng: random.Random) -> None:
    """Play a random move, one that does not lose if it is easily found, so that long games occur."""
    for _ in range(4):
        move = pick(match, rng)
        twin = match.copy()
        twin.push(move)
        if not twin.over or twin.winners:
            break
    match.push(move)


def pick(match: Solo, rng: random.Random) -> int:
    """A random move; kinds of moves are chosen first, so that rare ones occur."""
    kinds: dict[int, list[int]] = {}
    for move in match.moves():
        kinds.setdefault(move & 31, []).append(move)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def position(game: Game, seed: int, steps: int) -> Solo:
    """A game after so many random moves, or at its end."""
    slug, options = game
    rng = random.Random(seed)
    match = Solo(slug, options=options, rng=rng)
    for _ in range(steps):
        if match.over:
            break
        step(match, rng)
    return match


def everything(match: Play) -> dict[str, Any]:
    """All fields of the table, copied."""
    return {name: value[:] if isinstance(value, list) else value for name, value in vars(match.table).items()}


def all_cards(match: Solo) -> list[int]:
    """Every card of the game, wherever it is."""
    t = match.table
    own = [card for card in (t.hand, t.drawn, t.agent) if card != NO_CARD]
    return sorted([*own, *t.queue[: t.length], *t.deck[t.top : t.bottom], *t.piles[: t.discards]])


def texts() -> list[str]:
    """Every text of a card, a place, and a place or a name; and every line of one or two other words."""
    found = [*WORDS, *(f"{a} {b}" for a in WORDS for b in (*WORDS, *PLACE_OF, *CARD_NAMES))]
    for card in CARD_NAMES:
        found += [card, *(f"{card} {word}" for word in (*PLACE_OF, *CARD_NAMES, "0"))]
        found += [f"{card} {place} {word}" for place in PLACE_OF for word in (*PLACE_OF, *CARD_NAMES)]
    return [*found, "guard q1 hand king", "baron q1 hand hand", "prince hand agent q1"]


TEXTS = texts()


@SLOW
@given(games(), SEEDS)
def test_no_card_is_lost_or_doubled_while_the_game_goes_on(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    match = position(game, seed, 0)
    while not match.over:
        assert all_cards(match) == [*match.rules.box, Card.PRINCESS]
        step(match, rng)


@SLOW
@given(games(), SEEDS)
def test_no_card_is_lost_or_doubled_at_the_end(game: Game, seed: int) -> None:
    match = position(game, seed, LONGEST)
    assert all_cards(match) == [*match.rules.box, Card.PRINCESS]


@SLOW
@given(games(), SEEDS, STEPS)
def test_every_legal_move_is_accepted_and_every_other_refused(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    legal, before = match.legal(), everything(match)
    assert len(set(legal)) == len(match.moves())
    assert [text for text in sorted(set(TEXTS)) if match.why_not(text) == Refusal.FINE] == legal
    for text in legal:
        match.copy().play(text)
    assert everything(match) == before


@SLOW
@given(games(), SEEDS, STEPS, st.data())
def test_a_refused_move_changes_nothing(game: Game, seed: int, steps: int, data: st.DataObject) -> None:
    match = position(game, seed, steps)
    legal = match.legal()
    text = data.draw(st.sampled_from([text for text in TEXTS if text not in legal]))
    before, record = everything(match), match.record()
    with pytest.raises(IllegalMove) as refused:
        match.play(text)
    assert (refused.value.refusal == Refusal.NO_DECISION) == match.over
    assert (everything(match), match.record()) == (before, record)


@SLOW
@given(games(), SEEDS)
def test_every_game_ends(game: Game, seed: int) -> None:
    match = position(game, seed, LONGEST)
    assert match.over
    assert match.legal() == []
    assert match.tokens == (len(match.winners),)
    assert match.view(0).won == (match.winners == (0,))


@SLOW
@given(games(), SEEDS, STEPS)
def test_there_is_a_decision_until_the_end(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    assert bool(match.legal()) != match.over


@SLOW
@given(games(), SEEDS, STEPS)
def test_replaying_a_saved_game_gives_the_same(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    again = load(json.dumps(match.record()))
    assert everything(again) == everything(match)
    assert again.rounds == match.rounds
    assert summary(again) == summary(match)


@SLOW
@given(games(), SEEDS, STEPS)
def test_undo_takes_back_exactly_one_move(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    assume(not match.over)
    before, record = match.copy(), match.record()
    step(match, random.Random(seed))
    match.undo()
    assert match.record() == record
    assert match.view(0) == before.view(0)
    assert summary(match) == summary(before)


@SLOW
@given(games(), SEEDS, STEPS)
def test_a_copy_goes_its_own_way(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    before, record, twin = everything(match), match.record(), match.copy()
    assert twin.record() == record
    assert twin.view(0) == match.view(0)
    while not twin.over:
        step(twin, random.Random(1))
    assert (everything(match), match.record()) == (before, record)


# Views


class Dealt(int):
    """A card that knows its place in the deck, wherever the game carries it."""

    place: int


def marked(deck: tuple[int, ...]) -> tuple[Dealt, ...]:
    """The same deck, of cards that know their places."""
    cards = tuple(Dealt(card) for card in deck)
    for place, card in enumerate(cards):
        card.place = place
    return cards


def unseen(match: Solo) -> list[int]:
    """The places in the deck of the cards that were never turned up: what is face up stays so, whatever happens."""
    twin = Solo(match.edition, options=match.options, dealt=False)
    twin.start(marked(match.rounds[0].deck), 0)
    for move in match.rounds[0].moves:
        twin.push(move)
    t = twin.table
    hidden = [t.queue[k] for k in range(t.length) if not t.up[k]] + t.deck[t.top : t.bottom]
    hidden += [t.agent] if t.agent != NO_CARD and not t.agent_up else []
    gone = {card.place for card in t.piles[: t.discards] if isinstance(card, Dealt)}
    return sorted({card.place for card in hidden if isinstance(card, Dealt)} - gone)


def shown(match: Solo) -> list[str]:
    """The JSON of both views."""
    return [json.dumps(view_data(match.view(seat))) for seat in (0, None)]


@settings(SLOW, max_examples=200)
@given(games(), SEEDS, STEPS, st.data())
def test_a_view_hides_every_face_down_card(game: Game, seed: int, steps: int, data: st.DataObject) -> None:
    match = position(game, seed, steps)
    deck = list(match.rounds[0].deck)
    places = unseen(match)
    pairs = [(a, b) for a in places for b in places if a < b and deck[a] != deck[b]]
    assume(pairs)
    a, b = data.draw(st.sampled_from(pairs))
    deck[a], deck[b] = deck[b], deck[a]
    one, other = (Solo(match.edition, options=match.options, dealt=False) for _ in range(2))
    one.start(match.rounds[0].deck, 0)
    other.start(tuple(deck), 0)
    assert shown(one) == shown(other)
    for move in match.record()["rounds"][0]["moves"]:
        one.play(move)
        other.play(move)
        assert shown(one) == shown(other)
    assert one.rounds[0].rows == other.rounds[0].rows
    assert summary(one) == summary(other)


@SLOW
@given(games(), SEEDS, STEPS)
def test_what_a_view_shows_is_true(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    view, t = match.view(0), match.table
    assert len(view.queue) == t.length
    assert all(card in (None, t.queue[place]) for place, card in enumerate(view.queue))
    assert view.agent in ((), (None,), (t.agent,))
    assert bool(view.agent) == (t.agent != NO_CARD)
    assert view.pile == t.bottom - t.top


@SLOW
@given(games(), SEEDS, STEPS)
def test_player_and_spectator_know_the_same(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    mine, theirs = view_data(match.view(0)), view_data(match.view(None))
    assert mine["legal"] == match.legal()
    assert mine | {"seat": None, "legal": []} == theirs


@SLOW
@given(games(), SEEDS, STEPS)
def test_R107_both_editions_give_the_same_for_the_same_record(game: Game, seed: int, steps: int) -> None:
    record = position(game, seed, steps).record()
    (old, old_trace), (new, new_trace) = (trace(record | {"edition": slug}) for slug in ("solitaire", "solitaire-2019"))
    assert old_trace == new_trace
    assert summary(old) == summary(new)
    for seat in (0, None):
        assert json.dumps(view_data(old.view(seat))) == json.dumps(view_data(new.view(seat)))


@SLOW
@given(games(), SEEDS, STEPS)
def test_a_view_survives_json(game: Game, seed: int, steps: int) -> None:
    match = position(("solitaire", game[1]), seed, steps)
    for seat in (0, None):
        view = match.view(seat)
        assert read_view(json.loads(json.dumps(view_data(view)))) == view


@SLOW
@given(games(), SEEDS, STEPS)
def test_view_data_survives_json(game: Game, seed: int, steps: int) -> None:
    match = position(game, seed, steps)
    for seat in (0, None):
        data = view_data(match.view(seat))
        assert view_data(read_view(json.loads(json.dumps(data)))) == data
