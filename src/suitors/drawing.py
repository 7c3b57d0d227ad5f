"""A table drawn in plain letters, for terminals and notebooks; every card lies open."""

from collections.abc import Iterator, Sequence

from .notation import CARD_NAMES
from .rules import NO_CARD, NOBODY, Edition, Phase, SoloTable, Table
from .rules.seats import has
from .view.match import piles

ARROW = {True: ">", False: " "}


def draw_match(t: Table, ed: Edition, title: str, players: Sequence[str], rounds: int) -> str:
    """A table for several players: who holds what, the piles, and the deck from the top."""
    lines = [f"{title}, round {rounds}, {ed.goal} tokens win" if rounds else f"{title}, no round yet"]
    width = max(len(name) for name in players)
    for seat, (name, pile) in enumerate(zip(players, piles(t, ed.players), strict=True)):
        mark = ARROW[seat == t.decider and t.phase not in (Phase.DEAL, Phase.OVER)]
        held = ", ".join(_state(t, seat))
        lines.append(f"{mark} {seat} {name:<{width}}  {t.tokens[seat]:>2}  {held:<30}  {_names(pile)}".rstrip())
    return "\n".join([*lines, *(_beside(t, ed) if rounds else ())])


def _state(t: Table, seat: int) -> Iterator[str]:
    """What a seat holds, and what protects or binds it."""
    cards = [t.hand[seat], *((t.drawn, t.extra) if seat == t.active else ())]
    yield from (CARD_NAMES[card] for card in cards if card != NO_CARD)
    if t.phase not in (Phase.DEAL, Phase.OVER) and not has(t.standing, seat):
        yield "out"
    if has(t.shielded, seat):
        yield "(protected)"
    if t.mark == seat:
        yield "(marked)"
    if t.favourite == seat and t.bettor != NOBODY:
        yield f"(favourite of {t.bettor})"


def _beside(t: Table, ed: Edition) -> Iterator[str]:
    yield f"deck: {_names(t.deck[t.top : t.bottom])}"
    yield f"aside: {_names(t.deck[: ed.aside])}" + (
        f"; face up: {_names(t.deck[ed.aside : ed.aside + ed.face_up])}" if ed.face_up else ""
    )


def draw_solo(t: SoloTable, title: str) -> str:
    """A solo table; a card in brackets lies face down."""
    if t.phase == Phase.DEAL:
        return f"{title}, not dealt"
    queue = [_facing(t.queue[k], bool(t.up[k])) for k in range(t.length)]
    hand = [card for card in (t.hand, t.drawn) if card != NO_CARD]
    agent = "none" if t.agent == NO_CARD else _facing(t.agent, bool(t.agent_up))
    lines = [title, f"queue: {' '.join(queue)}", f"hand: {_names(hand)}; agent: {agent}"]
    return "\n".join(
        [*lines, f"pile: {_names(t.deck[t.top : t.bottom])}", f"discards: {_names(t.piles[: t.discards])}"]
    )


def _facing(card: int, up: bool) -> str:
    return CARD_NAMES[card] if up else f"[{CARD_NAMES[card]}]"


def _names(cards: Sequence[int]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards) or "none"
