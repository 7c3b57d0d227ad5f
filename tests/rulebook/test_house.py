"""The house rules: set-up, turn, ends of a round, the match (R92-R98)."""

import random
from collections import Counter

import pytest

from suitors import Card, Match, Refusal, SuitorsError
from suitors.rules import Event
from suitors.rules.names import End
from suitors.view.data import view_data
from support.scenes import NAMES, hand, pile, scene, standing, told

everyone = pytest.mark.parametrize("players", [2, 3, 4])
switch = pytest.mark.parametrize("tie", ["all", "none"])


def dealt(players: int, first: int = 0, *, swap: tuple[int, int] = (0, 0)) -> Match:
    """A match whose first deck is in the order of the box, with two cards of it exchanged."""
    match = Match("house", NAMES[:players], dealt=False)
    deck = [Card(card) for card in match.rules.box]
    deck[swap[0]], deck[swap[1]] = deck[swap[1]], deck[swap[0]]
    match.deal(deck, first)
    return match


# Components


@pytest.mark.parametrize(
    ("card", "value", "copies"),
    [
        (Card.GUARD, 1, 5),
        (Card.PRIEST, 2, 2),
        (Card.BARON, 3, 2),
        (Card.HANDMAID, 4, 2),
        (Card.PRINCE, 5, 2),
        (Card.KING, 6, 1),
        (Card.COUNTESS, 7, 1),
        (Card.PRINCESS, 8, 1),
    ],
)
def test_house_components_each_card_has_its_value_and_its_copies(card: Card, value: int, copies: int) -> None:
    rules = Match("house", NAMES[:2]).rules
    assert rules.value[card] == value
    assert Counter(rules.box)[card] == copies


def test_house_components_there_are_sixteen_cards_of_eight_types() -> None:
    box = Match("house", NAMES[:2]).rules.box
    assert len(box) == 16
    assert len(set(box)) == 8


@pytest.mark.parametrize("players", [1, 5])
def test_house_overview_two_to_four_may_play(players: int) -> None:
    with pytest.raises(SuitorsError) as refused:
        Match("house", NAMES[:players])
    assert refused.value.code == "bad-players"


# Setup


@pytest.mark.parametrize(("players", "removed"), [(2, 3), (3, 1), (4, 0)])
def test_R94_so_many_cards_are_removed_face_down(players: int, removed: int) -> None:
    assert dealt(players).view(None).aside == removed


@everyone
def test_R94_nothing_lies_face_up(players: int) -> None:
    assert dealt(players).view(None).face_up == ()


@pytest.mark.parametrize(("players", "place"), [(2, 0), (2, 1), (2, 2), (3, 0)])
def test_house_setup_nobody_looks_at_the_removed_cards(players: int, place: int) -> None:
    one, other = dealt(players), dealt(players, swap=(place, -1))
    assert one.rounds[0].deck[place] != other.rounds[0].deck[place]
    for seat in [*range(players), None]:
        assert one.view(seat) == other.view(seat)


@pytest.mark.parametrize(("players", "left"), [(2, 11), (3, 12), (4, 12)])
def test_house_setup_the_rest_is_the_deck(players: int, left: int) -> None:
    assert dealt(players).view(None).deck == left - 1  # the first player has drawn by now


@everyone
def test_house_setup_each_player_is_dealt_one_card(players: int) -> None:
    match = dealt(players)
    assert match.view(None).held == (2, *[1] * (players - 1))


@everyone
def test_house_setup_the_dealt_card_is_face_down(players: int) -> None:
    match = dealt(players)
    for seat in range(players):
        assert [bool(cards) for cards in match.view(seat).known] == [other == seat for other in range(players)]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_house_setup_anybody_may_start(first: int) -> None:
    assert Match("house", NAMES[:3], dealt=False).next_first == (0, 1, 2)
    assert dealt(3, first).turn == first


# Turn Sequence


def test_house_turn_draws_one_card_for_two_in_hand() -> None:
    match = scene("house", ["handmaid guard", "prince", "baron"], deck="king priest")
    match.play("handmaid")
    assert match.view(1).hand == (Card.PRINCE, Card.KING)


@pytest.mark.parametrize("held", ["handmaid princess", "princess handmaid"])
def test_house_turn_either_of_the_two_cards_may_be_played(held: str) -> None:
    assert scene("house", [held, "guard", "baron"]).legal() == ["handmaid", "princess"]


def test_house_turn_the_card_is_announced_with_its_target_and_name() -> None:
    match = scene("house", ["guard king", "prince", "baron"])
    match.play("guard 1 priest")
    assert {"event": "moved", "seat": 0, "move": "guard 1 priest"} in view_data(match.view(None))["log"][-1]


def test_house_turn_the_played_card_stays_face_up_for_the_rest_of_the_round() -> None:
    match = scene("house", ["handmaid guard", "countess", "baron"], piles={0: "priest"})
    match.play("handmaid")
    match.play("countess")
    assert pile(match, 0) == "priest handmaid"
    assert pile(match, 1) == "countess"


def test_house_turn_passes_clockwise() -> None:
    match = scene("house", ["guard", "baron", "handmaid prince"], turn=2)
    match.play("handmaid")
    assert match.turn == 0


def test_house_turn_passes_over_the_eliminated() -> None:
    match = scene("house", ["handmaid prince", None, "guard", "baron"])
    match.play("handmaid")
    assert match.turn == 2


def test_house_turn_the_eliminated_cannot_be_chosen() -> None:
    match = scene("house", ["prince priest", None, "guard"])
    assert match.legal() == ["priest 2", "prince 0", "prince 2"]
    assert match.why_not("priest 1") == Refusal.OUT_OF_ROUND


def test_R95_an_eliminated_players_hand_goes_face_up_without_effect() -> None:
    match = scene("house", ["guard baron", "handmaid", "priest"])
    match.play("guard 1 handmaid")
    assert pile(match, 1) == "handmaid"
    assert told(match, Event.DISCARDED) == [(1, 1, "handmaid")]
    assert match.view(None).protected == ()


# Empty Deck


@everyone
def test_R93_the_round_ends_when_the_next_draw_finds_no_card(players: int) -> None:
    match = scene("house", ["handmaid king", "guard", *["baron"] * (players - 2)], deck=0)
    assert not match.to_deal
    match.play("handmaid")
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (0,)


def test_R93_the_round_goes_on_while_the_next_draw_finds_a_card() -> None:
    match = scene("house", ["handmaid king", "guard", "baron"], deck=1)
    match.play("handmaid")
    assert not match.to_deal
    assert match.turn == 1


def test_R93_a_prince_who_draws_the_last_card_ends_the_round_with_his_turn() -> None:
    match = scene("house", ["prince guard", "baron", "priest"], deck="handmaid")
    match.play("prince 2")
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (2,)


@everyone
def test_R92_a_prince_on_an_empty_deck_ends_the_round_at_once(players: int) -> None:
    match = scene("house", ["prince guard", "king", *["baron"] * (players - 2)], deck=0)
    match.play("prince 1")
    assert match.rounds[-1].end == End.SHOWDOWN
    assert pile(match, 1) == "king"
    assert hand(match, 1) == ""


@pytest.mark.parametrize(("players", "removed"), [(2, 3), (3, 1)])
def test_R92_no_removed_card_is_drawn(players: int, removed: int) -> None:
    match = scene("house", ["prince guard", "king", *["baron"] * (players - 2)], deck=0)
    match.play("prince 1")
    assert match.view(None).aside == removed
    assert told(match, Event.FOUND_NONE) == [(1, 1, None)]


def test_R92_no_card_is_below_a_guard() -> None:
    match = scene("house", ["prince guard", "king"], deck=0)
    match.play("prince 1")
    assert match.rounds[-1].winners == (0,)
    assert match.rounds[-1].tokens == (1, 0)


def test_R92_a_player_may_empty_the_own_hand() -> None:
    match = scene("house", ["prince king", "guard"], deck=0)
    match.play("prince 0")
    assert pile(match, 0) == "prince king"
    assert match.rounds[-1].winners == (1,)


def test_R92_the_target_is_still_in_the_round() -> None:
    match = scene("house", ["prince guard", "king", "baron"], deck=0)
    match.play("prince 1")
    assert standing(match) == (0, 1, 2)
    assert told(match, Event.OUT) == []


def test_R92_a_princess_on_an_empty_deck_eliminates_and_the_turn_ends_as_usual() -> None:
    match = scene("house", ["prince guard", "princess", "baron"], deck=0)
    match.play("prince 1")
    assert standing(match) == (0, 2)
    assert told(match, Event.FOUND_NONE) == []
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (2,)


def test_R92_a_princess_on_an_empty_deck_may_leave_one_player_standing() -> None:
    match = scene("house", ["prince guard", "princess", None], deck=0)
    match.play("prince 1")
    assert match.rounds[-1].end == End.LAST_STANDING
    assert match.rounds[-1].winners == (0,)


# Winning a Round


def test_house_ends_at_once_when_one_player_remains() -> None:
    match = scene("house", ["guard baron", "king", None], deck=5)
    match.play("guard 1 king")
    assert match.rounds[-1].end == End.LAST_STANDING
    assert match.rounds[-1].winners == (0,)
    assert told(match, Event.REVEALED) == []


def test_house_ends_remaining_players_reveal_their_hands() -> None:
    match = scene("house", ["handmaid king", "guard", None, "baron"], deck=0)
    match.play("handmaid")
    assert told(match, Event.REVEALED) == [(0, 0, "king"), (1, 1, "guard"), (3, 3, "baron")]


def test_house_ends_the_highest_card_wins_one_token() -> None:
    match = scene("house", ["handmaid king", "guard", "countess"], deck=0, tokens=[2, 0, 1])
    match.play("handmaid")
    assert match.rounds[-1].winners == (2,)
    assert match.rounds[-1].tokens == (2, 0, 2)


@switch
def test_house_ends_a_tie_goes_to_the_highest_total_of_discards(tie: str) -> None:
    match = scene(
        "house", ["handmaid prince", "prince"], deck=0, piles={1: "guard baron guard"}, options={"house_full_tie": tie}
    )
    match.play("handmaid")  # 4 against 5
    assert match.rounds[-1].winners == (1,)
    assert match.rounds[-1].tokens == (0, 1)


@switch
def test_house_ends_totals_matter_only_in_a_tie(tie: str) -> None:
    match = scene("house", ["handmaid prince", "king"], deck=0, piles={0: "countess"}, options={"house_full_tie": tie})
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_house_ends_totals_of_those_not_tied_do_not_matter() -> None:
    match = scene("house", ["handmaid prince", "prince", "guard"], deck=0, piles={1: "priest", 2: "countess king"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (0,)


def test_house_ends_the_total_counts_forced_discards() -> None:
    match = scene("house", ["prince guard", "king", "guard"], deck="guard", piles={2: "prince"})
    match.play("prince 1")
    assert match.rounds[-1].winners == (1,)  # 5, 6 and 5, all with a Guard in hand


def test_house_ends_the_total_uses_the_values_of_2012() -> None:
    match = scene("house", ["guard prince", "prince"], deck=0, piles={0: "king", 1: "countess"})
    match.play("guard 1 king")  # 1 + 6 against 7
    assert match.rounds[-1].winners == (0, 1)


def full_tie(option: str | None = None, *, tokens: tuple[int, ...] = (0, 0, 0)) -> Match:
    """A finished round in which seats 0 and 2 tie on hand and pile."""
    options = {} if option is None else {"house_full_tie": option}
    hands = ["handmaid prince", "guard", "prince"]
    match = scene("house", hands, deck=0, piles={2: "baron guard"}, tokens=tokens, options=options)
    match.play("handmaid")
    return match


@pytest.mark.parametrize("option", [None, "all"])
def test_R96_players_who_tie_on_everything_all_win(option: str | None) -> None:
    match = full_tie(option)
    assert match.rounds[-1].winners == (0, 2)
    assert match.rounds[-1].tokens == (1, 0, 1)


def test_R96_with_the_switch_nobody_wins_such_a_round() -> None:
    match = full_tie("none")
    assert match.rounds[-1].winners == ()
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].tokens == (0, 0, 0)
    assert match.to_deal


def test_R96_with_the_switch_anybody_may_start_after_such_a_round() -> None:
    assert full_tie("none").next_first == (0, 1, 2)


def test_R96_with_the_switch_such_a_round_wins_no_match() -> None:
    match = full_tie("none", tokens=(4, 4, 4))
    assert not match.over
    match.deal()
    assert match.turn is not None


def test_R96_three_may_tie_on_everything() -> None:
    match = scene("house", ["handmaid guard", "guard", "guard"], deck=0, piles={1: "handmaid", 2: "baron guard"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 1, 2)


def test_R96_the_switch_does_nothing_in_another_edition() -> None:
    match = scene(
        "classic", ["handmaid prince", "prince"], deck=0, piles={1: "handmaid"}, options={"house_full_tie": "none"}
    )
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 1)


# Later rounds


def test_R97_the_winner_starts_the_next_round() -> None:
    match = scene("house", ["handmaid guard", "king", "baron"], deck=0)
    match.play("handmaid")
    assert match.next_first == (1,)


def test_R97_chance_decides_among_several_winners() -> None:
    match = full_tie()
    assert match.next_first == (0, 2)
    starters = set()
    for seed in range(20):
        again = match.copy()
        again.rng = random.Random(seed)
        again.deal()
        starters.add(again.turn)
    assert starters == {0, 2}


@everyone
def test_house_next_round_uses_all_sixteen_cards_and_all_players(players: int) -> None:
    match = scene("house", ["guard baron", "king", *[None] * (players - 2)])
    match.play("guard 1 king")
    match.deal()
    assert Counter(match.rounds[-1].deck) == Counter(match.rules.box)
    assert standing(match) == tuple(range(players))
    assert match.view(None).piles == ((),) * players


# Winning the Game

goals = pytest.mark.parametrize(("players", "goal"), [(2, 7), (3, 5), (4, 4)])


@goals
def test_house_match_is_won_at_the_goal(players: int, goal: int) -> None:
    match = scene("house", ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 1] * players)
    match.play("guard 1 king")
    assert match.over
    assert match.winners == (0,)


@goals
def test_house_match_goes_on_one_token_short(players: int, goal: int) -> None:
    match = scene(
        "house", ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 2] + [goal - 1] * (players - 1)
    )
    match.play("guard 1 king")
    assert not match.over
    assert match.to_deal


def test_R98_players_who_reach_the_goal_together_win_together() -> None:
    match = full_tie(tokens=(4, 4, 4))
    assert match.over
    assert match.winners == (0, 2)


def test_R98_of_two_round_winners_only_the_one_at_the_goal_wins_the_match() -> None:
    match = full_tie(tokens=(4, 0, 3))
    assert match.tokens == (5, 0, 4)
    assert match.winners == (0,)
