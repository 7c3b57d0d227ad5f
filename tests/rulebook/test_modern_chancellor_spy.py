"""The 2019 rulebook: the Chancellor and the Spy, which only the standard game has (R73-R78)."""

import random

import pytest

from suitors import Card, Match
from suitors.rules import Event
from suitors.rules.names import Award, End
from support.scenes import NAMES, hand, pile, scene, standing, told

WHOLE = 16
"""The deck of three players once the first of them has drawn: all cards that are not set aside or held."""


def chancellor(held: str, deck: str | int) -> Match:
    """Three players, of whom the first has just played the Chancellor and keeps the card held."""
    match = scene("modern", [f"chancellor {held}", "guard", "prince"], deck=deck)
    match.play("chancellor")
    return match


# 6. Chancellor


def test_modern_chancellor_draws_two_cards_into_the_hand() -> None:
    match = chancellor("guard", "baron king priest")
    assert match.turn == 0
    assert match.view(0).hand == (Card.GUARD, Card.BARON, Card.KING)
    assert match.view(None).held == (3, 1, 1)
    assert match.view(None).deck == 1


def test_modern_chancellor_keeps_one_of_three_and_returns_two_in_any_order() -> None:
    assert chancellor("guard", "baron king priest").legal() == [
        "keep baron guard king",
        "keep baron king guard",
        "keep guard baron king",
        "keep guard king baron",
        "keep king baron guard",
        "keep king guard baron",
    ]


def test_modern_chancellor_with_two_equal_cards_has_three_ways() -> None:
    expected = ["keep guard guard king", "keep guard king guard", "keep king guard guard"]
    assert chancellor("guard", "guard king priest").legal() == expected
    assert chancellor("guard", "king guard priest").legal() == expected
    assert chancellor("king", "guard guard priest").legal() == expected


def test_modern_chancellor_with_three_equal_cards_has_one_way() -> None:
    assert chancellor("guard", "guard guard priest").legal() == ["keep guard guard guard"]


def test_modern_chancellor_lays_the_returned_cards_under_the_deck() -> None:
    match = chancellor("guard", "baron king priest countess")
    match.play("keep king guard baron")
    assert hand(match, 0) == "king"
    assert pile(match, 0) == "chancellor"
    assert match.turn == 1
    match.play("guard 2 spy")
    match.play("countess")
    assert match.view(0).hand == (Card.KING, Card.GUARD)  # the first one returned lies above the second
    match.play("guard 1 spy")
    assert match.view(1).hand == (Card.PRIEST, Card.BARON)


def test_R74_a_deck_of_exactly_two_is_drawn_whole() -> None:
    match = chancellor("guard", "baron king")
    assert match.view(0).hand == (Card.GUARD, Card.BARON, Card.KING)
    match.play("keep king guard baron")
    assert not match.to_deal
    assert match.view(1).hand == (Card.GUARD, Card.GUARD)
    assert match.view(None).deck == 1


def test_R74_from_a_deck_of_one_one_is_drawn_and_one_returned() -> None:
    assert chancellor("guard", "king").legal() == ["keep guard king", "keep king guard"]


def test_R74_from_a_deck_of_one_an_equal_card_leaves_one_way() -> None:
    assert chancellor("guard", "guard").legal() == ["keep guard guard"]


def test_R74_the_last_card_returned_is_the_next_one_drawn() -> None:
    match = chancellor("guard", "king")
    match.play("keep king guard")
    assert hand(match, 0) == "king"
    assert match.turn == 1
    assert match.view(1).hand == (Card.GUARD, Card.GUARD)


def test_R74_with_an_empty_deck_there_is_no_effect_and_no_second_step() -> None:
    match = chancellor("countess", 0)
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (0,)
    assert told(match, Event.DREW, 0) == []


@pytest.mark.parametrize("deck", [0, 1, 2])
def test_R74_the_card_set_aside_is_never_drawn(deck: int) -> None:
    assert chancellor("guard", deck).view(None).aside == 1


@pytest.mark.parametrize("deck", [1, 2, 3])
def test_R74_the_deck_is_as_large_as_before(deck: int) -> None:
    match = chancellor("guard", deck)
    match.play(match.legal()[0])
    assert not match.to_deal
    assert match.view(None).deck == deck - 1  # the next player's draw


def test_R74_a_second_chancellor_draws_what_the_first_returned() -> None:
    match = scene("modern", ["chancellor guard", "chancellor", "prince"], deck="baron king")
    match.play("chancellor")
    match.play("keep king guard baron")
    match.play("chancellor")
    assert match.legal() == ["keep baron guard", "keep guard baron"]


@pytest.mark.parametrize("kept", ["countess", "king", "prince"])
def test_R73_the_countess_binds_nobody_during_a_chancellor(kept: str) -> None:
    match = chancellor("countess", "king prince guard")
    assert len(match.legal()) == 6
    match.play(next(move for move in match.legal() if move.startswith(f"keep {kept}")))
    assert hand(match, 0) == kept
    assert pile(match, 0) == "chancellor"


def test_R73_the_countess_and_a_chancellor_as_the_cards_of_a_turn_are_both_free() -> None:
    assert scene("modern", ["countess chancellor", "guard", "priest"]).legal() == ["chancellor", "countess"]


def test_R75_a_returned_princess_is_not_discarded() -> None:
    match = chancellor("princess", "baron king priest")
    match.play("keep king princess baron")
    assert standing(match) == (0, 1, 2)
    assert pile(match, 0) == "chancellor"


def test_R75_a_returned_spy_earns_nothing() -> None:
    match = scene("modern", ["chancellor spy", "guard", "baron"], deck="king")
    match.play("chancellor")
    match.play("keep king spy")
    match.play("guard 2 priest")
    assert match.rounds[-1].tokens == (1, 0, 0)
    assert told(match, Event.TOKEN) == [(0, Award.ROUND, None)]


def test_R76_only_the_player_sees_the_cards_drawn() -> None:
    match = chancellor("guard", "baron king priest")
    assert told(match, Event.DREW, 0) == [(0, 0, "baron"), (0, 0, "king")]
    assert told(match, Event.DREW, 1) == [(0, 0, None), (0, 0, None)]
    assert told(match, Event.DREW) == [(0, 0, None), (0, 0, None)]


def test_R76_only_the_player_sees_the_cards_returned() -> None:
    match = chancellor("guard", "baron king priest")
    match.play("keep king guard baron")
    assert told(match, Event.RETURNED, 0) == [(0, 0, "guard"), (0, 0, "baron")]
    assert told(match, Event.RETURNED, 1) == [(0, 0, None), (0, 0, None)]
    assert told(match, Event.RETURNED) == [(0, 0, None), (0, 0, None)]


def test_R76_only_the_player_knows_their_places() -> None:
    match = chancellor("guard", WHOLE)
    _, kept, upper, lower = match.legal()[0].split()
    match.play(f"keep {kept} {upper} {lower}")
    cards = {WHOLE - 3: Card[upper.upper()], WHOLE - 2: Card[lower.upper()]}  # the next player has drawn one
    assert match.view(0).under == cards
    assert match.view(1).under == {}
    assert match.view(None).under == {}


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("other", ["keep baron guard king", "keep king guard baron", "keep guard king baron"])
def test_R76_the_others_cannot_tell_one_choice_from_another(other: str, viewer: int | None) -> None:
    one, two = chancellor("guard", "baron king priest"), chancellor("guard", "baron king priest")
    one.play("keep guard baron king")
    two.play(other)
    assert one.view(viewer) == two.view(viewer)
    assert one.view(0) != two.view(0)


def test_R76_a_hand_that_was_known_is_no_longer_known_after_a_chancellor() -> None:
    match = scene("modern", ["priest guard", "king", "prince"], deck="chancellor baron guard")
    match.play("priest 1")
    match.play("chancellor")
    assert match.view(0).known[1] == (Card.KING,)
    match.play("keep king baron guard")
    assert match.view(0).known[1] == ()


def test_R76_the_places_known_are_the_places_where_the_cards_lie() -> None:
    match = scene("modern", ["chancellor guard", "handmaid", "prince"], deck=WHOLE)
    match.play("chancellor")
    match.play("keep spy guard spy")
    places = match.view(0).under
    assert [match.table.deck[match.table.top + place] for place in sorted(places)] == [Card.GUARD, Card.SPY]


def test_R76_a_returned_card_is_known_to_its_returner_when_another_draws_it() -> None:
    rng, drawn_by_another = random.Random(2019), 0
    for _ in range(60):
        match = Match("modern", NAMES[:3], rng=rng)
        while not match.to_deal:
            below = match.view(0).under
            match.play(rng.choice(match.legal()))
            if 0 in below and told(match, Event.DREW, 0) in ([(1, 1, None)], [(2, 2, None)]):
                assert below[0] in match.view(0).known[told(match, Event.DREW, 0)[0][0]]
                drawn_by_another += 1
    assert drawn_by_another > 0


# 0. Spy


def tokens_after(match: Match, move: str) -> tuple[int, ...]:
    """Every seat's tokens after the move that ends the round."""
    match.play(move)
    assert match.rounds[-1].end != End.NONE
    return match.rounds[-1].tokens


def test_modern_spy_played_has_no_effect() -> None:
    match = scene("modern", ["spy king", "guard", "prince"], deck=4)
    match.play("spy")
    assert pile(match, 0) == "spy"
    assert [hand(match, seat) for seat in range(3)] == ["king", "guard", "prince"]
    assert match.tokens == (0, 0, 0)
    assert match.turn == 1


def test_modern_spy_discarded_has_no_effect() -> None:
    match = scene("modern", ["prince king", "spy", "guard"], deck=4)
    match.play("prince 1")
    assert standing(match) == (0, 1, 2)
    assert match.tokens == (0, 0, 0)


def test_R77_the_only_player_still_in_who_played_a_spy_gains_a_token() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy"})
    assert tokens_after(match, "handmaid") == (1, 1, 0)
    assert told(match, Event.TOKEN) == [(1, Award.ROUND, None), (0, Award.SPY, None)]


def test_R77_a_spy_played_in_the_last_turn_counts() -> None:
    assert tokens_after(scene("modern", ["spy guard", "king", "baron"], deck=0), "spy") == (1, 1, 0)


def test_R77_two_players_with_spies_gain_nothing() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy", 2: "spy"})
    assert tokens_after(match, "handmaid") == (0, 1, 0)


def test_R77_nobody_with_a_spy_gains_nothing() -> None:
    assert tokens_after(scene("modern", ["handmaid guard", "king", "baron"], deck=0), "handmaid") == (0, 1, 0)


def test_R77_only_survivors_count_for_the_spy() -> None:
    match = scene("modern", ["handmaid guard", None, "king"], deck=0, piles={0: "spy", 1: "spy"})
    assert tokens_after(match, "handmaid") == (1, 0, 1)


def test_R77_a_player_who_is_out_gains_nothing_for_a_spy() -> None:
    match = scene("modern", ["handmaid guard", None, "king"], deck=0, piles={1: "spy"})
    assert tokens_after(match, "handmaid") == (0, 0, 1)


def test_R77_a_rival_put_out_in_the_last_turn_no_longer_blocks() -> None:
    match = scene("modern", ["guard baron", "priest", "king"], deck=0, piles={0: "spy", 1: "spy"})
    assert tokens_after(match, "guard 1 priest") == (1, 0, 1)


def test_R77_a_spy_discarded_to_anothers_prince_counts() -> None:
    match = scene("modern", ["prince king", "spy", "baron"], deck="guard")
    assert tokens_after(match, "prince 1") == (1, 1, 0)


def test_R77_a_spy_discarded_to_the_own_prince_counts() -> None:
    match = scene("modern", ["prince spy", "king", "baron"], deck="guard")
    assert tokens_after(match, "prince 0") == (1, 1, 0)


def test_R77_a_spy_in_hand_neither_counts_nor_blocks() -> None:
    match = scene("modern", ["handmaid guard", "spy", "king"], deck=0, piles={0: "spy"})
    assert tokens_after(match, "handmaid") == (1, 0, 1)


def test_R77_a_spy_in_hand_alone_gains_nothing() -> None:
    match = scene("modern", ["handmaid guard", "spy", "king"], deck=0)
    assert tokens_after(match, "handmaid") == (0, 0, 1)


def test_R77_a_spy_under_the_deck_neither_counts_nor_blocks() -> None:
    match = scene("modern", ["chancellor spy", "guard", "baron"], deck="king", piles={1: "spy"})
    match.play("chancellor")
    match.play("keep king spy")
    assert match.view(1).hand == (Card.GUARD, Card.SPY)
    assert tokens_after(match, "guard 2 priest") == (1, 1, 0)


def test_modern_spy_two_spies_gain_only_one_token() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy spy"})
    assert tokens_after(match, "handmaid") == (1, 1, 0)


def test_modern_spy_the_winner_gains_both_tokens() -> None:
    match = scene("modern", ["handmaid king", "guard", "baron"], deck=0, piles={0: "spy"})
    assert tokens_after(match, "handmaid") == (2, 0, 0)


def test_R77_the_last_player_standing_gains_both_tokens() -> None:
    match = scene("modern", ["guard baron", "king", None], piles={0: "spy"})
    assert tokens_after(match, "guard 1 king") == (2, 0, 0)


def test_R77_the_last_player_standing_is_not_blocked_by_those_out() -> None:
    match = scene("modern", ["guard baron", "spy", None], piles={0: "spy"})
    assert tokens_after(match, "guard 1 spy") == (2, 0, 0)


def test_modern_spy_does_not_count_as_winning_the_round() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_R78_the_owner_of_a_spy_does_not_start_the_next_round() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy"})
    match.play("handmaid")
    assert match.next_first == (1,)


def test_R78_the_spy_token_alone_can_win_the_match() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy"}, tokens=[4, 0, 0])
    match.play("handmaid")
    assert match.over
    assert match.winners == (0,)
    assert match.rounds[-1].winners == (1,)


def test_R78_spy_token_and_round_token_are_checked_together() -> None:
    match = scene("modern", ["handmaid guard", "king", "baron"], deck=0, piles={0: "spy"}, tokens=[4, 4, 4])
    match.play("handmaid")
    assert match.winners == (0, 1)


def test_R78_both_tokens_together_can_win_the_match() -> None:
    match = scene("modern", ["guard baron", "king"], piles={0: "spy"}, tokens=[4, 5])
    match.play("guard 1 king")
    assert match.tokens == (6, 5)
    assert match.winners == (0,)


def test_R78_no_spy_token_is_given_before_the_round_ends() -> None:
    match = scene("modern", ["spy guard", "king", "baron"], tokens=[4, 4, 4])
    match.play("spy")
    assert match.tokens == (4, 4, 4)
    assert not match.over


def test_modern_spy_is_forgotten_with_the_next_round() -> None:
    match = scene("modern", ["handmaid king", "guard"], deck=0, piles={0: "spy"})
    match.play("handmaid")
    deck = (
        "spy spy handmaid handmaid guard princess baron guard guard guard guard guard priest priest baron prince prince"
    )
    match.deal([*deck.split(), "chancellor", "chancellor", "king", "countess"], 0)
    match.play("guard 1 princess")
    assert told(match, Event.TOKEN) == [(0, Award.ROUND, None)]
