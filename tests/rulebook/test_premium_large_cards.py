"""Premium, 5 to 8 players: the deck, the Guard, Bishop, Dowager Queen, Constable, Count and Assassin, card by card."""

from collections import Counter

import pytest

from suitors import Card, Match, Refusal
from suitors.rules import Event
from support.scenes import NAMES, hand, names, pile, scene, standing, told

OTHERS = ("priest", "baron", "prince", "king")


# The deck (R29, R30)


def test_R29_the_32_cards() -> None:
    match = Match("premium", NAMES[:5])
    assert Counter(names(match.rules.box).split()) == {
        "jester": 1,
        "assassin": 1,
        "guard": 8,
        "priest": 2,
        "cardinal": 2,
        "baron": 2,
        "baroness": 2,
        "handmaid": 2,
        "sycophant": 2,
        "prince": 2,
        "count": 2,
        "king": 1,
        "constable": 1,
        "countess": 1,
        "dowager-queen": 1,
        "princess": 1,
        "bishop": 1,
    }


@pytest.mark.parametrize(
    ("card", "number"),
    [
        (Card.JESTER, 0),
        (Card.ASSASSIN, 0),
        (Card.GUARD, 1),
        (Card.CARDINAL, 2),
        (Card.BARONESS, 3),
        (Card.SYCOPHANT, 4),
        (Card.COUNT, 5),
        (Card.CONSTABLE, 6),
        (Card.DOWAGER_QUEEN, 7),
        (Card.PRINCESS, 8),
        (Card.BISHOP, 9),
    ],
)
def test_R29_the_numbers_of_the_added_cards(card: Card, number: int) -> None:
    assert Match("premium", NAMES[:5]).rules.value[card] == number


@pytest.mark.parametrize(("players", "deck"), [(5, 26), (6, 25), (7, 24), (8, 23)])
def test_premium_setup_deals_one_card_to_each_of_five_to_eight_players(players: int, deck: int) -> None:
    match = Match("premium", NAMES[:players])
    assert match.view(None).deck == deck - 1  # the first player has drawn
    assert sorted(match.view(None).held) == [1] * (players - 1) + [2]


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_premium_setup_sets_one_card_aside_and_none_face_up(players: int) -> None:
    view = Match("premium", NAMES[:players]).view(None)
    assert (view.aside, view.face_up) == (1, ())


def test_R30_both_guards_are_one_card() -> None:
    match = scene("premium", ["guard guard", *OTHERS], protected=[1, 2, 3])
    assert match.legal() == [f"guard 4 {number}" for number in (0, 2, 3, 4, 5, 6, 7, 8, 9)]


# Guard and numbers (R31)


def test_R31_a_guard_names_zero_and_two_to_nine() -> None:
    match = scene("premium", ["guard count", *OTHERS])
    guards = [f"guard {seat} {number}" for seat in (1, 2, 3, 4) for number in (0, 2, 3, 4, 5, 6, 7, 8, 9)]
    assert match.legal() == ["count", *guards]


def test_premium_guard_may_not_name_one() -> None:
    match = scene("premium", ["guard count", *OTHERS])
    assert match.why_not("guard 1 1") == Refusal.NOT_NAMEABLE


@pytest.mark.parametrize(
    ("held", "number"),
    [
        ("jester", 0),
        ("priest", 2),
        ("cardinal", 2),
        ("baron", 3),
        ("baroness", 3),
        ("handmaid", 4),
        ("sycophant", 4),
        ("prince", 5),
        ("count", 5),
        ("king", 6),
        ("constable", 6),
        ("countess", 7),
        ("dowager-queen", 7),
        ("princess", 8),
        ("bishop", 9),
    ],
)
def test_R31_a_guard_hits_every_card_of_the_number(held: str, number: int) -> None:
    match = scene("premium", ["guard guard", held, "guard", "guard", "guard"])
    match.play(f"guard 1 {number}")
    assert standing(match) == (0, 2, 3, 4)


def test_premium_guard_with_a_wrong_number_does_nothing() -> None:
    match = scene("premium", ["guard count", *OTHERS])
    match.play("guard 1 4")
    assert standing(match) == (0, 1, 2, 3, 4)


def test_premium_guard_has_no_effect_where_all_others_are_protected() -> None:
    match = scene("premium", ["guard count", *OTHERS], protected=[1, 2, 3, 4])
    assert match.legal() == ["count", "guard"]


@pytest.mark.parametrize("other", ["count", "constable", "dowager-queen", "princess", "bishop"])
def test_R13_the_countess_is_free_beside_every_card_but_king_and_prince(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "guard", "guard", "guard"])
    assert {move.split()[0] for move in match.legal()} == {"countess", other}


@pytest.mark.parametrize("other", ["king", "prince"])
def test_R13_the_countess_must_be_played_beside_the_king_or_a_prince(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "guard", "guard", "guard"])
    assert match.legal() == ["countess"]


# Bishop (R31, R35 to R40, R43)


def test_R36_a_bishop_names_zero_to_nine_one_included() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    assert match.legal() == [*(f"bishop {seat} {n}" for seat in (1, 2, 3, 4) for n in range(10)), "count"]


def test_R36_a_bishop_that_names_one_hits_a_guard() -> None:
    match = scene("premium", ["bishop count", "guard", "baron", "prince", "king"])
    match.play("bishop 1 1")
    assert match.tokens == (1, 0, 0, 0, 0)


def test_R36_switched_off_a_bishop_may_not_name_one() -> None:
    match = scene("premium", ["bishop count", *OTHERS], options={"bishop_names_one": False})
    numbers = (0, 2, 3, 4, 5, 6, 7, 8, 9)
    assert match.legal() == [*(f"bishop {seat} {n}" for seat in (1, 2, 3, 4) for n in numbers), "count"]


@pytest.mark.parametrize("held", ["prince", "count"])
def test_R31_a_bishop_hits_every_card_of_the_number(held: str) -> None:
    match = scene("premium", ["bishop guard", held, "guard", "guard", "guard"])
    match.play("bishop 1 5")
    assert match.tokens == (1, 0, 0, 0, 0)


def test_premium_bishop_with_a_wrong_number_gains_nothing() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 1 3")
    assert match.tokens == (0, 0, 0, 0, 0)
    assert match.turn == 1


def test_premium_bishop_knocks_nobody_out() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 1 2")
    assert standing(match) == (0, 1, 2, 3, 4)


def test_R37_a_bishop_cannot_choose_its_own_player() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    assert match.why_not("bishop 0 5") == Refusal.NOT_ONESELF


def test_R37_a_bishop_has_no_effect_where_all_others_are_protected() -> None:
    match = scene("premium", ["bishop count", *OTHERS], protected=[1, 2, 3, 4])
    assert match.legal() == ["bishop", "count"]


def test_R37_a_bishop_that_names_zero_hits_the_assassin_who_does_not_react() -> None:
    match = scene("premium", ["bishop count", "assassin", "baron", "prince", "king"])
    match.play("bishop 1 0")
    assert match.tokens == (1, 0, 0, 0, 0)
    assert standing(match) == (0, 1, 2, 3, 4)


def test_R38_a_redraw_from_an_empty_deck_takes_the_card_set_aside() -> None:
    match = scene("premium", ["bishop guard", "priest", "guard", "guard", "guard"], deck=0, aside="princess")
    match.play("bishop 1 2")
    match.play("redraw")
    assert told(match, Event.TOOK_ASIDE, 1) == [(1, 1, "princess")]
    assert match.rounds[-1].winners == (1,)


def test_R39_the_hit_player_decides_about_the_redraw() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 3 5")
    assert match.turn == 3
    assert match.legal() == ["redraw", "stay"]


def test_R39_the_token_comes_before_the_redraw() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 3 5")
    assert match.tokens == (1, 0, 0, 0, 0)
    assert hand(match, 3) == "prince"


def test_R39_a_miss_offers_no_redraw() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 3 2")
    assert match.why_not("redraw") == Refusal.WRONG_STEP


def test_R39_redraw_discards_the_hit_card_and_draws_from_the_deck() -> None:
    match = scene("premium", ["bishop count", *OTHERS], deck="countess guard guard")
    match.play("bishop 3 5")
    match.play("redraw")
    assert (pile(match, 3), hand(match, 3)) == ("prince", "countess")


def test_R39_stay_keeps_the_hit_card() -> None:
    match = scene("premium", ["bishop count", *OTHERS], deck="countess guard guard")
    match.play("bishop 3 5")
    match.play("stay")
    assert (pile(match, 3), hand(match, 3)) == ("", "prince")


def test_R39_the_turn_passes_to_the_left_of_the_bishops_player() -> None:
    match = scene("premium", ["bishop count", *OTHERS])
    match.play("bishop 3 5")
    match.play("stay")
    assert match.turn == 1


def test_R39_a_redraw_that_discards_the_princess_knocks_out_without_a_draw() -> None:
    match = scene("premium", ["bishop count", "princess", "baron", "prince", "king"], deck="countess guard guard")
    match.play("bishop 1 8")
    match.play("redraw")
    assert standing(match) == (0, 2, 3, 4)
    assert told(match, Event.DREW, 1) == [(2, 2, None)]  # the next turn's draw alone


def test_premium_bishop_redraw_does_not_apply_the_discarded_card() -> None:
    match = scene("premium", ["bishop count", "handmaid", "baron", "prince", "king"])
    match.play("bishop 1 4")
    match.play("redraw")
    assert match.view(None).protected == ()


def test_R10_a_bishops_redraw_of_the_last_card_ends_the_round() -> None:
    match = scene("premium", ["bishop guard", "priest", "guard", "guard", "guard"], deck="countess")
    match.play("bishop 1 2")
    match.play("redraw")
    assert match.to_deal


def test_R40_a_hit_makes_only_the_number_public() -> None:
    match = scene("premium", ["bishop guard", "count", "guard", "guard", "guard"])
    match.play("bishop 1 5")
    assert told(match, Event.HIT, 2) == [(0, 1, None)]
    assert match.view(2).known[1] == ()


def test_R40_not_even_the_bishops_player_sees_the_card() -> None:
    match = scene("premium", ["bishop guard", "count", "guard", "guard", "guard"])
    match.play("bishop 1 5")
    match.play("stay")
    assert match.view(0).known[1] == ()


def test_R40_the_card_is_public_once_it_is_discarded() -> None:
    match = scene("premium", ["bishop guard", "count", "guard", "guard", "guard"])
    match.play("bishop 1 5")
    match.play("redraw")
    assert told(match, Event.DISCARDED) == [(1, 1, "count")]


def test_R43_a_baron_finds_the_bishop_above_the_princess() -> None:
    match = scene("premium", ["baron bishop", "princess", "guard", "guard", "guard"])
    match.play("baron 1")
    assert standing(match) == (0, 2, 3, 4)


def test_R43_a_dowager_queen_knocks_the_bishop_out_against_the_princess() -> None:
    match = scene("premium", ["dowager-queen bishop", "princess", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert standing(match) == (1, 2, 3, 4)


# Dowager Queen (R65)


def test_premium_dowager_queen_knocks_out_the_higher_number() -> None:
    match = scene("premium", ["dowager-queen priest", "king", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert standing(match) == (0, 2, 3, 4)


def test_R65_the_dowager_queens_own_player_can_be_the_one_out() -> None:
    match = scene("premium", ["dowager-queen king", "priest", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert standing(match) == (1, 2, 3, 4)


def test_R65_the_dowager_queen_compares_the_kept_card_not_herself() -> None:
    match = scene("premium", ["dowager-queen prince", "king", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert pile(match, 1) == "king"


def test_premium_dowager_queen_tie_does_nothing() -> None:
    match = scene("premium", ["dowager-queen constable", "king", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert standing(match) == (0, 1, 2, 3, 4)
    assert told(match, Event.EQUAL) == [(0, 1, None)]


def test_premium_dowager_queen_comparison_is_secret() -> None:
    match = scene("premium", ["dowager-queen constable", "king", "guard", "guard", "guard"])
    match.play("dowager-queen 1")
    assert match.view(0).known[1] == (Card.KING,)
    assert match.view(1).known[0] == (Card.CONSTABLE,)
    assert (match.view(2).known[0], match.view(2).known[1]) == ((), ())


def test_premium_dowager_queen_chooses_another_player() -> None:
    match = scene("premium", ["dowager-queen count", *OTHERS], protected=[3])
    assert match.legal() == ["count", "dowager-queen 1", "dowager-queen 2", "dowager-queen 4"]


# Count and cards that do nothing when played


@pytest.mark.parametrize("card", ["count", "constable", "assassin"])
def test_premium_card_that_does_nothing_when_played(card: str) -> None:
    match = scene("premium", [f"{card} guard", *OTHERS])
    match.play(card)
    assert {entry.event for entry in match.view(None).log[-1][-2:]} == {Event.MOVED, Event.DREW}
    assert (match.turn, pile(match, 0), match.tokens) == (1, card, (0, 0, 0, 0, 0))


def test_R44_counts_do_not_help_against_a_baron() -> None:
    match = scene("premium", ["baron priest", "baroness", "guard", "guard", "guard"], piles={0: "count count"})
    match.play("baron 1")
    assert standing(match) == (1, 2, 3, 4)


def test_R44_counts_do_not_change_the_number_a_guard_must_name() -> None:
    match = scene("premium", ["guard priest", "baroness", "guard", "guard", "guard"], piles={1: "count"})
    match.play("guard 1 3")
    assert standing(match) == (0, 2, 3, 4)


# Assassin (R50 to R52)


@pytest.mark.parametrize("number", [0, 2, 9])
def test_R50_the_assassin_knocks_the_guards_player_out_whatever_was_named(number: int) -> None:
    match = scene("premium", ["guard count", "assassin", "baron", "prince", "king"])
    match.play(f"guard 1 {number}")
    assert standing(match) == (1, 2, 3, 4)


def test_R50_the_holder_is_not_asked() -> None:
    match = scene("premium", ["guard count", "baron", "prince", "assassin", "king"])
    match.play("guard 3 0")
    assert match.turn == 1
    assert pile(match, 3) == "assassin"


def test_premium_assassin_is_revealed_to_all() -> None:
    match = scene("premium", ["guard count", "assassin", "baron", "prince", "king"])
    match.play("guard 1 0")
    assert told(match, Event.DISCARDED) == [(0, 0, "count"), (1, 1, "assassin")]


def test_R51_the_assassin_redraws_after_the_guards_player_is_out() -> None:
    match = scene("premium", ["guard princess", "baron", "assassin", "prince", "king"], piles={0: "constable"})
    match.play("guard 2 0")
    steps = [(entry.event, entry.actor) for entry in match.view(None).log[-1]]
    assert steps[-7:-1] == [
        (Event.MOVED, 0),
        (Event.OUT, 0),
        (Event.TOKEN, 0),
        (Event.DISCARDED, 0),
        (Event.DISCARDED, 2),
        (Event.DREW, 2),
    ]


def test_R51_the_holder_draws_from_the_deck() -> None:
    match = scene("premium", ["guard count", "baron", "assassin", "prince", "king"], deck="countess guard guard")
    match.play("guard 2 0")
    assert hand(match, 2) == "countess"


def test_R51_only_the_holder_learns_the_new_card() -> None:
    match = scene("premium", ["guard count", "baron", "assassin", "prince", "king"], deck="countess guard guard")
    match.play("guard 2 0")
    assert match.view(2).known[2] == (Card.COUNTESS,)
    assert match.view(1).known[2] == ()


def test_R51_the_holder_takes_the_card_set_aside_if_the_deck_is_empty() -> None:
    hands = ["guard count", "baron", "assassin", "prince", "king"]
    match = scene("premium", hands, deck=0, aside="princess")
    match.play("guard 2 0")
    assert match.rounds[-1].winners == (2,)


def test_R51_with_one_player_left_the_assassin_is_discarded_and_nothing_drawn() -> None:
    match = scene("premium", ["guard count", None, "assassin", None, None], deck="countess guard")
    match.play("guard 2 5")
    assert (pile(match, 2), hand(match, 2), match.view(None).deck) == ("assassin", "", 2)
    assert match.rounds[-1].winners == (2,)


def test_R52_a_protected_holder_cannot_be_chosen() -> None:
    match = scene("premium", ["guard count", "assassin", "baron", "prince", "king"], protected=[1])
    assert match.why_not("guard 1 0") == Refusal.PROTECTED


def test_R52_a_baron_finds_the_assassin_a_plain_zero() -> None:
    match = scene("premium", ["baron guard", "assassin", "baron", "prince", "king"])
    match.play("baron 1")
    assert standing(match) == (0, 2, 3, 4)


def test_R52_a_prince_makes_the_holder_redraw_and_harms_nobody() -> None:
    match = scene("premium", ["prince guard", "assassin", "baron", "prince", "king"], deck="countess guard guard")
    match.play("prince 1")
    assert standing(match) == (0, 1, 2, 3, 4)
    assert pile(match, 1) == "assassin"


def test_R52_a_king_trades_the_assassin() -> None:
    match = scene("premium", ["king guard", "assassin", "baron", "prince", "count"])
    match.play("king 1")
    assert (hand(match, 0), standing(match)) == ("assassin", (0, 1, 2, 3, 4))


def test_R52_a_played_assassin_protects_nobody() -> None:
    match = scene("premium", ["guard count", "king", "baron", "prince", "priest"], piles={1: "assassin"})
    match.play("guard 1 6")
    assert standing(match) == (0, 2, 3, 4)
