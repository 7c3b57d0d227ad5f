"""Clicking: every legal move can be reached from nothing, nothing else can, and suicide is asked about first."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Match, Solo
from suitors.notation import CARD_NAMES
from suitors.pages.choices import Choices, Option, choices_for
from suitors.pages.choices import fatal as fatal_in_a_match
from suitors.pages.solo_choices import SoloChoices, solo_choices_for
from suitors.pages.solo_choices import fatal as fatal_alone
from suitors.rules import BOXES, SWITCHES, Phase
from support.matches import UNTIMED
from support.random_play import Game, games, position
from support.scenes import scene
from support.solo_scenes import solo

MANY = settings(UNTIMED, max_examples=120)
SEEDS = st.integers(0, 2**32)
STEPS = st.integers(0, 40)
SOLOS = [slug for slug, box in BOXES.items() if box.solo]
WORDS = [
    *CARD_NAMES,
    *"0123456789",
    "²",
    "q1",
    "q7",
    "keep",
    "look",
    "none",
    "redraw",
    "stay",
    "hand",
    "agent",
    "offer",
]
NONSENSE = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join))


@st.composite
def solo_games(draw: st.DrawFn) -> Solo:
    """A solo game somewhere on its way, with any switches."""
    options = {key: draw(st.sampled_from(values)) for key, values in SWITCHES.items() if key.startswith("solo_")}
    rng, steps = random.Random(draw(SEEDS)), draw(st.integers(0, 30))
    match = Solo(draw(st.sampled_from(SOLOS)), options=options, rng=rng)
    while steps and not match.over:
        kinds: dict[int, list[int]] = {}
        for move in match.moves():
            kinds.setdefault(move & 31, []).append(move)
        match.push(rng.choice(kinds[rng.choice(sorted(kinds))]))
        steps -= 1
    return match


# What can be clicked


def clickable(choice: Choices | SoloChoices) -> Iterator[Option]:
    """Everything that the page lets one click."""
    if isinstance(choice, Choices):
        yield from (*choice.hand, *choice.seats.values(), *(line.option for line in choice.menu), choice.done)
    else:
        yield from (*choice.hand, *choice.places.values(), *(option for _, option in choice.names))
        yield from choice.verbs.values()
    yield choice.confirm


def choose(match: Match | Solo, words: str) -> Choices | SoloChoices:
    """What the player whose turn it is may click after some words."""
    if isinstance(match, Solo):
        return solo_choices_for(match.view(0), words, match.why_not)
    return choices_for(match.view(match.turn), words, match.why_not)


def walk(match: Match | Solo) -> dict[str, list[str]]:
    """Every move that a click plays, reached by clicking from nothing, with the steps of one way to each."""
    found: dict[str, list[str]] = {}
    ways: dict[str, list[str]] = {"": []}
    waiting = [""]
    while waiting:
        words = waiting.pop()
        choice = choose(match, words)
        steps = [*ways[words], choice.step]
        for option in clickable(choice):
            if option.final:
                assert option.open
                found.setdefault(option.words, steps)
            elif option.open and option.words not in ways:
                ways[option.words] = steps
                waiting.append(option.words)
    return found


def is_fatal(match: Match | Solo, move: str) -> bool:
    """Whether the page asks for a confirmation of a move."""
    if isinstance(match, Solo):
        return fatal_alone(match.view(0), move)
    return match.table.phase == Phase.PLAY and fatal_in_a_match(match.view(match.turn), move)


def check(match: Match | Solo) -> None:
    """The clicks lead to the legal moves, all of them and no others; fatal ones through a question."""
    found = walk(match)
    assert set(found) == set(match.legal())
    for move, steps in found.items():
        assert (steps[-1] == "confirm") == is_fatal(match, move), move


@MANY
@given(games(), SEEDS, STEPS)
def test_clicks_reach_every_legal_move_of_a_match_and_no_other(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    check(match)
    for seat in {None, *range(len(match.players))} - {match.turn}:  # nobody else can click anything
        choice = choices_for(match.view(seat), "", match.why_not)
        assert choice.step == "wait"
        assert not any(option.open for option in clickable(choice))


@MANY
@given(solo_games())
def test_clicks_reach_every_legal_move_of_a_solo_game_and_no_other(match: Solo) -> None:
    check(match)


@MANY
@given(games(), SEEDS, STEPS, NONSENSE)
def test_any_words_can_be_chosen_without_harm_in_a_match(game: Game, seed: int, steps: int, words: str) -> None:
    harmless(position(game, random.Random(seed), steps), words)


@MANY
@given(solo_games(), NONSENSE)
def test_any_words_can_be_chosen_without_harm_in_a_solo_game(match: Solo, words: str) -> None:
    harmless(match, words)


def harmless(match: Match | Solo, words: str) -> None:
    """After any words at all, what can be clicked leads to nothing but legal moves."""
    legal = match.legal()
    for option in clickable(choose(match, words)):
        assert not option.final or option.words in legal


@pytest.mark.parametrize("words", ["guard ²", "cardinal ¹ ²", "baron ٣", "guard 0 0 0 0", " ", "keep", "keep ²", "q9"])
def test_words_that_look_like_seats(words: str) -> None:
    harmless(scene("premium", ["guard cardinal", "priest", "king", "handmaid", "count"]), words)
    harmless(scene("classic", ["guard baron", "priest"]), words)
    harmless(solo("(guard) (priest) princess", "guard king", agent="(baron)"), words)


# Suicide


def outs(match: Match, move: str) -> bool:
    """Whether a move puts the one out who plays it."""
    seat = match.turn
    assert seat is not None
    match.play(move)
    return seat not in match.view(None).standing


@MANY
@given(games(), SEEDS, STEPS)
def test_what_is_taken_for_suicide_in_a_match_is_suicide(game: Game, seed: int, steps: int) -> None:
    match = position(game, random.Random(seed), steps)
    for move in match.legal():
        if is_fatal(match, move):
            assert outs(match.copy(), move), move


@MANY
@given(solo_games())
def test_what_is_taken_for_a_certain_loss_is_one(match: Solo) -> None:
    for move in match.legal():
        if is_fatal(match, move):
            twin = match.copy()
            twin.play(move)
            assert twin.over, move
            assert not twin.winners, move


def known(match: Match, seat: int, target: int) -> Match:
    """The match, where a seat has seen another's hand."""
    match.view(seat)
    sight: Any = match.rounds[-1].sights[seat]
    sight.memory.hands[target] = [match.table.hand[target]]
    return match


def fatal_moves(match: Match | Solo) -> list[str]:
    """What cannot be played without a question."""
    check(match)
    return sorted(move for move, steps in walk(match).items() if steps[-1] == "confirm")


def test_R7_the_princess_is_asked_about() -> None:
    assert fatal_moves(scene("classic", ["princess guard", "priest"])) == ["princess"]


def test_a_prince_on_the_own_princess_is_asked_about_and_on_another_not() -> None:
    match = scene("classic", ["prince princess", "priest", "baron"])
    assert fatal_moves(match) == ["prince 0", "princess"]


def test_a_baron_is_asked_about_only_where_it_is_known_to_lose() -> None:
    assert fatal_moves(scene("classic", ["baron priest", "king", "countess"])) == []
    assert fatal_moves(known(scene("classic", ["baron priest", "king", "countess"]), 0, 2)) == ["baron 2"]
    assert fatal_moves(known(scene("classic", ["baron priest", "guard", "countess"]), 0, 1)) == []
    assert fatal_moves(known(scene("classic", ["baron priest", "priest", "countess"]), 0, 1)) == []


def test_a_dowager_queen_is_asked_about_where_the_own_card_is_known_to_be_higher() -> None:
    hands = ["dowager-queen king", "guard", "priest", "bishop", "handmaid"]
    assert fatal_moves(known(scene("premium", hands), 0, 1)) == ["dowager-queen 1"]
    assert fatal_moves(known(scene("premium", hands), 0, 3)) == []


def test_R50_a_guard_on_a_known_assassin_is_asked_about_whatever_it_names() -> None:
    match = known(scene("premium", ["guard king", "assassin", "priest", "bishop", "handmaid"]), 0, 1)
    assert fatal_moves(match) == [f"guard 1 {number}" for number in (0, *range(2, 10))]


def test_solo_cards_that_are_known_to_lose_are_asked_about() -> None:
    assert fatal_moves(solo("(guard) king princess", "baron priest")) == ["baron q2 hand"]
    assert fatal_moves(solo("(guard) (king)", "prince princess")) == ["prince hand", "princess"]
    assert fatal_moves(solo("(guard) princess", "priest", agent="(king)")) == []
    assert fatal_moves(solo("(guard) (baron)", "priest", agent="princess")) == ["agent"]


def test_R120_a_solo_prince_that_would_have_to_draw_from_an_empty_pile_is_asked_about() -> None:
    replacing = solo("(guard) princess", "prince priest", agent="(king)", pile=0)
    assert fatal_moves(replacing) == ["prince agent", "prince hand", "prince q1"]
    remove = {"solo_prince": "remove"}
    removing = solo("(guard) princess", "prince priest", agent="(king)", pile=0, options=remove)
    assert fatal_moves(removing) == ["prince agent", "prince hand"]


# Single steps


def steps_of(match: Match, *clicks: str) -> Iterable[str]:
    """The steps that the page goes through."""
    return [choices_for(match.view(match.turn), words, match.why_not).step for words in ("", *clicks)]


def test_forced_choices_are_skipped() -> None:
    match = scene("classic", ["guard priest", "baron"])
    options = choices_for(match.view(0), "", match.why_not).hand
    assert [(option.words, option.final) for option in options] == [("guard 1", False), ("priest 1", True)]
    match = scene("classic", ["guard priest", "baron", "king"], protected=[1, 2])
    options = choices_for(match.view(0), "", match.why_not).hand
    assert [(option.words, option.final) for option in options] == [("guard", True), ("priest", True)]


def test_a_pair_is_clicked_in_any_order() -> None:
    match = scene("premium", ["cardinal guard", "priest", "king", "handmaid", "count"])
    assert steps_of(match, "cardinal", "cardinal 2") == ["card", "seat", "second-seat"]
    second = choices_for(match.view(0), "cardinal 2", match.why_not).seats
    assert second[0] == Option("cardinal 0 2", True)
    assert second[1] == Option("cardinal 1 2", True)
    assert second[3] == Option("cardinal 2 3", True)
    assert not second[2].open


def test_one_hand_is_enough_for_a_baroness() -> None:
    match = scene("premium", ["baroness guard", "priest", "king", "handmaid", "count"])
    choice = choices_for(match.view(0), "baroness 2", match.why_not)
    assert choice.step == "second-seat"
    assert choice.done == Option("baroness 2", True)
    assert choice.seats[1] == Option("baroness 1 2", True)


def test_a_choice_that_has_become_void_is_forgotten() -> None:
    match = scene("classic", ["guard priest", "baron", "king"], protected=[2])
    for words in ("guard 2", "king", "prince 1", "guard 1 2", "keep guard", "look 1", "redraw"):
        assert choices_for(match.view(0), words, match.why_not).step == "card"
