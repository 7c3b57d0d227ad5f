"""The Premium rulebook for 2 to 4 players, sentence by sentence: setup, turns, knock-outs and choosing."""

import random
from collections import Counter

import pytest

from suitors import Card, Match, Refusal, SuitorsError
from suitors.rules import Event
from support.scenes import NAMES, cards, hand, names, pile, scene, standing, told

SIXTEEN = "princess countess king prince prince handmaid handmaid baron baron priest priest" + 5 * " guard"
SHUFFLED = (
    "king baron handmaid countess priest guard prince guard baron guard princess priest handmaid prince guard guard"
)
PLAYERS = (2, 3, 4)


def fresh(players: int, first: int = 0) -> Match:
    """A round just dealt from the deck SHUFFLED."""
    match = Match("premium", NAMES[:players], dealt=False)
    match.deal(SHUFFLED.split(), first)
    return match


# Setup


@pytest.mark.parametrize("players", PLAYERS)
def test_premium_setup_these_sixteen_cards_make_the_deck(players: int) -> None:
    match = Match("premium", NAMES[:players], rng=random.Random(1))
    assert Counter(match.rounds[0].deck) == Counter(map(int, cards(SIXTEEN)))


def test_premium_setup_each_card_has_its_number() -> None:
    value = Match("premium", NAMES[:3]).rules.value
    order = "guard priest baron handmaid prince king countess princess"
    assert [value[card] for card in cards(order)] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("players", PLAYERS)
def test_premium_setup_the_cards_are_shuffled(players: int) -> None:
    decks = {Match("premium", NAMES[:players], rng=random.Random(seed)).rounds[0].deck for seed in range(5)}
    assert len(decks) == 5


@pytest.mark.parametrize("players", PLAYERS)
def test_premium_setup_one_card_is_set_aside(players: int) -> None:
    assert fresh(players).view(None).aside == 1


def test_premium_setup_the_card_set_aside_is_the_top_one() -> None:
    match = scene("premium", ["prince guard", "baron", "guard"], deck=0, aside="king")
    assert match.rounds[0].deck[0] == Card.KING
    match.play("prince 1")
    assert hand(match, 1) == "king"


@pytest.mark.parametrize("seat", [0, 1, None])
def test_premium_setup_two_players_see_three_more_cards_face_up(seat: int | None) -> None:
    assert names(fresh(2).view(seat).face_up) == "baron handmaid countess"


@pytest.mark.parametrize("players", [3, 4])
def test_premium_setup_three_or_four_players_see_no_card_face_up(players: int) -> None:
    assert fresh(players).view(0).face_up == ()


def test_premium_setup_the_cards_face_up_are_not_used_in_the_round() -> None:
    match = fresh(2)
    assert (names(match.view(0).hand), names(match.view(1).hand)) == ("priest prince", "guard")
    assert names(match.table.deck[match.table.top : match.table.bottom]) == " ".join(SHUFFLED.split()[7:])


@pytest.mark.parametrize(("players", "after_the_deal"), [(2, 10), (3, 12), (4, 11)])
def test_premium_setup_the_deck_after_the_deal(players: int, after_the_deal: int) -> None:
    match = fresh(players)
    assert match.view(None).deck == after_the_deal - 1  # the first player has drawn


@pytest.mark.parametrize(
    ("players", "first", "dealt"), [(3, 0, "baron handmaid countess"), (3, 1, "countess baron handmaid")]
)
def test_premium_setup_each_player_draws_one_card(players: int, first: int, dealt: str) -> None:
    match = fresh(players, first)
    assert " ".join(hand(match, seat) for seat in range(players)) == dealt


def test_premium_setup_the_hand_is_kept_secret_from_the_others() -> None:
    match = fresh(3)
    assert match.view(1).known[0] == ()
    assert match.view(1).known[2] == ()
    assert names(match.view(1).known[1]) == "handmaid"


@pytest.mark.parametrize("players", PLAYERS)
def test_premium_setup_whoever_had_the_latest_date_goes_first(players: int) -> None:
    assert fresh(players, players - 1).turn == players - 1


def test_premium_is_for_two_to_eight_players() -> None:
    for players in (0, 1, 9):
        with pytest.raises(SuitorsError, match="premium is for 2 to 8 players"):
            Match("premium", ["Ada"] * players)


# Taking a turn


def test_premium_turn_the_top_card_is_drawn() -> None:
    match = scene("premium", ["handmaid guard", "baron", "guard"], deck="king priest guard")
    match.play("handmaid")
    assert names(match.view(1).hand) == "baron king"


def test_premium_turn_either_of_the_two_cards_may_be_discarded() -> None:
    match = scene("premium", ["handmaid princess", "baron", "guard"])
    assert match.legal() == ["handmaid", "princess"]


def test_premium_turn_a_card_that_is_not_held_may_not_be_discarded() -> None:
    match = scene("premium", ["handmaid princess", "baron", "guard"])
    assert match.why_not("baron 1") == Refusal.NOT_HELD


def test_premium_turn_the_card_is_discarded_face_up_in_front_of_its_player() -> None:
    match = scene("premium", ["handmaid guard", "baron", "guard"])
    match.play("handmaid")
    assert names(match.view(2).piles[0]) == "handmaid"


def test_premium_turn_the_other_card_stays_in_the_hand() -> None:
    match = scene("premium", ["handmaid guard", "baron", "guard"])
    match.play("handmaid")
    assert hand(match, 0) == "guard"


def test_premium_turn_an_effect_must_be_applied_even_if_it_is_bad() -> None:
    match = scene("premium", ["baron guard", "king", "priest"], protected=[2])
    assert match.why_not("baron") == Refusal.MUST_CHOOSE
    match.play("baron 1")
    assert standing(match) == (1, 2)


def test_premium_turn_discards_stay_in_front_of_their_player_in_order() -> None:
    match = scene(
        "premium", ["handmaid guard", "handmaid", "guard"], deck="priest baron king prince", piles={0: "baron"}
    )
    for move in ("handmaid", "handmaid", "baron"):
        match.play(move)
    match.play("guard 2 2")
    assert [pile(match, seat) for seat in range(3)] == ["baron handmaid guard", "handmaid", "baron"]


@pytest.mark.parametrize(("turn", "left"), [(0, 1), (1, 2), (2, 0)])
def test_premium_turn_passes_to_the_left(turn: int, left: int) -> None:
    hands = ["guard", "guard", "guard"]
    hands[turn] = "handmaid guard"
    match = scene("premium", hands, turn=turn)
    match.play("handmaid")
    assert match.turn == left


def test_premium_turn_passes_over_players_who_are_out() -> None:
    match = scene("premium", ["handmaid guard", None, None, "guard"])
    match.play("handmaid")
    assert match.turn == 3


# Out of the round


def test_premium_out_the_hand_is_discarded_face_up() -> None:
    match = scene("premium", ["guard king", "baron", "guard"])
    match.play("guard 1 3")
    assert told(match, Event.DISCARDED) == [(1, 1, "baron")]
    assert pile(match, 1) == "baron"


def test_premium_out_the_effect_of_the_discarded_hand_is_not_applied() -> None:
    match = scene("premium", ["guard king", "handmaid", "guard"])
    match.play("guard 1 4")
    assert match.view(None).protected == ()


def test_premium_out_a_player_takes_no_more_turns() -> None:
    match = scene("premium", ["guard king", "baron", "guard"])
    match.play("guard 1 3")
    assert match.turn == 2


def test_premium_out_lasts_until_the_next_round() -> None:
    match = scene("premium", ["guard king", "baron", None], deck=0)
    match.play("guard 1 3")
    match.deal()
    assert standing(match) == (0, 1, 2)


# Choosing a player


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_premium_choosing_nobody_the_card_is_discarded_without_effect(card: str) -> None:
    match = scene("premium", [f"{card} handmaid", "princess", "guard"], protected=[1, 2])
    match.play(card)
    assert (pile(match, 0), hand(match, 0), hand(match, 1), standing(match)) == (
        card,
        "handmaid",
        "princess",
        (0, 1, 2),
    )
