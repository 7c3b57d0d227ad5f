"""Premium, 5 to 8 players: tied matches, tie-break rounds and the rounds that follow (R26, R27, R32, R67 to R70)."""

from collections.abc import Mapping

import pytest

from suitors import Card, Match
from suitors.rules import End, Option
from support.scenes import cards, scene


def bob_and_susan(options: Mapping[str, Option] | None = None) -> Match:
    """The example of the rulebook: Susan (seat 2) has knocked Bob (seat 4) out, whose pile holds the Constable."""
    hands = [None, None, "guard princess", None, "count"]
    match = scene("premium", hands, turn=2, piles={4: "constable"}, tokens=[0, 1, 3, 0, 3], options=options)
    match.play("guard 4 5")
    return match


def three_tied() -> Match:
    """Seat 0 has knocked out seat 2 and its Constable, and seat 1 had bet on seat 0: all three have 4 tokens."""
    hands = ["guard princess", None, "count", None, None]
    match = scene("premium", hands, piles={2: "constable"}, bet=(1, 0), tokens=[3, 3, 3, 0, 0])
    match.play("guard 2 5")
    return match


def deal(match: Match, top: str, *moves: str) -> None:
    """Deal the next round with these cards on top (aside, hands, draws), and play the moves."""
    rest = [Card(card) for card in match.rules.box]
    for card in cards(top):
        rest.remove(card)
    match.deal([*cards(top), *rest], match.next_first[0])
    for move in moves:
        match.play(move)


def test_R32_the_awards_of_one_knock_out_are_given_together() -> None:
    match = bob_and_susan()
    assert match.rounds[-1].tokens == (0, 1, 4, 0, 4)
    assert match.rounds[-1].winners == (2,)
    assert not match.over


@pytest.mark.parametrize("switch", ["tiebreak", "share"])
def test_R26_the_switch_for_tied_matches_changes_nothing_with_five_players(switch: str) -> None:
    match = bob_and_susan({"premium_match_tie": switch})
    assert (match.over, match.winners, match.next_seats) == (False, (), (2, 4))


def test_R67_only_the_tied_play_the_tie_break_round() -> None:
    match = bob_and_susan()
    assert (match.to_deal, match.next_seats) == (True, (2, 4))
    deal(match, "jester count priest handmaid")
    assert match.view(None).playing == (2, 4)
    assert match.view(None).held == (0, 0, 2, 0, 1)


def test_R27_a_tie_break_round_of_two_is_dealt_from_32_cards() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest handmaid")
    assert match.view(None).deck + 1 == 29  # the first player has drawn
    assert (match.view(None).aside, match.view(None).face_up) == (1, ())


def test_R67_the_tokens_stay_in_a_tie_break_round() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest handmaid")
    assert match.tokens == (0, 1, 4, 0, 4)


def test_R67_those_who_do_not_take_part_cannot_be_chosen() -> None:
    match = bob_and_susan()
    deal(match, "jester cardinal count priest")
    assert match.legal() == ["cardinal 2 4", "priest 4"]


def test_R67_the_turn_passes_among_the_tied_alone() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest handmaid baron guard", "handmaid")
    assert match.turn == 4
    match.play("priest")
    assert match.turn == 2


def test_R67_the_winner_of_the_tie_break_round_wins_the_match() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest guard", "guard 4 2")
    assert (match.winners, match.tokens) == ((2,), (0, 1, 5, 0, 4))


def test_R67_a_bishop_hit_in_a_tie_break_round_wins_at_once() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest bishop", "bishop 4 2")
    assert (match.over, match.winners) == (True, (2,))
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.MATCH_WON, ())


def test_R67_tokens_still_equal_call_for_another_tie_break_round() -> None:
    match = bob_and_susan()
    moves = ("handmaid", "constable", "guard 4 8")
    deal(match, "jester count constable handmaid princess guard", *moves)
    assert match.tokens == (0, 1, 5, 0, 5)
    assert (match.over, match.next_seats) == (False, (2, 4))


def test_R67_three_can_tie() -> None:
    match = three_tied()
    assert (match.tokens, match.next_seats) == ((4, 4, 4, 0, 0), (0, 1, 2))


def test_R67_a_knock_out_without_a_token_does_not_end_a_tie_break_round_of_three() -> None:
    match = three_tied()
    deal(match, "jester count priest baron guard", "guard 2 3")
    assert (match.over, match.to_deal, match.turn) == (False, False, 1)


def test_R67_a_constable_decides_a_tie_break_round_at_once() -> None:
    match = three_tied()
    moves = ("handmaid", "constable", "guard 1 8")
    deal(match, "jester count constable handmaid handmaid princess guard", *moves)
    assert (match.winners, match.tokens) == ((1,), (4, 5, 4, 0, 0))
    assert match.rounds[-1].end == End.MATCH_WON


def test_R67_only_those_with_the_most_tokens_play_the_next_tie_break_round() -> None:
    match = three_tied()
    moves = ("jester 1", "guard 2 3", "countess", "guard 0 5")
    deal(match, "cardinal count guard baron jester princess countess guard", *moves)
    assert match.tokens == (5, 5, 4, 0, 0)
    assert (match.next_seats, match.next_first) == ((0, 1), (1,))


def test_R68_the_winner_of_the_last_round_starts_the_tie_break_round() -> None:
    assert bob_and_susan().next_first == (2,)


def test_R68_the_order_of_seats_decides_where_the_winner_takes_no_part() -> None:
    hands = [None, "priest", "guard count", None, None]
    match = scene("premium", hands, turn=2, piles={1: "constable"}, bet=(3, 2), tokens=[0, 3, 0, 3, 0])
    match.play("guard 1 2")
    assert (match.next_seats, match.next_first) == ((1, 3), (1, 3))
    match.deal()
    assert match.rounds[-1].first == 3  # the first to the left of seat 2, who started the match


def test_R69_a_player_who_is_out_plays_the_next_round() -> None:
    match = scene("premium", ["guard count", "priest", None, None, None])
    match.play("guard 1 2")
    assert match.next_seats == (0, 1, 2, 3, 4)


def test_R70_the_next_round_is_dealt_from_all_32_cards() -> None:
    match = scene("premium", ["guard count", "priest", None, None, None])
    match.play("guard 1 2")
    match.deal()
    assert sorted(match.rounds[-1].deck) == list(match.rules.box)
    assert match.view(None).deck == 25


def test_R45_the_constable_of_an_earlier_round_pays_nothing() -> None:
    match = bob_and_susan()
    deal(match, "jester count priest handmaid princess guard", "handmaid", "princess")
    assert match.tokens == (0, 1, 5, 0, 4)
