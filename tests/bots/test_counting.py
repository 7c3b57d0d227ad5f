"""The counting bot: expected results one play ahead, by hand."""

import random

import pytest

from suitors import Belief, Card, View
from suitors.bots.counting import Trial, choose
from suitors.notation import read_move
from suitors.rules import copy_table, play
from suitors.rules.acts import discard
from support.engine_positions import dealt


@pytest.fixture
def view() -> View:
    """Six players; the first holds Jester and Constable."""
    hands = ["jester", "guard", "priest", "baron", "guard", "king"]
    return dealt("premium", hands, "constable").view(0)


def test_a_jesters_bet_promises_a_token_as_often_as_the_favourite_wins(view: View) -> None:
    trial = Trial(Belief(view))
    assert trial.promised(trial.table) == 0
    t = copy_table(trial.table)
    play(t, view.rules, read_move(view.rules, "jester 3"))
    assert trial.promised(t) == pytest.approx(1 / 6)


def test_a_constable_in_the_pile_promises_a_token_as_often_as_its_player_falls(view: View) -> None:
    trial = Trial(Belief(view))
    t = copy_table(trial.table)
    discard(t, 1, Card.CONSTABLE)
    assert trial.promised(t) == 0
    discard(t, 0, Card.CONSTABLE)
    assert trial.promised(t) == pytest.approx(5 / 6)


def test_a_guards_expectation_is_the_mean_of_hit_and_miss() -> None:
    view = dealt("classic", ["guard", "king"], "baron").view(0)
    belief = Belief(view)
    trial = Trial(belief)
    move = read_move(view.rules, "guard 1 prince")
    hit, miss = trial.result(move, Card.PRINCE), trial.result(move, Card.PRIEST)
    chance = belief.hands[1][0][Card.PRINCE]
    assert hit > miss
    assert trial.expected(move) == pytest.approx(chance * hit + (1 - chance) * miss)


def test_the_likeliest_name_is_said_and_the_princess_is_kept() -> None:
    view = dealt("classic", ["guard", "king"], "princess").view(0)
    unseen = Belief(view).hands[1][0]
    chosen = choose(view, random.Random(1), None).split()
    assert chosen[:2] == ["guard", "1"]
    assert unseen[Card[chosen[2].upper()]] == max(chance for card, chance in unseen.items() if card != Card.GUARD)
