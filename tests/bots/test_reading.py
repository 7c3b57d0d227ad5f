"""What the expert reads from the plays of others, who may play as its network does."""

import random
from collections.abc import Callable, Sequence

import pytest

from suitors import Card, Match
from suitors.bots import opponents
from suitors.bots.learned import choosing
from suitors.bots.learned.network import network_for
from suitors.bots.learned.reading import NetworkChances, by_network_or_policy, read_opponents
from suitors.bots.learned.sight import LogFold
from suitors.bots.opponents import PRIOR, PolicyChances, model, parts
from suitors.bots.weights import searchers, weights
from suitors.fast.batch import all_games
from suitors.knowledge.belief import Belief
from suitors.knowledge.public import Public, tokens_before
from suitors.lab.memory import KNOWN, pair_at
from suitors.notation import read_move
from suitors.rules import NO_CARD, Event, Phase
from suitors.rules.names import is_card, verb_of
from suitors.view.match import View
from suitors.view.memory import Entry
from support.engine_positions import other_world, positions, some_positions
from support.scenes import NAMES

Player = Callable[[View, random.Random], str]
GAMES = [(slug, players) for slug, players in all_games() if players > 1]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """Nothing has been read before."""
    opponents._rounds.clear()


def read(view: View, reader: int | None) -> NetworkChances:
    """The network, told of the running round what a seat was told."""
    found = NetworkChances(view.rules, reader, tokens_before(view))
    for entry in view.log[-1]:
        found.read(entry)
    return found


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_the_network_is_asked_as_if_it_sat_there(slug: str, players: int) -> None:
    """A seat that reads its own plays finds the chances by which it chose, unless it knows cards under the deck."""
    compared = 0
    for match in positions(slug, players, 7, 40):
        view, t = match.view(match.turn), match.table
        assert view.seat is not None
        if view.under or t.phase != Phase.PLAY:
            continue
        way, likely = read(view, view.seat), choosing.chances(view, network_for(view.rules))
        for text in view.legal:
            move = read_move(view.rules, text)
            beside = t.hand[t.active] if verb_of(move) == t.drawn else t.drawn
            found = way.play(way.fold.public, [], view.seat, move)
            assert found[beside] == pytest.approx(likely[text], abs=1e-4)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_whoever_reads_a_play_holds_the_truth_possible(slug: str, players: int) -> None:
    for match in positions(slug, players, 8, 40):
        view = match.view((match.turn or 0) + 1 if (match.turn or 0) + 1 < players else 0)
        belief = Belief(view, read_opponents(view)[0])
        for seat in view.standing:
            if seat != view.seat and view.held[seat] == 1:
                assert sum(belief.hands[seat][0].values()) == pytest.approx(1)
                assert belief.hands[seat][0][Card(match.table.hand[seat])] > 0


def test_what_is_read_depends_on_the_view_alone() -> None:
    rng, pairs = random.Random(3), 0
    for slug, players in (("classic", 2), ("modern", 3), ("premium", 6)):
        for match in some_positions(slug, players, 1, 25, 60):
            twin, seat = other_world(match, rng), rng.randrange(players)
            if twin is not None and vars(twin.table) != vars(match.table) and twin.view(seat) == match.view(seat):
                pairs += 1
                opponents._rounds.clear()
                here = read_opponents(match.view(seat))[0]
                opponents._rounds.clear()
                there = read_opponents(twin.view(seat))[0]
                assert (here.parts, here.observed.chances) == (there.parts, there.observed.chances)
    assert pairs > 10


def by_network(view: View, rng: random.Random) -> str:
    return choosing.choose(view, rng)


def at_random(view: View, rng: random.Random) -> str:
    return rng.choice(view.legal)


def some_rounds(slug: str, plays: list[Player], seed: int, most: int) -> Match:
    rng = random.Random(f"{slug}/{seed}")
    match = Match(slug, NAMES[: len(plays)], rng=rng)
    while len(match.rounds) < most and not match.over:
        if match.to_deal:
            match.deal()
        else:
            seat = match.turn
            assert seat is not None
            match.play(plays[seat](match.view(seat), rng))
    return match


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 5)])
def test_who_plays_as_the_network_does_and_who_plays_at_random_is_found_out(slug: str, players: int) -> None:
    plays: list[Player] = [by_network, by_network, at_random] if players > 2 else [at_random, by_network]
    plays += [by_network] * (players - len(plays))
    wild = plays.index(at_random)
    reader = 1 - wild if players == 2 else 0
    found = [read_opponents(some_rounds(slug, plays, seed, 8).view(reader))[0].parts for seed in range(5)]
    assert sorted(parts[wild][0] for parts in found)[2] > 0.8
    if players > 2:
        assert sorted(parts[1][2] for parts in found)[2] > 0.6
    watching = [read_opponents(some_rounds(slug, plays, seed, 6).view(wild))[0].parts for seed in range(5)]
    assert sorted(parts[reader][2] for parts in watching)[2] > 0.6


def wild_at_first(view: View, rng: random.Random) -> str:
    """Two rounds at random, then as the network plays."""
    return at_random(view, rng) if len(view.log) < 3 else by_network(view, rng)


def test_who_stops_playing_at_random_is_found_out() -> None:
    found = [
        read_opponents(some_rounds("modern", [wild_at_first, by_network], k, 99).view(1))[0].parts for k in range(12)
    ]
    assert sum(parts[0][0] > 0.9 for parts in found) <= 1
    assert sum(parts[0][2] < 0.01 for parts in found) <= 2
    early = [
        read_opponents(some_rounds("modern", [wild_at_first, by_network], k, 3).view(1))[0].parts for k in range(12)
    ]
    assert sorted(parts[0][0] for parts in early)[5] > 0.5


def test_the_network_is_asked_about_the_first_plays_alone_of_those_who_do_not_play_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = some_rounds("classic", [at_random] * 3, 4, 8)
    places: list[int] = []
    ask = NetworkChances.play

    def noting(way: NetworkChances, public: Public, notes: list[int], seat: int, move: int) -> Sequence[float]:
        places.append(public.table.discards)
        return ask(way, public, notes, seat, move)

    monkeypatch.setattr(NetworkChances, "play", noting)
    opponents._rounds.clear()
    read_opponents(match.view(0))
    quick, first = len(places), sum(place < 3 for place in places)
    places.clear()
    monkeypatch.setattr(opponents, "UNLIKELY", 0.0)
    opponents._rounds.clear()
    read_opponents(match.view(0))
    assert quick < 0.6 * len(places)
    assert first == sum(place < 3 for place in places)


def test_before_anything_is_seen_all_ways_but_the_random_one_are_alike() -> None:
    match = Match("modern", NAMES[:3])
    for found in read_opponents(match.view(0))[0].parts:
        assert found[1] == pytest.approx(found[2])
        assert found[0] == pytest.approx(model(match.view(0))[1][0])
    assert parts([0.0])[0] == pytest.approx(parts([0.0, 0.0, 0.0])[0])
    assert sum(parts([2000.0, -2000.0])) == pytest.approx(1)
    assert parts([500.0])[0] > parts([-PRIOR])[0] > parts([-500.0])[0]


def test_rounds_read_in_other_ways_are_other_rounds() -> None:
    match = Match("classic", NAMES[:3], seed=1)
    match.play(match.legal()[0])
    view = match.view(match.turn)
    by_three, by_two = read_opponents(view)[0], model(view)[0]
    assert by_three.observed is not by_two.observed
    assert by_three.observed.make_ways is by_network_or_policy
    assert [len(parts) for parts in (by_three.parts[0], by_two.parts[0])] == [3, 2]


@pytest.mark.parametrize(
    ("slug", "players", "budget_ms", "asked"),
    [
        ("classic", 2, 1.0, True),
        ("modern", 4, 1.0, True),
        ("modern", 5, 4.0, False),
        ("premium", 8, 9.9, False),
        ("premium", 8, 10.0, True),
        ("modern", 6, None, True),
    ],
)
def test_among_many_a_small_budget_is_not_spent_on_asking_the_network(
    slug: str, players: int, budget_ms: float | None, asked: bool
) -> None:
    match = some_rounds(slug, [at_random] * players, 1, 2)
    found = read_opponents(match.view(0), budget_ms)[0]
    assert {len(parts) for parts in found.parts} == {3 if asked else 2}
    assert any(isinstance(way, NetworkChances) for way in found.observed.ways) == asked
    assert all(sum(parts) == pytest.approx(1) for parts in found.parts)


def test_the_policy_by_which_the_expert_reads_was_fitted_to_bots() -> None:
    for budget_ms in (4.0, None):
        match = some_rounds("premium", [at_random] * 6, 2, 2)
        policy = read_opponents(match.view(0), budget_ms)[0].observed.ways[0]
        assert isinstance(policy, PolicyChances)
        assert list(policy.theta) == searchers(match.rules) != weights(match.rules)
        assert read_opponents(match.view(0), budget_ms)[0].observed.policy is policy


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_after_a_play_nobody_is_taken_to_know_more_than_the_card_that_is_left(players: int) -> None:
    """Cards that others know and the reader does not would pile up, and push out what is known of the next seat."""
    for seed in range(20):
        rng = random.Random(seed)
        match = Match("modern", NAMES[:players], rng=rng)
        while not match.over:
            if match.to_deal:
                match.deal()
            else:
                match.push(rng.choice(match.moves()))
        for reader in (None, *range(players)):
            for told in match.view(reader).log:
                expect_at_most_one_known_card(LogFold(match.rules, reader, [0] * players), told)


def expect_at_most_one_known_card(fold: LogFold, told: tuple[Entry, ...]) -> None:
    for entry in told:
        fold.read(entry)
        if entry.event == Event.MOVED and entry.card is not None and is_card(verb_of(entry.card)):
            for seat in range(fold.rules.players):
                start = pair_at(fold.rules.players, seat, entry.actor)
                known = [card for card in fold.memories[start : start + KNOWN] if card != NO_CARD]
                assert len(known) <= 1 or seat == entry.actor
