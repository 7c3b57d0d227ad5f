"""What a match came to: start, skill, luck and result, and an accuracy."""

import pytest

from suitors import Match, Solo
from suitors.coach import analyse
from suitors.coach.accounts import accuracy, chance_before, make_account
from suitors.coach.decisions import Decision
from suitors.coach.judgement import Mark, MoveValue
from suitors.rules import Card, edition
from suitors.solve import over_all
from suitors.solve.book import read_book, start
from suitors.solve.race import match_chances
from suitors.solve.tables import kind_of
from support.matches import TABLES, chance_match


def decided(before: float, after: float, *, seat: int = 0, round_: int = 0, room: float = 0.2) -> Decision:
    """A decision that takes the chance from one number to another."""
    moves = (MoveValue("handmaid", before, before, 0.0), MoveValue("guard 1 priest", after, after, 0.0))
    return Decision(
        round=round_,
        ply=0,
        seat=seat,
        move="guard 1 priest",
        best="handmaid",
        moves=moves,
        before=before,
        after=after,
        loss=before - after,
        interval=(before - after, before - after),
        stake=1.0,
        room=room,
        mark=Mark.BEST if before == after else Mark.MISTAKE,
        exact=True,
        reason=None,
    )


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_start_skill_and_luck_are_the_result(slug: str, players: int) -> None:
    match = chance_match(slug, players, 2)
    analysis = analyse(match.record(), budget_ms=0.5)
    for seat, account in enumerate(analysis.accounts):
        own = [decision for decision in analysis.decisions if decision.seat == seat]
        assert account.seat == seat
        assert account.start + account.skill + account.luck == pytest.approx(account.result, abs=1e-12)
        assert account.skill == pytest.approx(-sum(decision.loss for decision in own))
        assert account.skill <= 0
        assert account.luck == pytest.approx(sum(step.luck for step in account.steps))
        assert account.result == (1 / len(match.winners) if seat in match.winners else 0)
        assert sum(account.marks.values()) == sum(not decision.forced for decision in own)
        assert len(account.steps) == len(own) + 1
    assert sum(account.start for account in analysis.accounts) == pytest.approx(1)
    assert sum(account.result for account in analysis.accounts) == pytest.approx(1)


def test_an_account_by_hand() -> None:
    match = Match("classic", ["Ada", "Ben"], seed=1)
    found = make_account(match, 0, [decided(0.6, 0.5), decided(0.9, 0.9, seat=1), decided(0.7, 0.4)])
    assert found.start == 0.5
    assert [step.luck for step in found.steps] == pytest.approx([0.1, 0.2, 0])
    assert [step.skill for step in found.steps] == pytest.approx([-0.1, -0.3, 0])
    assert (found.skill, found.luck, found.result) == pytest.approx((-0.4, 0.3, 0.4))
    assert [step.ply for step in found.steps] == [0, 0, None]
    assert found.marks == {Mark.MISTAKE: 2}


def test_between_two_rounds_the_result_is_the_chance_of_the_score() -> None:
    match = Match("classic", ["Ada", "Ben"], seed=1)
    while not match.to_deal:
        match.push(match.moves()[0])
    winner = match.rounds[0].winners[0]
    tokens = [int(seat == winner) for seat in (0, 1)]
    assert match.tokens == tuple(tokens)
    assert make_account(match, 0, []).result == match_chances(match.rules, tokens, 1 << winner)[0]


def test_accuracy_is_what_was_kept_of_what_choices_were_worth() -> None:
    assert accuracy([]) is None
    assert accuracy([decided(0.5, 0.5)]) == 100
    assert accuracy([decided(0.5, 0.45), decided(0.5, 0.5)]) == pytest.approx(100 * (1 - 0.05 / 0.4))
    assert accuracy([decided(0.9, 0.1)]) == 0
    assert accuracy([decided(0.5, 0.5, room=0.0)]) is None


def test_a_solo_game_starts_from_the_chance_before_the_deal() -> None:
    rules = edition("solitaire", 1)
    cards = [card for card in Card if rules.copies[card] and card != Card.PRINCESS]
    book = read_book(0)
    whole = over_all({card: book[start(kind_of(card))] for card in cards})
    assert chance_before(Solo(seed=3)) == pytest.approx(whole)
