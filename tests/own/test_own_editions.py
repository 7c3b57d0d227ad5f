"""Editions of one's own: what they are made of, what is refused and where, and that any of them can be played."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Match, SuitorsError
from suitors.records import RecordError, load, perft, summary
from suitors.rules import (
    BOXES,
    NO_CARD,
    SWITCHES,
    Card,
    Edition,
    End,
    check_dealable,
    edition,
    editions,
    find_box,
    own,
    own_slug,
)
from suitors.rules.names import CARD_NAMES
from suitors.view import read_view, view_data
from support.matches import UNTIMED, call
from support.own_editions import WRONG, Drawn, own_editions
from support.scenes import NAMES

SMALL: dict[str, Any] = {
    "base": "modern",
    "name": "Small",
    "cards": {"guard": 3, "priest": 1, "spy": 1, "king": 1, "princess": 1},
    "goals": {"2": 3},
    "face_up": {"2": 0},
}


def record(data: object, players: int = 2, **more: Any) -> dict[str, Any]:
    """A record without rounds."""
    return {"format": "suitors-record/1", "edition": data, "players": list(NAMES[:players]), "rounds": [], **more}


def code(data: dict[str, Any]) -> str:
    """The code of a record's first fault."""
    with pytest.raises(RecordError) as caught:
        load(json.dumps(data))
    assert str(caught.value).endswith(".")
    return caught.value.code


class Refused(Exception):
    """An edition was refused as it should be."""


def refusing(data: dict[str, Any], players: int) -> Match:
    """A match of an edition, if there is one; whatever else is raised but a sentence on the edition is a fault."""
    try:
        return Match(data, NAMES[:players], rng=random.Random(1))
    except SuitorsError as error:
        if error.code == "bad-edition" and str(error).endswith("."):
            raise Refused from None
        raise


def played(data: dict[str, Any], players: int, seed: int, rounds: int = 3) -> Match:
    """A match by chance, of a few rounds at most."""
    rng = random.Random(seed)
    match = Match(data, NAMES[:players], rng=rng)
    while not match.over and (not match.to_deal or len(match.rounds) < rounds):
        if match.to_deal:
            match.deal()
        else:
            match.push(rng.choice(match.moves()))
    return match


# What an edition is made of


def test_an_edition_of_a_very_long_name_is_not_remembered() -> None:
    for length, kept in ((10, 1), (3000, 0)):
        before = [found.cache_info().currsize for found in (own._own_box, editions._edition)]
        match = Match({**SMALL, "name": "x" * length}, NAMES[:2])
        assert len(match.box.name) == length
        after = [found.cache_info().currsize for found in (own._own_box, editions._edition)]
        assert after == [size + kept for size in before]


def test_a_part_that_is_not_given_is_the_bases() -> None:
    plain, small = find_box(own_slug({"base": "house"})), find_box(own_slug(SMALL))
    house = BOXES["house"]
    assert (plain.decks, plain.goals, plain.aside, plain.face_up) == (
        house.decks,
        house.goals,
        house.aside,
        house.face_up,
    )
    assert (plain.spare, plain.sums, plain.by_number, plain.seating) == (False, True, False, False)
    assert small.goals == {**BOXES["modern"].goals, 2: 3}
    assert small.aside == BOXES["modern"].aside
    assert small.players == (2, 3, 4, 5, 6)
    assert set(map(id, small.decks.values())) == {id(small.decks[2])}


def test_a_card_that_the_base_lacks_has_its_published_number() -> None:
    cards = dict.fromkeys(CARD_NAMES, 1)
    modern, house = (edition(own_slug({"base": base, "cards": cards}), 2) for base in ("modern", "house"))
    assert [modern.value[card] for card in (Card.SPY, Card.CHANCELLOR, Card.PRINCESS, Card.BISHOP)] == [0, 6, 9, 9]
    assert [house.value[card] for card in (Card.SPY, Card.CHANCELLOR, Card.PRINCESS, Card.BISHOP)] == [0, 6, 8, 9]
    assert modern.value[Card.CONSTABLE] == 6
    other = edition(own_slug({"base": "modern", "cards": cards, "values": {"constable": 2}}), 2)
    assert other.value[Card.CONSTABLE] == 2


def may_name(rules: Edition, card: Card) -> tuple[int, ...]:
    """What a card may name in an edition."""
    return rules.names[card * editions.NAMES :][: rules.name_count[card]]


def test_a_guard_names_what_is_in_the_deck_but_no_guard_and_no_number_of_a_guard() -> None:
    deck = {"guard": 5, "baron": 2, "count": 1}
    by_name, by_number = (edition(own_slug({"base": base, "cards": deck}), 2) for base in ("classic", "premium"))
    assert may_name(by_name, Card.GUARD) == (Card.BARON, Card.COUNT)
    assert may_name(by_number, Card.GUARD) == (3, 5)
    other = edition(own_slug({"base": "premium", "cards": deck, "values": {"guard": 5}}), 2)
    assert may_name(other, Card.GUARD) == (3,)


def test_a_switch_of_a_card_follows_it_into_any_deck_R36() -> None:
    data = {"base": "classic", "cards": {"bishop": 1, "priest": 8}, "values": {"priest": 1}}
    found = [edition(own_slug(data), 3, {"bishop_names_one": one}) for one in (True, False)]
    assert [may_name(rules, Card.BISHOP) for rules in found] == [(1, 9), (9,)]
    assert found[1].names[Card.BISHOP * editions.NAMES + 1] == NO_CARD


def test_what_is_kept_for_an_edition_is_kept_for_its_content() -> None:
    other = {**SMALL, "goals": {"2": 1}}
    matches = [Match(data, NAMES[:2]) for data in (SMALL, other, dict(reversed(SMALL.items())))]
    assert [match.rules.goal for match in matches] == [3, 1, 3]
    assert matches[0].edition == matches[2].edition != matches[1].edition
    assert all(match.box.name == "Small" for match in matches)


def test_a_bishops_hit_asks_nobody_where_nothing_can_be_drawn_R38() -> None:
    data = {"base": "house", "cards": {"bishop": 1, "priest": 2}, "aside": {"2": 0}}
    match = Match(data, NAMES[:2], dealt=False)
    match.deal(["bishop", "priest", "priest"], first=0)
    match.play("bishop 1 2")
    assert (match.tokens, match.rounds[0].end) == ((2, 0), End.SHOWDOWN)


def test_a_lone_spy_earns_its_token_in_any_base() -> None:
    match = Match({"base": "house", "cards": {"spy": 1, "priest": 2}, "aside": {"2": 0}}, NAMES[:2], dealt=False)
    match.deal(["spy", "priest", "priest"], first=0)
    match.play("spy")
    assert match.tokens == (2, 1)


# What is refused, and where


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_edition_is_refused_with_a_sentence(what: str) -> None:
    assert code(record(WRONG[what])) == "bad-edition"
    with pytest.raises(SuitorsError, match=r"\.$"):
        Match(WRONG[what], NAMES[:2])


@pytest.mark.parametrize("data", [None, 3, [], True, "modem", json.dumps(SMALL)])
def test_what_is_no_object_is_an_unknown_edition(data: object) -> None:
    assert code(record(data)) == "unknown-edition"


def test_faults_are_found_in_the_order_of_the_contract() -> None:
    tiny = {"base": "modern", "cards": {"guard": 1, "king": 1}}
    assert code(record({"base": "modern", "goals": {"2": 0}}, players=1)) == "bad-edition"
    assert code(record(tiny, players=1)) == "bad-players"
    assert code(record(tiny, options={"sums": True})) == "bad-option"
    assert code(record(tiny)) == "bad-edition"
    assert code({**record(tiny), "format": "x"}) == "bad-format"


def test_a_deck_that_is_too_small_for_the_seats_is_refused() -> None:
    data = {**SMALL, "aside": {"2": 4, "3": 4}, "face_up": {"2": 0}}
    assert load(json.dumps(record(data))).rules.cards == 7
    assert code(record(data, players=3)) == "bad-edition"
    assert code(record({"base": "modern", "cards": {}})) == "bad-edition"


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ({"base": "classic", "cards": {"guard": 8}}, {}),
        ({"base": "premium", "cards": {"guard": 7, "king": 1}, "values": {"king": 1}}, {}),
        (
            {"base": "classic", "cards": {"bishop": 1, "count": 7}, "values": {"bishop": 1, "count": 1}},
            {"bishop_names_one": False},
        ),
    ],
)
def test_a_card_that_can_name_nothing_is_refused(data: dict[str, Any], options: dict[str, Any]) -> None:
    assert code(record(data, options=options)) == "bad-edition"


scraps = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 50) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from((*CARD_NAMES, "2", "x")), inner, max_size=3)
    ),
    max_leaves=4,
)
objects = st.dictionaries(
    st.sampled_from(("base", "name", "cards", "values", "goals", "aside", "face_up", "x")), scraps
)


@settings(UNTIMED, max_examples=50)
@given(objects, st.sampled_from(("modern", "premium", "house", None)), st.integers(2, 4))
def test_whatever_is_given_is_played_or_refused_with_a_sentence(
    data: dict[str, Any], base: str | None, players: int
) -> None:
    given_data = data if base is None else {**data, "base": base}
    with suppress(Refused):
        assert refusing(given_data, players).legal()


# Any of them can be played


@settings(UNTIMED, max_examples=60)
@given(own_editions(), st.integers(0, 1 << 32))
def test_any_edition_is_played_recorded_replayed_and_seen(drawn: Drawn, seed: int) -> None:
    data, players = drawn
    match = played(data, players, seed)
    text = json.dumps(match.record())
    again = load(text)
    assert match.record()["edition"] == data
    assert again.record() == match.record()
    assert summary(again) == summary(match)
    for seat in (None, *range(players)):
        view = match.view(seat)
        assert again.view(seat) == view
        assert read_view(json.loads(json.dumps(view_data(view)))) == view


@settings(UNTIMED, max_examples=30)
@given(own_editions(most_players=3, most_cards=12), st.integers(0, 1 << 32))
def test_perft_counts_what_the_trace_lists(drawn: Drawn, seed: int) -> None:
    data, players = drawn
    match = Match(data, NAMES[:players], rng=random.Random(seed))
    counted = 0
    for move in match.moves():
        twin = match.copy()
        twin.push(move)
        counted += max(1, len(twin.moves()))
    assert perft(match.table, match.rules, 2) == counted


@settings(UNTIMED, max_examples=60)
@given(own_editions(), st.sampled_from(sorted(SWITCHES["sycophant_on_actor"])))
def test_the_numbers_of_any_edition_hold_together(drawn: Drawn, on_actor: str) -> None:
    data, players = drawn
    rules = edition(own_slug(data), players, {"sycophant_on_actor": on_actor})
    check_dealable(rules)
    assert len(rules.box) == rules.cards == sum(rules.copies) == sum(data["cards"].values())
    assert rules.free_actor == (on_actor == "free")


# The commands take such records like any other


def test_replay_perft_view_and_batch_take_such_records() -> None:
    match = played(SMALL, 2, 5)
    text = json.dumps(match.record()).encode()
    assert call("replay", "-", given=text).lines == [summary(match)]
    seen = call("replay", "-", "--view", "0", given=text)
    assert seen.lines == [json.loads(json.dumps(view_data(match.view(0))))]
    bad = json.dumps(record({"base": "modern", "x": 1})).encode()
    both = call("replay", "-", "--batch", given=text + b"\n" + bad + b"\n")
    assert both.status == 2
    assert both.lines[0] == summary(match)
    assert both.lines[1]["error"]["code"] == "bad-edition"
    assert both.lines[1]["error"]["round"] is None
    start = Match(SMALL, NAMES[:2], rng=random.Random(2))
    counted = call("perft", "-", "2", given=json.dumps(start.record()).encode())
    assert counted.out == f"{perft(start.table, start.rules, 2)}\n"


def test_the_order_of_the_keys_makes_no_difference_to_a_view() -> None:
    match = played(SMALL, 2, 5)
    texts = [
        json.dumps({**match.record(), "edition": dict(order)}) for order in (SMALL.items(), reversed(SMALL.items()))
    ]
    one, other = (call("replay", "-", "--view", "1", given=text.encode()).out for text in texts)
    assert one == other
