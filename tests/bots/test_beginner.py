"""The beginner: it decides by its own hand, whatever it was shown and whatever has been discarded."""

import random
from dataclasses import replace

import pytest

from suitors.bots import Choose, beginner, novice
from suitors.view.match import View
from support.engine_positions import dealt, some_positions
from support.matches import TABLES


def after_a_priest(card: str) -> View:
    """The view of one whom a Priest has shown this card, and who has drawn a Guard."""
    match = dealt("classic", ["priest", card], "handmaid guard guard")
    for text in ("priest 1", "guard 0 baron"):
        match.play(text)
    return match.view(0)


def test_a_beginner_overlooks_what_a_priest_has_shown() -> None:
    king, prince = after_a_priest("king"), after_a_priest("prince")
    assert king.known != prince.known
    assert king.legal == prince.legal
    for seed in range(20):
        assert beginner.choose(king, random.Random(seed), None) == beginner.choose(prince, random.Random(seed), None)
    assert novice.choose(king, random.Random(1), None) == "guard 1 king"
    assert novice.choose(prince, random.Random(1), None) == "guard 1 prince"


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_beginner_looks_at_no_pile_and_at_no_card_of_others(slug: str, players: int) -> None:
    for seed, match in enumerate(some_positions(slug, players, 3, 6)):
        view = match.view(match.turn)
        own = tuple(cards if seat == view.seat else () for seat, cards in enumerate(view.known))
        blank = replace(view, known=own, piles=((),) * players, under={}, face_up=(), log=())
        assert beginner.choose(view, random.Random(seed), None) == beginner.choose(blank, random.Random(seed), None)


def moves_of(choose: Choose, view: View) -> set[str]:
    """All that a bot may play, by chance among what it likes."""
    return {choose(view, random.Random(seed), None) for seed in range(60)}


def test_a_beginners_guard_may_name_a_card_that_is_gone() -> None:
    match = dealt("classic", ["handmaid", "king"], "guard guard guard")
    for text in ("handmaid", "king"):
        match.play(text)
    assert "guard 1 king" in moves_of(beginner.choose, match.view(0))
    assert "guard 1 king" not in moves_of(novice.choose, match.view(0))
