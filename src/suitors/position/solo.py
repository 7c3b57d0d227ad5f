"""The tables of solo games as lines, and back: before the deal, at any decision, or after the end."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..rules import NO_CARD, Card, End, Event, Option, Phase, SoloTable
from ..rules.names import EVERYBODY
from ..rules.solitaire import PLAYER, QUEUE
from ..rules.solitaire_table import AGENT, HAND, PLACES, new_solo
from ..view.lines import NOTHING
from ..view.solo_lines import NO, Facing, SoloLine
from .fields import Fields, Position, Row, flat, read_card, refuse, split_line

KEYS = (
    "edition",
    "options",
    "sees",
    "phase",
    "hand",
    "agent",
    "calling",
    "queue",
    "pile",
    "discards",
    "guarded",
    "attacker",
    "won",
)
"""The parts of a line, in their order."""

DECISIONS = (Phase.START, Phase.PLAY, Phase.AGENT, Phase.OFFER)
PHASES = {phase.name.lower(): phase for phase in (Phase.DEAL, *DECISIONS, Phase.OVER)}

ATTACKERS = (Card.GUARD, Card.BARON, Card.PRINCE, Card.KING)
"""Opposing cards that make the player offer one."""

CHOOSING = (*ATTACKERS, Card.PRIEST)
"""Agents that have something to choose."""

LAST_ATTACKERS = (Card.GUARD, Card.PRINCE)
"""Those who attack even as the last card of the queue, where that is played strictly (R128)."""


def solo_table_line(t: SoloTable, slug: str, options: Mapping[str, Option]) -> str:
    """A whole solo table in one line, with every card."""
    calling = t.phase == Phase.AGENT
    return SoloLine(
        edition=slug,
        options=options,
        seat=None,
        whole=True,
        phase=Phase(t.phase),
        hand=[card for card in (t.hand, NO_CARD if calling else t.drawn) if card != NO_CARD],
        agent=[] if t.agent == NO_CARD else [Facing(t.agent, t.agent_up == 1)],
        calling=[t.drawn] if calling else [],
        queue=[Facing(t.queue[k], t.up[k] == 1) for k in range(t.length)],
        pile=t.deck[t.top : t.bottom],
        discards=t.piles[: t.discards],
        guarded=t.guarded == 1,
        attacker=[] if t.attacker == NO_CARD else [t.attacker],
        won=None if t.phase != Phase.OVER else t.champions == 1,
    ).text()


def read_solo_position(text: object) -> Position[SoloTable]:
    """The position that a line describes. Raises a SuitorsError where it describes none to begin with."""
    parts = Fields(split_line(text, KEYS), players=1, alone=True)
    if parts.fields["phase"] not in PHASES:
        refuse(f"its phase is one of {', '.join(PHASES)}")
    t, phase = new_solo(parts.rules), PHASES[parts.fields["phase"]]
    order: tuple[int, ...] = ()
    if phase == Phase.DEAL:
        _check_cleared(parts)
    else:
        layout = _read_layout(parts)
        order = _shuffled(parts, layout)
        t.phase = phase
        _put_down(t, layout, order)
        _check_end(t, parts)
        _check_step(t, layout, parts.rules.strict == 1)
    return Position(parts.slug, parts.options, parts.rules, t, order, flat([*_told(t)] if order else []))


def _check_cleared(parts: Fields) -> None:
    for key, text in parts.fields.items():
        if key not in ("edition", "options", "sees", "phase") and text not in (NOTHING, NO):
            refuse(f"nothing has been dealt, but {key} is {text:.40}")


class _Layout(NamedTuple):
    """The cards of a line and where they lie; of the agent and the queue, also whether they lie face up."""

    hand: list[Card]
    calling: list[Card]
    agent: list[tuple[Card, bool]]
    queue: list[tuple[Card, bool]]
    discards: list[Card]
    pile: list[Card]
    attacker: list[Card]
    guarded: bool


def _read_layout(parts: Fields) -> _Layout:
    found = _Layout(
        hand=parts.cards("hand"),
        calling=parts.cards("calling"),
        agent=[_facing(word) for word in parts.words("agent")],
        queue=[_facing(word) for word in parts.words("queue")],
        discards=parts.cards("discards"),
        pile=parts.cards("pile"),
        attacker=parts.cards("attacker"),
        guarded=parts.truth("guarded"),
    )
    if max(len(found.calling), len(found.agent), len(found.attacker)) > 1 or len(found.queue) > PLACES:
        refuse(f"there is one agent, one attacker, and a queue of {PLACES} cards at most")
    if any(card == Card.PRINCESS and (k < len(found.queue) - 1 or not up) for k, (card, up) in enumerate(found.queue)):
        refuse("the Princess lies face up, as the last card of the queue")
    return found


def _facing(word: str) -> tuple[Card, bool]:
    """A card, and whether it lies face up."""
    up = not (word.startswith("[") and word.endswith("]"))
    return read_card(word if up else word[1:-1]), up


def _shuffled(parts: Fields, layout: _Layout) -> tuple[int, ...]:
    """The cards of the game as if they had been shuffled so: the draw pile last, and the Princess not among them."""
    laid = [*layout.hand, *layout.calling, *layout.discards]
    laid += [card for card, _ in (*layout.agent, *layout.queue)]
    order = tuple(int(card) for card in (*(card for card in laid if card != Card.PRINCESS), *layout.pile))
    if sorted(order) != list(parts.rules.box) or laid.count(Card.PRINCESS) != 1:
        refuse("its cards are not those of the game, or the Princess lies in the pile")
    return order


def _put_down(t: SoloTable, layout: _Layout, order: tuple[int, ...]) -> None:
    """Lay the cards on the table."""
    t.hand, t.drawn = (int(card) for card in [*layout.hand, *layout.calling, NO_CARD, NO_CARD][:2])
    if layout.agent:
        t.agent, t.agent_up = int(layout.agent[0][0]), int(layout.agent[0][1])
    for place, (card, up) in enumerate(layout.queue):
        t.queue[place], t.up[place] = int(card), int(up)
    t.length = len(layout.queue)
    t.deck[: len(order)] = order
    t.top, t.bottom = len(order) - len(layout.pile), len(order)
    t.piles[: len(layout.discards)] = [int(card) for card in layout.discards]
    t.discards = len(layout.discards)
    t.guarded = int(layout.guarded)
    t.attacker = int(layout.attacker[0]) if layout.attacker else NO_CARD


def _check_end(t: SoloTable, parts: Fields) -> None:
    """A game that is over is won or lost, and no other is."""
    if (t.phase == Phase.OVER) != (parts.fields["won"] != NOTHING):
        refuse("a game is won or lost where its phase is over, and nowhere else")
    if t.phase == Phase.OVER:
        won = parts.truth("won")
        t.ending = End.WON if won else End.LOST
        t.champions = t.winners = t.tokens[0] = int(won)


def _check_step(t: SoloTable, layout: _Layout, strict: bool) -> None:
    """What lies on the table is what the decision that is due needs."""
    phase = Phase(t.phase)
    held = {Phase.PLAY: (2,), Phase.OVER: (0, 1)}.get(phase, (1,))
    if len(layout.hand) not in held or len(layout.calling) != (phase == Phase.AGENT):
        refuse("the hand is one card, two where one of them is to be played, and only an agent's choice has a caller")
    if (phase in (Phase.START, Phase.OFFER) and not layout.agent) or (phase == Phase.AGENT and layout.agent):
        refuse("there is an agent where it may be called or offered, and none while the one that was called chooses")
    if phase == Phase.AGENT and (t.drawn not in CHOOSING or (t.guarded and t.drawn != Card.PRINCE)):
        refuse("the agent that was called has nothing to choose")
    if (phase == Phase.OFFER) != (t.attacker != NO_CARD):
        refuse("an opposing card attacks where an offer is due, and nowhere else")
    _check_attack(t, strict)


def _check_attack(t: SoloTable, strict: bool) -> None:
    """The opposing card that waits for an offer is the one discarded last; while the game goes on somebody is left."""
    if t.phase == Phase.OFFER:
        last = t.piles[t.discards - 1] if t.discards else NO_CARD
        if t.attacker not in ATTACKERS or t.attacker != last or t.guarded:
            refuse("the card that attacks is a Guard, Baron, Prince or King that was just discarded")
    if t.length == 0 and t.phase != Phase.OVER and not (strict and t.attacker in LAST_ATTACKERS):
        refuse("the queue is empty, so the game is over")


def _told(t: SoloTable) -> Iterator[Row]:
    """Events that lead to the table: what is gone was discarded, what lies face up was revealed."""
    yield Event.ROUND, PLAYER, 1, NO_CARD, EVERYBODY
    attacks = t.phase == Phase.OFFER
    for card in t.piles[: t.discards - 1 if attacks else t.discards]:
        yield Event.DISCARDED, PLAYER, HAND, card, EVERYBODY
    if t.hand != NO_CARD:
        yield Event.DEALT, PLAYER, HAND, t.hand, EVERYBODY
    for place in range(t.length):
        if t.up[place] and t.queue[place] != Card.PRINCESS:
            yield Event.REVEALED, QUEUE, place, t.queue[place], EVERYBODY
    if t.agent_up:
        yield Event.REVEALED, PLAYER, AGENT, t.agent, EVERYBODY
    if t.guarded:
        yield Event.SHIELDED, QUEUE, QUEUE, NO_CARD, EVERYBODY
    if t.phase == Phase.PLAY:
        yield Event.DREW, PLAYER, HAND, t.drawn, EVERYBODY
    elif t.phase == Phase.AGENT:
        yield Event.REVEALED, PLAYER, AGENT, t.drawn, EVERYBODY
    elif attacks:
        yield Event.DISCARDED, QUEUE, 0, t.attacker, EVERYBODY
