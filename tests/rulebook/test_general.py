"""Rulings R1 to R22, which hold in all editions."""

import pytest
from scenes import hand, pile, scene, standing, told
from suitors import IllegalMove, Refusal
from suitors.rules import Event


def test_R16_a_baron_tie_is_public_and_the_cards_are_not() -> None:
    match = scene("classic", ["baron prince", "prince", "guard"])
    match.play("baron 1")
    assert standing(match) == (0, 1, 2)
    assert told(match, Event.EQUAL) == [(0, 1, None)]
    assert told(match, Event.SHOWED) == [(1, 0, None), (0, 1, None)]
    assert match.view(0).known[1] == match.view(1).known[1]
    assert match.view(2).known[1] == ()


def test_R17_the_baron_compares_the_kept_card() -> None:
    match = scene("classic", ["baron guard", "priest", "king"])
    match.play("baron 1")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "baron guard"


def test_R1_a_card_may_not_be_wasted_on_a_protected_player() -> None:
    match = scene("premium", ["guard baron", "priest", "king"], protected=[1])
    assert match.why_not("guard 1 2") == Refusal.PROTECTED
    with pytest.raises(IllegalMove, match="protected"):
        match.play("guard 1 2")
    match.play("guard 2 6")
    assert hand(match, 2) == ""
