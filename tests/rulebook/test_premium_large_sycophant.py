"""Premium, 5 to 8 players: the choices of Sycophant, Cardinal and Baroness, and who learns what (R53 to R64)."""

import pytest

from suitors import Card, Match, Refusal
from suitors.rules import Event
from support.scenes import hand, names, pile, scene, standing, told

OTHERS = ("priest", "baron", "prince", "king")
QUIET = ("cardinal", "handmaid", "guard", "guard")
ANOTHER = ("guard", "priest", "baron", "king", "jester", "bishop", "dowager-queen")
"""The cards that choose exactly one other player."""


def choices(match: Match, card: str) -> list[str]:
    """The legal moves that play one card."""
    return [move for move in match.legal() if move.split()[0] == card]


# The mark: how long it lasts


def test_premium_sycophant_may_choose_any_player_including_oneself() -> None:
    match = scene("premium", ["sycophant count", *OTHERS])
    assert match.legal() == ["count", "sycophant 0", "sycophant 1", "sycophant 2", "sycophant 3", "sycophant 4"]


def test_premium_sycophant_mark_is_public() -> None:
    match = scene("premium", ["sycophant count", *OTHERS])
    match.play("sycophant 3")
    assert match.view(None).mark == 3
    assert told(match, Event.MARKED) == [(0, 3, None)]


def test_premium_sycophant_binds_the_next_card_to_the_chosen_player() -> None:
    match = scene("premium", ["sycophant count", *OTHERS], deck="countess guard guard")
    match.play("sycophant 3")
    assert match.legal() == ["countess", "priest 3"]


def test_premium_sycophant_refuses_a_choice_of_somebody_else() -> None:
    match = scene("premium", ["priest count", *QUIET], mark=3)
    assert match.why_not("priest 2") == Refusal.MARK_IGNORED


@pytest.mark.parametrize("card", ["priest", "baron", "king", "jester", "dowager-queen", "prince", "sycophant"])
def test_premium_sycophant_binds_every_card_that_chooses_one_player(card: str) -> None:
    match = scene("premium", [f"{card} count", *QUIET], mark=3)
    assert choices(match, card) == [f"{card} 3"]


def test_premium_sycophant_leaves_the_number_of_a_guard_free() -> None:
    match = scene("premium", ["guard count", *OTHERS], mark=3)
    assert match.legal() == ["count", *(f"guard 3 {n}" for n in (0, 2, 3, 4, 5, 6, 7, 8, 9))]


def test_R53_the_mark_binds_only_the_very_next_card() -> None:
    match = scene("premium", ["sycophant count", *OTHERS], deck="countess handmaid guard")
    match.play("sycophant 3")
    match.play("priest 3")
    assert match.legal() == ["baron 0", "baron 1", "baron 3", "baron 4", "handmaid"]


def test_R53_a_sycophant_discarded_by_a_prince_marks_nobody() -> None:
    match = scene("premium", ["prince count", "priest", "sycophant", "guard", "guard"], deck="baron guard guard")
    match.play("prince 2")
    assert match.view(None).mark is None


def test_R53_a_sycophant_discarded_by_a_knock_out_marks_nobody() -> None:
    match = scene("premium", ["guard count", "priest", "sycophant", "guard", "guard"])
    match.play("guard 2 4")
    assert pile(match, 2) == "sycophant"
    assert match.view(None).mark is None


def test_R53_a_discard_forced_by_the_marked_card_leaves_no_mark_behind() -> None:
    match = scene("premium", ["prince count", "priest", "baron", "sycophant", "guard"], mark=3, deck="guard guard king")
    match.play("prince 3")
    assert choices(match, "priest") == ["priest 0", "priest 2", "priest 3", "priest 4"]


def test_R53_the_mark_is_cleared_at_the_end_of_the_round() -> None:
    match = scene("premium", ["sycophant count", *OTHERS], deck=0)
    match.play("sycophant 3")
    assert match.view(None).mark is None


def test_R53_the_first_card_of_the_next_round_is_free() -> None:
    match = scene("premium", ["sycophant princess", *OTHERS], deck=0)
    match.play("sycophant 3")
    box = [Card(card) for card in match.rules.box]
    for card in (Card.PRIEST, Card.COUNT):
        box.remove(card)
    match.deal([box[0], Card.PRIEST, *box[1:5], Card.COUNT, *box[5:]], 0)
    assert match.legal() == ["count", "priest 1", "priest 2", "priest 3", "priest 4"]


@pytest.mark.parametrize("card", ["count", "countess", "constable", "assassin", "handmaid"])
def test_R54_the_mark_expires_with_a_card_that_chooses_nobody(card: str) -> None:
    match = scene("premium", ["sycophant guard", card, "baron", "prince", "king"], deck="guard guard guard")
    match.play("sycophant 4")
    match.play(card)
    assert match.view(None).mark is None
    assert {"baron 0", "baron 3", "baron 4"} <= set(match.legal())


def test_R54_the_mark_restricts_no_card_that_chooses_nobody() -> None:
    match = scene("premium", ["handmaid count", *OTHERS], mark=3)
    assert match.legal() == ["count", "handmaid"]


def test_R54_the_mark_expires_with_a_card_that_has_no_effect() -> None:
    match = scene("premium", ["guard count", *OTHERS], mark=0, deck="countess guard")
    match.play("guard")
    assert match.legal() == ["countess", "priest 0", "priest 2", "priest 3", "priest 4"]


# The marked player plays a card on "another player"


@pytest.mark.parametrize("card", [*ANOTHER, "baroness"])
def test_R55_a_card_on_another_player_has_no_choice_where_its_own_player_is_marked(card: str) -> None:
    match = scene("premium", [f"{card} count", *QUIET], mark=0)
    assert match.legal() == sorted([card, "count"])


def test_R55_a_guard_of_the_marked_player_is_discarded_without_effect() -> None:
    match = scene("premium", ["guard count", *OTHERS], mark=0)
    match.play("guard")
    assert told(match, Event.FIZZLED) == [(0, 0, None)]
    assert pile(match, 0) == "guard"
    assert standing(match) == (0, 1, 2, 3, 4)


def test_R55_a_priest_of_the_marked_player_shows_nothing() -> None:
    match = scene("premium", ["priest count", *QUIET], mark=0)
    match.play("priest")
    assert told(match, Event.SHOWED, 0) == []


@pytest.mark.parametrize("card", [*ANOTHER, "baroness"])
def test_R55_switched_to_free_the_marked_player_chooses_as_without_a_mark(card: str) -> None:
    marked = scene("premium", [f"{card} count", *QUIET], mark=0, options={"sycophant_on_actor": "free"})
    unmarked = scene("premium", [f"{card} count", *QUIET])
    assert marked.legal() == unmarked.legal()


def test_R55_switched_to_free_a_priest_of_the_marked_player_may_choose_every_other() -> None:
    match = scene("premium", ["priest count", *QUIET], mark=0, options={"sycophant_on_actor": "free"})
    assert match.legal() == ["count", "priest 1", "priest 2", "priest 3", "priest 4"]


@pytest.mark.parametrize("card", ["priest", "baron", "king", "jester", "dowager-queen"])
def test_R55_switched_to_free_a_mark_on_another_player_binds_as_ever(card: str) -> None:
    match = scene("premium", [f"{card} count", *QUIET], mark=3, options={"sycophant_on_actor": "free"})
    assert match.legal() == sorted([f"{card} 3", "count"])


def test_R55_switched_to_free_a_baroness_is_bound_by_a_mark_on_another_player() -> None:
    match = scene("premium", ["baroness count", *OTHERS], mark=2, options={"sycophant_on_actor": "free"})
    assert match.legal() == ["baroness 1 2", "baroness 2", "baroness 2 3", "baroness 2 4", "count"]


# The marked player plays a card that may choose its own player


@pytest.mark.parametrize("switch", ["fizzle", "free"])
@pytest.mark.parametrize("card", ["prince", "sycophant"])
def test_R56_a_prince_or_sycophant_of_the_marked_player_chooses_its_player(card: str, switch: str) -> None:
    match = scene("premium", [f"{card} count", *QUIET], mark=0, options={"sycophant_on_actor": switch})
    assert match.legal() == sorted([f"{card} 0", "count"])


@pytest.mark.parametrize("switch", ["fizzle", "free"])
def test_R56_a_cardinal_of_the_marked_player_chooses_its_player_and_one_other(switch: str) -> None:
    match = scene("premium", ["cardinal count", *OTHERS], mark=0, options={"sycophant_on_actor": switch})
    assert match.legal() == ["cardinal 0 1", "cardinal 0 2", "cardinal 0 3", "cardinal 0 4", "count"]


def test_R56_a_cardinal_of_the_marked_player_has_no_effect_where_no_other_can_be_chosen() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], mark=0, protected=[1, 2, 3, 4])
    assert match.legal() == ["cardinal", "count"]


def test_R57_a_mark_on_a_player_who_is_out_is_void() -> None:
    match = scene("premium", ["priest count", "guard", "guard", None, "guard"], mark=3)
    assert match.legal() == ["count", "priest 1", "priest 2", "priest 4"]


@pytest.mark.parametrize("card", [*ANOTHER, "prince", "sycophant", "cardinal", "baroness"])
def test_R57_a_mark_on_a_protected_player_leaves_the_card_without_effect(card: str) -> None:
    match = scene("premium", [f"{card} count", *QUIET], mark=3, protected=[3])
    assert match.legal() == sorted([card, "count"])


def test_R58_a_baroness_looks_at_the_marked_player_alone_or_with_one_more() -> None:
    match = scene("premium", ["baroness count", *OTHERS], mark=2)
    assert match.legal() == ["baroness 1 2", "baroness 2", "baroness 2 3", "baroness 2 4", "count"]


def test_R58_a_cardinal_pairs_the_marked_player_with_anybody() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], mark=2)
    assert match.legal() == ["cardinal 0 2", "cardinal 1 2", "cardinal 2 3", "cardinal 2 4", "count"]


def test_R58_a_baroness_may_not_leave_the_marked_player_out() -> None:
    match = scene("premium", ["baroness count", *OTHERS], mark=2)
    assert match.why_not("baroness 1 3") == Refusal.MARK_IGNORED


def test_R58_the_second_player_of_a_marked_choice_is_still_never_a_protected_one() -> None:
    match = scene("premium", ["cardinal baroness", *OTHERS], mark=2, protected=[1, 4])
    assert match.legal() == ["baroness 2", "baroness 2 3", "cardinal 0 2", "cardinal 2 3"]


def test_R59_a_sycophant_never_chooses_a_protected_player() -> None:
    match = scene("premium", ["sycophant count", *OTHERS], protected=[1, 3])
    assert match.legal() == ["count", "sycophant 0", "sycophant 2", "sycophant 4"]


def test_R59_a_sycophant_never_chooses_a_player_who_is_out() -> None:
    match = scene("premium", ["sycophant count", "priest", None, "prince", None])
    assert match.legal() == ["count", "sycophant 0", "sycophant 1", "sycophant 3"]


def test_R59_a_sycophant_turns_on_its_player_where_all_others_are_protected() -> None:
    match = scene("premium", ["sycophant count", *OTHERS], protected=[1, 2, 3, 4])
    assert match.legal() == ["count", "sycophant 0"]


def test_R60_a_sycophant_after_a_sycophant_must_mark_the_same_player() -> None:
    match = scene("premium", ["sycophant count", "sycophant", "baron", "prince", "king"], deck="countess guard guard")
    match.play("sycophant 3")
    assert match.legal() == ["countess", "sycophant 3"]


def test_R60_the_second_sycophant_binds_the_third_player() -> None:
    match = scene("premium", ["sycophant count", "sycophant", "baron", "prince", "king"], deck="countess count guard")
    match.play("sycophant 3")
    match.play("sycophant 3")
    assert match.legal() == ["baron 3", "count"]


def test_R60_a_sycophant_marks_its_own_player_again() -> None:
    match = scene("premium", ["sycophant count", "sycophant", "baron", "prince", "king"], deck="countess guard guard")
    match.play("sycophant 1")
    assert match.legal() == ["countess", "sycophant 1"]


# The Cardinal


def test_R61_a_cardinal_chooses_any_two_players_its_own_included() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    pairs = ["0 1", "0 2", "0 3", "0 4", "1 2", "1 3", "1 4", "2 3", "2 4", "3 4"]
    assert match.legal() == [*(f"cardinal {pair}" for pair in pairs), "count"]


def test_R61_a_cardinal_cannot_choose_one_player_alone() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    assert match.why_not("cardinal 2") == Refusal.TWO_SEATS


def test_premium_cardinal_makes_the_two_players_switch_hands() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 1 4")
    assert [hand(match, seat) for seat in range(5)] == ["count", "king", "baron", "prince", "priest"]


def test_R61_a_cardinal_trades_the_one_kept_card_of_its_player() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 0 3")
    assert (hand(match, 0), hand(match, 3)) == ("prince", "count")


def test_R61_the_cardinals_player_may_look_at_either_hand_or_decline() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 1 4")
    assert match.turn == 0
    assert match.legal() == ["look 1", "look 4", "look none"]


def test_R61_the_own_hand_is_among_those_to_look_at_if_it_was_traded() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 0 3")
    assert match.legal() == ["look 0", "look 3", "look none"]


def test_R61_a_hand_that_was_not_traded_is_not_shown() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 1 4")
    assert match.why_not("look 2") == Refusal.DID_NOT_TRADE


def test_R61_the_turn_passes_after_the_look() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 1 4")
    match.play("look none")
    assert match.turn == 1


def test_premium_cardinal_look_sees_the_hand_after_the_switch() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], deck="guard guard")
    match.play("cardinal 2 4")
    match.play("look 4")
    assert told(match, Event.SHOWED, 0) == [(4, 0, "baron")]


def test_R62_one_choosable_other_must_trade_with_the_cardinals_player() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], protected=[1, 2, 4])
    assert match.legal() == ["cardinal 0 3", "count"]


def test_R62_two_choosable_others_leave_three_pairs() -> None:
    match = scene("premium", ["cardinal count", "priest", None, "prince", "king"], protected=[1])
    assert match.legal() == ["cardinal 0 3", "cardinal 0 4", "cardinal 3 4", "count"]


def test_R62_a_cardinal_has_no_effect_where_no_other_can_be_chosen() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], protected=[1, 2, 3, 4])
    assert match.legal() == ["cardinal", "count"]


def test_R62_a_cardinal_without_effect_offers_no_look() -> None:
    match = scene("premium", ["cardinal count", *OTHERS], protected=[1, 2, 3, 4])
    match.play("cardinal")
    assert match.turn == 1


def test_R63_each_trader_knows_both_cards() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    assert [names(match.view(2).known[seat]) for seat in (2, 4)] == ["king", "baron"]
    assert [names(match.view(4).known[seat]) for seat in (2, 4)] == ["king", "baron"]


def test_R63_the_cardinals_player_knows_neither_card_before_the_look() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((), ())


def test_R63_the_cardinals_player_knows_only_the_hand_looked_at() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    match.play("look 2")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((Card.KING,), ())


def test_R63_a_declined_look_tells_the_cardinals_player_nothing() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    match.play("look none")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((), ())


def test_R63_nobody_else_learns_a_card_from_the_cardinal() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    match.play("look 2")
    assert (match.view(3).known[2], match.view(3).known[4]) == ((), ())
    assert (match.view(None).known[2], match.view(None).known[4]) == ((), ())


def test_R63_all_learn_who_traded_and_whom_the_cardinals_player_looked_at() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 2 4")
    assert told(match, Event.TRADED) == [(2, 4, None)]
    match.play("look 2")
    assert told(match, Event.SHOWED) == [(2, 0, None)]


def test_R63_the_traders_do_not_learn_more_from_the_look() -> None:
    match = scene("premium", ["cardinal count", *OTHERS])
    match.play("cardinal 0 4")
    match.play("look 0")
    assert told(match, Event.SHOWED, 4) == [(0, 0, None)]


def test_R63_older_knowledge_moves_with_the_cards() -> None:
    match = scene("premium", ["priest count", "cardinal", "baron", "prince", "king"], deck="guard guard guard")
    match.play("priest 2")
    match.play("cardinal 2 4")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((), (Card.BARON,))


# The Baroness


def test_R64_a_baroness_looks_at_one_or_two_others_as_its_player_likes() -> None:
    match = scene("premium", ["baroness count", *OTHERS])
    seats = ["1", "1 2", "1 3", "1 4", "2", "2 3", "2 4", "3", "3 4", "4"]
    assert match.legal() == [*(f"baroness {choice}" for choice in seats), "count"]


def test_R64_a_baroness_with_one_choosable_player_looks_at_that_one() -> None:
    match = scene("premium", ["baroness count", *OTHERS], protected=[1, 2, 4])
    assert match.legal() == ["baroness 3", "count"]


def test_R64_a_baroness_with_nobody_to_choose_has_no_effect() -> None:
    match = scene("premium", ["baroness count", *OTHERS], protected=[1, 2, 3, 4])
    assert match.legal() == ["baroness", "count"]


def test_R64_a_baroness_may_not_look_at_her_own_players_hand() -> None:
    match = scene("premium", ["baroness count", *OTHERS])
    assert match.why_not("baroness 0 2") == Refusal.NOT_ONESELF


def test_premium_baroness_shows_both_hands_to_her_player() -> None:
    match = scene("premium", ["baroness count", *OTHERS])
    match.play("baroness 2 4")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((Card.BARON,), (Card.KING,))


def test_premium_baroness_on_one_player_shows_that_hand_alone() -> None:
    match = scene("premium", ["baroness count", *OTHERS])
    match.play("baroness 2")
    assert (match.view(0).known[2], match.view(0).known[4]) == ((Card.BARON,), ())


@pytest.mark.parametrize("seat", [1, 2, 4, None])
def test_premium_baroness_reveals_the_hands_to_nobody_else(seat: int | None) -> None:
    match = scene("premium", ["baroness count", *OTHERS])
    match.play("baroness 2 4")
    assert told(match, Event.SHOWED, seat) == [(2, 0, None), (4, 0, None)]
