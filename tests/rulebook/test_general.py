"""Rulings R1 to R11, which hold in all editions: choosing, protection, knock-outs, redraws and the end of a round."""

import pytest

from suitors import IllegalMove, Match, Refusal
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.rules import BOXES, NAMINGS, End, Event
from support.matches import TABLES
from support.matches import WITH_SIXTEEN as ALL
from support.scenes import cards, hand, pile, scene, standing, told

WITH_ASIDE = [slug for slug in ALL if BOXES[slug].spare]  # a redraw from an empty deck takes the card set aside
OTHERS_ONLY = ("guard", "priest", "baron", "king")


def named(match: Match, card: str) -> str:
    """What a Guard says to hit that card: its number or its name."""
    return str(match.rules.value[cards(card)[0]]) if match.rules.by_number else card


def accuse(match: Match, seat: int, card: str) -> None:
    """Play a Guard who names that card."""
    match.play(f"guard {seat} {named(match, card)}")


def seats_chosen(match: Match, card: str) -> set[int]:
    """The seats that occur in the legal plays of a card."""
    plays = [move.split()[1:] for move in match.legal() if move.split()[0] == card]
    return {int(word) for words in plays for word in (words[:1] if CARD_OF[card] in NAMINGS else words)}


# R1: a legal choice must be made where there is one


def test_R1_a_card_may_not_be_wasted_on_a_protected_player() -> None:
    match = scene("premium", ["guard baron", "priest", "king"], protected=[1])
    assert match.why_not("guard 1 2") == Refusal.PROTECTED
    with pytest.raises(IllegalMove, match="protected"):
        match.play("guard 1 2")
    match.play("guard 2 6")
    assert hand(match, 2) == ""


@pytest.mark.parametrize("card", [*OTHERS_ONLY, "prince"])
@pytest.mark.parametrize("edition", ALL)
def test_R1_a_protected_player_is_refused(edition: str, card: str) -> None:
    match = scene(edition, [f"{card} handmaid", "guard", "guard"], protected=[1])
    name = f" {named(match, 'princess')}" if card == "guard" else ""
    assert match.why_not(f"{card} 1{name}") == Refusal.PROTECTED


@pytest.mark.parametrize("card", [*OTHERS_ONLY, "prince"])
@pytest.mark.parametrize("edition", ALL)
def test_R1_somebody_must_be_chosen_where_somebody_can_be(edition: str, card: str) -> None:
    match = scene(edition, [f"{card} handmaid", "guard", "guard"], protected=[1])
    assert match.why_not(card) == Refusal.MUST_CHOOSE


@pytest.mark.parametrize("edition", ALL)
def test_R1_a_player_who_is_out_cannot_be_chosen(edition: str) -> None:
    match = scene(edition, ["priest handmaid", None, "guard"])
    assert match.why_not("priest 1") == Refusal.OUT_OF_ROUND


# R2: where all others are protected


@pytest.mark.parametrize("card", OTHERS_ONLY)
@pytest.mark.parametrize("edition", ALL)
def test_R2_a_card_for_another_player_fizzles_where_all_others_are_protected(edition: str, card: str) -> None:
    match = scene(edition, [f"{card} handmaid", "princess", "guard"], protected=[1, 2])
    assert match.legal() == sorted([card, "handmaid"])
    match.play(card)
    assert told(match, Event.FIZZLED) == [(0, 0, None)]
    assert (standing(match), pile(match, 0), hand(match, 0)) == ((0, 1, 2), card, "handmaid")


@pytest.mark.parametrize("edition", ALL)
def test_R2_the_prince_turns_to_his_own_player_where_all_others_are_protected(edition: str) -> None:
    match = scene(edition, ["prince baron", "princess", "guard"], protected=[1, 2], deck="king guard guard")
    assert match.why_not("prince") == Refusal.MUST_CHOOSE
    match.play("prince 0")
    assert (pile(match, 0), hand(match, 0)) == ("prince baron", "king")


def test_R2_the_sycophant_turns_to_his_own_player_where_all_others_are_protected() -> None:
    match = scene("premium", ["sycophant guard", "guard", "guard", "guard", "guard"], protected=[1, 2, 3, 4])
    assert match.legal() == ["guard", "sycophant 0"]


def test_R2_the_cardinal_needs_two_players() -> None:
    match = scene("premium", ["cardinal guard", "guard", "guard", "guard", "guard"], protected=[1, 2, 3, 4])
    assert match.legal() == ["cardinal", "guard"]


# R3: how long protection lasts


@pytest.mark.parametrize("edition", ALL)
def test_R3_protection_ends_before_the_draw_of_the_own_next_turn(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "priest"], deck="guard guard guard")
    match.play("handmaid")
    match.play("priest")
    assert [entry.event for entry in match.view(None).log[-1]][-2:] == [Event.UNSHIELDED, Event.DREW]


@pytest.mark.parametrize("edition", ALL)
def test_R3_protection_lasts_through_the_turns_of_all_others(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "handmaid", "baron"], deck="guard guard guard guard")
    match.play("handmaid")
    match.play("handmaid")
    assert match.turn == 2
    assert match.view(2).protected == (0, 1)


@pytest.mark.parametrize("edition", ALL)
def test_R3_protection_is_over_on_the_own_next_turn(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "priest"], deck="guard guard guard")
    match.play("handmaid")
    match.play("priest")
    assert match.turn == 0
    assert match.view(1).protected == ()


@pytest.mark.parametrize("edition", ALL)
def test_R3_protection_ends_with_a_knock_out(edition: str) -> None:
    match = scene(edition, ["princess guard", "priest", "king"], protected=[0])
    match.play("princess")
    assert match.view(None).protected == ()


@pytest.mark.parametrize("edition", ALL)
def test_R3_protection_ends_with_the_round(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "king", "priest"], deck=0)
    match.play("handmaid")
    assert match.to_deal
    assert match.view(None).protected == ()


# R4: protection bars choosing, not what was chosen before


@pytest.mark.parametrize("card", ["jester", "guard", "priest", "baron", "baroness", "king", "dowager-queen", "bishop"])
def test_R4_a_protected_player_cannot_be_chosen_by_any_card_for_others(card: str) -> None:
    match = scene("premium", [f"{card} handmaid", "guard", "guard", "guard", "guard"], protected=[1])
    assert seats_chosen(match, card) == {2, 3, 4}


@pytest.mark.parametrize("card", ["cardinal", "sycophant", "prince"])
def test_R4_a_protected_player_cannot_be_chosen_by_any_card_for_anyone(card: str) -> None:
    match = scene("premium", [f"{card} handmaid", "guard", "guard", "guard", "guard"], protected=[1])
    assert seats_chosen(match, card) == {0, 2, 3, 4}


def test_R4_a_bet_made_earlier_stays_on_a_player_who_becomes_protected() -> None:
    match = scene("premium", ["handmaid king", "guard", "priest", None, None], deck=0, bet=(2, 0))
    match.play("handmaid")
    assert match.rounds[-1].tokens == (1, 0, 1, 0, 0)


# R5: what is a duty, and what may be declined


@pytest.mark.parametrize("edition", ALL)
def test_R5_the_priests_player_must_choose_and_sees_the_card(edition: str) -> None:
    match = scene(edition, ["priest handmaid", "king", "guard"])
    assert match.why_not("priest") == Refusal.MUST_CHOOSE
    match.play("priest 1")
    assert match.view(0).known[1] == tuple(cards("king"))


def test_R5_the_baroness_must_look_at_somebody() -> None:
    match = scene("premium", ["baroness handmaid", "king", "guard", "guard", "guard"])
    assert match.why_not("baroness") == Refusal.MUST_CHOOSE


def test_R5_the_cardinals_look_may_be_declined() -> None:
    match = scene("premium", ["cardinal handmaid", "king", "baron", "guard", "guard"])
    match.play("cardinal 1 2")
    match.play("look none")
    assert match.view(0).known[1:3] == ((), ())


def test_R5_the_redraw_after_a_bishop_may_be_declined() -> None:
    match = scene("premium", ["bishop handmaid", "king", "guard", "guard", "guard"])
    match.play("bishop 1 6")
    assert (match.turn, match.legal()) == (1, ["redraw", "stay"])
    match.play("stay")
    assert (hand(match, 1), pile(match, 1)) == ("king", "")


# R6: the hand of a knocked-out player


@pytest.mark.parametrize("edition", ALL)
def test_R6_the_hand_of_a_knocked_out_player_joins_the_pile(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", "priest"], piles={1: "priest"})
    accuse(match, 1, "king")
    assert (pile(match, 1), hand(match, 1), standing(match)) == ("priest king", "", (0, 2))


@pytest.mark.parametrize("edition", ALL)
def test_R6_a_handmaid_in_a_knocked_out_hand_protects_nobody(edition: str) -> None:
    match = scene(edition, ["guard baron", "handmaid", "priest"])
    accuse(match, 1, "handmaid")
    assert told(match, Event.SHIELDED) == []


def test_R6_a_constable_in_a_knocked_out_hand_pays_nothing() -> None:
    match = scene("premium", ["guard baron", "constable", "priest", "guard", "guard"])
    match.play("guard 1 6")
    assert (pile(match, 1), match.tokens[1]) == ("constable", 0)


def test_R6_a_count_in_a_knocked_out_hand_helps_nobody() -> None:
    match = scene("premium", ["guard baron", "count", "king", None, None], deck=0)
    match.play("guard 1 5")
    assert match.rounds[-1].winners == (2,)


def test_R6_a_spy_in_a_knocked_out_hand_pays_nothing() -> None:
    match = scene("modern", ["guard baron", "spy"])
    match.play("guard 1 spy")
    assert match.rounds[-1].tokens == (1, 0)


# R7 and R8: the Princess


@pytest.mark.parametrize("edition", ALL)
def test_R7_the_princess_may_be_played_and_knocks_out(edition: str) -> None:
    match = scene(edition, ["princess guard", "priest", "king"])
    match.play("princess")
    assert (standing(match), pile(match, 0)) == ((1, 2), "princess guard")


@pytest.mark.parametrize("edition", ALL)
def test_R8_prince_on_the_princess_knocks_out(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "king"])
    match.play("prince 1")
    assert (standing(match), pile(match, 1)) == ((0, 2), "princess")


@pytest.mark.parametrize("edition", ALL)
def test_R8_prince_on_the_princess_draws_nothing(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "king"], deck="baron baron priest")
    match.play("prince 1")
    assert hand(match, 1) == ""
    assert match.view(2).hand == tuple(cards("king baron"))


@pytest.mark.parametrize("edition", WITH_ASIDE)
def test_R8_prince_on_the_princess_leaves_the_aside_card(edition: str) -> None:
    match = scene(edition, ["prince guard", "princess", "king"], deck=0)
    match.play("prince 1")
    assert (told(match, Event.TOOK_ASIDE), match.view(None).aside) == ([], 1)


@pytest.mark.parametrize("edition", ALL)
def test_R8_prince_on_the_own_princess_knocks_out_his_player(edition: str) -> None:
    match = scene(edition, ["prince princess", "guard", "king"])
    match.play("prince 0")
    assert (standing(match), pile(match, 0)) == ((1, 2), "prince princess")


# R9 to R11: the empty deck


@pytest.mark.parametrize("edition", WITH_ASIDE)
def test_R9_the_turn_in_which_the_aside_card_is_taken_is_the_last(edition: str) -> None:
    match = scene(edition, ["prince guard", "priest", "king"], deck=0, aside="baron")
    match.play("prince 1")
    assert told(match, Event.TOOK_ASIDE, 1) == [(1, 1, "baron")]
    assert match.rounds[-1].end == End.SHOWDOWN


def test_R9_the_turn_in_which_an_assassin_takes_the_aside_card_is_the_last() -> None:
    match = scene("premium", ["guard baron", "assassin", "king", None, None], deck=0, aside="priest")
    match.play("guard 1 2")
    assert told(match, Event.TOOK_ASIDE, 1) == [(1, 1, "priest")]
    assert match.rounds[-1].end == End.SHOWDOWN


def test_R9_the_turn_in_which_a_bishops_target_takes_the_aside_card_is_the_last() -> None:
    match = scene("premium", ["bishop baron", "king", "guard", None, None], deck=0, aside="priest")
    match.play("bishop 1 6")
    match.play("redraw")
    assert told(match, Event.TOOK_ASIDE, 1) == [(1, 1, "priest")]
    assert match.rounds[-1].end == End.SHOWDOWN


@pytest.mark.parametrize("edition", ALL)
def test_R10_a_redraw_of_the_last_card_ends_the_round(edition: str) -> None:
    match = scene(edition, ["prince guard", "priest", "baron"], deck="king")
    match.play("prince 1")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.SHOWDOWN, (1,))


def test_R10_an_assassins_redraw_of_the_last_card_ends_the_round() -> None:
    match = scene("premium", ["guard baron", "assassin", "king", None, None], deck="princess")
    match.play("guard 1 2")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.SHOWDOWN, (1,))


def test_R10_a_bishops_redraw_of_the_last_card_ends_the_round() -> None:
    match = scene("premium", ["bishop baron", "king", "guard", None, None], deck="countess")
    match.play("bishop 1 6")
    match.play("redraw")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.SHOWDOWN, (1,))


@pytest.mark.parametrize("edition", ALL)
def test_R10_the_last_card_still_gives_a_turn(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "priest", "baron"], deck="king")
    match.play("handmaid")
    assert (match.turn, match.view(None).deck) == (1, 0)


@pytest.mark.parametrize("edition", ALL)
def test_R11_the_last_one_standing_wins_even_with_an_empty_deck(edition: str) -> None:
    match = scene(edition, ["guard priest", "princess"], deck=0)
    accuse(match, 1, "princess")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.LAST_STANDING, (0,))
    assert told(match, Event.REVEALED) == []


@pytest.mark.parametrize("card", CARD_NAMES)
def test_R11_any_card_is_enough_for_the_last_one_standing(card: str) -> None:
    edition, players = next((slug, n) for slug, n in TABLES if n > 2 and CARD_OF[card] in BOXES[slug].decks[n])
    match = scene(edition, [f"guard {card}", "priest", *[None] * (players - 2)], deck=0)
    accuse(match, 1, "priest")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.LAST_STANDING, (0,))
