"""The bots of the solo game: each level better than the one below, legal moves everywhere, nothing seen face down."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from suitors import Solo, SoloView
from suitors.bots import beginner, solo
from suitors.rules import NO_CARD, SWITCHES, Option, SoloTable
from suitors.solve import solve, solver
from support.matches import SOLO_EDITIONS
from support.slow_solver import face_down

Choose = Callable[[SoloView, random.Random], str]
LEVELS: dict[str, Choose] = {
    "overlooking": lambda view, rng: beginner.choose(view, rng, None),
    "heuristics": solo.by_heuristics,
    "counting": solo.by_counting,
    "best": solo.best,
}
SETTINGS = [
    (slug, {"solo_prince": prince, "solo_last_card": last})
    for slug, prince, last in product(SOLO_EDITIONS, SWITCHES["solo_prince"], SWITCHES["solo_last_card"])
]


def anything(view: SoloView, rng: random.Random) -> str:
    return rng.choice(view.legal)


def decisions(
    choose: Choose, seed: int, slug: str = "solitaire", options: dict[str, Option] | None = None
) -> Iterator[tuple[Solo, str]]:
    """A game at each decision of the bot, and what it decides."""
    rng = random.Random(f"solo/{seed}")
    game = Solo(slug, options=options, rng=rng)
    while not game.over:
        move = choose(game.view(0), rng)
        yield game, move
        game.play(move)


def wins(choose: Choose, games: int) -> int:
    """How many of so many games are won."""
    return sum(bool([game for game, _ in decisions(choose, seed)][-1].winners) for seed in range(games))


def given_away(choose: Choose, games: int) -> float:
    """The chance of winning that the bot's moves cost in a game on average, as the solver knows exactly."""
    lost = 0.0
    for seed in range(games):
        for game, move in decisions(choose, seed):
            solution = solve(game)
            lost += solution.value - dict(solution.moves)[move]
    return lost / games


def positions(count: int, seed: int = 0) -> Iterator[Solo]:
    """Positions of games in which some moves are good and some are any."""
    rng = random.Random(seed)
    while count:
        for game, _ in decisions(
            lambda view, rng: (solo.by_heuristics if rng.random() < 0.7 else anything)(view, rng), rng.randrange(10**9)
        ):
            if count and rng.random() < 0.3:
                count -= 1
                yield game


def reshuffle(t: SoloTable, rng: random.Random) -> None:
    """Lay what lies face down in another order."""
    hidden = list(face_down(t))
    rng.shuffle(hidden)
    for place in range(t.length):
        if not t.up[place]:
            t.queue[place] = hidden.pop()
    if t.agent != NO_CARD and not t.agent_up:
        t.agent = hidden.pop()
    t.deck[t.top : t.bottom] = hidden


# How good they are


def test_rules_of_thumb_win_far_more_games_than_chance_and_fewer_where_much_is_overlooked() -> None:
    assert wins(anything, 200) < 15
    assert 50 < wins(LEVELS["overlooking"], 200) < wins(solo.by_heuristics, 200) - 10


def test_each_level_gives_less_away_than_the_one_below() -> None:
    by_heuristics, by_counting = given_away(solo.by_heuristics, 20), given_away(solo.by_counting, 15)
    assert 0.2 < by_heuristics < 0.35
    assert 0.05 < by_counting < by_heuristics - 0.08
    assert given_away(solo.best, 5) == pytest.approx(0, abs=1e-9)


# Where they play


@pytest.mark.parametrize(("slug", "options"), SETTINGS)
@pytest.mark.parametrize("level", LEVELS)
def test_they_play_both_editions_with_all_switches(level: str, slug: str, options: dict[str, Option]) -> None:
    for game, move in decisions(LEVELS[level], 1, slug, options):
        assert move in game.legal()
    assert game.over


# What they know


def test_a_table_is_made_from_the_view_alone() -> None:
    for game in positions(100):
        view = game.view(0)
        hidden = solo.unseen(view)
        assert hidden == sorted(face_down(game.table))
        twin = game.copy()
        twin.table = solo.table_of(view, hidden)
        assert twin.view(0) == view
        assert face_down(twin.table) == tuple(hidden)


@pytest.mark.parametrize("level", LEVELS)
def test_what_lies_face_down_changes_no_move(level: str) -> None:
    for number, game in enumerate(positions(15, seed=1)):
        view, choose = game.view(0), LEVELS[level]
        move = choose(view, random.Random(number))
        reshuffle(game.table, random.Random(number))
        assert game.view(0) == view
        assert choose(game.view(0), random.Random(number)) == move


def test_nor_does_it_change_any_value() -> None:
    for number, game in enumerate(positions(15, seed=2)):
        before = solve(game)
        reshuffle(game.table, random.Random(number))
        assert solve(game) == before


# Where nothing is compiled


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (solo, solver):
        monkeypatch.setattr(module, "available", lambda: False)


def is_small(game: Solo) -> bool:
    return len(face_down(game.table)) <= solo.SMALL


@pytest.mark.usefixtures("interpreted")
def test_without_a_compiler_small_positions_are_solved_all_the_same() -> None:
    for seed in range(3):
        for game, move in decisions(solo.best, seed):
            assert move in game.legal()
            if is_small(game):
                assert move == solve(game).moves[0][0]


@pytest.mark.usefixtures("interpreted")
def test_without_a_compiler_the_first_turn_is_in_the_book_and_what_follows_is_counted_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counted(view: SoloView, rng: random.Random) -> str:
        assert view.discards
        large.append(len(solo.unseen(view)))
        return solo.by_heuristics(view, rng)

    large: list[int] = []
    monkeypatch.setattr(solo, "by_counting", counted)
    for seed in range(3):
        assert all(move in game.legal() for game, move in decisions(solo.best, seed))
    assert large
    assert min(large) > solo.SMALL
