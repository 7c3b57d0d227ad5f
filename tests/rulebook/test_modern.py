"""The 2019 rulebook: contents, set-up, turn, out of the round, the Classic Version (R71, R72)."""

from collections import Counter

import pytest

from suitors import Card, Match, Refusal, SuitorsError
from suitors.rules import Event
from support.scenes import NAMES, hand, pile, scene, standing, told

both = pytest.mark.parametrize("edition", ["modern", "classic"])
sizes = pytest.mark.parametrize(
    ("edition", "players"), [("modern", n) for n in range(2, 7)] + [("classic", n) for n in range(2, 5)]
)


def dealt(edition: str, players: int, first: int = 0, *, swap: tuple[int, int] = (0, 0)) -> Match:
    """A match whose first deck is in the order of the box, with two cards of it exchanged."""
    match = Match(edition, NAMES[:players], dealt=False)
    deck = [Card(card) for card in match.rules.box]
    deck[swap[0]], deck[swap[1]] = deck[swap[1]], deck[swap[0]]
    match.deal(deck, first)
    return match


# Contents


@pytest.mark.parametrize(
    ("card", "value", "copies"),
    [
        (Card.PRINCESS, 9, 1),
        (Card.COUNTESS, 8, 1),
        (Card.KING, 7, 1),
        (Card.CHANCELLOR, 6, 2),
        (Card.PRINCE, 5, 2),
        (Card.HANDMAID, 4, 2),
        (Card.BARON, 3, 2),
        (Card.PRIEST, 2, 2),
        (Card.GUARD, 1, 6),
        (Card.SPY, 0, 2),
    ],
)
def test_R71_each_card_has_its_value_and_its_copies(card: Card, value: int, copies: int) -> None:
    rules = Match("modern", NAMES[:3]).rules
    assert rules.value[card] == value
    assert Counter(rules.box)[card] == copies


def test_R71_there_are_twenty_one_cards() -> None:
    assert len(Match("modern", NAMES[:3]).rules.box) == 21


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_modern_overview_two_to_six_may_play(players: int) -> None:
    assert len(Match("modern", NAMES[:players]).players) == players


@pytest.mark.parametrize("players", [1, 7])
def test_modern_overview_nobody_else_may_play(players: int) -> None:
    with pytest.raises(SuitorsError) as refused:
        Match("modern", NAMES[:players])
    assert refused.value.code == "bad-players"


# Setup


@sizes
def test_modern_setup_one_card_is_set_aside_face_down(edition: str, players: int) -> None:
    assert dealt(edition, players).view(0).aside == 1


@sizes
def test_modern_setup_nobody_looks_at_the_card_set_aside(edition: str, players: int) -> None:
    one, other = dealt(edition, players), dealt(edition, players, swap=(0, -1))
    assert one.rounds[0].deck[0] != other.rounds[0].deck[0]
    for seat in [*range(players), None]:
        assert one.view(seat) == other.view(seat)


@both
def test_modern_setup_two_players_have_three_face_up_cards(edition: str) -> None:
    match = dealt(edition, 2)
    assert match.view(None).face_up == match.rounds[0].deck[1:4]


@pytest.mark.parametrize(
    ("edition", "players"), [("modern", n) for n in (3, 4, 5, 6)] + [("classic", 3), ("classic", 4)]
)
def test_modern_setup_more_than_two_players_have_no_face_up_cards(edition: str, players: int) -> None:
    assert dealt(edition, players).view(None).face_up == ()


@sizes
def test_modern_setup_each_player_is_dealt_one_card(edition: str, players: int) -> None:
    match = dealt(edition, players, first=1)
    assert match.view(None).held == tuple(2 if seat == 1 else 1 for seat in range(players))  # seat 1 has drawn by now


@pytest.mark.parametrize(
    ("edition", "players", "left"),
    [
        *(("modern", 2, 15), ("modern", 3, 17), ("modern", 4, 16), ("modern", 5, 15), ("modern", 6, 14)),
        *(("classic", 2, 10), ("classic", 3, 12), ("classic", 4, 11)),
    ],
)
def test_modern_setup_the_rest_is_the_deck(edition: str, players: int, left: int) -> None:
    assert dealt(edition, players).view(None).deck == left - 1  # the first player has drawn by now


@sizes
def test_modern_setup_a_player_sees_only_the_own_card(edition: str, players: int) -> None:
    match = dealt(edition, players)
    for seat in range(players):
        assert [bool(cards) for cards in match.view(seat).known] == [other == seat for other in range(players)]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_modern_setup_any_letter_writer_takes_the_first_turn(first: int) -> None:
    assert Match("modern", NAMES[:3], dealt=False).next_first == (0, 1, 2)
    assert dealt("modern", 3, first).turn == first


# Player Turn


@both
def test_modern_turn_goes_clockwise(edition: str) -> None:
    match = scene(edition, ["guard", "handmaid prince", "baron"], turn=1)
    match.play("handmaid")
    assert match.turn == 2
    match.play("baron 0")
    assert match.turn == 0


@both
def test_modern_turn_draws_one_card_from_the_top_of_the_deck(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "prince", "baron"], deck="king priest")
    match.play("handmaid")
    assert match.view(1).hand == (Card.PRINCE, Card.KING)
    assert match.view(None).deck == 1


@both
def test_modern_turn_the_drawn_card_is_secret(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "prince", "baron"], deck="king priest")
    match.play("handmaid")
    assert told(match, Event.DREW, 1) == [(1, 1, "king")]
    assert told(match, Event.DREW, 0) == [(1, 1, None)]
    assert told(match, Event.DREW) == [(1, 1, None)]


@both
@pytest.mark.parametrize("held", ["handmaid princess", "princess handmaid"])
def test_modern_turn_either_of_the_two_cards_may_be_played(edition: str, held: str) -> None:
    assert scene(edition, [held, "guard", "baron"]).legal() == ["handmaid", "princess"]


@both
def test_modern_turn_a_card_that_is_not_held_may_not_be_played(edition: str) -> None:
    assert scene(edition, ["handmaid princess", "guard", "baron"]).why_not("countess") == Refusal.NOT_HELD


@both
def test_modern_turn_two_equal_cards_are_one_choice(edition: str) -> None:
    assert scene(edition, ["handmaid handmaid", "guard", "baron"]).legal() == ["handmaid"]


@both
def test_modern_turn_the_played_card_stays_face_up_and_the_other_in_hand(edition: str) -> None:
    match = scene(edition, ["handmaid princess", "guard", "baron"])
    match.play("handmaid")
    assert pile(match, 0) == "handmaid"
    assert hand(match, 0) == "princess"
    assert match.view(1).known[0] == ()


# Out of the Round


@both
def test_modern_out_the_hand_is_discarded_face_up(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", "priest"])
    match.play("guard 1 king")
    assert standing(match) == (0, 2)
    assert pile(match, 1) == "king"
    assert hand(match, 1) == ""
    assert told(match, Event.DISCARDED) == [(1, 1, "king")]


@both
def test_modern_out_the_discarded_hand_has_no_effect(edition: str) -> None:
    match = scene(edition, ["guard baron", "handmaid", "priest"])
    match.play("guard 1 handmaid")
    assert match.view(None).protected == ()
    assert match.turn == 2


def test_modern_out_a_discarded_chancellor_draws_nothing() -> None:
    match = scene("modern", ["guard baron", "chancellor", "priest"], deck=4)
    match.play("guard 1 chancellor")
    assert match.turn == 2
    assert match.view(None).deck == 3


@both
def test_modern_out_cannot_be_chosen(edition: str) -> None:
    match = scene(edition, ["priest prince", None, "guard", "baron"])
    assert match.legal() == ["priest 2", "priest 3", "prince 0", "prince 2", "prince 3"]
    assert match.why_not("priest 1") == Refusal.OUT_OF_ROUND


@both
def test_modern_out_the_turn_is_skipped(edition: str) -> None:
    match = scene(edition, ["handmaid prince", None, "guard", "baron"])
    match.play("handmaid")
    assert match.turn == 2


@both
def test_modern_out_lasts_until_the_next_round(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", None])
    match.play("guard 1 king")
    match.deal()
    assert standing(match) == (0, 1, 2)


# Played and Discarded Cards


@both
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_modern_discards_are_always_visible_to_everyone(edition: str, viewer: int | None) -> None:
    match = scene(edition, ["guard baron", "king", "priest"], piles={1: "handmaid guard"})
    match.play("guard 1 king")
    assert match.view(viewer).piles == ((Card.GUARD,), (Card.HANDMAID, Card.GUARD, Card.KING), ())


# Rule Mistakes


@both
@pytest.mark.parametrize("named", ["king", "priest"])
def test_modern_mistakes_a_guard_is_answered_truthfully(edition: str, named: str) -> None:
    match = scene(edition, ["guard baron", "king", "handmaid"])
    match.play(f"guard 1 {named}")
    assert (1 in standing(match)) == (named != "king")


@both
def test_modern_mistakes_the_countess_cannot_be_forgotten(edition: str) -> None:
    match = scene(edition, ["countess king", "guard", "baron"])
    assert match.why_not("king 1") == Refusal.COUNTESS_FIRST


# Classic Version


def test_R72_classic_lacks_one_guard_both_chancellors_and_both_spies() -> None:
    modern, classic = (Counter(Match(slug, NAMES[:2]).rules.box) for slug in ("modern", "classic"))
    assert modern - classic == {Card.GUARD: 1, Card.CHANCELLOR: 2, Card.SPY: 2}
    assert classic - modern == {}


@pytest.mark.parametrize("players", [1, 5, 6])
def test_modern_classic_is_for_two_to_four_only(players: int) -> None:
    with pytest.raises(SuitorsError) as refused:
        Match("classic", NAMES[:players])
    assert refused.value.code == "bad-players"


def test_R72_classic_values_keep_their_gaps_at_0_and_6() -> None:
    rules = Match("classic", NAMES[:2]).rules
    assert {card: rules.value[card] for card in set(rules.box)} == {
        Card.GUARD: 1,
        Card.PRIEST: 2,
        Card.BARON: 3,
        Card.HANDMAID: 4,
        Card.PRINCE: 5,
        Card.KING: 7,
        Card.COUNTESS: 8,
        Card.PRINCESS: 9,
    }


def test_R72_classic_knows_no_sums_to_break_a_tie() -> None:
    match = scene(
        "classic", ["priest baron", "baron"], deck=0, piles={0: "guard", 1: "princess countess"}, tokens=[5, 5]
    )
    match.play("priest 1")
    assert match.rounds[-1].winners == (0, 1)
    assert match.winners == (0, 1)


def test_R72_the_classic_goal_for_two_is_six_not_seven() -> None:
    match = scene("classic", ["guard baron", "king"], tokens=[5, 0])
    match.play("guard 1 king")
    assert match.winners == (0,)
