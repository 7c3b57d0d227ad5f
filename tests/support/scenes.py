"""Scenes: a table in any wanted position, for tests that speak of one moment of a round."""

from collections.abc import Mapping, Sequence

from suitors import Card, Match
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.rules import NO_CARD, Event, Option
from suitors.view.match import Rows, seen

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")


def cards(words: str) -> list[Card]:
    """Cards by their names, with spaces between."""
    return [CARD_OF[word] for word in words.split()]


def names(numbers: Sequence[int]) -> str:
    """The names of cards, with spaces between."""
    return " ".join(CARD_NAMES[card] for card in numbers)


def scene(
    edition: str,
    hands: Sequence[str | None],
    *,
    deck: str | int = 5,
    turn: int = 0,
    aside: str = "",
    face_up: str = "",
    piles: Mapping[int, str] | None = None,
    tokens: Sequence[int] | None = None,
    protected: Sequence[int] = (),
    mark: int | None = None,
    bet: tuple[int, int] | None = None,
    options: Mapping[str, Option] | None = None,
) -> Match:
    """A match in the middle of its first round.

    `hands` holds each seat's card by name; the one of seat `turn`, who must play now, holds two; None is a player who
    is out. `deck` is the draw deck, top first, or just its size. `bet` is (who played the Jester, on whom). Cards that
    are not mentioned lie where they do no harm; a scene that needs more copies than there are is refused.
    """
    match = Match(edition, NAMES[: len(hands)], options, dealt=False)
    ed, t = match.rules, match.table
    rest = [Card(card) for card in ed.box]
    held = [_take(rest, words or "") for words in hands]
    laid = {seat: _take(rest, words) for seat, words in (piles or {}).items()}
    removed, shown = _take(rest, aside), _take(rest, face_up)
    drawn = _take(rest, deck) if isinstance(deck, str) else []
    removed += [rest.pop() for _ in range(ed.aside - len(removed))]
    shown += [rest.pop() for _ in range(ed.face_up - len(shown))]
    drawn += [rest.pop(0) for _ in range(deck)] if isinstance(deck, int) else []
    clockwise = [(turn + k) % len(hands) for k in range(len(hands))]
    dealt = [held[seat][0] if held[seat] else rest.pop() for seat in clockwise]
    order = [*removed, *shown, *dealt, held[turn][1], *drawn]
    order += [card for pile in laid.values() for card in pile] + rest
    match.start(tuple(map(int, order)), turn)
    t.bottom = t.top + len(drawn)
    for seat, words in enumerate(hands):
        if words is None:
            t.hand[seat] = NO_CARD
            t.standing &= ~(1 << seat)
    for seat, pile in laid.items():
        for card in pile:
            t.piles[t.discards], t.owners[t.discards] = card, seat
            t.discards += 1
    for seat in protected:
        t.shielded |= 1 << seat
    if tokens is not None:
        t.tokens[:] = list(tokens)
    if mark is not None:
        t.mark = mark
    if bet is not None:
        t.bettor, t.favourite = bet
    return match


def _take(rest: list[Card], words: str) -> list[Card]:
    taken = cards(words)
    for card in taken:
        rest.remove(card)
    return taken


def pile(match: Match, seat: int) -> str:
    """A seat's pile, in order, by name."""
    return names(match.view(None).piles[seat])


def hand(match: Match, seat: int) -> str:
    """The one card that a seat holds, by name; empty if it holds none."""
    card = match.table.hand[seat]
    return "" if card == NO_CARD else CARD_NAMES[card]


def standing(match: Match) -> tuple[int, ...]:
    """The seats still in the round."""
    return match.view(None).standing


def told(match: Match, event: Event, seat: int | None = None) -> list[tuple[int, int, str | None]]:
    """What the last step told a seat (None: a spectator) of one kind: (actor, target, card by name or None)."""
    last: Rows = match.rounds[-1].rows[-1]
    found = []
    for entry in seen([last], seat):
        if entry.event == event:
            name = None if entry.card is None or entry.card == NO_CARD else CARD_NAMES[entry.card]
            found.append((entry.actor, entry.target, name))
    return found
