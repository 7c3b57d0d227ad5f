"""Premium, 5 to 8 players: Constable, Jester and Bishop tokens, showdowns and ends of matches."""

from collections.abc import Mapping, Sequence

import pytest

from suitors import Match
from suitors.rules import Award, End, Event
from support.scenes import pile, scene, standing, told


def showdown(hands: Sequence[str | None], piles: Mapping[int, str], tokens: Sequence[int] = (0,) * 5) -> Match:
    """A round that has just ended with these hands: seat 0 played the Assassin, a 0, as the last card."""
    match = scene("premium", [f"assassin {hands[0]}", *hands[1:]], deck=0, piles=piles, tokens=tokens)
    match.play("assassin")
    return match


# Constable (R32, R33, R45, R46)


def test_premium_constable_pays_when_his_player_is_knocked_out() -> None:
    match = scene("premium", ["guard count", "priest", "king", "guard", "guard"], piles={1: "constable"})
    match.play("guard 1 2")
    assert match.tokens == (0, 1, 0, 0, 0)


def test_premium_constable_wins_the_match_at_once() -> None:
    hands = ["guard count", "priest", "king", "guard", "guard"]
    match = scene("premium", hands, piles={1: "constable"}, tokens=[0, 3, 0, 0, 0])
    match.play("guard 1 2")
    assert (match.over, match.winners) == (True, (1,))
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.MATCH_WON, ())


def test_R33_a_constable_at_the_goal_wins_without_a_showdown() -> None:
    hands = ["guard princess", "priest", "king", "guard", "guard"]
    match = scene("premium", hands, deck=0, piles={1: "constable"}, tokens=[3, 3, 0, 0, 0])
    match.play("guard 1 2")
    assert (match.winners, match.rounds[-1].end) == ((1,), End.MATCH_WON)
    assert match.rounds[-1].tokens == (3, 4, 0, 0, 0)


def test_R33_a_constable_below_the_goal_leaves_the_showdown_to_come() -> None:
    hands = ["guard princess", "priest", "king", "guard", "guard"]
    match = scene("premium", hands, deck=0, piles={1: "constable"}, tokens=[0, 2, 0, 0, 0])
    match.play("guard 1 2")
    assert (match.rounds[-1].end, match.rounds[-1].tokens) == (End.SHOWDOWN, (1, 3, 0, 0, 0))


def test_R45_a_constable_in_the_hand_pays_nothing() -> None:
    match = scene("premium", ["guard count", "constable", "king", "guard", "guard"])
    match.play("guard 1 6")
    assert pile(match, 1) == "constable"
    assert match.tokens == (0, 0, 0, 0, 0)


def test_R45_a_constable_in_the_pile_pays_nothing_to_a_player_still_in() -> None:
    match = scene("premium", ["prince count", "priest", "king", "guard", "guard"], piles={1: "constable"})
    match.play("prince 1")
    assert match.tokens == (0, 0, 0, 0, 0)


def test_R45_a_constable_discarded_by_a_prince_pays_later() -> None:
    match = scene("premium", ["prince count", "constable", "guard", "king", "guard"], deck="baron guard baron guard")
    match.play("prince 1")
    match.play("guard 0 2")
    match.play("guard 1 3")
    assert match.tokens == (0, 1, 0, 0, 0)


def test_R45_a_constable_discarded_after_a_bishop_pays_later() -> None:
    match = scene("premium", ["bishop count", "constable", "guard", "king", "guard"], deck="baron guard guard guard")
    for move in ("bishop 1 6", "redraw", "guard 0 2", "guard 1 3"):
        match.play(move)
    assert match.tokens == (1, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("two", "move"),
    [
        ("princess guard", "princess"),
        ("baron guard", "baron 1"),
        ("dowager-queen princess", "dowager-queen 1"),
        ("guard king", "guard 2 0"),
        ("prince princess", "prince 0"),
    ],
)
def test_R45_every_cause_of_a_knock_out_on_the_own_turn_pays(two: str, move: str) -> None:
    match = scene("premium", [two, "count", "assassin", "guard", "guard"], piles={0: "constable"})
    match.play(move)
    assert standing(match) == (1, 2, 3, 4)
    assert match.tokens == (1, 0, 0, 0, 0)


def test_R45_the_princess_discarded_for_a_prince_pays() -> None:
    match = scene("premium", ["prince guard", "princess", "king", "guard", "guard"], piles={1: "constable"})
    match.play("prince 1")
    assert match.tokens == (0, 1, 0, 0, 0)


def test_R45_a_constable_of_another_players_pile_pays_nothing() -> None:
    match = scene("premium", ["guard count", "priest", "king", "guard", "guard"], piles={2: "constable"})
    match.play("guard 1 2")
    assert match.tokens == (0, 0, 0, 0, 0)


def test_R45_the_own_princess_one_token_below_the_goal_wins_the_match() -> None:
    hands = ["princess guard", "count", "king", "guard", "guard"]
    match = scene("premium", hands, piles={0: "constable"}, tokens=[3, 0, 0, 0, 0])
    match.play("princess")
    assert match.winners == (0,)


def test_R46_a_bet_pays_where_the_princess_ends_the_round() -> None:
    match = scene("premium", ["princess guard", "count", None, None, None], bet=(3, 1))
    match.play("princess")
    assert match.tokens == (0, 1, 0, 1, 0)


# Jester (R46 to R49, R66)


def test_premium_jester_chooses_another_player() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"], protected=[2])
    assert match.legal() == ["count", "jester 1", "jester 3", "jester 4"]


def test_premium_jester_bet_is_public() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"])
    match.play("jester 3")
    assert (match.view(None).bettor, match.view(None).favourite) == (0, 3)


def test_premium_jester_pays_if_the_chosen_player_wins_the_round() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"], deck=0)
    match.play("jester 2")
    assert match.rounds[-1].winners == (2,)
    assert match.tokens == (1, 0, 1, 0, 0)


def test_premium_jester_pays_nothing_if_another_player_wins_the_round() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"], deck=0)
    match.play("jester 1")
    assert match.tokens == (0, 0, 1, 0, 0)


def test_premium_jester_without_a_choice_makes_no_bet() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"], protected=[1, 2, 3, 4])
    assert match.legal() == ["count", "jester"]
    match.play("jester")
    assert match.view(None).bettor is None


def test_premium_jester_token_can_win_the_match() -> None:
    match = scene("premium", ["jester count", "priest", "king", "guard", "guard"], deck=0, tokens=[3, 0, 0, 0, 0])
    match.play("jester 2")
    assert match.winners == (0,)


def test_premium_the_match_can_be_won_without_winning_a_round() -> None:
    match = scene("premium", ["guard count", "priest", None, None, None], bet=(4, 0), tokens=[0, 0, 0, 0, 3])
    match.play("guard 1 2")
    assert (match.rounds[-1].winners, match.winners) == ((0,), (4,))


def test_R47_a_bet_pays_a_player_who_is_out() -> None:
    match = scene("premium", ["guard count", "priest", None, None, None], bet=(4, 0))
    match.play("guard 1 2")
    assert match.tokens == (1, 0, 0, 0, 1)


def test_R48_a_bet_pays_one_token_for_a_shared_round() -> None:
    hands = ["assassin guard", "prince", "count", "guard", None]
    match = scene("premium", hands, deck=0, piles={1: "baron", 2: "baroness"}, bet=(4, 1))
    match.play("assassin")
    assert match.rounds[-1].winners == (1, 2)
    assert match.tokens == (0, 1, 1, 0, 1)


def test_R48_a_bet_on_a_player_who_is_out_pays_nothing() -> None:
    match = scene("premium", ["guard count", "priest", "king", None, None], deck=0, bet=(2, 1))
    match.play("guard 1 2")
    assert match.tokens == (0, 0, 1, 0, 0)


def test_R48_a_jester_discarded_by_a_prince_makes_no_bet() -> None:
    match = scene("premium", ["prince count", "jester", "king", "guard", "guard"])
    match.play("prince 1")
    assert match.view(None).bettor is None


def test_R49_the_bettor_and_the_round_winner_tie_where_both_reach_the_goal() -> None:
    match = scene("premium", ["guard count", "priest", None, None, None], bet=(4, 0), tokens=[3, 0, 0, 0, 3])
    match.play("guard 1 2")
    assert (match.over, match.next_seats, match.next_first) == (False, (0, 4), (0,))


def test_R66_a_bet_stays_on_a_player_who_becomes_protected() -> None:
    match = scene("premium", ["handmaid princess", "priest", "king", "guard", "guard"], deck=0, bet=(3, 0))
    match.play("handmaid")
    assert match.tokens == (1, 0, 0, 1, 0)


# Showdown: Bishop, Princess, Counts (R41 to R44)


@pytest.mark.parametrize(
    ("hands", "piles", "winners"),
    [
        (["bishop", "princess", "king", "guard", None], {}, (1,)),
        (["bishop", "princess", "countess", "guard", None], {0: "count count"}, (1,)),
        (["dowager-queen", "princess", "guard", "bishop", None], {0: "count count"}, (0,)),
        (["dowager-queen", "princess", "guard", "bishop", None], {0: "count", 1: "baron"}, (0,)),
        (["dowager-queen", "princess", "guard", "bishop", None], {0: "count", 1: "king"}, (1,)),
    ],
    ids=["plain", "bishop with both counts", "boosted 7 above", "boosted 7 equal, sum above", "equal, sum below"],
)
def test_R41_a_princess_in_a_hand_drops_the_bishop_and_the_rest_compare(
    hands: list[str | None], piles: dict[int, str], winners: tuple[int, ...]
) -> None:
    assert showdown(hands, piles).rounds[-1].winners == winners


@pytest.mark.parametrize(
    ("hands", "piles", "winners"),
    [
        (["bishop", "king", "guard", "guard", None], {4: "princess"}, (0,)),
        (["bishop", "countess", "guard", "guard", None], {1: "count"}, (0,)),
        (["bishop", "countess", "guard", "guard", None], {0: "king", 1: "count count"}, (1,)),
        (["bishop", "countess", "guard", "guard", None], {0: "king constable", 1: "count count"}, (0,)),
        (["bishop", "countess", "guard", "guard", None], {0: "king handmaid", 1: "count count"}, (0, 1)),
    ],
    ids=["princess out", "boosted 7 below", "equal, sum below", "equal, sum above", "equal in all"],
)
def test_R42_without_a_princess_in_a_hand_the_bishop_is_a_nine(
    hands: list[str | None], piles: dict[int, str], winners: tuple[int, ...]
) -> None:
    assert showdown(hands, piles).rounds[-1].winners == winners


def test_R43_the_bishop_is_nine_in_the_sum_of_a_pile() -> None:
    match = showdown(["prince", "count", "guard", "guard", None], {0: "bishop", 1: "princess"})
    assert match.rounds[-1].winners == (0,)


@pytest.mark.parametrize(
    ("hands", "piles", "winners"),
    [
        (["baron", "baroness", "guard", "guard", None], {0: "count", 1: "king"}, (0,)),
        (["countess", "princess", "guard", "guard", None], {0: "count count"}, (0,)),
        (["dowager-queen", "princess", "guard", "guard", None], {0: "count count"}, (0,)),
        (["countess", "princess", "guard", "guard", None], {0: "count", 1: "king"}, (1,)),
        (["countess", "princess", "guard", "guard", None], {0: "count", 1: "handmaid"}, (0,)),
        (["countess", "princess", "guard", "guard", None], {0: "count", 1: "prince"}, (0, 1)),
    ],
    ids=["adds 1", "both make countess 9", "both make dowager 9", "tie, sum below", "tie, sum above", "full tie"],
)
def test_premium_count_in_the_pile_increases_the_number_in_the_hand(
    hands: list[str | None], piles: dict[int, str], winners: tuple[int, ...]
) -> None:
    assert showdown(hands, piles).rounds[-1].winners == winners


def test_R44_a_count_discarded_by_a_prince_counts() -> None:
    match = scene("premium", ["prince baroness", "count", "guard", "guard", "guard"], deck="baron")
    match.play("prince 1")
    assert match.rounds[-1].winners == (1,)


def test_R44_a_count_in_the_hand_is_a_plain_five() -> None:
    match = showdown(["count", "prince", "guard", "guard", None], {0: "baron", 1: "baroness"})
    assert match.rounds[-1].winners == (0, 1)


def test_R44_counts_of_a_player_who_is_out_win_nothing() -> None:
    match = showdown(["guard", "guard", "guard", "guard", None], {1: "priest", 4: "count count"})
    assert match.rounds[-1].winners == (1,)


def test_R25_all_players_tied_in_everything_win_a_token_each() -> None:
    match = showdown(["prince", "count", "guard", "guard", None], {0: "baron", 1: "baroness"})
    assert match.rounds[-1].tokens == (1, 1, 0, 0, 0)
    assert match.next_first == (0, 1)


# The end of the match (R32 to R35)


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_premium_four_tokens_win_the_match(players: int) -> None:
    rest: list[str | None] = [None] * (players - 2)
    match = scene("premium", ["guard count", "priest", *rest], tokens=[3] + [0] * (players - 1))
    match.play("guard 1 2")
    assert (match.over, match.winners) == (True, (0,))


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_premium_three_tokens_do_not_win_the_match(players: int) -> None:
    rest: list[str | None] = [None] * (players - 2)
    match = scene("premium", ["guard count", "priest", *rest], tokens=[2] + [0] * (players - 1))
    match.play("guard 1 2")
    assert (match.over, match.to_deal) == (False, True)


def test_R32_a_redraw_that_discards_the_princess_pays_constable_and_round_together() -> None:
    hands = ["bishop count", "princess", None, None, None]
    match = scene("premium", hands, piles={1: "constable"}, tokens=[2, 3, 0, 0, 0])
    match.play("bishop 1 8")
    match.play("redraw")
    assert (match.tokens, match.next_seats) == ((4, 4, 0, 0, 0), (0, 1))


def test_R34_the_highest_total_alone_wins_the_match() -> None:
    hands = ["guard count", "priest", None, None, None]
    match = scene("premium", hands, piles={1: "constable"}, bet=(1, 0), tokens=[3, 3, 0, 0, 0])
    match.play("guard 1 2")
    assert (match.tokens, match.winners) == ((4, 5, 0, 0, 0), (1,))


def test_R34_the_log_names_constable_then_round_then_jester() -> None:
    hands = ["guard count", "priest", None, None, None]
    match = scene("premium", hands, piles={1: "constable"}, bet=(1, 0))
    match.play("guard 1 2")
    assert told(match, Event.TOKEN) == [(1, Award.CONSTABLE, None), (0, Award.ROUND, None), (1, Award.JESTER, None)]


def test_R35_a_bishop_at_the_goal_ends_the_match_before_the_redraw() -> None:
    hands = ["bishop guard", "cardinal", "guard", "guard", "guard"]
    match = scene("premium", hands, tokens=[3, 0, 0, 0, 0])
    match.play("bishop 1 2")
    assert (match.over, match.winners, match.turn) == (True, (0,), None)
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.MATCH_WON, ())


def test_R35_a_bishop_at_the_goal_ends_the_match_before_the_last_showdown() -> None:
    hands = ["bishop guard", "princess", "guard", "guard", "guard"]
    match = scene("premium", hands, deck=0, tokens=[3, 3, 0, 0, 0])
    match.play("bishop 1 8")
    assert (match.tokens, match.winners) == ((4, 3, 0, 0, 0), (0,))


def test_premium_bishop_below_the_goal_goes_on_to_the_showdown() -> None:
    hands = ["bishop guard", "princess", "guard", "guard", "guard"]
    match = scene("premium", hands, deck=0, tokens=[2, 0, 0, 0, 0])
    match.play("bishop 1 8")
    match.play("stay")
    assert (match.rounds[-1].end, match.tokens) == (End.SHOWDOWN, (3, 1, 0, 0, 0))


def test_premium_two_round_winners_who_reach_the_goal_together_tie() -> None:
    match = showdown(["prince", "count", "guard", "guard", None], {0: "baron", 1: "baroness"}, tokens=[3, 3, 0, 0, 0])
    assert (match.over, match.next_seats) == (False, (0, 1))
