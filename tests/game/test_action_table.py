"""The table of actions: fixed, total, and the same both ways."""

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suitors
from suitors.action_table import VERSION, Actions
from suitors.game import Play, open_match
from suitors.rules import BOXES
from support.matches import UNTIMED
from support.own_editions import Drawn, own_editions
from support.scenes import NAMES

GAMES = [(slug, players) for slug, box in BOXES.items() for players in box.players]

DIGESTS = {
    "premium": "fb7702ed2e14aa97",
    "modern": "dc125a6d16eca003",
    "classic": "49c0102e9b7d0dac",
    "demo": "49c0102e9b7d0dac",
    "house": "49c0102e9b7d0dac",
    "solitaire": "c05b94be0f1a4a32",
    "solitaire-2019": "c05b94be0f1a4a32",
}
"""The digest of the texts of each edition's tables, of version 1."""


def check(table: Actions, match: Play, rng: random.Random, decisions: int) -> int:
    """Number the moves of a match by chance and read them back; how many they were."""
    seen = 0
    for _ in range(decisions):
        if match.over:
            break
        if match.to_deal:
            match.deal()
            continue
        view = match.view(match.turn)
        numbers = [table.id(view, move) for move in view.legal]
        assert len(set(numbers)) == len(numbers)
        assert [table.text(view, number) for number in numbers] == list(view.legal)
        assert table.legal(view) == sorted(numbers)
        assert all(0 <= number < len(table) for number in numbers)
        seen += len(numbers)
        match.push(rng.choice(match.moves()))
    return seen


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_every_legal_move_has_a_number_and_back(slug: str, players: int) -> None:
    table, rng = suitors.actions(slug, players), random.Random(1)
    assert sum(check(table, open_match(slug, NAMES[:players], rng=rng), rng, 40) for _ in range(4)) > 10
    assert len(set(table.texts)) == len(table)


@settings(UNTIMED, max_examples=25)
@given(own_editions(), st.integers(0, 1 << 32))
def test_so_has_every_move_of_ones_own_edition(drawn: Drawn, seed: int) -> None:
    data, players = drawn
    rng = random.Random(seed)
    check(suitors.actions(data, players), open_match(data, NAMES[:players], rng=rng), rng, 40)


def test_the_table_is_small_and_chancellors_have_six_numbers() -> None:
    table = suitors.actions("modern", 6)
    assert len(table) == 94
    assert table.texts[-6:] == ("keep 0 1 2", "keep 0 2 1", "keep 1 0 2", "keep 1 2 0", "keep 2 0 1", "keep 2 1 0")
    assert table.texts[:3] == ("spy", "guard", "guard 0 spy")


@pytest.mark.parametrize("slug", BOXES)
def test_the_tables_are_those_of_their_version(slug: str) -> None:
    """A change here gives numbers another meaning: it needs the next VERSION. A new edition only needs its digest."""
    whole = [suitors.actions(slug, players).texts for players in BOXES[slug].players]
    found = hashlib.sha256(repr(whole).encode()).hexdigest()[:16]
    assert VERSION == 1
    place = "DIGESTS in tests/game/test_action_table.py"
    assert slug in DIGESTS, f'The edition {slug} has no digest. Add this line to {place}:\n    "{slug}": "{found}",'
    assert found == DIGESTS[slug], (
        f"Numbers of actions of the edition {slug} have another meaning. If that was not meant, mend the change. If it "
        f'was, raise VERSION in src/suitors/action_table.py, and write "{slug}": "{found}" in {place}.'
    )


def test_only_editions_that_exist_have_a_digest() -> None:
    assert set(DIGESTS) <= set(BOXES)


def test_what_is_no_action_is_refused_with_a_sentence() -> None:
    match = suitors.Match("classic", NAMES[:2], seed=1)
    table, view = suitors.actions("classic", 2), match.view(match.turn)
    for refused in (lambda: table.id(view, "guard 0 guard"), lambda: table.text(view, 9999)):
        with pytest.raises(suitors.SuitorsError, match=r"\.$"):
            refused()
    for edition, players in (("modem", 2), ("modern", 9), ("modern", "2"), ("modern", -1), ("modern", True)):
        with pytest.raises(suitors.SuitorsError, match=r"\.$"):
            suitors.actions(edition, players)  # type: ignore[arg-type]
    assert all(suitors.actions(slug, box.players[0]).version == 1 for slug, box in BOXES.items())
