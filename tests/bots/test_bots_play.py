"""The built-in bots: legal, reproducible moves in every game, from the view alone, within their time."""

import copy
import random
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from suitors import Match, Solo
from suitors.bots import BOTS, best_reply, cores, ending, opponents, search, tree_search, use_cores
from suitors.bots.learned import comparing
from suitors.bots.tree_search import SearchWorker
from suitors.knowledge.belief import Belief
from suitors.rules import Phase
from suitors.view.match import View
from support.engine_positions import other_world, positions, some_positions, uncompiled
from support.matches import TABLES
from support.scenes import NAMES

ALL_BOTS = {**BOTS, "best reply": best_reply.choose}
SEARCHERS = ["search", "best reply"]


@pytest.fixture(autouse=True)
def few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search, best_reply):
        monkeypatch.setattr(module, "ITERATIONS", 25)
    monkeypatch.setattr(comparing, "ROUNDS", 25)
    monkeypatch.setattr(ending, "ROUNDS", 30)
    monkeypatch.setattr(cores, "_limit", [1])


def ask(bot: str, view: Any, seed: object = 1, budget_ms: float | None = None) -> str:
    """The bot's move."""
    return ALL_BOTS[bot](view, random.Random(f"{seed}"), budget_ms)


# Where they play


@pytest.mark.parametrize(("slug", "players"), TABLES)
@pytest.mark.parametrize("bot", ALL_BOTS)
def test_a_bot_makes_a_legal_move_in_every_game_and_leaves_the_view_as_it_is(bot: str, slug: str, players: int) -> None:
    for match in some_positions(slug, players, 1, 3):
        view = match.view(match.turn)
        before = copy.deepcopy(view)
        for budget in (None, 1.0):
            assert ask(bot, view, 1, budget) in view.legal
        assert view == before


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_alone(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)  # what the solver finds is tested elsewhere
    rng = random.Random(3)
    game = Solo("solitaire-2019" if bot == "search" else "solitaire", rng=rng)
    while not game.over:
        move = ask(bot, game.view(0), len(game.rounds[-1].moves), rng.choice((None, 1.0)))
        assert move in game.legal()
        game.play(move)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_takes_every_kind_of_decision(bot: str) -> None:
    found = set()
    for slug, players, seeds in (("modern", 3, 3), ("premium", 6, 8)):
        for seed in range(seeds):
            for match in positions(slug, players, seed, 60):
                if match.table.phase not in found or match.table.phase != Phase.PLAY:
                    found.add(match.table.phase)
                    assert ask(bot, match.view(match.turn)) in match.legal()
    assert found == {Phase.PLAY, Phase.KEEP, Phase.LOOK, Phase.ANSWER}


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_a_tie_break_round(bot: str) -> None:
    match = tie_break()
    view = match.view(match.turn)
    assert len(view.tied) == 2
    assert ask(bot, view) in view.legal
    assert ask(bot, view, 2, 1.0) in view.legal


def tie_break() -> Match:
    """A match of five whose next round is among two."""
    match = Match("premium", NAMES[:5], dealt=False, rng=random.Random(2))
    match.table.tokens[:] = [1, 4, 0, 4, 3]
    match.table.tied = 0b01010
    match.deal()
    return match


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_whole_matches_with_each_other(bot: str) -> None:
    for slug, players in (("house", 2), ("modern", 2), ("premium", 5)):
        rng = random.Random(f"{bot}/{slug}")
        match = Match(slug, [f"P{seat}" for seat in range(players)], rng=rng)
        for _ in range(60):
            if match.to_deal:
                match.deal()
            elif match.turn is not None:
                match.play(BOTS[bot if match.turn == 0 else "random"](match.view(match.turn), rng, 1.0))


# The same again


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("house", 3), ("modern", 5), ("premium", 7)])
@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_move(bot: str, slug: str, players: int) -> None:
    for match in some_positions(slug, players, 2, 5):
        for seed in range(2):
            view = match.view(match.turn)
            assert ask(bot, view, seed) == ask(bot, copy.deepcopy(view), seed)


@pytest.mark.parametrize("bot", BOTS)
def test_worlds_that_a_seat_cannot_tell_apart_get_the_same_move(bot: str) -> None:
    rng, pairs = random.Random(11), 0
    for slug, players in (("classic", 2), ("modern", 2), ("modern", 4), ("house", 3), ("premium", 6)):
        for match in some_positions(slug, players, 3, 12):
            twin = other_world(match, rng)
            if twin is None or twin.table.__dict__ == match.table.__dict__ or twin.turn != match.turn:
                continue
            here, there = match.view(match.turn), twin.view(twin.turn)
            if here == there:
                pairs += 1
                opponents._rounds.clear()
                move = ask(bot, here, pairs)
                opponents._rounds.clear()
                assert ask(bot, there, pairs) == move
    assert pairs > 15


def test_only_the_bots_own_chance_is_drawn_from() -> None:
    """The state of Python's own generator, which others may use, is left alone."""
    match = some_positions("modern", 3, 4, 1)[0]
    before = random.getstate()
    for bot in BOTS:
        ask(bot, match.view(match.turn))
    assert random.getstate() == before


# Without a compiler


@pytest.mark.parametrize(
    ("slug", "players"), [("classic", 2), ("house", 2), ("modern", 2), ("modern", 4), ("premium", 8)]
)
@pytest.mark.parametrize("bot", BOTS)
def test_without_a_compiler_a_bot_makes_the_same_move(
    bot: str, slug: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = [match.view(match.turn) for match in some_positions(slug, players, 5, 2)]
    moves = [ask(bot, view) for view in views if players > 2 or view.deck > ending.DECK]
    uncompiled(monkeypatch)
    assert [ask(bot, view) for view in views if players > 2 or view.deck > ending.DECK] == moves
    assert all(ask(bot, view) in view.legal for view in views)
    assert ask(bot, views[0], 1, 1.0) in views[0].legal


@pytest.mark.parametrize("bot", SEARCHERS)
def test_without_a_compiler_nothing_is_compiled(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)
    monkeypatch.setitem(sys.modules, "suitors.bots.engine.compiling", None)
    monkeypatch.setitem(sys.modules, "suitors.solve.endings_compiled", None)
    for slug, players in (("classic", 2), ("modern", 3)):
        for match in some_positions(slug, players, 6, 4):
            assert ask(bot, match.view(match.turn)) in match.legal()


# Time


class Clock:
    """A clock that goes on by some milliseconds at every look, and by some at every simulated round."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, look_ms: float, round_ms: float) -> None:
        self.now_ms, self.look_ms, self.rounds = 0.0, look_ms, 0
        simulate = SearchWorker.simulate

        def slower(worker: SearchWorker, iterations: int) -> None:
            self.rounds += iterations
            self.now_ms += iterations * round_ms
            simulate(worker, iterations)

        for module in (tree_search, search, best_reply):
            monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=self.look))
        monkeypatch.setattr(SearchWorker, "simulate", slower)

    def look(self) -> float:
        """The time in seconds."""
        self.now_ms += self.look_ms
        return self.now_ms / 1000


def a_view(slug: str = "modern", players: int = 3) -> View:
    match = some_positions(slug, players, 8, 1)[0]
    return match.view(match.turn)


@pytest.mark.parametrize("bot", SEARCHERS)
def test_a_bot_stops_when_its_time_is_up(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for budget in (10.0, 100.0):
        with monkeypatch.context() as patch:
            clock = Clock(patch, 0.001, 0.1)
            assert ask(bot, a_view(), 1, budget) in a_view().legal
            assert tree_search.MARGIN * budget < clock.now_ms < budget * 1.03
            assert tree_search.MARGIN * budget * 9 < clock.rounds < budget * 10.3


@pytest.mark.parametrize("bot", SEARCHERS)
def test_a_bot_that_is_late_already_simulates_as_few_rounds_as_it_may(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, 50.0, 0.0)
    assert ask(bot, a_view(), 1, 1.0) in a_view().legal
    assert clock.rounds == tree_search.FEWEST


@pytest.mark.parametrize("bot", SEARCHERS)
def test_without_a_budget_a_bot_never_looks_at_the_clock_to_decide(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 1e6, 1e6)
    for slug, players in (("modern", 3), ("classic", 2)):
        assert ask(bot, a_view(slug, players), 1) in a_view(slug, players).legal
    assert clock.rounds == 2 * 25


def test_the_search_uses_as_many_trees_as_cores_with_different_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    use_cores(3)
    streams = []
    begin = SearchWorker.__init__

    def noting(worker: SearchWorker, position: Any, at_random: Any, stream: int, slots: int) -> None:
        streams.append(stream)
        begin(worker, position, at_random, stream, slots)

    monkeypatch.setattr(SearchWorker, "__init__", noting)
    ask("search", a_view(), 1, 1.0)
    assert streams == [0, 1, 2]
    use_cores(0)
    assert cores.cores() == 1


def test_the_visits_of_all_trees_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    view = a_view()
    position = tree_search.TreeSearch(view, Belief(view), random.Random(1))
    first = next(iter(position.moves.values()))
    monkeypatch.setattr(SearchWorker, "visits", lambda worker: {first: 3})
    assert position.run_until([0.0] * 3, 0.0, 1.0, 4) == {first: 12}
