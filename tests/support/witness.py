"""A second opinion on what a seat sees, written from docs/rulings.md alone and not from the rows of events.

It watches a match from outside: before and after every step it notes what a person at that seat, or a spectator, would
have witnessed. Two matches are the same to a seat if and only if their notes are the same.
"""

from typing import Any

from suitors import Match
from suitors.notation import CARD_NAMES
from suitors.rules import NO_CARD, End, Phase

Notes = list[Any]


def public(match: Match) -> Any:
    """What lies open on the table."""
    t = match.table
    cards = [(t.piles[k], t.owners[k]) for k in range(t.discards)]
    return [t.phase, match.turn, list(t.tokens), t.standing, t.shielded, t.bottom - t.top, t.mark, t.favourite, cards]


def own(match: Match, seat: int | None) -> Any:
    """The cards in this seat's own hand."""
    t = match.table
    if seat is None:
        return None
    return [t.hand[seat], *((t.drawn, t.extra) if seat == t.active else ())]


def shown(match: Match, text: str, seat: int | None) -> Any:
    """The hands of others that the move is about to let this seat see."""
    t, words = match.table, text.split(" ")
    if seat is None:
        return None
    card, targets = words[0], [int(word) for word in words[1:] if word.isdigit()]
    if card == "look" and t.active == seat:
        return [t.hand[target] for target in targets]
    if card in ("priest", "baroness") and t.active == seat:
        return [t.hand[target] for target in targets]
    if card in ("baron", "dowager-queen") and targets and seat in (t.active, targets[0]):
        kept = t.drawn if CARD_NAMES[t.hand[t.active]] == card else t.hand[t.active]
        return [kept, t.hand[targets[0]]]
    return None


def spoken(match: Match, text: str, seat: int | None) -> str:
    """The move as this seat hears it: another's `keep` is a secret."""
    hidden = match.table.phase == Phase.KEEP and match.turn != seat
    return "keep …" if hidden else text


def showdown(match: Match) -> Any:
    """The hands laid open at a showdown."""
    r = match.rounds[-1]
    if r.end != End.SHOWDOWN:
        return None
    return [card for seat, card in enumerate(match.table.hand) if match.table.standing >> seat & 1 or card == NO_CARD]


def witness(record: dict[str, Any], seat: int | None) -> tuple[Match, Notes]:
    """Replay a record of legal moves; the match at its end and the seat's notes. A ValueError where it is illegal."""
    match = Match(record["edition"], record["players"], record["options"], dealt=False)
    notes: Notes = [record["edition"], record["players"], record["options"]]
    for data in record["rounds"]:
        match.deal(data["deck"], data["first"])
        ed = match.rules
        notes.append([data["first"], data["deck"][ed.aside : ed.aside + ed.face_up], own(match, seat), public(match)])
        for text in data["moves"]:
            heard = [spoken(match, text, seat), shown(match, text, seat)]
            match.play(text)
            notes.append([*heard, public(match), own(match, seat), showdown(match)])
    return match, notes
