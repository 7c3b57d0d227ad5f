"""The 2019 rulebook: the eight cards that the standard and the classic game share (R81)."""

import pytest

from suitors import Card, Refusal
from suitors.rules import Event
from suitors.rules.names import End
from support.scenes import hand, pile, scene, standing, told

both = pytest.mark.parametrize("edition", ["modern", "classic"])


# 9. Princess


@both
def test_modern_princess_played_puts_her_player_out(edition: str) -> None:
    match = scene(edition, ["princess guard", "baron", "priest"])
    match.play("princess")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "princess guard"
    assert match.turn == 1


@both
def test_modern_princess_discarded_by_another_players_prince_puts_her_player_out(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "priest"])
    match.play("prince 1")
    assert standing(match) == (0, 2)
    assert pile(match, 1) == "princess"


@both
def test_modern_princess_discarded_by_the_own_prince_puts_her_player_out(edition: str) -> None:
    match = scene(edition, ["prince princess", "guard", "priest"])
    match.play("prince 0")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "prince princess"


@both
def test_modern_princess_traded_is_not_discarded(edition: str) -> None:
    match = scene(edition, ["king princess", "guard", "priest"])
    match.play("king 1")
    assert standing(match) == (0, 1, 2)
    assert hand(match, 1) == "princess"


@both
def test_modern_princess_looked_at_is_not_discarded(edition: str) -> None:
    match = scene(edition, ["priest guard", "princess", "baron"])
    match.play("priest 1")
    assert standing(match) == (0, 1, 2)


# 8. Countess


@both
def test_modern_countess_played_has_no_effect(edition: str) -> None:
    match = scene(edition, ["countess guard", "baron", "priest"], deck=4)
    match.play("countess")
    assert pile(match, 0) == "countess"
    assert standing(match) == (0, 1, 2)
    assert match.turn == 1
    assert match.view(None).deck == 3


@both
def test_modern_countess_discarded_has_no_effect(edition: str) -> None:
    match = scene(edition, ["prince guard", "countess", "priest"], deck="baron handmaid")
    match.play("prince 1")
    assert pile(match, 1) == "countess"
    assert standing(match) == (0, 1, 2)


@both
@pytest.mark.parametrize("held", ["countess king", "king countess", "countess prince", "prince countess"])
def test_modern_countess_must_be_played_with_the_king_or_a_prince(edition: str, held: str) -> None:
    assert scene(edition, [held, "guard", "priest"]).legal() == ["countess"]


@both
@pytest.mark.parametrize(
    ("other", "moves"),
    [
        ("priest", ["countess", "priest 1", "priest 2"]),
        ("baron", ["baron 1", "baron 2", "countess"]),
        ("handmaid", ["countess", "handmaid"]),
        ("princess", ["countess", "princess"]),
    ],
)
def test_modern_countess_may_be_played_freely_with_any_other_card(edition: str, other: str, moves: list[str]) -> None:
    assert scene(edition, [f"countess {other}", "guard", "guard"]).legal() == moves


@pytest.mark.parametrize("other", ["spy", "chancellor"])
def test_modern_countess_may_be_played_freely_with_a_spy_or_chancellor(other: str) -> None:
    assert scene("modern", [f"countess {other}", "guard", "guard"]).legal() == sorted(["countess", other])


@both
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_modern_countess_does_not_tell_whether_she_was_forced(edition: str, viewer: int | None) -> None:
    forced = scene(edition, ["countess king", "guard", "priest"], aside="handmaid")
    free = scene(edition, ["countess handmaid", "guard", "priest"], aside="king")
    forced.play("countess")
    free.play("countess")
    assert forced.view(viewer) == free.view(viewer)


# 7. King


@both
def test_modern_king_chooses_another_player(edition: str) -> None:
    assert scene(edition, ["king handmaid", "guard", "priest"]).legal() == ["handmaid", "king 1", "king 2"]


@both
def test_modern_king_may_not_choose_oneself(edition: str) -> None:
    assert scene(edition, ["king handmaid", "guard", "priest"]).why_not("king 0") == Refusal.NOT_ONESELF


@both
def test_modern_king_trades_the_hands(edition: str) -> None:
    match = scene(edition, ["king handmaid", "guard", "priest"])
    match.play("king 2")
    assert (hand(match, 0), hand(match, 1), hand(match, 2)) == ("priest", "guard", "handmaid")
    assert (pile(match, 0), pile(match, 2)) == ("king", "")


@both
def test_modern_king_lets_the_two_know_both_cards(edition: str) -> None:
    match = scene(edition, ["king handmaid", "guard", "priest"])
    match.play("king 2")
    assert match.view(0).known == ((Card.PRIEST,), (), (Card.HANDMAID,))
    assert match.view(2).known == ((Card.PRIEST,), (), (Card.HANDMAID,))


@both
def test_modern_king_lets_the_others_know_only_of_the_trade(edition: str) -> None:
    match = scene(edition, ["king handmaid", "guard", "priest"])
    match.play("king 2")
    assert told(match, Event.TRADED, 1) == [(0, 2, None)]
    assert told(match, Event.RECEIVED, 1) == [(0, 2, None), (2, 0, None)]
    assert match.view(None).known == ((), (), ())


@both
def test_modern_king_moves_a_known_card_to_its_new_owner_in_the_eyes_of_those_who_knew_it(edition: str) -> None:
    match = scene(edition, ["priest handmaid", "king", "baron"], deck="guard guard guard")
    match.play("priest 2")
    match.play("king 2")
    assert match.view(0).known[1] == (Card.BARON,)
    assert match.view(None).known[1] == ()


# 5. Prince


@both
def test_modern_prince_chooses_any_player_oneself_included(edition: str) -> None:
    match = scene(edition, ["prince handmaid", "guard", "priest"])
    assert match.legal() == ["handmaid", "prince 0", "prince 1", "prince 2"]


@both
def test_modern_prince_makes_another_discard_and_draw(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck="king guard guard")
    match.play("prince 2")
    assert pile(match, 2) == "priest"
    assert hand(match, 2) == "king"


@both
def test_modern_prince_makes_oneself_discard_and_draw(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck="king guard guard")
    match.play("prince 0")
    assert pile(match, 0) == "prince guard"
    assert hand(match, 0) == "king"


@both
def test_modern_prince_shows_the_discard_to_all_and_the_new_card_to_its_player_alone(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck="king guard guard")
    match.play("prince 2")
    assert told(match, Event.DISCARDED) == [(2, 2, "priest")]
    assert match.view(2).known[2] == (Card.KING,)
    assert match.view(0).known[2] == ()
    assert match.view(None).known[2] == ()


@both
@pytest.mark.parametrize("discarded", ["handmaid", "king", "baron"])
def test_modern_prince_discards_without_effect(edition: str, discarded: str) -> None:
    match = scene(edition, ["prince guard", discarded, "priest"], deck="guard guard guard")
    match.play("prince 1")
    assert match.view(None).protected == ()
    assert [hand(match, seat) for seat in range(3)] == ["guard", "guard", "priest"]
    assert match.turn == 1


def test_modern_prince_discards_a_chancellor_without_effect() -> None:
    match = scene("modern", ["prince guard", "chancellor", "priest"], deck="baron handmaid guard guard")
    match.play("prince 1")
    assert match.view(1).hand == (Card.BARON, Card.HANDMAID)  # the new hand and the draw of the next turn
    assert match.view(None).deck == 2


@both
def test_modern_prince_on_an_empty_deck_takes_the_card_set_aside(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck=0, aside="king")
    match.play("prince 2")
    assert told(match, Event.TOOK_ASIDE, 2) == [(2, 2, "king")]
    assert told(match, Event.TOOK_ASIDE, 1) == [(2, 2, None)]
    assert match.rounds[-1].winners == (2,)
    assert match.view(None).aside == 0


@both
def test_modern_prince_leaves_the_card_set_aside_while_the_deck_has_cards(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck="handmaid", aside="king")
    match.play("prince 2")
    assert hand(match, 2) == "handmaid"
    assert match.view(None).aside == 1


@both
def test_modern_prince_drawing_the_last_card_ends_the_round(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "priest"], deck="handmaid")
    match.play("prince 2")
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (2,)


@both
def test_R81_with_two_players_only_the_face_down_card_is_taken(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron"], deck=0, aside="handmaid", face_up="king countess priest")
    match.play("prince 1")
    assert told(match, Event.TOOK_ASIDE, 1) == [(1, 1, "handmaid")]
    assert match.view(None).face_up == (Card.KING, Card.COUNTESS, Card.PRIEST)


@both
def test_modern_prince_on_the_princess_draws_nothing(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "priest"], deck=4)
    match.play("prince 1")
    assert hand(match, 1) == ""
    assert match.view(None).deck == 3  # the next player's draw


@both
def test_modern_prince_on_the_princess_with_an_empty_deck_leaves_the_card_set_aside(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "priest"], deck=0, aside="king")
    match.play("prince 1")
    assert match.view(None).aside == 1
    assert match.rounds[-1].winners == (2,)


# 4. Handmaid


@both
def test_modern_handmaid_bars_others_from_choosing_her_player(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "priest", "baron"], deck="prince guard guard")
    match.play("handmaid")
    assert match.view(None).protected == (0,)
    assert match.legal() == ["priest 2", "prince 1", "prince 2"]
    assert match.why_not("priest 0") == Refusal.PROTECTED


@both
def test_modern_handmaid_lasts_until_the_start_of_the_next_turn(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "countess", "baron"], deck="baron guard guard guard")
    match.play("handmaid")
    match.play("countess")
    assert match.view(None).protected == (0,)
    match.play("guard 1 king")
    assert match.turn == 0
    assert match.view(None).protected == ()
    assert told(match, Event.UNSHIELDED) == [(0, 0, None)]


@both
@pytest.mark.parametrize("card", ["priest", "baron", "king", "guard"])
def test_modern_handmaid_all_others_protected_a_card_for_another_player_has_no_effect(edition: str, card: str) -> None:
    match = scene(edition, [f"{card} handmaid", "prince", "guard"], protected=[1, 2])
    assert match.legal() == sorted([card, "handmaid"])
    match.play(card)
    assert told(match, Event.FIZZLED) == [(0, 0, None)]
    assert pile(match, 0) == card
    assert [hand(match, seat) for seat in range(3)] == ["handmaid", "prince", "guard"]
    assert standing(match) == (0, 1, 2)
    assert match.view(0).known[1:] == ((), ())


@both
def test_modern_handmaid_all_others_protected_the_prince_hits_his_player(edition: str) -> None:
    match = scene(edition, ["prince guard", "king", "baron"], deck="priest guard", protected=[1, 2])
    assert match.legal() == ["guard", "prince 0"]
    match.play("prince 0")
    assert pile(match, 0) == "prince guard"
    assert hand(match, 0) == "priest"


@both
def test_modern_handmaid_all_others_protected_the_prince_may_cost_the_princess(edition: str) -> None:
    match = scene(edition, ["prince princess", "king", "baron"], protected=[1, 2])
    match.play("prince 0")
    assert standing(match) == (1, 2)


@both
def test_modern_handmaid_players_who_are_out_do_not_count_as_others(edition: str) -> None:
    match = scene(edition, ["priest handmaid", None, "guard"], protected=[2])
    assert match.legal() == ["handmaid", "priest"]


@both
def test_modern_handmaid_one_unprotected_player_must_be_chosen(edition: str) -> None:
    match = scene(edition, ["priest king", "guard", "baron"], protected=[1])
    assert match.legal() == ["king 2", "priest 2"]
    assert match.why_not("priest") == Refusal.MUST_CHOOSE


# 3. Baron


@both
def test_modern_baron_chooses_another_player(edition: str) -> None:
    assert scene(edition, ["baron handmaid", "guard", "priest"]).legal() == ["baron 1", "baron 2", "handmaid"]


@both
def test_modern_baron_the_lower_card_leaves_the_round(edition: str) -> None:
    match = scene(edition, ["baron handmaid", "guard", "priest"])
    match.play("baron 2")
    assert standing(match) == (0, 1)
    assert told(match, Event.DISCARDED) == [(2, 2, "priest")]


@both
def test_modern_baron_his_own_player_may_have_the_lower_card(edition: str) -> None:
    match = scene(edition, ["baron handmaid", "guard", "prince"])
    match.play("baron 2")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "baron handmaid"


def test_modern_baron_a_spy_is_the_lowest_card() -> None:
    match = scene("modern", ["baron guard", "spy", "priest"])
    match.play("baron 1")
    assert standing(match) == (0, 2)


@both
def test_modern_baron_on_a_tie_neither_is_out(edition: str) -> None:
    match = scene(edition, ["baron handmaid", "guard", "handmaid"])
    match.play("baron 2")
    assert standing(match) == (0, 1, 2)
    assert (pile(match, 0), pile(match, 2)) == ("baron", "")


@both
def test_modern_baron_the_winners_card_is_seen_by_the_two_alone(edition: str) -> None:
    match = scene(edition, ["baron handmaid", "guard", "priest"])
    match.play("baron 2")
    assert match.view(2).known[0] == (Card.HANDMAID,)
    assert match.view(1).known[0] == ()
    assert match.view(None).known[0] == ()


# 2. Priest


@both
def test_modern_priest_chooses_another_player(edition: str) -> None:
    assert scene(edition, ["priest handmaid", "guard", "baron"]).legal() == ["handmaid", "priest 1", "priest 2"]


@both
def test_modern_priest_shows_the_hand_to_his_player_alone(edition: str) -> None:
    match = scene(edition, ["priest handmaid", "king", "baron"])
    match.play("priest 1")
    assert match.view(0).known[1] == (Card.KING,)
    assert match.view(2).known[1] == ()
    assert match.view(None).known[1] == ()
    assert told(match, Event.SHOWED) == [(1, 0, None)]  # that a look was taken is seen by all


@both
def test_modern_priest_changes_no_hand(edition: str) -> None:
    match = scene(edition, ["priest handmaid", "king", "baron"])
    match.play("priest 1")
    assert [hand(match, seat) for seat in range(3)] == ["handmaid", "king", "baron"]


# 1. Guard

NINE = ["baron", "chancellor", "countess", "handmaid", "king", "priest", "prince", "princess", "spy"]
SEVEN = ["baron", "countess", "handmaid", "king", "priest", "prince", "princess"]
names = pytest.mark.parametrize(("edition", "named"), [("modern", NINE), ("classic", SEVEN)])


@names
def test_modern_guard_names_any_character_but_the_guard(edition: str, named: list[str]) -> None:
    match = scene(edition, ["guard guard", "king", "baron"])
    assert match.legal() == [f"guard {seat} {name}" for seat in (1, 2) for name in named]


@names
def test_modern_guard_may_name_a_character_that_everyone_has_seen(edition: str, named: list[str]) -> None:
    match = scene(edition, ["guard guard", "king"], piles={1: "princess priest priest"})
    assert match.legal() == [f"guard 1 {name}" for name in named]


@both
def test_modern_guard_may_not_name_the_guard(edition: str) -> None:
    match = scene(edition, ["guard baron", "guard", "king"])
    assert match.why_not("guard 1 guard") == Refusal.NOT_NAMEABLE


@both
def test_modern_guard_must_name_a_character(edition: str) -> None:
    assert scene(edition, ["guard baron", "guard", "king"]).why_not("guard 1") != Refusal.FINE


@both
def test_modern_guard_may_not_choose_oneself(edition: str) -> None:
    assert scene(edition, ["guard baron", "priest", "king"]).why_not("guard 0 baron") == Refusal.NOT_ONESELF


@names
def test_modern_guard_puts_out_the_chosen_player_who_has_that_card(edition: str, named: list[str]) -> None:
    for name in named:
        match = scene(edition, ["guard guard", name, "guard"])
        match.play(f"guard 1 {name}")
        assert standing(match) == (0, 2)
        assert pile(match, 1) == name


@both
def test_modern_guard_does_nothing_if_the_chosen_player_has_another_card(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", "priest"])
    match.play("guard 1 priest")
    assert standing(match) == (0, 1, 2)
    assert told(match, Event.MISSED) == [(0, 1, None)]
    assert match.view(0).known[1] == ()


@both
def test_modern_guard_hits_only_the_chosen_player(edition: str) -> None:
    match = scene(edition, ["guard baron", "prince", "prince"])
    match.play("guard 1 prince")
    assert standing(match) == (0, 2)
