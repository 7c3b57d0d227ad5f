"""Compiled matches are the matches that the bots play by themselves, to the move."""

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from suitors import Match
from suitors.arena import Plan, Series, Tournament, quick, workers
from suitors.arena.quick import play_quickly
from suitors.arena.runner import Fixture, MatchRunner, Outcome
from suitors.bots.engine.buffers import PolicyBuffers
from suitors.bots.engine.likings import WORDS, Glance
from suitors.bots.engine.odds import ODDS
from suitors.bots.engine.policy import MOST_FEATURES
from suitors.bots.weights import weights
from suitors.chance import Stream, copy_rng, seed_number
from suitors.fast.games import STATE
from suitors.knowledge.notes import NOTES, SEATS, step
from suitors.lab.memory import memory_size
from suitors.mass import matches
from suitors.mass.matches import (
    CHAMPIONS,
    COLUMNS,
    FIRST,
    HAND,
    HANDS,
    LENGTH,
    NOVICE,
    OPENING,
    POLICY,
    ROUNDS,
    Start,
    Work,
    play_match,
    text_order,
)
from suitors.mass.play import Played, ints, new_start, play
from suitors.notation import write_move
from suitors.records.record import load
from suitors.rules import Card, Edition, Option, Table, edition, find_box, new_table
from suitors.rules.choices import MOST_MOVES
from suitors.rules.names import pack
from support.matches import TABLES
from support.random_play import step as random_step
from support.scenes import NAMES

SWITCHED: list[tuple[str, int, tuple[tuple[str, Option], ...]]] = [
    ("premium", 6, (("sycophant_on_actor", "free"), ("bishop_names_one", False))),
    ("premium", 3, (("premium_match_tie", "share"),)),
    ("house", 2, (("house_full_tie", "none"),)),
]
VARIANTS = [*((slug, players, ()) for slug, players in TABLES), *SWITCHED]


def figures(outcome: Outcome) -> Sequence[Sequence[int]]:
    """What does not depend on the machine's speed."""
    return outcome.won, outcome.rounds_won, outcome.decisions


# The same matches


@pytest.mark.parametrize(("slug", "players", "options"), VARIANTS)
def test_compiled_matches_are_those_of_the_bots(
    slug: str, players: int, options: tuple[tuple[str, Option], ...]
) -> None:
    rng = random.Random(f"{slug}/{players}")
    seatings = [[1] * players, *([rng.randrange(3) for _ in range(players)] for _ in range(3))]
    fixtures = [Fixture(slug, tuple(seats), f"{k}/deal", f"{k}/chance", options) for k, seats in enumerate(seatings)]
    with MatchRunner(["random", "novice", "beginner"]) as runner:
        found = [figures(runner.play(fixture)) for fixture in fixtures]
        assert [figures(outcome) for outcome in play_quickly(runner.bots, fixtures, 1)] == found


@pytest.mark.parametrize(("slug", "players"), [("modern", 3), ("premium", 2), ("premium", 7)])
def test_every_move_is_the_same(slug: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fixture, ed, made = Fixture(slug, (1,) * players, "deal", "chance"), edition(slug, players), list[int]()
    deal, chance = seed_number(fixture.deal), seed_number(fixture.chance)

    def watched(t: Table, rules: Edition, notes: list[int], move: int) -> None:
        made.append(move)
        step(t, rules, notes, move)

    monkeypatch.setattr(matches, "step", watched)
    interpreted(ed, new_start([[NOVICE] * players], [deal], [chance], find_box(slug).seating))
    with MatchRunner(["random", "novice"], recording=True) as runner:
        match = load(str(runner.play(fixture).record))
    assert made == [move for played in match.rounds for move in played.moves]


def policy_start(players: int, matches: int) -> Start:
    return new_start([[POLICY] * players] * matches, range(matches), range(50, 50 + matches))


def list_work() -> Work:
    """The arrays of a match as lists, for interpreted play."""
    buffers = PolicyBuffers(
        odds=[0.0] * ((SEATS + 1) * ODDS),
        rows=[0] * SEATS,
        features=[0] * MOST_FEATURES,
        values=[0.0] * MOST_FEATURES,
        moves=[0] * MOST_MOVES,
        chances=[0.0] * MOST_MOVES,
    )
    glance: Any = Glance([0] * SEATS, [0] * WORDS)
    streams: Any = [[0] * STATE for _ in range(SEATS)]
    return Work([0] * NOTES, [0] * memory_size(SEATS), glance, buffers, [0] * MOST_MOVES, streams, [0] * 4, [0] * 64)


def interpreted(ed: Edition, start: Start) -> Played:
    """The same matches, played by the same functions without the compiler."""
    n, t, work = len(start.deals), new_table(ed), list_work()
    columns: list[Any] = list(start)
    plain = Start(*(column.tolist() if isinstance(column, np.ndarray) else column for column in columns))
    rows, won, decided = ([[0] * width for _ in range(n)] for width in (COLUMNS, SEATS + 1, SEATS))
    for k in range(n):
        won[k][ed.players] = 1
        play_match(t, ed, weights(ed), work, plain, k, rows[k], won[k], decided[k])
    return Played(np.array(rows), np.array(won), np.array(decided))


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_quick_policy_plays_the_same_compiled_and_interpreted(slug: str, players: int) -> None:
    ed, start = edition(slug, players), policy_start(players, 2)
    compiled, plain = play(ed, start), interpreted(ed, start)
    for one, other in zip(vars(compiled).values(), vars(plain).values(), strict=True):
        assert one.tolist() == other.tolist()


def test_the_number_of_threads_changes_nothing() -> None:
    ed, start = edition("modern", 3), policy_start(3, 25)
    one, three = play(ed, start), play(ed, start, threads=3)
    assert (one.rows == three.rows).all()
    assert (one.decided == three.decided).all()
    assert one.rows[:, CHAMPIONS].all()


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_moves_are_ordered_as_their_texts(slug: str, players: int) -> None:
    rng = random.Random(f"{slug}/{players}")
    match = Match(slug, NAMES[:players], rng=rng)
    for _ in range(60):
        if not match.over and match.turn is not None:
            ordered = sorted(match.moves(), key=lambda move: text_order(match.rules, move))
            assert [write_move(match.rules, move) for move in ordered] == match.legal()
        if not match.over:
            random_step(match, rng)


# Rounds that start in a given way


def rounds(ed: Edition, first: Sequence[int], opening: int) -> Played:
    n = len(first)
    start = new_start([[0] * ed.players] * n, [7] * n, range(n))
    return play(ed, start._replace(first=ints(first), opening=ints([opening] * n), whole=False))


def hands(row: Sequence[int], players: int) -> list[int]:
    return [row[HANDS] >> HAND * seat & 31 for seat in range(players)]


def test_hands_stay_with_their_seats_whoever_starts() -> None:
    played = rounds(edition("modern", 4), range(4), -1)
    assert played.rows[:, FIRST].tolist() == [0, 1, 2, 3]
    assert played.rows[:, ROUNDS].tolist() == [1] * 4
    assert len({tuple(hands(row, 4)) for row in played.rows.tolist()}) == 1
    assert (played.rows[:, LENGTH] == played.decided.sum(axis=1)).all()


def test_a_first_move_is_made_by_a_starter_who_was_dealt_its_card() -> None:
    move = pack(Card.GUARD, 1, z=Card.PRINCE)
    played = rounds(edition("classic", 2), [0] * 30, move)
    assert played.rows[:, OPENING].tolist() == [move] * 30
    assert {hands(row, 2)[0] for row in played.rows.tolist()} == {Card.GUARD}


# Chance


def test_a_stream_draws_what_compiled_code_draws() -> None:
    one, other = Stream(seed_number("a"), 3), Stream(seed_number("a"), 3)
    assert [one.getrandbits(32) for _ in range(5)] == [other.getrandbits(32) for _ in range(5)]
    assert Stream(5, 0).getrandbits(32) != Stream(5, 1).getrandbits(32) != Stream(6, 1).getrandbits(32)
    assert copy_rng(one).random() == other.random()
    one.gauss(), one.random()
    assert 0 <= one.getrandbits(70) < 1 << 70
    assert one.sample(range(100), 100) != list(range(100))


def test_every_order_of_a_stream_is_as_likely_as_the_others() -> None:
    counts = dict.fromkeys(("abc", "acb", "bac", "bca", "cab", "cba"), 0)
    for number in range(6000):
        letters = list("abc")
        Stream(1, number).shuffle(letters)
        counts["".join(letters)] += 1
    spread = (6000 * 5 / 36) ** 0.5
    assert all(abs(count - 1000) < 5 * spread for count in counts.values())


# In the arena


def series(names: list[str], games: int, jobs: int = 1) -> tuple[list[Sequence[Sequence[int]]], str]:
    found = Series("premium", names, 3)
    outcomes = [figures(outcome) for outcome in found.play(games, jobs=jobs)]
    scores = [{**row, "seconds_per_decision": 0} for row in found.data()["bots"]]
    assert all(row["seconds_per_decision"] > 0 for row in found.data()["bots"])
    return outcomes, json.dumps(scores)


@pytest.mark.parametrize("names", [["novice", "random"], ["novice", "random", "beginner"]])
def test_a_series_of_many_matches_is_compiled_and_the_same(monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    plain = series(names, 11)
    monkeypatch.setattr(quick, "FEWEST", 1)
    monkeypatch.setattr(workers, "AT_ONCE", 2)
    monkeypatch.setattr(MatchRunner, "play", None)
    assert series(names, 11) == series(names, 11, jobs=2) == plain


def test_records_are_written_of_matches_that_were_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "FEWEST", 1)
    outcomes = list(Series("classic", ["novice", "random"], 3).play(4, jobs=1, recording=True))
    assert all(outcome.record for outcome in outcomes)


def test_in_a_tournament_the_pairs_of_quick_bots_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(("random", "novice", "counting"), (("classic", 2), ("modern", 3)), 2, 5)
    plain = {row.number: row.won for row in Tournament(plan).play(jobs=1)}
    monkeypatch.setattr(quick, "FEWEST", 1)
    asked: list[tuple[int, ...]] = []
    interpret = MatchRunner.play

    def watched(runner: MatchRunner, fixture: Fixture) -> Outcome:
        asked.append(fixture.seating)
        return interpret(runner, fixture)

    monkeypatch.setattr(MatchRunner, "play", watched)
    assert {row.number: row.won for row in Tournament(plan).play(jobs=1)} == plain
    assert asked
    assert all(2 in seating for seating in asked)


def test_the_solo_game_is_never_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "FEWEST", 1)
    assert len(list(Series("solitaire", ["random"], 3).play(3, jobs=1))) == 3
