"""The eight people of the Premium rulebook that every game has, sentence by sentence."""

import pytest

from suitors import IllegalMove, Match, Refusal
from suitors.rules import End, Event
from support.scenes import hand, names, pile, scene, standing, told

FREE = ("guard", "priest", "baron", "handmaid", "princess")  # held with the Countess, they do not force her


def after_handmaid(deck: str = "guard guard guard guard") -> Match:
    """Seat 0 of three has just played a Handmaid; seat 1 has to play."""
    match = scene("premium", ["handmaid king", "prince", "baron"], deck=deck)
    match.play("handmaid")
    return match


# 8: the Princess


def test_premium_princess_whoever_discards_her_is_out_at_once() -> None:
    match = scene("premium", ["princess guard", "king", "priest"])
    match.play("princess")
    assert standing(match) == (1, 2)


def test_premium_princess_discarded_for_a_prince_knocks_out() -> None:
    match = scene("premium", ["prince guard", "princess", "priest"])
    match.play("prince 1")
    assert standing(match) == (0, 2)


def test_premium_princess_discarded_for_a_prince_draws_no_card() -> None:
    match = scene("premium", ["prince guard", "princess", "priest"], deck="king baron guard")
    match.play("prince 1")
    assert hand(match, 1) == ""
    assert names(match.view(2).hand) == "priest king"


def test_premium_princess_traded_away_knocks_nobody_out() -> None:
    match = scene("premium", ["king princess", "guard", "priest"])
    match.play("king 1")
    assert (standing(match), hand(match, 1)) == ((0, 1, 2), "princess")


def test_premium_princess_what_belongs_to_a_knock_out_still_applies() -> None:
    match = scene("premium", ["prince guard", "princess", "priest", "guard", "guard"], piles={1: "constable"})
    match.play("prince 1")
    assert match.tokens == (0, 1, 0, 0, 0)


def test_premium_princess_a_bet_still_pays_when_she_ends_the_round() -> None:
    match = scene("premium", ["prince guard", "princess", None, None, None], bet=(4, 0))
    match.play("prince 1")
    assert match.rounds[-1].tokens == (1, 0, 0, 0, 1)


# 7: the Countess


@pytest.mark.parametrize("other", ["king", "prince"])
@pytest.mark.parametrize("order", [1, -1])
def test_premium_countess_must_be_discarded_with_king_or_prince(other: str, order: int) -> None:
    """Whichever of the two was drawn last."""
    match = scene("premium", [" ".join(["countess", other][::order]), "guard", "priest"])
    assert match.legal() == ["countess"]


def test_premium_countess_the_other_card_is_not_revealed() -> None:
    match = scene("premium", ["countess king", "guard", "priest"])
    match.play("countess")
    assert (match.view(1).known[0], match.view(None).known[0]) == ((), ())


@pytest.mark.parametrize("other", FREE)
def test_premium_countess_may_be_discarded_with_any_other_card(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "priest"])
    assert match.why_not("countess") == Refusal.FINE


@pytest.mark.parametrize("other", FREE)
def test_premium_countess_may_be_kept_with_any_other_card(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "priest"])
    assert {move.split()[0] for move in match.legal()} == {"countess", other}


def test_premium_countess_does_nothing_when_discarded() -> None:
    match = scene("premium", ["countess king", "guard", "priest"])
    match.play("countess")
    assert (standing(match), hand(match, 0), match.view(None).protected, match.turn) == ((0, 1, 2), "king", (), 1)


# 6: the King


def test_premium_king_trades_the_hand_with_another_player() -> None:
    match = scene("premium", ["king guard", "priest", "baron"])
    match.play("king 1")
    assert (hand(match, 0), hand(match, 1), hand(match, 2)) == ("priest", "guard", "baron")


def test_premium_king_lies_in_the_pile_of_his_player() -> None:
    match = scene("premium", ["king guard", "priest", "baron"])
    match.play("king 1")
    assert (pile(match, 0), pile(match, 1)) == ("king", "")


def test_premium_king_cannot_trade_with_a_player_who_is_out() -> None:
    match = scene("premium", ["king guard", None, "baron"])
    assert match.why_not("king 1") == Refusal.OUT_OF_ROUND


def test_premium_king_cannot_trade_with_his_own_player() -> None:
    match = scene("premium", ["king guard", "priest", "baron"])
    assert match.why_not("king 0") == Refusal.NOT_ONESELF


def test_premium_king_tells_all_that_two_traded() -> None:
    match = scene("premium", ["king guard", "priest", "baron"])
    match.play("king 1")
    assert told(match, Event.TRADED, 2) == [(0, 1, None)]


# 5: the Prince


@pytest.mark.parametrize("target", [0, 1, 2])
def test_premium_prince_chooses_any_player_his_own_included(target: int) -> None:
    match = scene("premium", ["prince guard", "priest", "baron"])
    assert match.why_not(f"prince {target}") == Refusal.FINE


def test_premium_prince_chooses_a_player_still_in_the_round() -> None:
    match = scene("premium", ["prince guard", None, "baron"])
    assert match.why_not("prince 1") == Refusal.OUT_OF_ROUND


def test_premium_prince_makes_that_player_discard_and_draw() -> None:
    match = scene("premium", ["prince guard", "priest", "baron"], deck="king guard guard")
    match.play("prince 2")
    assert (pile(match, 2), hand(match, 2)) == ("baron", "king")


def test_premium_prince_on_the_own_player_discards_the_kept_card() -> None:
    match = scene("premium", ["prince guard", "priest", "baron"], deck="king guard guard")
    match.play("prince 0")
    assert (pile(match, 0), hand(match, 0)) == ("prince guard", "king")


def test_premium_prince_the_effect_of_the_discarded_card_is_not_applied() -> None:
    match = scene("premium", ["prince guard", "priest", "handmaid"])
    match.play("prince 2")
    assert match.view(None).protected == ()


def test_premium_prince_with_an_empty_deck_the_card_set_aside_is_drawn() -> None:
    match = scene("premium", ["prince guard", "priest", "baron"], deck=0, aside="king")
    match.play("prince 1")
    assert (pile(match, 1), hand(match, 1)) == ("priest", "king")
    assert match.rounds[-1].winners == (1,)


def test_premium_prince_with_a_card_in_the_deck_the_one_set_aside_stays() -> None:
    match = scene("premium", ["prince guard", "priest", "baron"], deck="countess", aside="king")
    match.play("prince 1")
    assert (hand(match, 1), match.view(None).aside) == ("countess", 1)


def test_premium_prince_must_choose_his_own_player_if_all_others_are_protected() -> None:
    match = scene("premium", ["prince guard", "priest", "baron"], protected=[1, 2])
    assert match.legal() == ["guard", "prince 0"]


# 4: the Handmaid


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king", "prince"])
def test_premium_handmaid_others_cards_cannot_touch_her_player(card: str) -> None:
    match = scene("premium", ["baron", f"{card} guard", "guard"], turn=1, protected=[0])
    name = " 3" if card == "guard" else ""
    assert match.why_not(f"{card} 0{name}") == Refusal.PROTECTED


def test_premium_handmaid_protects_at_once() -> None:
    assert after_handmaid().view(None).protected == (0,)


def test_premium_handmaid_protects_until_the_start_of_the_own_next_turn() -> None:
    match = after_handmaid()
    match.play("guard 2 2")
    assert match.view(None).protected == (0,)
    match.play("guard 1 2")
    assert (match.turn, match.view(None).protected) == (0, ())


def test_premium_handmaid_does_not_protect_from_the_own_prince() -> None:
    match = scene("premium", ["prince baron", "guard", "guard"], protected=[1, 2])
    match.play("prince 0")
    assert pile(match, 0) == "prince baron"


def test_premium_handmaid_a_second_one_protects_anew() -> None:
    match = scene("premium", ["handmaid king", "prince"], deck="guard handmaid guard guard")
    for move in ("handmaid", "guard", "handmaid"):
        match.play(move)
    assert match.view(None).protected == (0,)


# 3: the Baron


@pytest.mark.parametrize(("mine", "theirs", "left"), [("king", "priest", (0, 2)), ("priest", "king", (1, 2))])
def test_premium_baron_the_lower_number_is_knocked_out(mine: str, theirs: str, left: tuple[int, ...]) -> None:
    match = scene("premium", [f"baron {mine}", theirs, "guard"])
    match.play("baron 1")
    assert standing(match) == left


def test_premium_baron_a_tie_does_nothing() -> None:
    match = scene("premium", ["baron priest", "priest", "guard"])
    match.play("baron 1")
    assert (standing(match), pile(match, 0), pile(match, 1)) == ((0, 1, 2), "baron", "")


def test_premium_baron_chooses_another_player() -> None:
    match = scene("premium", ["baron priest", "priest", "guard"])
    assert match.why_not("baron 0") == Refusal.NOT_ONESELF


def test_premium_baron_chooses_a_player_still_in_the_round() -> None:
    match = scene("premium", ["baron priest", None, "guard"])
    assert match.why_not("baron 1") == Refusal.OUT_OF_ROUND


def test_premium_baron_compares_in_secret() -> None:
    match = scene("premium", ["baron king", "priest", "guard"])
    match.play("baron 1")
    assert told(match, Event.SHOWED, 2) == [(1, 0, None), (0, 1, None)]


# 2: the Priest


def test_premium_priest_sees_another_players_hand() -> None:
    match = scene("premium", ["priest guard", "king", "baron"])
    match.play("priest 1")
    assert names(match.view(0).known[1]) == "king"


def test_premium_priest_does_not_reveal_the_hand_to_others() -> None:
    match = scene("premium", ["priest guard", "king", "baron"])
    match.play("priest 1")
    assert (match.view(2).known[1], match.view(None).known[1]) == ((), ())


def test_premium_priest_all_see_whose_hand_was_looked_at() -> None:
    match = scene("premium", ["priest guard", "king", "baron"])
    match.play("priest 1")
    assert told(match, Event.SHOWED) == [(1, 0, None)]


def test_premium_priest_looks_at_another_player() -> None:
    match = scene("premium", ["priest guard", "king", "baron"])
    assert match.why_not("priest 0") == Refusal.NOT_ONESELF


# 1: the Guard


def test_premium_guard_the_player_who_has_the_number_is_knocked_out() -> None:
    match = scene("premium", ["guard priest", "king", "baron"])
    match.play("guard 1 6")
    assert standing(match) == (0, 2)


def test_premium_guard_another_number_does_nothing() -> None:
    match = scene("premium", ["guard priest", "king", "baron"])
    match.play("guard 1 3")
    assert (standing(match), pile(match, 1)) == ((0, 1, 2), "")


def test_premium_guard_a_miss_shows_no_card() -> None:
    match = scene("premium", ["guard priest", "king", "baron"])
    match.play("guard 1 3")
    assert told(match, Event.MISSED) == [(0, 1, None)]
    assert match.view(0).known[1] == ()


def test_premium_guard_may_not_name_one() -> None:
    match = scene("premium", ["guard priest", "guard", "baron"])
    assert match.why_not("guard 1 1") == Refusal.NOT_NAMEABLE


@pytest.mark.parametrize("number", [0, 9])
def test_premium_guard_may_not_name_a_number_that_no_card_has(number: int) -> None:
    match = scene("premium", ["guard priest", "guard", "baron"])
    assert match.why_not(f"guard 1 {number}") == Refusal.NOT_NAMEABLE


def test_premium_guard_must_name_a_number() -> None:
    match = scene("premium", ["guard priest", "king", "baron"])
    with pytest.raises(IllegalMove):
        match.play("guard 1")


def test_premium_guard_names_numbers_and_not_characters() -> None:
    match = scene("premium", ["guard priest", "king", "baron"])
    assert match.why_not("guard 1 king") == Refusal.NO_FORM


def test_premium_guard_has_no_effect_if_nobody_else_can_be_chosen() -> None:
    match = scene("premium", ["guard priest", "king", "baron"], protected=[1, 2])
    match.play("guard")
    assert (standing(match), pile(match, 0), told(match, Event.FIZZLED)) == ((0, 1, 2), "guard", [(0, 0, None)])


def test_premium_guard_on_the_last_other_player_wins_the_round() -> None:
    match = scene("premium", ["guard priest", "king"])
    match.play("guard 1 6")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.LAST_STANDING, (0,))
