"""Rulings R12 to R22, which hold in all editions: the Countess, naming, honesty, secrets, starters and tokens."""

import random

import pytest

from suitors import Card, Match, Refusal
from suitors.notation import CARD_NAMES
from suitors.rules import End, Event
from suitors.view.data import view_data
from support.matches import WITH_SIXTEEN as ALL
from support.scenes import NAMES, cards, hand, names, pile, scene, standing, told

SEVEN = "priest baron handmaid prince king countess princess"


def named(match: Match, card: str) -> str:
    """What a Guard says to hit that card: its number or its name."""
    return str(match.rules.value[cards(card)[0]]) if match.rules.by_number else card


# R12 and R13: the Countess


@pytest.mark.parametrize("other", ["king", "prince"])
@pytest.mark.parametrize("edition", ALL)
def test_R12_the_countess_binds_when_a_card_is_chosen(edition: str, other: str) -> None:
    match = scene(edition, [f"{other} countess", "guard", "guard"])
    assert match.legal() == ["countess"]


@pytest.mark.parametrize("edition", ALL)
def test_R12_a_countess_who_comes_by_trade_binds_only_on_the_next_turn(edition: str) -> None:
    match = scene(edition, ["king guard", "countess"], deck="handmaid prince guard")
    match.play("king 1")
    assert (match.turn, hand(match, 0)) == (1, "countess")
    match.play("handmaid")
    assert match.legal() == ["countess"]


def test_R12_a_countess_drawn_for_a_chancellor_binds_nothing() -> None:
    match = scene("modern", ["chancellor king", "guard", "guard"], deck="countess priest guard guard")
    match.play("chancellor")
    match.play("keep king countess priest")
    assert (hand(match, 0), pile(match, 0)) == ("king", "chancellor")


@pytest.mark.parametrize("other", ["constable", "count"])
def test_R13_cards_of_the_same_number_do_not_force_the_countess(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "guard", "guard", "guard"])
    assert match.legal() == sorted([other, "countess"])


@pytest.mark.parametrize("other", ["king", "prince"])
def test_R13_king_and_prince_force_the_countess_in_the_large_game(other: str) -> None:
    match = scene("premium", [f"countess {other}", "guard", "guard", "guard", "guard"])
    assert match.legal() == ["countess"]


# R14: what a Guard may name


@pytest.mark.parametrize(
    ("edition", "players", "expected"),
    [
        ("premium", 2, "2 3 4 5 6 7 8"),
        ("premium", 4, "2 3 4 5 6 7 8"),
        ("premium", 5, "0 2 3 4 5 6 7 8 9"),
        ("premium", 8, "0 2 3 4 5 6 7 8 9"),
        ("modern", 3, f"spy chancellor {SEVEN}"),
        ("classic", 3, SEVEN),
        ("demo", 3, SEVEN),
        ("house", 3, SEVEN),
    ],
)
def test_R14_every_other_card_of_the_deck_may_be_named(edition: str, players: int, expected: str) -> None:
    match = scene(edition, ["guard guard", "priest", *[None] * (players - 2)])
    assert match.legal() == sorted(f"guard 1 {word}" for word in expected.split())


@pytest.mark.parametrize("edition", ALL)
def test_R14_the_guard_may_not_be_named(edition: str) -> None:
    match = scene(edition, ["guard handmaid", "guard", "priest"])
    assert match.why_not(f"guard 1 {named(match, 'guard')}") == Refusal.NOT_NAMEABLE


@pytest.mark.parametrize("edition", ALL)
def test_R14_a_card_of_which_all_copies_are_seen_may_be_named(edition: str) -> None:
    match = scene(edition, ["guard handmaid", "guard", "king"], piles={1: "priest priest"})
    assert match.why_not(f"guard 1 {named(match, 'priest')}") == Refusal.FINE


def test_R14_a_card_that_is_not_in_the_deck_may_not_be_named() -> None:
    match = scene("classic", ["guard handmaid", "guard", "king"])
    assert match.why_not("guard 1 spy") == Refusal.NOT_NAMEABLE


# R15: nobody can cheat


@pytest.mark.parametrize("other", ["king", "prince"])
@pytest.mark.parametrize("edition", ALL)
def test_R15_nobody_can_hide_the_countess(edition: str, other: str) -> None:
    match = scene(edition, [f"{other} countess", "guard", "guard"])
    assert match.why_not(f"{other} 1") == Refusal.COUNTESS_FIRST


@pytest.mark.parametrize("card", SEVEN.split())
@pytest.mark.parametrize("edition", ALL)
def test_R15_nobody_can_deny_the_card_that_a_guard_names(edition: str, card: str) -> None:
    match = scene(edition, ["guard guard", card, "guard"])
    match.play(f"guard 1 {named(match, card)}")
    assert (standing(match), pile(match, 1)) == ((0, 2), card)


# R16 and R17: the Baron


@pytest.mark.parametrize("edition", ALL)
def test_R16_a_baron_tie_is_public_and_the_cards_are_not(edition: str) -> None:
    match = scene(edition, ["baron prince", "prince", "guard"])
    match.play("baron 1")
    assert standing(match) == (0, 1, 2)
    assert told(match, Event.EQUAL) == [(0, 1, None)]
    assert told(match, Event.SHOWED) == [(1, 0, None), (0, 1, None)]


@pytest.mark.parametrize("edition", ALL)
def test_R16_a_baron_shows_the_cards_to_the_two(edition: str) -> None:
    match = scene(edition, ["baron prince", "prince", "guard"])
    match.play("baron 1")
    assert match.view(0).known[1] == (Card.PRINCE,)
    assert match.view(1).known[0] == (Card.PRINCE,)


@pytest.mark.parametrize("edition", ALL)
def test_R16_nobody_else_learns_the_higher_card_of_a_baron(edition: str) -> None:
    match = scene(edition, ["baron king", "prince", "guard"])
    match.play("baron 1")
    assert match.view(2).known[0] == ()
    assert match.view(None).known[0] == ()


@pytest.mark.parametrize("edition", ALL)
def test_R17_the_baron_compares_the_kept_card(edition: str) -> None:
    match = scene(edition, ["baron guard", "priest", "king"])
    match.play("baron 1")
    assert standing(match) == (1, 2)
    assert pile(match, 0) == "baron guard"


@pytest.mark.parametrize("edition", ALL)
def test_R17_a_second_baron_in_hand_is_compared(edition: str) -> None:
    match = scene(edition, ["baron baron", "priest", "king"])
    match.play("baron 1")
    assert standing(match) == (0, 2)


# R18: who starts


@pytest.mark.parametrize("edition", ALL)
def test_R18_any_seat_may_start_the_match(edition: str) -> None:
    match = Match(edition, NAMES[:3], dealt=False)
    assert match.next_first == (0, 1, 2)


@pytest.mark.parametrize("edition", ALL)
def test_R18_the_host_may_say_who_starts_the_match(edition: str) -> None:
    match = Match(edition, NAMES[:3], dealt=False)
    match.deal(first=2)
    assert match.turn == 2


@pytest.mark.parametrize("edition", ALL)
def test_R18_by_default_chance_says_who_starts_the_match(edition: str) -> None:
    starts = {Match(edition, NAMES[:3], rng=random.Random(seed)).turn for seed in range(40)}
    assert starts == {0, 1, 2}


def shared_round(edition: str, first: int) -> Match:
    """A match whose first round, begun by `first`, was won by seats 0 and 2 together."""
    hands = ["prince", "guard", "prince"]
    hands[first] += " priest" if first == 1 else " handmaid"
    piles = {seat: "handmaid" for seat in (0, 2) if seat != first}
    match = scene(edition, hands, deck=0, turn=first, piles=piles)
    match.play("priest 0" if first == 1 else "handmaid")
    assert match.rounds[-1].winners == (0, 2)
    return match


@pytest.mark.parametrize(("first", "starter"), [(0, 0), (1, 2), (2, 2)])
def test_R18_premium_keeps_the_seating_as_the_order_of_dates(first: int, starter: int) -> None:
    match = shared_round("premium", first)
    match.deal()
    assert match.turn == starter


@pytest.mark.parametrize("edition", ["modern", "classic", "demo"])
def test_R18_after_a_shared_round_chance_picks_a_starter_among_the_winners(edition: str) -> None:
    starts = set()
    for seed in range(40):
        match = shared_round(edition, 0)
        match.rng = random.Random(seed)
        match.deal()
        starts.add(match.turn)
    assert starts == {0, 2}


# R19: the box of tokens never runs out


def test_R19_four_players_may_win_more_than_thirteen_tokens() -> None:
    match = scene("classic", ["guard handmaid", "guard", "guard", "guard"], deck=0, tokens=[3, 3, 3, 3])
    match.play("handmaid")
    assert match.rounds[-1].tokens == (4, 4, 4, 4)


def test_R19_eight_players_may_win_more_than_twenty_five_tokens() -> None:
    hands = ["king guard", "constable", *[None] * 6]
    match = scene("premium", hands, deck=0, tokens=[3] * 8, piles={1: "guard"})
    match.play("guard 1 2")
    assert sum(match.rounds[-1].tokens) == 26


# R20 to R22: what is public and what is not


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("edition", ALL)
def test_R20_no_view_ever_tells_the_aside_card(edition: str, seat: int | None) -> None:
    """Two rounds that differ in the aside card alone look the same to everybody, also when they are over."""
    box = [CARD_NAMES[card] for card in Match(edition, NAMES[:3], dealt=False).rules.box]
    known = ["handmaid", "priest", "baron", "guard", "guard"]  # dealt to 0, 1, 2; drawn by 0 and 2
    for card in [*known, "king", "countess"]:
        box.remove(card)
    match = Match(edition, NAMES[:3], dealt=False)
    twin = Match(edition, NAMES[:3], dealt=False)
    match.deal(["king", *known, *box, "countess"], first=0)
    twin.deal(["countess", *known, *box, "king"], first=0)
    for move in (f"guard 1 {named(match, 'priest')}", f"guard 0 {named(match, 'handmaid')}"):
        assert view_data(match.view(seat)) == view_data(twin.view(seat))
        match.play(move)
        twin.play(move)
    assert match.rounds[-1].end == End.LAST_STANDING
    assert view_data(match.view(seat)) == view_data(twin.view(seat))


@pytest.mark.parametrize("edition", ALL)
def test_R21_the_order_of_a_pile_is_public(edition: str) -> None:
    match = scene(edition, ["prince guard", "baron", "guard"], piles={1: "handmaid priest"})
    match.play("prince 1")
    assert names(match.view(None).piles[1]) == "handmaid priest baron"


@pytest.mark.parametrize("edition", ALL)
def test_R21_the_size_of_the_deck_is_public(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "baron", "guard"], deck=5)
    assert match.view(None).deck == 5
    match.play("handmaid")
    assert match.view(None).deck == 4


@pytest.mark.parametrize("edition", ALL)
def test_R22_the_last_one_standing_shows_nothing(edition: str) -> None:
    match = scene(edition, ["guard king", "priest"])
    match.play(f"guard 1 {named(match, 'priest')}")
    assert match.rounds[-1].end == End.LAST_STANDING
    assert match.view(1).known[0] == ()
    assert match.view(None).known[0] == ()


@pytest.mark.parametrize("edition", ALL)
def test_R22_a_showdown_shows_the_hands_of_all_who_are_in(edition: str) -> None:
    match = scene(edition, ["handmaid king", "priest", None], deck=0)
    match.play("handmaid")
    assert told(match, Event.REVEALED) == [(0, 0, "king"), (1, 1, "priest")]
