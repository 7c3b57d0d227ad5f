"""Beliefs that can be worked out by hand. A deck is listed top first: one card aside, a hand each, then the draws."""

from fractions import Fraction

import pytest

from suitors.knowledge.belief import Belief, Chances
from suitors.knowledge.likelihood import ByPolicy
from suitors.notation import read_move
from suitors.rules import Edition, Table
from support.all_deals import SmallGame, moves, small
from support.scenes import cards, names


def game(slug: str, players: int, order: str, *lines: str, box: int | None = None) -> SmallGame:
    """A round dealt in this order by seat 0, with these moves made. Nothing lies face up."""
    found = SmallGame(small(slug, players, order, box=box, face_up=0), 0)
    found.start(cards(order))
    for line in lines:
        found.make(read_move(found.ed, line))
    return found


def said(chances: Chances | None) -> dict[str, Fraction]:
    """The chances by name, as the fractions that they are."""
    assert chances is not None
    found = {names([card]): Fraction(chance).limit_denominator(1000) for card, chance in chances.items()}
    assert list(map(float, found.values())) == pytest.approx(list(chances.values()), abs=1e-9)
    return found


def test_at_the_beginning_every_unseen_card_is_as_likely_anywhere() -> None:
    belief = Belief(game("classic", 2, "king guard priest guard baron guard").view(0))
    # Ada holds two of three Guards; king, priest, baron and guard are left for four places.
    quarter = dict.fromkeys(("guard", "priest", "baron", "king"), Fraction(1, 4))
    assert said(belief.hands[1][0]) == said(belief.aside) == said(belief.next_draw) == said(belief.deck(1)) == quarter


def test_a_guards_miss_rules_the_card_out() -> None:
    belief = Belief(game("classic", 2, "king guard princess priest guard baron", "guard 1 king").view(0))
    # Unseen: guard, baron, king, princess. Ben's old card is not the King: 1/3 each. His new one is the King with 1/3
    # (as are the aside card and the deck's last), and each other with 1/3 of the remaining 2/3.
    assert said(belief.hands[1][0]) == {"guard": Fraction(1, 3), "baron": Fraction(1, 3), "princess": Fraction(1, 3)}
    elsewhere = {"king": Fraction(1, 3), "guard": Fraction(2, 9), "baron": Fraction(2, 9), "princess": Fraction(2, 9)}
    assert said(belief.hands[1][1]) == said(belief.aside) == said(belief.deck(0)) == elsewhere


def test_a_countess_played_makes_king_and_prince_more_likely() -> None:
    belief = Belief(game("classic", 2, "prince countess priest king guard guard", "countess").view(1))
    # Ben holds priest and a Guard; unseen: guard, prince, king. With King or Prince Ada had to play the Countess (1);
    # with a Guard (7 names for 1 seat) it was 1 move of 8. Weights 1, 1, 1/8.
    assert said(belief.hands[0][0]) == {"prince": Fraction(8, 17), "king": Fraction(8, 17), "guard": Fraction(1, 17)}
    # Of the two other cards one is the King with (8/17 * 1/2 + 1/17 * 1/2) = 9/34, and so on.
    assert said(belief.aside) == {"prince": Fraction(9, 34), "king": Fraction(9, 34), "guard": Fraction(8, 17)}


def test_the_countess_is_not_behind_a_prince_that_was_played() -> None:
    belief = Belief(game("classic", 2, "countess prince guard priest guard princess", "prince 1").view(None))
    # Ben threw a Guard away; unseen: guard, priest, countess, princess. The Prince had 2 seats to choose from; a Guard
    # beside adds 7 moves, a Priest or the Princess 1: weights 1/9, 1/3, 1/3; beside the Countess he was not allowed.
    assert said(belief.hands[0][0]) == {"guard": Fraction(1, 7), "priest": Fraction(3, 7), "princess": Fraction(3, 7)}
    # So she is one of the other three cards: Ben's two and the one aside.
    assert said(belief.hands[1][0])["countess"] == said(belief.aside)["countess"] == Fraction(1, 3)


def test_a_barons_winner_beats_the_losers_card() -> None:
    order = "guard baron priest guard king handmaid princess"
    belief = Belief(game("premium", 3, order, "baron 1").view(2))
    # Cleo holds guard and handmaid; Ben lost with the Priest. Unseen: guard, king, princess; a Guard loses to a Priest.
    # Ada's Baron was one of 2 moves; with a King 2 more, with the Princess 1 more: weights 1/4 and 1/3.
    assert said(belief.hands[0][0]) == {"king": Fraction(3, 7), "princess": Fraction(4, 7)}


def test_a_dowager_queens_winner_is_below_the_losers_card() -> None:
    order = "princess dowager-queen king guard guard prince handmaid"
    belief = Belief(game("premium", 3, order, "dowager-queen 1", box=5).view(2))
    # Cleo holds guard and prince; unseen: guard, handmaid, princess, and the Princess is above the King.
    # The Queen was one of 2 moves; a Guard (9 names, 2 seats) adds 18, a Handmaid 1: weights 1/20 and 1/3.
    assert said(belief.hands[0][0]) == {"guard": Fraction(3, 23), "handmaid": Fraction(20, 23)}


def test_a_tie_means_equal_cards() -> None:
    order = "guard baron priest handmaid priest king guard"
    belief = Belief(game("premium", 3, order, "baron 1").view(2))
    # Two Priests or two Guards, either in 2 ways. The Baron was one of 2 moves; a Priest adds 2, a Guard (7 names,
    # 2 seats) 14: weights 1/4 and 1/16, so 4 to 1.
    assert said(belief.hands[0][0]) == said(belief.hands[1][0]) == {"priest": Fraction(4, 5), "guard": Fraction(1, 5)}
    # The other pair and the King are the card aside, Ben's new one and the deck's last: a Guard with 2/3 * 4/5.
    expected = {"king": Fraction(1, 3), "guard": Fraction(8, 15), "priest": Fraction(2, 15)}
    assert said(belief.aside) == said(belief.hands[1][1]) == said(belief.deck(0)) == expected


def test_after_a_trade_with_me_i_know_the_hand() -> None:
    belief = Belief(game("classic", 3, "guard king priest baron guard prince princess", "king 1").view(1))
    # Ben (a Priest before) has received Ada's Guard, so Ada holds his Priest.
    assert said(belief.hands[0][0]) == {"priest": Fraction(1)}
    assert said(belief.hands[1][0]) == {"guard": Fraction(1)}
    # Unseen besides: guard, baron, princess (Ben has drawn the Prince).
    assert said(belief.hands[2][0]) == dict.fromkeys(("guard", "baron", "princess"), Fraction(1, 3))


def test_a_hand_that_my_priest_saw_is_certain_while_it_is_kept() -> None:
    order = "king priest baron handmaid prince guard guard"
    kept = Belief(game("classic", 2, order, "priest 1", "prince 0").view(0))
    assert said(kept.hands[1][0]) == {"baron": Fraction(1)}


def test_a_hand_that_my_priest_saw_is_gone_if_such_a_card_is_played() -> None:
    order = "king priest handmaid guard guard baron handmaid"
    gone = Belief(game("classic", 2, order, "priest 1", "handmaid").view(0))
    # Ben's second card was unknown, one of guard, baron, king, handmaid; Ada has since drawn the Baron. The Handmaid
    # is one move beside: guard 7 names + 1 = 8; king 1 + 1 = 2; a second Handmaid is the only move. 1/8, 1/2, 1.
    assert said(gone.hands[1][0]) == {"guard": Fraction(1, 13), "king": Fraction(4, 13), "handmaid": Fraction(8, 13)}


def test_a_chancellor_hides_a_card_that_was_seen() -> None:
    order = "guard priest princess guard chancellor king baron spy guard"
    belief = Belief(game("modern", 2, order, "priest 1", "chancellor", "keep princess king baron").view(0))
    # Ada knows: Ben had the Princess and drew two unknown cards. Each of the three places has her with 1/3.
    assert said(belief.hands[1][0])["princess"] == Fraction(1, 3)
    assert said(belief.deck(1))["princess"] == Fraction(1, 3)
    assert said(belief.deck(2))["princess"] == Fraction(1, 3)
    assert "princess" not in said(belief.deck(0))
    assert "princess" not in said(belief.aside)


def test_a_card_that_i_put_under_the_deck_is_known_to_me_where_it_comes_up() -> None:
    order = "guard chancellor princess guard king baron priest"
    lines = ("chancellor", "keep guard king baron", "priest 0")
    belief = Belief(game("modern", 2, order, *lines).view(0))
    # Ada's King and Baron lay behind the Priest, which Ben drew and played; now she has drawn the King herself.
    assert said(belief.deck(0)) == {"baron": Fraction(1)}
    belief = Belief(game("modern", 2, order, *lines, "guard 1 princess").view(0))
    assert belief.hands[1] == ()
    belief = Belief(game("modern", 2, order, *lines, "guard 1 king").view(0))
    assert said(belief.hands[1][1]) == {"baron": Fraction(1)}


def test_a_guards_miss_rules_the_assassin_out_too() -> None:
    order = "assassin guard king priest priest baron"
    belief = Belief(game("premium", 2, order, "guard 1 2", box=5).view(0))
    # Unseen: assassin, king, priest, baron; the Priest was named, an Assassin would have turned the blade.
    assert said(belief.hands[1][0]) == {"baron": Fraction(1, 2), "king": Fraction(1, 2)}


def test_a_bishops_hit_leaves_the_cards_of_that_number() -> None:
    order = "prince bishop count guard guard count king"
    belief = Belief(game("premium", 3, order, "bishop 1 5", box=5).view(0))
    # Ada holds a Guard; unseen: guard, prince, count, count, king. Ben holds a 5: two Counts to one Prince.
    assert said(belief.hands[1][0]) == {"prince": Fraction(1, 3), "count": Fraction(2, 3)}


def test_a_card_that_finds_nobody_is_only_one_move() -> None:
    order = "king handmaid guard priest baron prince guard guard"
    belief = Belief(game("classic", 2, order, "handmaid", "baron").view(0))
    # Ada is protected, so whatever lay beside the Baron had 1 move, as he had: only the copies count. Ada holds priest
    # and prince; unseen: three Guards and the King.
    assert said(belief.hands[1][0]) == {"guard": Fraction(3, 4), "king": Fraction(1, 4)}


def test_three_cards_aside_are_alike() -> None:
    belief = Belief(game("house", 2, "prince king guard priest baron guard guard").view(0))
    # Ada holds priest and guard; five cards are unseen, three of them aside.
    expected = {"guard": Fraction(2, 5), "baron": Fraction(1, 5), "prince": Fraction(1, 5), "king": Fraction(1, 5)}
    assert said(belief.aside) == said(belief.hands[1][0]) == expected


def plays_the_lowest(t: Table, ed: Edition) -> dict[int, float]:
    """A policy: the lower card, in any way."""
    low = min(t.hand[t.decider], t.drawn, key=lambda card: ed.value[card])
    able = [move for move in moves(t, ed) if move & 31 == low] or moves(t, ed)
    return dict.fromkeys(able, 1 / len(able))


def test_a_policy_that_plays_the_lower_card_has_kept_the_higher() -> None:
    order = "guard handmaid priest king princess baron guard"
    belief = Belief(game("premium", 2, order, "handmaid").view(1), ByPolicy(plays_the_lowest))
    # Ben holds priest and princess, so of the unseen cards only the King is above the Handmaid.
    assert said(belief.hands[0][0]) == {"king": Fraction(1)}


def test_a_policy_that_rules_out_what_was_done_is_given_up() -> None:
    order = "guard handmaid priest guard princess baron king"
    view = game("premium", 2, order, "handmaid").view(1)
    # Ben holds priest and princess; unseen: guard, guard, baron, king. By chance the Handmaid was 1 move of 8 beside a
    # Guard (7 names for 1 seat), 1 of 2 beside a Baron or the King: weights 2/8, 1/2, 1/2.
    expected = {"guard": Fraction(1, 5), "baron": Fraction(2, 5), "king": Fraction(2, 5)}
    never = Belief(view, ByPolicy(lambda _, __: {}))
    assert said(never.hands[0][0]) == said(Belief(view).hands[0][0]) == expected
    assert never.error == 0
