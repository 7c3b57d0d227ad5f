"""What must hold of a belief in any round of any edition, at full size."""

import random
from collections.abc import Iterator

import pytest

from suitors import Match
from suitors.knowledge.belief import Belief
from suitors.rules import Card, Refusal, why_not
from suitors.view.match import View
from support.all_deals import lie, stated
from support.matches import TABLES
from support.random_play import step
from support.scenes import NAMES

STEPS = 24


def positions(slug: str, players: int, steps: int = STEPS) -> Iterator[tuple[Match, View]]:
    """The steps of a match by chance, each as the deciding seat, another seat and a spectator see it in turn."""
    rng = random.Random(f"{slug}/{players}")
    match = Match(slug, NAMES[:players], rng=rng)
    for _ in range(steps):
        if match.over:
            match = Match(slug, NAMES[:players], rng=rng)
        step(match, rng)
        for seat in dict.fromkeys((match.turn, rng.randrange(players), rng.choice((None, 0)))):
            yield match, match.view(seat)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_chances_sum_to_one_and_never_exclude_the_truth(slug: str, players: int) -> None:
    for match, view in positions(slug, players):
        mine, true = stated(Belief(view)), lie(match.table, match.rules)
        assert mine.keys() == true.keys()
        for place, chances in mine.items():
            assert all(chance > 0 for chance in chances.values())
            assert abs(sum(chances.values()) - 1) < 1e-9
            assert chances[Card(true[place])] > 0


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_expected_copies_of_each_card_are_those_out_of_sight(slug: str, players: int) -> None:
    for match, view in positions(slug, players):
        belief, true = Belief(view), lie(match.table, match.rules)
        hidden, mine = list(true.values()), stated(belief)
        for card in Card:
            expected = sum(chances.get(card, 0.0) for chances in mine.values())
            assert abs(expected - hidden.count(card)) < 1e-9
        own = [true[place] for place in true if place[:2] == ("hand", view.seat)]
        assert [hidden.count(card) - own.count(card) for card in Card] == list(belief.unseen)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_what_the_view_knows_for_certain_is_certain(slug: str, players: int) -> None:
    for _, view in positions(slug, players):
        belief = Belief(view)
        for seat, known in enumerate(view.known):
            if len(known) == view.held[seat]:
                assert [dict(chances) for chances in belief.hands[seat]] == [{card: pytest.approx(1)} for card in known]
            for card in known:
                held = sum(chances.get(Card(card), 0.0) for chances in belief.hands[seat])
                assert held >= known.count(card) - 1e-9
        for place, card in view.under.items():
            assert belief.deck(place) == {card: pytest.approx(1)}


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_next_draw_and_aside_are_there_exactly_if_such_a_card_is(slug: str, players: int) -> None:
    for _, view in positions(slug, players):
        belief = Belief(view)
        assert (belief.aside is None) == (view.aside == 0)
        assert belief.next_draw == (belief.deck(0) if view.deck else None)
        assert tuple(map(len, belief.hands)) == view.held


def other_world(match: Match, rng: random.Random) -> Match | None:
    """The same round with two cards of the deck in each other's place, if the same moves are legal in it."""
    past, last = match.rounds[:-1], match.rounds[-1]
    twin = Match(match.edition, match.players, match.options, dealt=False)
    for old in past:
        twin.start(old.deck, old.first)
        for move in old.moves:
            twin.push(move)
    order = list(last.deck)
    i, j = rng.sample(range(len(order)), 2)
    order[i], order[j] = order[j], order[i]
    twin.start(tuple(order), last.first)
    for move in last.moves:
        if twin.turn is None or why_not(twin.table, twin.rules, move) != Refusal.FINE:
            return None
        twin.push(move)
    return twin


def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_belief() -> None:
    rng = random.Random(8)
    pairs = 0
    for slug, players in TABLES:
        for match, view in positions(slug, players, 12):
            twin = other_world(match, rng)
            if twin is None or lie(twin.table, twin.rules) == lie(match.table, match.rules):
                continue
            if (there := twin.view(view.seat)) == view:
                pairs += 1
                assert stated(Belief(there)) == stated(Belief(view))
    assert pairs > 150


def test_before_the_first_deal_nothing_is_held() -> None:
    belief = Belief(Match("modern", NAMES[:3], dealt=False).view(None))
    assert belief.hands == ((), (), ())
    assert belief.aside is None
    assert belief.next_draw is None
