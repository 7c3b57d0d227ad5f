"""The Premium rulebook for 2 to 4 players: the ends of rounds and of the game, and rulings R23 to R28."""

from collections import Counter

import pytest

from suitors import Card, Match, Refusal, SuitorsError
from suitors.rules import End, Event, Option
from support.scenes import NAMES, cards, pile, scene, told

SIXTEEN = "princess countess king prince prince handmaid handmaid baron baron priest priest" + 5 * " guard"
GOALS = ((2, 7), (3, 5), (4, 4))


def shared(players: int, tokens: list[int], options: dict[str, Option] | None = None, turn: int = 0) -> Match:
    """A round that seats 0 and 1 have won together, equal in the hand and in the piles."""
    out = [None] * (players - 2)
    hands = ["prince guard", "prince", *out] if turn == 0 else ["prince", "prince guard", *out]
    match = scene("premium", hands, deck=0, turn=turn, piles={1 - turn: "guard"}, tokens=tokens, options=options)
    match.play(f"guard {1 - turn} 2")
    assert match.rounds[-1].winners == (0, 1)
    return match


# End of a round


def test_premium_round_ends_if_the_deck_is_empty_at_the_end_of_a_turn() -> None:
    match = scene("premium", ["handmaid guard", "baron", "guard"], deck=0)
    match.play("handmaid")
    assert (match.rounds[-1].end, match.to_deal) == (End.SHOWDOWN, True)


def test_premium_round_does_not_end_before_the_last_turn_is_over() -> None:
    match = scene("premium", ["handmaid guard", "baron", "guard"], deck="king")
    match.play("handmaid")
    assert (match.view(None).deck, match.turn, match.to_deal) == (0, 1, False)


def test_premium_round_all_players_still_in_reveal_their_hands() -> None:
    match = scene("premium", ["handmaid king", "baron", None, "guard"], deck=0)
    match.play("handmaid")
    assert told(match, Event.REVEALED) == [(0, 0, "king"), (1, 1, "baron"), (3, 3, "guard")]


def test_premium_round_the_highest_number_wins() -> None:
    match = scene("premium", ["handmaid king", "countess", "guard"], deck=0)
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_premium_round_a_tie_goes_to_the_highest_total_of_the_discards() -> None:
    match = scene("premium", ["handmaid prince", "prince", "guard"], deck=0, piles={0: "guard guard", 1: "countess"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_premium_round_discards_count_only_between_those_who_tie() -> None:
    match = scene("premium", ["handmaid prince", "king", "guard"], deck=0, piles={0: "countess", 2: "princess"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_premium_round_players_who_still_tie_have_all_won() -> None:
    match = scene("premium", ["handmaid prince", "prince", "guard"], deck=0, piles={1: "handmaid"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 1)


def test_premium_round_also_ends_if_only_one_player_remains_who_wins() -> None:
    match = scene("premium", ["guard priest", "king", None, None], deck=8)
    match.play("guard 1 6")
    assert (match.rounds[-1].end, match.rounds[-1].winners) == (End.LAST_STANDING, (0,))


def test_premium_round_the_winner_receives_a_token() -> None:
    match = scene("premium", ["guard priest", "king", None], tokens=[2, 1, 3])
    match.play("guard 1 6")
    assert match.rounds[-1].tokens == (3, 1, 3)


def test_premium_round_all_sixteen_cards_are_shuffled_for_the_next() -> None:
    match = scene("premium", ["guard priest", "king", None])
    match.play("guard 1 6")
    match.deal()
    assert Counter(match.rounds[1].deck) == Counter(map(int, cards(SIXTEEN)))
    assert match.view(None).piles == ((), (), ())


def test_premium_round_the_winner_goes_first_in_the_next() -> None:
    match = scene("premium", ["handmaid king", "countess", "guard"], deck=0)
    match.play("handmaid")
    match.deal()
    assert match.turn == 1


def test_premium_round_nobody_but_the_winner_may_go_first_in_the_next() -> None:
    match = scene("premium", ["handmaid king", "countess", "guard"], deck=0)
    match.play("handmaid")
    with pytest.raises(SuitorsError) as error:
        match.deal(first=0)
    assert error.value.code == "bad-first"


@pytest.mark.parametrize("first", [0, 1])
def test_premium_round_of_several_winners_the_latest_date_goes_first(first: int) -> None:
    match = shared(2, [0, 0], turn=first)
    assert match.next_first == (0, 1)
    match.deal()
    assert match.turn == first


# Game end


@pytest.mark.parametrize(("players", "goal"), GOALS)
def test_premium_game_is_won_with_so_many_tokens(players: int, goal: int) -> None:
    match = scene("premium", ["guard priest", "king", *[None] * (players - 2)], tokens=[goal - 1] * players)
    match.play("guard 1 6")
    assert (match.over, match.winners) == (True, (0,))


@pytest.mark.parametrize(("players", "goal"), GOALS)
def test_premium_game_goes_on_with_one_token_less(players: int, goal: int) -> None:
    match = scene("premium", ["guard priest", "king", *[None] * (players - 2)], tokens=[goal - 2] * players)
    match.play("guard 1 6")
    assert (match.over, match.to_deal, match.winners) == (False, True, ())


def test_premium_game_no_round_follows_its_end() -> None:
    match = scene("premium", ["guard priest", "king"], tokens=[6, 6])
    match.play("guard 1 6")
    with pytest.raises(SuitorsError, match="over"):
        match.deal()


# Rulings R23 to R28


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_R23_a_guard_chooses_another_player(players: int) -> None:
    match = scene("premium", ["guard king", *["guard"] * (players - 1)])
    assert match.why_not("guard 0 6") == Refusal.NOT_ONESELF


def test_R24_a_card_discarded_for_a_prince_counts_in_the_sum() -> None:
    match = scene("premium", ["prince guard", "countess", "handmaid"], deck="handmaid", piles={2: "king"})
    match.play("prince 1")
    assert pile(match, 1) == "countess"
    assert match.rounds[-1].winners == (1,)


def test_R24_the_hand_does_not_count_in_the_sum() -> None:
    """Countess and Count make 8, like the Princess; the piles are equal, though the hands are not."""
    match = scene("premium", ["countess guard", "princess", "guard", None, None], deck=0, piles={0: "count", 1: "king"})
    match.play("guard 2 9")
    assert match.rounds[-1].winners == (0, 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "winners"),
    [
        ("guard bishop", "guard princess guard", (0, 1)),  # 9 in the pile
        ("guard priest jester", "guard cardinal", (0, 1)),  # 0
        ("guard priest assassin", "guard cardinal", (0, 1)),  # 0
        ("guard constable", "guard king", (0, 1)),  # 6
        ("guard bishop", "guard princess", (0,)),
    ],
)
def test_R24_cards_count_with_their_printed_values_in_the_sum(mine: str, theirs: str, winners: tuple[int, ...]) -> None:
    piles = {0: mine.removeprefix("guard "), 1: theirs}
    match = scene("premium", ["prince guard", "prince", "guard", None, None], deck=0, piles=piles)
    match.play("guard 2 9")
    assert match.rounds[-1].winners == winners


def test_R24_a_count_counts_five_in_the_sum() -> None:
    match = scene(
        "premium", ["king guard", "countess", "guard", None, None], deck=0, piles={0: "count", 1: "guard prince"}
    )
    match.play("guard 2 9")
    assert match.rounds[-1].winners == (0, 1)


def test_R25_players_who_still_tie_get_a_token_each() -> None:
    match = shared(3, [1, 2, 3])
    assert match.rounds[-1].tokens == (2, 3, 3)


@pytest.mark.parametrize("first", [0, 1])
def test_R25_the_order_of_dates_says_which_of_them_starts(first: int) -> None:
    match = shared(4, [0, 0, 0, 0], turn=first)
    match.deal()
    assert match.turn == first


@pytest.mark.parametrize(("players", "goal"), GOALS)
def test_R26_two_players_who_reach_the_goal_together_play_a_tie_break(players: int, goal: int) -> None:
    match = shared(players, [goal - 1] * players)
    assert (match.over, match.to_deal, match.next_seats) == (False, True, (0, 1))


def test_R26_the_winner_of_the_tie_break_wins_the_match() -> None:
    match = shared(3, [4, 4, 0])
    deck = (
        "king guard baron priest handmaid handmaid prince prince guard guard guard guard priest baron countess princess"
    )
    match.deal(deck.split(), first=0)
    match.play("guard 1 3")
    assert (match.over, match.winners, match.tokens) == (True, (0,), (6, 5, 0))


def test_R26_the_player_with_more_tokens_wins_without_a_tie_break() -> None:
    match = shared(3, [4, 3, 0])
    assert (match.over, match.winners) == (True, (0,))


@pytest.mark.parametrize(("players", "goal"), GOALS)
def test_R26_a_switch_shares_the_match(players: int, goal: int) -> None:
    match = shared(players, [goal - 1] * players, {"premium_match_tie": "share"})
    assert (match.over, match.winners) == (True, (0, 1))


@pytest.mark.parametrize(("players", "goal"), [(3, 5), (4, 4)])
def test_R27_a_tie_break_of_two_in_a_larger_game_has_no_card_face_up(players: int, goal: int) -> None:
    match = shared(players, [goal - 1] * players)
    match.deal()
    view = match.view(None)
    assert (view.playing, view.face_up, view.deck) == ((0, 1), (), 16 - 1 - 2 - 1)


def test_R27_a_tie_break_of_a_two_player_game_has_three_cards_face_up() -> None:
    match = shared(2, [6, 6])
    match.deal()
    view = match.view(None)
    assert (len(view.face_up), view.deck) == (3, 16 - 1 - 3 - 2 - 1)


def test_R27_a_tie_break_of_a_game_of_five_has_all_cards_and_one_aside() -> None:
    match = shared(5, [3] * 5)
    match.deal()
    view = match.view(None)
    assert (view.playing, view.face_up, view.aside, view.deck) == ((0, 1), (), 1, 32 - 1 - 2 - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R28_there_is_no_sycophant_in_the_small_game(players: int) -> None:
    assert Match("premium", NAMES[:players]).rules.copies[Card.SYCOPHANT] == 0
