"""Conformance scenarios T01 to T42 for docs/rulings.md: the exact state and the expected result of each."""

from collections import Counter

import pytest

from suitors import Card, Match
from suitors.notation import CARD_NAMES
from suitors.rules import End, Event
from suitors.words import load_theme
from support.scenes import NAMES, cards, hand, names, pile, scene, standing, told

DECKS = {
    "sixteen": "guard guard guard guard guard priest priest baron baron handmaid handmaid prince prince"
    " king countess princess",
    "thirty-two": "jester assassin guard guard guard guard guard guard guard guard priest priest cardinal cardinal"
    " baron baron baroness baroness handmaid handmaid sycophant sycophant prince prince count count king constable"
    " countess dowager-queen princess bishop",
    "twenty-one": "spy spy guard guard guard guard guard guard priest priest baron baron handmaid handmaid prince"
    " prince chancellor chancellor king countess princess",
}
SIZES = [
    ("premium", 2, 10),
    ("premium", 3, 12),
    ("premium", 4, 11),
    ("premium", 5, 26),
    ("premium", 6, 25),
    ("premium", 7, 24),
    ("premium", 8, 23),
    ("modern", 2, 15),
    ("modern", 3, 17),
    ("modern", 4, 16),
    ("modern", 5, 15),
    ("modern", 6, 14),
    ("classic", 2, 10),
    ("classic", 3, 12),
    ("classic", 4, 11),
    ("demo", 2, 10),
    ("demo", 3, 12),
    ("demo", 4, 11),
    ("house", 2, 11),
    ("house", 3, 12),
    ("house", 4, 12),
]


# T01: decks


@pytest.mark.parametrize(
    ("edition", "players", "deck"),
    [
        ("premium", 4, "sixteen"),
        ("premium", 5, "thirty-two"),
        ("modern", 6, "twenty-one"),
        ("classic", 4, "sixteen"),
        ("demo", 4, "sixteen"),
        ("house", 4, "sixteen"),
    ],
)
def test_T01_the_cards_of_each_deck(edition: str, players: int, deck: str) -> None:
    box = Match(edition, NAMES[:players]).rules.box
    assert Counter(box) == Counter(map(int, cards(DECKS[deck])))


@pytest.mark.parametrize(
    ("edition", "players", "total"),
    [("premium", 4, 16), ("premium", 5, 32), ("modern", 4, 21), ("classic", 4, 16), ("demo", 4, 16), ("house", 4, 16)],
)
def test_T01_the_total_of_each_deck(edition: str, players: int, total: int) -> None:
    assert len(Match(edition, NAMES[:players]).rounds[0].deck) == total


@pytest.mark.parametrize(("edition", "players", "after_the_deal"), SIZES)
def test_T01_the_deck_after_the_deal(edition: str, players: int, after_the_deal: int) -> None:
    match = Match(edition, NAMES[:players])
    assert match.view(None).deck == after_the_deal - 1  # the first player has drawn


# T02 to T08: Premium, 2 to 4 players


def test_T02_a_prince_on_an_empty_deck_gives_the_aside_card_and_then_comes_the_showdown() -> None:
    hands = ["prince priest", "baron", "countess", None]
    match = scene("premium", hands, deck=0, aside="king", piles={3: "princess"})
    match.play("prince 1")
    assert (pile(match, 1), told(match, Event.TOOK_ASIDE, 1)) == ("baron", [(1, 1, "king")])
    assert told(match, Event.REVEALED) == [(0, 0, "priest"), (1, 1, "king"), (2, 2, "countess")]
    assert (match.rounds[-1].winners, match.rounds[-1].tokens, match.next_first) == ((2,), (0, 0, 1, 0), (2,))


def test_T04_the_higher_sum_of_the_discards_wins_a_tie() -> None:
    piles = {0: "guard guard baron handmaid priest", 1: "guard priest baron handmaid"}
    hands = ["prince", "prince countess"]
    match = scene("premium", hands, deck=0, turn=1, aside="princess", face_up="king guard guard", piles=piles)
    match.play("countess")
    assert told(match, Event.REVEALED) == [(0, 0, "prince"), (1, 1, "prince")]
    assert (match.rounds[-1].winners, match.rounds[-1].tokens) == ((1,), (0, 1))


def test_T04_equal_sums_of_the_discards_give_both_a_token() -> None:
    piles = {0: "countess handmaid guard guard guard", 1: "priest priest baron baron"}
    hands = ["prince", "prince handmaid"]
    match = scene("premium", hands, deck=0, turn=1, aside="princess", face_up="king guard guard", piles=piles)
    match.play("handmaid")
    assert (match.rounds[-1].winners, match.rounds[-1].tokens) == ((0, 1), (1, 1))


def test_T06_a_guard_finds_nobody_to_choose() -> None:
    match = scene("premium", ["guard baron", "king", "priest"], protected=[1, 2])
    assert match.legal() == ["baron", "guard"]
    match.play("guard")
    assert (pile(match, 0), standing(match)) == ("guard", (0, 1, 2))
    assert [hand(match, seat) for seat in range(3)] == ["baron", "king", "priest"]


def test_T08_countess_and_prince_leave_one_play() -> None:
    match = scene("premium", ["countess prince", "guard", "guard"])
    assert match.legal() == ["countess"]


def test_T08_countess_and_princess_leave_both_plays() -> None:
    match = scene("premium", ["countess princess", "guard", "guard"])
    assert match.legal() == ["countess", "princess"]


# T10 to T16: 2019


def test_T10_the_princess_may_be_returned_for_a_chancellor() -> None:
    match = scene("modern", ["princess chancellor", "guard", "guard"], deck="guard priest baron baron")
    match.play("chancellor")
    match.play("keep guard princess priest")
    assert (hand(match, 0), standing(match)) == ("guard", (0, 1, 2))


def test_T12_a_spy_pays_the_only_survivor_who_played_one() -> None:
    match = scene("modern", ["guard handmaid", None, "king"], deck=0, piles={0: "spy", 1: "spy"})
    match.play("handmaid")
    assert (match.rounds[-1].winners, match.rounds[-1].tokens) == ((2,), (1, 0, 1))


def test_T14_a_spy_in_hand_does_not_count() -> None:
    match = scene("modern", ["guard handmaid", "spy", "king"], deck=0, piles={0: "spy"})
    match.play("handmaid")
    assert told(match, Event.REVEALED)[1] == (1, 1, "spy")
    assert match.rounds[-1].tokens == (1, 0, 1)


def test_T16_the_spy_token_and_the_round_token_win_the_match_together() -> None:
    match = scene("modern", ["guard king", "priest"], piles={0: "spy"}, tokens=[4, 0])
    match.play("guard 1 priest")
    assert (match.tokens, match.over, match.winners) == ((6, 0), True, (0,))


# T18 to T36: Premium, 5 to 8 players


def bob_and_susan() -> Match:
    """The rulebook's example: Bob (0) leaves with a Constable in his pile, Susan (1) is the last one standing."""
    hands = ["count", "guard king", None, None, None]
    match = scene("premium", hands, turn=1, piles={0: "constable"}, tokens=[3, 3, 0, 0, 0])
    match.play("guard 0 5")
    return match


def test_T18_a_constable_and_a_round_give_a_tie_without_a_winner() -> None:
    match = bob_and_susan()
    assert (match.tokens[:2], match.over, match.winners) == ((4, 4), False, ())


def test_T18_the_tie_break_is_between_the_two_and_susan_starts() -> None:
    match = bob_and_susan()
    assert (match.to_deal, match.next_seats, match.next_first) == (True, (0, 1), (1,))


def test_T18_the_tie_break_has_all_cards_and_one_aside() -> None:
    match = bob_and_susan()
    match.deal()
    view = match.view(None)
    assert (match.turn, len(match.rounds[-1].deck), view.aside, view.deck) == (1, 32, 1, 29 - 1)


def test_T20_a_bishops_token_ends_the_match_before_the_redraw() -> None:
    match = scene("premium", ["bishop guard", "cardinal", "guard", "guard", "guard"], tokens=[3, 0, 0, 0, 0])
    match.play("bishop 1 2")
    assert (match.tokens[0], match.over, match.winners, match.turn) == (4, True, (0,), None)
    assert (match.rounds[-1].end, match.rounds[-1].winners, hand(match, 1)) == (End.MATCH_WON, (), "cardinal")


def test_T22_the_princess_beats_a_bishop_with_two_counts() -> None:
    hands = ["bishop handmaid", "princess", "countess", None, None]
    match = scene("premium", hands, deck=0, piles={0: "count count"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_T24_a_dowager_with_two_counts_beats_the_princess_who_drops_the_bishop() -> None:
    hands = ["dowager-queen handmaid", "princess", None, "bishop", None]
    match = scene("premium", hands, deck=0, piles={0: "count count"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (0,)


def test_T26_a_guard_meets_an_assassin() -> None:
    hands = ["guard princess", "guard", "assassin", "guard", "guard"]
    match = scene("premium", hands, deck="king baron priest", piles={0: "constable"}, tokens=[1, 0, 0, 0, 0])
    match.play("guard 2 0")
    assert (standing(match), pile(match, 0), match.tokens[0]) == ((1, 2, 3, 4), "constable guard princess", 2)
    assert (pile(match, 2), hand(match, 2), match.turn) == ("assassin", "king", 1)


def test_T28_an_assassin_ends_the_round() -> None:
    match = scene("premium", ["guard princess", "assassin", None, None, None], deck=3)
    match.play("guard 1 2")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.LAST_STANDING, (1,))
    assert (pile(match, 1), hand(match, 1), match.view(None).deck) == ("assassin", "", 3)


def test_T30_a_mark_expires_with_a_card_that_chooses_nobody() -> None:
    hands = ["sycophant guard", "handmaid", "guard", "guard", "guard"]
    match = scene("premium", hands, deck="priest priest baron")
    match.play("sycophant 3")
    match.play("handmaid")
    chosen = {move.split()[1] for move in match.legal() if move.startswith("guard")}
    assert (match.turn, match.view(None).mark, chosen) == (2, None, {"0", "3", "4"})


def test_T32_a_cardinal_with_one_player_to_choose_is_forced() -> None:
    hands = ["cardinal countess", "guard", "guard", "guard", "guard"]
    match = scene("premium", hands, protected=[1, 2, 4])
    assert match.legal() == ["cardinal 0 3", "countess"]


def test_T32_a_cardinal_with_nobody_to_choose_fizzles() -> None:
    hands = ["cardinal countess", "guard", "guard", "guard", "guard"]
    match = scene("premium", hands, protected=[1, 2, 3, 4])
    match.play("cardinal")
    assert (told(match, Event.FIZZLED), match.turn) == ([(0, 0, None)], 1)


def test_T34_a_shared_round_pays_the_bet_of_a_player_who_is_out() -> None:
    hands = ["prince handmaid", "count", None, None, None]
    match = scene("premium", hands, deck=0, piles={1: "sycophant", 2: "jester guard"}, bet=(2, 0))
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 1)
    assert match.rounds[-1].tokens == (1, 1, 1, 0, 0)


def test_T36_a_bet_and_a_round_give_a_tie() -> None:
    hands = ["guard king", "priest", None, None, None]
    match = scene("premium", hands, piles={2: "jester"}, bet=(2, 0), tokens=[3, 0, 3, 0, 0])
    match.play("guard 1 2")
    assert (match.tokens, match.over) == ((4, 0, 4, 0, 0), False)
    assert (match.next_seats, match.next_first) == ((0, 2), (0,))


# T38 to T42: house rules


@pytest.mark.parametrize(("players", "hidden", "after_the_deal"), [(2, 3, 11), (3, 1, 12), (4, 0, 12)])
def test_T38_the_house_setup(players: int, hidden: int, after_the_deal: int) -> None:
    view = Match("house", NAMES[:players]).view(None)
    assert (view.aside, view.face_up, view.deck) == (hidden, (), after_the_deal - 1)  # the first player has drawn


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_T40_a_nominal_self_choice_has_no_effect_and_names_nothing(card: str) -> None:
    match = scene("house", [f"{card} handmaid", "princess", "guard"], protected=[1, 2])
    assert match.legal() == sorted([card, "handmaid"])
    match.play(card)
    assert (standing(match), hand(match, 0), match.turn) == ((0, 1, 2), "handmaid", 1)


def test_T40_a_prince_hits_his_own_player() -> None:
    match = scene("house", ["prince baron", "princess", "guard"], protected=[1, 2], deck="king guard")
    assert match.legal() == ["baron", "prince 0"]
    match.play("prince 0")
    assert (pile(match, 0), hand(match, 0)) == ("prince baron", "king")


@pytest.mark.parametrize("spoken", ["Bail Channis", "Han Pritcher"])
def test_T42_an_informant_who_names_either_person_hits_the_pair(spoken: str) -> None:
    """A target with one of the two cards holds that type, whichever person is named."""
    card = load_theme("mule").find(spoken)
    assert card is not None
    match = scene("house", ["guard king", "priest", "guard"])
    match.play(f"guard 1 {CARD_NAMES[card]}")
    assert (standing(match), pile(match, 1)) == ((0, 2), "priest")


def test_T42_looking_at_the_mule_eliminates_nobody() -> None:
    match = scene("house", ["priest guard", "princess", "guard"])
    match.play("priest 1")
    assert (names(match.view(0).known[1]), standing(match)) == ("princess", (0, 1, 2))


@pytest.mark.parametrize("spoken", ["Viceroy", "The Viceroy", "Indbur", "Mayor Indbur"])
def test_T42_the_viceroy_is_indbur(spoken: str) -> None:
    assert load_theme("mule").find(spoken) == Card.KING


def test_T42_indbur_is_one_card_of_value_six() -> None:
    rules = Match("house", NAMES[:3]).rules
    assert (rules.copies[Card.KING], rules.value[Card.KING]) == (1, 6)
