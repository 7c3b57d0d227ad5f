"""The house rules: the eight cards and the special rules (R89-R91, R99, R100)."""

import pytest

from suitors import Card, Refusal
from suitors.rules import Event
from support.scenes import hand, pile, scene, standing, told

SEVEN = ["baron", "countess", "handmaid", "king", "priest", "prince", "princess"]
ANOTHER = ["guard", "priest", "baron", "king"]


# 1. Guard


def test_house_guard_names_any_character_but_the_guard() -> None:
    match = scene("house", ["guard guard", "king", "baron"])
    assert match.legal() == [f"guard {seat} {name}" for seat in (1, 2) for name in SEVEN]


def test_house_guard_may_not_name_the_guard() -> None:
    assert scene("house", ["guard baron", "guard", "king"]).why_not("guard 1 guard") == Refusal.NOT_NAMEABLE


@pytest.mark.parametrize("name", SEVEN)
def test_house_guard_eliminates_whoever_has_that_card(name: str) -> None:
    match = scene("house", ["guard guard", name, "guard"])
    match.play(f"guard 1 {name}")
    assert standing(match) == (0, 2)
    assert pile(match, 1) == name


def test_house_guard_a_wrong_name_does_nothing() -> None:
    match = scene("house", ["guard baron", "king", "priest"])
    match.play("guard 1 priest")
    assert standing(match) == (0, 1, 2)
    assert told(match, Event.MISSED) == [(0, 1, None)]


def test_R89_the_guard_hits_one_chosen_player_not_the_whole_table() -> None:
    match = scene("house", ["guard king", "prince", "prince", "baron"])
    match.play("guard 1 prince")
    assert standing(match) == (0, 2, 3)


def test_R89_the_guard_must_choose_a_player() -> None:
    assert scene("house", ["guard king", "prince", "baron"]).why_not("guard") == Refusal.MUST_CHOOSE


def test_R89_the_guard_cannot_choose_a_protected_player_who_has_the_card() -> None:
    match = scene("house", ["guard guard", "prince", "baron"], protected=[1])
    assert match.legal() == [f"guard 2 {name}" for name in SEVEN]


# 2. Priest


def test_house_priest_shows_another_hand_to_his_player_alone() -> None:
    match = scene("house", ["priest handmaid", "king", "baron"])
    match.play("priest 1")
    assert match.view(0).known[1] == (Card.KING,)
    assert match.view(2).known[1] == ()
    assert match.view(None).known[1] == ()


# 3. Baron


def test_house_baron_the_lower_card_is_eliminated() -> None:
    match = scene("house", ["baron handmaid", "guard", "priest"])
    match.play("baron 2")
    assert standing(match) == (0, 1)
    assert pile(match, 2) == "priest"


def test_house_baron_may_eliminate_his_own_player() -> None:
    match = scene("house", ["baron handmaid", "guard", "prince"])
    match.play("baron 2")
    assert standing(match) == (1, 2)


def test_house_baron_shows_the_cards_to_the_two_alone() -> None:
    match = scene("house", ["baron handmaid", "guard", "priest"])
    match.play("baron 2")
    assert match.view(2).known[0] == (Card.HANDMAID,)
    assert match.view(1).known[0] == ()


def test_R99_a_baron_tie_does_nothing() -> None:
    match = scene("house", ["baron handmaid", "guard", "handmaid"])
    match.play("baron 2")
    assert standing(match) == (0, 1, 2)
    assert [hand(match, seat) for seat in range(3)] == ["handmaid", "guard", "handmaid"]


# 4. Handmaid


def test_house_handmaid_protects_from_being_chosen() -> None:
    match = scene("house", ["handmaid guard", "priest", "baron"], deck="prince guard guard")
    match.play("handmaid")
    assert match.legal() == ["priest 2", "prince 1", "prince 2"]
    assert match.why_not("prince 0") == Refusal.PROTECTED


def test_R100_the_protection_lasts_until_the_start_of_the_own_next_turn() -> None:
    match = scene("house", ["handmaid guard", "countess", "baron"], deck="baron guard guard guard")
    match.play("handmaid")
    match.play("countess")
    assert match.view(None).protected == (0,)
    match.play("guard 1 king")
    assert match.turn == 0
    assert match.view(None).protected == ()


def test_R100_the_protection_ends_with_the_round() -> None:
    match = scene("house", ["handmaid king", "guard", "baron"], deck=0)
    match.play("handmaid")
    assert match.view(None).protected == ()


# 5. Prince


def test_house_prince_chooses_any_player_oneself_included() -> None:
    match = scene("house", ["prince handmaid", "guard", "priest"])
    assert match.legal() == ["handmaid", "prince 0", "prince 1", "prince 2"]


@pytest.mark.parametrize(("seat", "discards"), [(0, "prince guard"), (1, "handmaid"), (2, "priest")])
def test_house_prince_makes_the_player_discard_and_draw(seat: int, discards: str) -> None:
    match = scene("house", ["prince guard", "handmaid", "priest"], deck="king baron baron")
    match.play(f"prince {seat}")
    assert pile(match, seat) == discards
    assert hand(match, seat) == "king"
    assert match.view(None).protected == ()


def test_house_prince_shows_the_new_card_to_its_player_alone() -> None:
    match = scene("house", ["prince guard", "handmaid", "priest"], deck="king baron baron")
    match.play("prince 2")
    assert match.view(2).known[2] == (Card.KING,)
    assert match.view(0).known[2] == ()


@pytest.mark.parametrize(
    ("hands", "seat"), [(["prince guard", "princess", "baron"], 1), (["prince princess", "guard", "baron"], 0)]
)
def test_house_prince_who_makes_the_princess_discarded_eliminates_her_player(hands: list[str], seat: int) -> None:
    match = scene("house", hands, deck=4)
    match.play(f"prince {seat}")
    assert seat not in standing(match)
    assert hand(match, seat) == ""
    assert match.view(None).deck == 3  # only the next player drew


# 6. King


def test_house_king_trades_hands() -> None:
    match = scene("house", ["king handmaid", "guard", "priest"])
    match.play("king 2")
    assert [hand(match, seat) for seat in range(3)] == ["priest", "guard", "handmaid"]


def test_house_king_lets_only_the_two_know_both_cards() -> None:
    match = scene("house", ["king handmaid", "guard", "priest"])
    match.play("king 2")
    assert match.view(0).known == ((Card.PRIEST,), (), (Card.HANDMAID,))
    assert match.view(2).known == ((Card.PRIEST,), (), (Card.HANDMAID,))
    assert match.view(None).known == ((), (), ())


# 7. Countess


def test_house_countess_has_no_effect() -> None:
    match = scene("house", ["countess guard", "baron", "priest"], deck=4)
    match.play("countess")
    assert standing(match) == (0, 1, 2)
    assert match.turn == 1
    assert match.view(None).deck == 3


@pytest.mark.parametrize("held", ["countess king", "king countess", "countess prince", "prince countess"])
def test_house_countess_must_be_played_with_the_king_or_a_prince(held: str) -> None:
    assert scene("house", [held, "guard", "priest"]).legal() == ["countess"]


@pytest.mark.parametrize("move", ["king 1", "prince 1", "prince 0"])
def test_house_countess_bars_the_king_and_the_prince(move: str) -> None:
    match = scene("house", [f"countess {move.split(maxsplit=1)[0]}", "guard", "priest"])
    assert match.why_not(move) == Refusal.COUNTESS_FIRST


@pytest.mark.parametrize("other", ["handmaid", "princess"])
def test_house_countess_is_free_with_other_cards(other: str) -> None:
    assert scene("house", [f"countess {other}", "guard", "priest"]).legal() == ["countess", other]


# 8. Princess


def test_house_princess_played_eliminates_her_player() -> None:
    match = scene("house", ["princess guard", "baron", "priest"])
    match.play("princess")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "princess guard"


def test_house_princess_seen_or_traded_eliminates_nobody() -> None:
    match = scene("house", ["priest guard", "princess", "baron"], deck="king guard guard")
    match.play("priest 1")
    assert standing(match) == (0, 1, 2)
    match.play("king 2")
    assert standing(match) == (0, 1, 2)


# Choosing a target


@pytest.mark.parametrize("card", ["priest", "baron", "king"])
def test_R90_only_another_player_may_be_chosen(card: str) -> None:
    match = scene("house", [f"{card} handmaid", "prince", "guard"])
    assert match.legal() == sorted(["handmaid", f"{card} 1", f"{card} 2"])
    assert match.why_not(f"{card} 0") == Refusal.NOT_ONESELF


def test_R90_a_guard_may_not_choose_oneself() -> None:
    assert scene("house", ["guard baron", "prince", "king"]).why_not("guard 0 baron") == Refusal.NOT_ONESELF


@pytest.mark.parametrize("card", ANOTHER)
def test_R91_with_all_others_protected_the_card_is_played_bare(card: str) -> None:
    match = scene("house", [f"{card} handmaid", "prince", "guard"], protected=[1, 2])
    assert match.legal() == sorted([card, "handmaid"])


@pytest.mark.parametrize("card", ANOTHER)
@pytest.mark.parametrize("kept", ["handmaid", "princess"])
def test_R91_a_nominal_target_suffers_no_effect(card: str, kept: str) -> None:
    match = scene("house", [f"{card} {kept}", "prince", "guard"], protected=[1, 2])
    match.play(card)
    assert told(match, Event.FIZZLED) == [(0, 0, None)]
    assert standing(match) == (0, 1, 2)
    assert [hand(match, seat) for seat in range(3)] == [kept, "prince", "guard"]
    assert pile(match, 0) == card


@pytest.mark.parametrize("card", ANOTHER)
def test_R91_protected_or_eliminated_others_leave_only_the_nominal_target(card: str) -> None:
    match = scene("house", [f"{card} handmaid", None, "guard"], protected=[2])
    assert match.legal() == sorted([card, "handmaid"])


def test_R91_no_name_is_spoken() -> None:
    match = scene("house", ["guard handmaid", "prince", "king"], protected=[1, 2])
    assert match.why_not("guard 1 prince") == Refusal.CHOOSES_NOBODY
    assert match.why_not("guard 0 handmaid") == Refusal.CHOOSES_NOBODY


def test_R91_the_prince_really_hits_his_own_player() -> None:
    match = scene("house", ["prince guard", "king", "baron"], deck="priest guard", protected=[1, 2])
    assert match.legal() == ["guard", "prince 0"]
    match.play("prince 0")
    assert pile(match, 0) == "prince guard"
    assert hand(match, 0) == "priest"


def test_R91_the_prince_may_cost_his_player_the_princess() -> None:
    match = scene("house", ["prince princess", "king", "baron"], protected=[1, 2])
    assert match.legal() == ["prince 0", "princess"]
    match.play("prince 0")
    assert standing(match) == (1, 2)
