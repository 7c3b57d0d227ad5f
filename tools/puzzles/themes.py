"""What a puzzle is about, by its position, its best move and what a plain player would do: the first theme that fits.

A bluff is a Countess that need not be played, or the card played that somebody has seen. The Countess speaks where the
best move is aimed at somebody who has just played her.
"""

from collections.abc import Collection

from suitors.coach.reasons import Exposed
from suitors.notation import read_move
from suitors.rules import BLANK, Card, Naming, Phase
from suitors.rules.names import first_of, verb_of
from suitors.view.match import View
from suitors.view.solo import SoloView

LATE = 1
"""Cards left in the deck, at most, in an ending."""

COMPARING = frozenset({Card.BARON, Card.DOWAGER_QUEEN})
HANDS = frozenset({Card.PRINCE, Card.KING, Card.CARDINAL})
"""Cards that give others, or oneself, another hand."""


def theme_of(view: View | SoloView, best: str, liked: Collection[str], why: str, exact: bool) -> str:
    """The theme of a puzzle; `liked` are the moves of a plain player, and `why` is the kind of reason against them."""
    if isinstance(view, SoloView):
        return "solitaire"
    if view.phase in (Phase.KEEP, Phase.LOOK, Phase.ANSWER):
        return "keep"
    move = read_move(view.rules, best)
    card, target = Card(verb_of(move)), first_of(move)
    others = {verb_of(read_move(view.rules, text)) for text in liked}
    if card == Card.COUNTESS or (why == Exposed.kind and card not in others):
        return "bluff"
    if target not in (BLANK, view.seat) and view.piles[target][-1:] == (Card.COUNTESS,):
        return "countess"
    names = view.rules.naming[card] != Naming.NOTHING
    if names and card in others:
        return "counting"
    if exact or view.deck <= LATE:
        return "ending"
    if card in COMPARING or others & COMPARING:
        return "baron"
    if names:
        return "counting"
    return "hands" if card in HANDS or others & HANDS else "safety"


def same_kind(view: View | SoloView, best: str, liked: Collection[str], edition: str) -> tuple[object, ...]:
    """What two puzzles have in common that are too much alike."""
    players = 1 if isinstance(view, SoloView) else view.rules.players
    standing = 0 if isinstance(view, SoloView) else len(view.standing)
    verbs = tuple(sorted({text.split()[0] for text in liked}))
    words = best.split()
    name = words[-1] if players > 1 and len(words) > 2 else ""
    deck = view.pile if isinstance(view, SoloView) else view.deck
    return edition, players, standing, tuple(sorted(view.hand)), words[0], name, verbs, deck // 3
