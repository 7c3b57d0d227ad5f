"""From a view to the ending that is solved: the worlds that may be, what both players know there, and the move."""

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from suitors import Card, Match, View
from suitors.bots import ending, tree_search
from suitors.bots.ending import actual, knowing_seats, ours, recognised, reweighted, solve_ending, spectator, worlds_of
from suitors.bots.positions import visible_table
from suitors.knowledge.belief import Belief
from suitors.knowledge.evidence import UNDER
from suitors.knowledge.likelihood import uniform
from suitors.knowledge.public import fold
from suitors.notation import read_move
from suitors.rules import NO_CARD, Phase, copy_table, play
from suitors.solve import equilibrium
from suitors.solve.equity import equity
from suitors.view.match import held
from support.engine_positions import positions, uncompiled
from support.matches import FOR_TWO
from support.slow_endings import cards_of, endings, quiet_endings

PUBLIC = ("phase", "active", "decider", "standing", "shielded", "tokens", "tied", "top", "bottom", "discards")


def solved(view: View, seed: int = 1) -> str | None:
    """The move of a solved ending."""
    return solve_ending(view, Belief(view), uniform, random.Random(seed), 0.0, None)


def views(slug: str, deck: int, count: int, seed: int = 0) -> list[tuple[Match, View]]:
    """What deciding seats see at the end of rounds of two."""
    return [(match, match.view(match.turn)) for match in endings(slug, deck, count, seed)]


# Worlds


@pytest.mark.parametrize("slug", FOR_TWO)
def test_a_spectator_is_shown_what_a_spectator_sees(slug: str) -> None:
    for match, view in views(slug, 3, 15, 100):
        there = match.view(None)
        assert spectator(view) == replace(there, log=(*view.log[:-1], there.log[-1]))


@pytest.mark.parametrize("slug", FOR_TWO)
def test_the_real_position_is_among_the_worlds_with_the_own_information(slug: str) -> None:
    for match, view in views(slug, 2, 9, 200):
        some, t = list(worlds_of(view, Belief(view), uniform)), match.table
        real = (t.hand, t.drawn, t.extra, t.deck[t.top : t.bottom], t.spare)
        found = [w for w in some if lies(w.table) == real]
        assert len(found) == 1
        own = actual(some, view)
        assert own is not None
        assert view.seat is not None
        assert own.keys[view.seat] == found[0].keys[view.seat]
        for world in some:
            assert all(getattr(world.table, name) == getattr(t, name) for name in PUBLIC)
            cards = (*cards_of(view, world.table, 0), *cards_of(view, world.table, 1))
            assert len(cards) == sum(held(t)[:2])


def lies(t: object) -> tuple[object, ...]:
    assert hasattr(t, "deck")
    return (t.hand, t.drawn, t.extra, t.deck[t.top : t.bottom], t.spare)  # type: ignore[attr-defined]


@pytest.mark.parametrize("slug", FOR_TWO)
def test_the_worlds_say_of_the_opponents_card_what_the_belief_says(slug: str) -> None:
    """Where nobody was shown a card and none came back from under the deck: what is gone since is not remembered."""
    for match in quiet_endings(slug, 2, 15):
        view = match.view(match.turn)
        assert view.seat is not None
        belief, foe = Belief(view), 1 - view.seat
        if any(place < UNDER + belief.evidence.top for place in knowing_seats(view)):
            continue
        chances: Counter[int] = Counter()
        for world in worlds_of(view, belief, uniform):
            t = world.table
            under = all(t.deck[t.top + place] == card for place, card in view.under.items())
            if cards_of(view, t, view.seat) == view.hand and under:
                chances[t.hand[foe]] += world.weight  # type: ignore[assignment]
        total = sum(chances.values())
        wanted = {int(card): chance for card, chance in belief.hands[foe][0].items()}
        assert {card: weight / total for card, weight in chances.items()} == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("slug", FOR_TWO)
def test_the_worlds_that_may_be_ours_are_weighed_by_all_that_we_have_seen(slug: str) -> None:
    for _, view in views(slug, 3, 25, 400):
        assert view.seat is not None
        belief, foe = Belief(view), 1 - view.seat
        some = list(worlds_of(view, belief, uniform))
        sharp = reweighted(some, view, belief)
        assert sum(world.weight for world in sharp) == pytest.approx(sum(world.weight for world in some))
        chances: dict[int, float] = {}
        for world in sharp:
            if ours(world, view):
                chances[world.table.hand[foe]] = chances.get(world.table.hand[foe], 0.0) + world.weight
        total = sum(chances.values())
        wanted = {int(card): chance for card, chance in belief.hands[foe][0].items()}
        found = {card: weight / total for card, weight in chances.items() if weight > 0}
        assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("slug", FOR_TWO)
def test_in_all_worlds_the_players_hold_what_the_other_knows_them_to_hold(slug: str) -> None:
    known = 0
    for match, view in views(slug, 2, 20, 400):
        seat = view.seat
        assert seat is not None
        mine, theirs = view.known[1 - seat], match.view(1 - seat).known[seat]
        known += bool(mine) + bool(theirs)
        for world in worlds_of(view, Belief(view), uniform):
            t = world.table
            assert not mine or t.hand[1 - seat] == mine[0]
            assert not Counter(map(int, theirs)) - Counter(cards_of(view, t, seat))
    assert known > 4


def test_a_card_that_the_opponent_put_under_the_deck_is_recognised_when_it_is_drawn() -> None:
    found = 0
    for match, view in views("modern", 4, 80, 500):
        seat = view.seat
        assert seat is not None
        places = set(recognised(view))
        found += len(places)
        shown = fold(view).seen[(1 - seat) * 2 + seat]
        if shown not in (NO_CARD, 31) and shown == view.hand[0]:
            places.add(0)
        assert sorted(view.hand[k] for k in places) == sorted(match.view(1 - seat).known[seat])
    assert found > 5


# The move


@pytest.mark.parametrize("slug", FOR_TWO)
def test_a_solved_ending_gives_a_legal_move(slug: str) -> None:
    solved_ones = 0
    for number, (_, view) in enumerate(views(slug, 2, 8, 600)):
        move = solved(view, number)
        assert move is None or move in view.legal
        solved_ones += move is not None
    assert solved_ones > 3


def test_what_is_no_ending_of_two_is_not_solved() -> None:
    for slug, players in (("classic", 3), ("modern", 2), ("house", 2)):
        for match in positions(slug, players, 1, 30):
            view = match.view(match.turn)
            if players > 2 or view.deck > ending.DECK:
                assert solved(view) is None


def test_an_ending_that_is_too_large_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    _, view = views("classic", 2, 1, 700)[0]
    assert len(list(worlds_of(view, Belief(view), uniform))) > 10
    assert solved(view) is not None
    with monkeypatch.context() as patch:
        patch.setattr(ending, "WORLDS", 3)
        assert solved(view) is None
    with monkeypatch.context() as patch:
        patch.setattr(equilibrium, "ROOM", 100)
        assert solved(view) is None


def test_an_ending_is_given_up_where_there_is_no_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _, view = views("classic", 2, 1, 800)[0]
    improved = []

    def improve(self: equilibrium.Ending, rounds: int) -> None:
        improved.append(rounds)
        self.done += rounds

    monkeypatch.setattr(equilibrium.Ending, "improve", improve)
    for looks, wanted in ((0, False), (2, False), (ending.FEWEST // ending.CHUNK, True)):
        times = iter([0.0] * looks + [9.0] * 100)
        monkeypatch.setattr(tree_search, "time", SimpleNamespace(perf_counter=lambda times=times: next(times)))
        improved.clear()
        move = solve_ending(view, Belief(view), uniform, random.Random(1), 0.0, 1000.0)
        assert (move is not None) == wanted
        assert sum(improved) == looks * ending.CHUNK


@pytest.mark.parametrize("slug", FOR_TWO)
def test_with_an_empty_deck_the_move_is_the_best_against_the_belief(slug: str) -> None:
    """Nobody else decides any more, so that this is no game but a choice."""
    for match in quiet_endings(slug, 0, 9):
        view = match.view(match.turn)
        if view.phase == Phase.PLAY:
            move, worth = solved(view), by_belief(view)
            assert move is not None
            assert worth[move] > max(worth.values()) - 0.002


def by_belief(view: View) -> dict[str, float]:
    """What each move is worth if the opponent's card, and with it the one aside, are as the belief says."""
    belief, seat = Belief(view), view.seat
    assert seat is not None
    found = {}
    for text in view.legal:
        total = 0.0
        for card, chance in belief.hands[1 - seat][0].items():
            t = copy_table(visible_table(belief.view, belief.evidence.public))
            t.hand[1 - seat] = card
            if t.spare != NO_CARD:
                rest = belief.unseen[:]
                rest[card] -= 1
                t.spare = next(other for other in Card if rest[other])
            play(t, view.rules, read_move(view.rules, text))
            total += chance * equity(t, view.rules, seat)
        found[text] = total
    return found


def test_moves_that_the_average_strategy_hardly_makes_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    _, view = views("classic", 2, 1, 800)[0]
    first, second, *_ = (read_move(view.rules, text) for text in view.legal)
    rare = {first: ending.TRIFLE / 2, second: 1 - ending.TRIFLE / 2}
    monkeypatch.setattr(equilibrium.Ending, "strategy", lambda *_: rare)
    monkeypatch.setattr(ending, "ROUNDS", ending.FEWEST)
    monkeypatch.setattr(equilibrium, "ROOM", 1 << 13)
    some = list(worlds_of(view, Belief(view), uniform))
    monkeypatch.setattr(ending, "worlds_of", lambda *_: some)
    assert {solved(view, seed) for seed in range(9)} == {view.legal[1]}
    monkeypatch.setattr(equilibrium.Ending, "strategy", lambda *_: {first: 0.3, second: 0.7})
    often = Counter(solved(view, seed) for seed in range(40))
    assert 3 < often[view.legal[0]] < 25
    assert often.total() == often[view.legal[0]] + often[view.legal[1]]


def test_without_a_compiler_small_endings_are_solved_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)
    monkeypatch.setattr(ending, "ROUNDS", 30)
    moves = [(solved(view), view) for _, view in views("classic", 1, 6, 600)]
    assert sum(move is not None for move, _ in moves) > 3
    assert all(move is None or move in view.legal for move, view in moves)
