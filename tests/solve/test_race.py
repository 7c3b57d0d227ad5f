"""The race to the goal: the chance to win a match from the tokens between two rounds."""

import random

import pytest

from suitors.errors import check_edition
from suitors.rules import Edition, edition
from suitors.rules.own import MOST_TOKENS
from suitors.solve.race import ODDS, at_goal, match_chances, round_odds
from suitors.view.match import seats
from support.matches import TABLES


def races(slug: str, players: int, count: int) -> list[tuple[Edition, tuple[int, ...], int]]:
    """Scores at which nobody is at the goal yet, and who may start."""
    rules, rng = edition(slug, players), random.Random(f"{slug}/{players}")
    scores = [tuple(rng.randrange(rules.goal) for _ in range(players)) for _ in range(count)]
    return [(rules, score, rng.randrange(1 << players)) for score in scores]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_somebody_wins_and_seats_alike_have_like_chances(slug: str, players: int) -> None:
    for rules, score, starters in races(slug, players, 3):
        chances = match_chances(rules, score, starters)
        assert sum(chances) == pytest.approx(1)
        order = random.Random(1).sample(range(players), players)
        moved = sum(1 << place for place, seat in enumerate(order) if starters >> seat & 1)
        assert match_chances(rules, [score[seat] for seat in order], moved) == pytest.approx(
            [chances[k] for k in order]
        )
    assert match_chances(rules, [0] * players) == pytest.approx([1 / players] * players)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 6)])
def test_a_token_more_is_a_better_chance_and_to_start_is_the_starters_advantage(slug: str, players: int) -> None:
    for rules, score, starters in races(slug, players, 4):
        before = match_chances(rules, score, starters)[0]
        assert match_chances(rules, (score[0] + 1, *score[1:]), starters)[0] > before
        better = round_odds(rules).starter > 1 / players
        assert (match_chances(rules, score, 1)[0] > match_chances(rules, score, 2)[0]) == better


def test_the_race_is_what_rounds_by_chance_come_to() -> None:
    rules, odds, rng = edition("modern", 3), round_odds(edition("modern", 3)), random.Random(2)
    wins, n = [0.0] * 3, 20_000
    for _ in range(n):
        tokens, starter = [2, 0, 3], 1
        while not at_goal(rules, tokens):
            others = [seat for seat in range(3) if seat != starter]
            winner = starter if rng.random() < odds.starter else rng.choice(others)
            tokens[winner] += 1
            u = rng.random()
            if u < odds.second:
                tokens[winner] += 1
            elif u < odds.second + odds.elsewhere:
                tokens[rng.choice([seat for seat in range(3) if seat != winner])] += 1
            starter = winner
        for seat in seats(at_goal(rules, tokens)):
            wins[seat] += 1 / len(seats(at_goal(rules, tokens)))
    assert [won / n for won in wins] == pytest.approx(match_chances(rules, [2, 0, 3], 2), abs=0.015)


def test_a_goal_that_is_reached_decides_and_a_tie_is_shared() -> None:
    rules = edition("modern", 3)
    assert match_chances(rules, (rules.goal, 1, 2)) == (1, 0, 0)
    assert match_chances(rules, (rules.goal, rules.goal + 1, 2)) == (0.5, 0.5, 0)
    most = edition("premium", 6)
    assert match_chances(most, (most.goal, most.goal + 1, 0, 0, 0, 0)) == (0, 1, 0, 0, 0, 0)
    assert at_goal(most, (most.goal, most.goal, 0, 0, 0, 0)) == 0b11
    assert at_goal(most, (0,) * 6) == 0


def test_what_was_measured_are_chances() -> None:
    for odds in ODDS.values():
        assert 0 < odds.starter < 1
        assert 0 <= odds.second + odds.elsewhere < 1


def test_the_longest_race_of_the_most_players_comes_to_an_end() -> None:
    rules = edition(check_edition({"base": "premium", "goals": {"8": MOST_TOKENS}}), 8)
    assert match_chances(rules, [0] * 8, 1) == pytest.approx([1 / 8] * 8)
    chances = match_chances(rules, [0, 0, 0, 0, 0, 1, 5, rules.goal - 1])
    assert sum(chances) == pytest.approx(1)
    assert chances[0] == pytest.approx(chances[4])
    assert chances[4] < chances[5] < chances[6] < chances[7] < 1


def test_a_race_that_is_too_long_for_an_exact_answer_is_nearly_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = edition("classic", 4)
    scores = [[0, 1, 2, 3], [3, 3, 0, 0], [1, 0, 0, 0]]
    exact = [match_chances(rules, score) for score in scores]
    monkeypatch.setattr("suitors.solve.race.MOST_STATES", 0)
    for score, chances in zip(scores, exact, strict=True):
        assert match_chances(rules, score) == pytest.approx(chances, abs=0.01)
    assert match_chances(rules, [rules.goal, 0, 0, 0]) == (1, 0, 0, 0)
