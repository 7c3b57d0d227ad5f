"""The 2019 rulebook, Classic Version included: the ends of a round, the next one, the match (R79, R80, R82)."""

import random
from collections import Counter

import pytest

from suitors import Match
from suitors.rules import Event
from suitors.rules.names import End
from support.scenes import NAMES, scene, told

both = pytest.mark.parametrize("edition", ["modern", "classic"])
sizes = pytest.mark.parametrize(
    ("edition", "players"), [("modern", n) for n in range(2, 7)] + [("classic", n) for n in range(2, 5)]
)


# End of a Round: Deck Runs Out


@both
def test_modern_ends_after_the_turn_that_finds_the_deck_empty(edition: str) -> None:
    match = scene(edition, ["handmaid king", "guard", "baron"], deck=0)
    assert match.turn == 0
    match.play("handmaid")
    assert match.to_deal
    assert match.rounds[-1].end == End.SHOWDOWN


@both
def test_modern_ends_not_while_one_card_is_left(edition: str) -> None:
    match = scene(edition, ["handmaid king", "guard", "baron"], deck=1)
    match.play("handmaid")
    assert not match.to_deal
    assert match.turn == 1


@both
def test_modern_ends_the_last_card_is_resolved_before_hands_are_compared(edition: str) -> None:
    match = scene(edition, ["king guard", "princess", "baron"], deck=0)
    match.play("king 1")
    assert match.rounds[-1].winners == (0,)


@both
def test_modern_ends_players_still_in_reveal_their_hands(edition: str) -> None:
    match = scene(edition, ["handmaid king", "guard", None, "baron"], deck=0)
    match.play("handmaid")
    assert told(match, Event.REVEALED) == [(0, 0, "king"), (1, 1, "guard"), (3, 3, "baron")]


@both
def test_modern_ends_the_highest_card_wins_one_token(edition: str) -> None:
    match = scene(edition, ["handmaid king", "countess", "baron"], deck=0, tokens=[1, 2, 0])
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)
    assert match.rounds[-1].tokens == (1, 3, 0)


def test_modern_ends_a_chancellor_beats_a_prince_and_loses_to_the_king() -> None:
    match = scene("modern", ["handmaid chancellor", "prince", "prince"], deck=0)
    match.play("handmaid")
    assert match.rounds[-1].winners == (0,)
    match = scene("modern", ["handmaid chancellor", "prince", "king"], deck=0)
    match.play("handmaid")
    assert match.rounds[-1].winners == (2,)


@both
def test_modern_ends_all_tied_players_win_a_token_each(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "guard", "prince"], deck=0)
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 2)
    assert match.rounds[-1].tokens == (1, 0, 1)


@both
def test_modern_ends_sums_of_piles_break_no_tie(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "guard", "prince"], deck=0, piles={2: "countess king"})
    match.play("handmaid")
    assert match.rounds[-1].winners == (0, 2)


@both
def test_modern_ends_a_tie_below_the_highest_card_wins_nothing(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "king", "prince"], deck=0)
    match.play("handmaid")
    assert match.rounds[-1].winners == (1,)


def test_R82_ties_and_the_spy_count_though_the_quick_reference_omits_them() -> None:
    match = scene("modern", ["spy prince", "guard", "prince"], deck=0)
    match.play("spy")
    assert match.rounds[-1].winners == (0, 2)
    assert match.rounds[-1].tokens == (2, 0, 1)


# End of a Round: One Player Left


@both
def test_modern_ends_immediately_when_one_player_is_left(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", None], deck=5)
    match.play("guard 1 king")
    assert match.rounds[-1].end == End.LAST_STANDING
    assert match.rounds[-1].winners == (0,)
    assert match.rounds[-1].tokens == (1, 0, 0)


@both
def test_modern_ends_the_only_player_left_need_not_be_the_one_who_played(edition: str) -> None:
    match = scene(edition, ["baron guard", "king", None])
    match.play("baron 1")
    assert match.rounds[-1].winners == (1,)


@both
def test_modern_ends_the_only_player_left_reveals_nothing(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", None])
    match.play("guard 1 king")
    assert told(match, Event.REVEALED) == []
    assert match.view(1).known[0] == ()


@both
def test_modern_ends_with_one_player_left_even_as_the_deck_runs_out(edition: str) -> None:
    match = scene(edition, ["guard baron", "king", None], deck=0)
    match.play("guard 1 king")
    assert match.rounds[-1].end == End.LAST_STANDING


# Starting the Next Round


@sizes
def test_modern_next_round_repeats_the_setup(edition: str, players: int) -> None:
    match = scene(edition, ["guard handmaid", "king", *[None] * (players - 2)])
    match.play("guard 1 king")
    match.deal()
    view, fresh = match.view(None), Match(edition, NAMES[:players]).view(None)
    assert (view.deck, view.aside, len(view.face_up)) == (fresh.deck, fresh.aside, len(fresh.face_up))
    assert view.piles == ((),) * players
    assert Counter(match.rounds[-1].deck) == Counter(match.rules.box)


@both
def test_modern_next_round_knows_no_protection_from_the_last(edition: str) -> None:
    match = scene(edition, ["handmaid king", "guard", "baron"], deck=0, protected=[1])
    match.play("handmaid")
    assert match.view(None).protected == ()
    match.deal()
    assert match.view(None).protected == ()


@both
def test_modern_next_round_is_started_by_the_winner(edition: str) -> None:
    match = scene(edition, ["handmaid guard", "king", "baron"], deck=0)
    match.play("handmaid")
    assert match.next_first == (1,)
    match.deal()
    assert match.turn == 1


@both
def test_R80_after_a_shared_round_one_of_the_tied_starts(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "guard", "prince"], deck=0)
    match.play("handmaid")
    assert match.next_first == (0, 2)


@both
def test_R80_chance_decides_which_of_the_tied_starts(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "guard", "prince"], deck=0)
    match.play("handmaid")
    starters = set()
    for seed in range(20):
        again = match.copy()
        again.rng = random.Random(seed)
        again.deal()
        starters.add(again.turn)
    assert starters == {0, 2}


# Winning the Game

goals = pytest.mark.parametrize(
    ("edition", "players", "goal"),
    [
        *(("modern", 2, 6), ("modern", 3, 5), ("modern", 4, 4), ("modern", 5, 3), ("modern", 6, 3)),
        *(("classic", 2, 6), ("classic", 3, 5), ("classic", 4, 4)),
    ],
)


@goals
def test_modern_match_ends_with_enough_tokens(edition: str, players: int, goal: int) -> None:
    match = scene(edition, ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 1] * players)
    match.play("guard 1 king")
    assert match.over
    assert match.winners == (0,)
    assert not match.to_deal


@goals
def test_modern_match_goes_on_one_token_short(edition: str, players: int, goal: int) -> None:
    match = scene(
        edition, ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 2] + [goal - 1] * (players - 1)
    )
    match.play("guard 1 king")
    assert not match.over
    assert match.winners == ()
    assert match.to_deal


@both
def test_R79_several_players_win_the_match_together(edition: str) -> None:
    match = scene(edition, ["handmaid prince", "guard", "prince"], deck=0, tokens=[4, 4, 4])
    match.play("handmaid")
    assert match.over
    assert match.winners == (0, 2)


def test_R79_everyone_at_the_goal_wins_even_with_fewer_tokens_than_another() -> None:
    match = scene("modern", ["spy prince", "prince"], deck=0, tokens=[5, 5])
    match.play("spy")
    assert match.tokens == (7, 6)
    assert match.winners == (0, 1)


def test_R79_six_players_may_all_win_with_more_tokens_than_the_box_holds() -> None:
    match = scene("modern", ["handmaid guard", *["guard"] * 5], deck=0, tokens=[2] * 6)
    match.play("handmaid")
    assert match.tokens == (3,) * 6
    assert match.winners == (0, 1, 2, 3, 4, 5)
