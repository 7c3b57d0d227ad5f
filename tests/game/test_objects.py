"""Matches as Python objects: copies of every kind, chance, equality, taking back, and how they are printed."""

import copy
import pickle
import random
from collections.abc import Callable
from unittest.mock import patch

import pytest

from suitors import Match, Solo, SuitorsError
from suitors.game import Play, open_match
from suitors.history import BaseMatch
from suitors.rules import BOXES
from support.matches import TABLES, chance_match
from support.scenes import NAMES

COPIES: dict[str, Callable[[Play], Play]] = {
    "copy": lambda match: match.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),
}
OWN = {"base": "house", "cards": {"guard": 4, "spy": 2, "princess": 1}, "aside": {"2": 0}}


class Stubborn(random.Random):
    """A generator that cannot be copied."""

    def __reduce__(self) -> str:
        raise TypeError("no")


RNGS: dict[str, random.Random | None] = {"none": None, "seeded": random.Random(4), "stubborn": Stubborn(4)}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("rng", RNGS)
@pytest.mark.parametrize("edition", ["modern", "solitaire", OWN])
def test_a_copy_is_equal_and_goes_its_own_way(way: str, rng: str, edition: str | dict[str, object]) -> None:
    players = NAMES[:1] if edition == "solitaire" else NAMES[:2]
    match = open_match(edition, players, rng=RNGS[rng])
    before = match.record()
    twin = COPIES[way](match)
    assert type(twin) is type(match)
    assert twin == match
    assert twin.view(0) == match.view(0)
    assert (twin.rules, twin.box) == (match.rules, match.box)
    while twin.turn is not None:
        twin.push(twin.moves()[0])
    assert match.record() == before
    assert twin != match
    assert twin.rng is not match.rng


@pytest.mark.parametrize("way", COPIES)
def test_a_deal_in_a_copy_changes_no_deal_of_the_original(way: str) -> None:
    decks = []
    for dealing in (False, True):
        match = Match("classic", NAMES[:2], seed=5, dealt=False)
        twin = COPIES[way](match)
        if dealing:
            twin.deal()
        match.deal()
        decks.append(match.rounds[0].deck)
        assert not dealing or twin == match
    assert decks[0] == decks[1]


def test_a_seed_gives_the_same_match() -> None:
    for seed in (7, "seven", 7.5, b"7"):
        assert Match("modern", NAMES[:3], seed=seed) == Match("modern", NAMES[:3], seed=seed)
        assert Solo(seed=seed) == Solo(seed=seed)
    assert Match("modern", NAMES[:3], seed=7) == Match("modern", NAMES[:3], rng=random.Random(7))
    assert Match("modern", NAMES[:3], seed=7) != Match("modern", NAMES[:3], seed=8)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rng": 1}, "rng is a random.Random, not 1; use seed= for a number or a text."),
        ({"seed": [1]}, "A seed is a number or a text, not [1]."),
        ({"rng": random.Random(1), "seed": 1}, "Give either rng or seed, not both."),
    ],
)
def test_what_is_no_chance_is_refused_with_a_sentence(given: dict[str, object], words: str) -> None:
    with pytest.raises(SuitorsError) as caught:
        Match("modern", NAMES[:2], **given)  # type: ignore[arg-type]
    assert str(caught.value) == words


def test_matches_are_equal_where_the_same_has_happened() -> None:
    match = chance_match("modern", 3, 1, 20)
    again = chance_match("modern", 3, 1, 20)
    assert match == again
    assert match != chance_match("modern", 3, 1, 19)
    assert match != match.record()
    assert match != Match("modern", NAMES[1:4], seed=1)
    with pytest.raises(TypeError):
        hash(match)


# Taking back


@pytest.mark.parametrize(("slug", "players"), [*TABLES[::3], ("solitaire", 1)])
def test_a_whole_match_can_be_taken_back_and_played_again(slug: str, players: int) -> None:
    match = open_match(slug, NAMES[:players], seed=3)
    rng, seen = random.Random(3), []
    while not match.over and len(match.rounds) < 4:
        seen.append((match.copy(), match.view(0)))
        if match.to_deal:
            match.deal()
        else:
            match.push(rng.choice(match.moves()))
    for before, view in reversed(seen):
        match.undo()
        assert match == before
        assert match.view(0) == view
        assert match.moves() == before.moves()
    match.undo()
    with pytest.raises(SuitorsError, match="Nothing has happened yet"):
        match.undo()


def test_taking_back_does_not_play_the_match_again() -> None:
    match = chance_match("modern", 2, 1, 30)
    while match.turn is None or not match.rounds[-1].moves:
        match.deal() if match.to_deal else match.push(match.moves()[0])
    match.undo()
    with patch.object(BaseMatch, "start", side_effect=AssertionError), patch.object(match, "engine") as engine:
        while match.rounds[-1].moves:
            match.undo()
        assert engine.play.call_count == engine.deal.call_count == 0


# As text


@pytest.mark.parametrize("slug", BOXES)
def test_a_match_is_drawn_with_all_its_cards(slug: str) -> None:
    match = open_match(slug, NAMES[: BOXES[slug].players[-1]], seed=1)
    drawn = str(match)
    for name in match.record()["rounds"][0]["deck"]:
        assert name in drawn
    assert repr(match).startswith(f"<{type(match).__name__} '{slug}' ['Ada'")
    assert "turn=" in repr(match)


def test_a_drawing_shows_who_decides_and_a_notebook_escapes_it() -> None:
    match = Match("classic", ["<Ada>", "Ben"], seed=1)
    assert f"> {match.turn} " in str(match)
    assert "&lt;Ada&gt;" in match._repr_html_()
    assert "no round yet" in str(Match("classic", NAMES[:2], dealt=False))
    assert "not dealt" in str(Solo(dealt=False))
    assert "out" in str(chance_match("premium", 8, 2, 12))
