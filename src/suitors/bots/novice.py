"""The `novice` bot: sensible rules of thumb. It remembers what it was shown, but it does not count chances."""

import random
from collections import Counter

from ..notation import read_move
from ..rules import NO_CARD, Card
from ..rules.names import is_card, verb_of
from ..view.match import View
from ..view.solo import SoloView
from . import solo
from .engine.likings import WORDS, Glance, count_left, is_early, like_play, like_step


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move that the rules of thumb like best of all that it remembers and sees."""
    if isinstance(view, SoloView):
        return solo.by_heuristics(view, rng)
    return most_liked(view, glance_at(view), rng)


def most_liked(view: View, glance: Glance, rng: random.Random) -> str:
    """The move that the rules of thumb like best at a glance; among equals, any."""
    liked = {text: like(view, glance, read_move(view.rules, text)) for text in view.legal}
    best = max(liked.values())
    return rng.choice([text for text, liking in liked.items() if liking == best])


def glance_at(view: View) -> Glance:
    """What the rules of thumb look at."""
    glance = Glance([cards[0] if cards else NO_CARD for cards in view.known], [0] * WORDS)
    seen = Counter[int]([*(card for pile in view.piles for card in pile), *view.face_up, *view.hand])
    for card in Card:
        count_left(view.rules, glance, card, view.rules.copies[card] - seen[card])
    return glance


def like(view: View, glance: Glance, move: int) -> float:
    """How much a move is liked."""
    assert view.seat is not None
    verb = verb_of(move)
    if not is_card(verb):
        return like_step(view.rules, view.seat, move, view.hand[0], is_early(view.deck, len(view.standing)))
    return like_play(view.rules, glance, view.seat, move, kept_beside(view, verb))


def kept_beside(view: View, card: int) -> int:
    """The card that stays if this one is played."""
    hand: list[int] = list(view.hand)
    hand.remove(card)
    return hand[0]
