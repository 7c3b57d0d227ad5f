"""Bots by name from Python, and what `import suitors` makes known."""

import random

import pytest

import suitors
from suitors import Card, SuitorsError
from suitors.bots import BOTS
from support.matches import chance_match
from support.scenes import NAMES


def test_a_whole_match_is_a_loop_of_five_lines() -> None:
    match = suitors.Match("classic", NAMES[:2], seed=1)
    while not match.over:
        if match.to_deal:
            match.deal()
        else:
            match.play(suitors.bots["novice"].choose(match.view(match.turn)))
    assert match.winners


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_has_its_name(name: str) -> None:
    bot = suitors.bots[name]
    match = chance_match("modern", 2, 3, 4)
    view = match.view(match.turn)
    moves = {bot.choose(view, random.Random(1), 5.0) for _ in range(1)}
    assert moves <= set(view.legal)
    assert bot == suitors.bots[name]
    assert list(suitors.bots) == list(BOTS)


def test_mistakes_are_sentences() -> None:
    match = suitors.Match("classic", NAMES[:2], seed=1)
    assert match.turn is not None
    with pytest.raises(SuitorsError, match="There is no bot 'exprt'; there are random"):
        suitors.bots["exprt"]
    with pytest.raises(SuitorsError, match="the view of the seat that has to decide"):
        suitors.bots["random"].choose(match.view(1 - match.turn))
    with pytest.raises(SuitorsError, match=r"decides from a view such as match\.view"):
        suitors.bots["random"].choose(match)  # type: ignore[arg-type]
    with pytest.raises(SuitorsError, match="load takes the text of a record, not a dict; replay takes a parsed one"):
        suitors.records.load(match.record())
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        suitors.nothing  # noqa: B018


def test_cards_in_views_are_cards() -> None:
    view = chance_match("modern", 2, 1, 12).view(0)
    cards: list[int | None] = [
        *view.hand,
        *view.face_up,
        *(card for pile in view.piles for card in pile),
        *view.under.values(),
    ]
    cards += [entry.card for entry in view.log[-1] if entry.event.name in ("DISCARDED", "FACE_UP")]
    assert cards
    assert all(isinstance(card, Card) for card in cards)
    solo = suitors.Solo(seed=1).view(0)
    assert all(isinstance(card, Card) for card in (*solo.hand, *(card for card in solo.queue if card is not None)))
