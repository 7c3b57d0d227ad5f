"""What is known in a solo game. Player and opponent know the same: a card lies face up, or nobody knows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..notation import CARD_NAMES, CARD_OF, Style, place_name, read_move, write_styled
from ..rules import NO_CARD, Card, Edition, End, Event, Option, Phase, SoloTable, edition
from ..rules.names import EVENTS, Content, Target
from ..rules.solitaire import QUEUE
from ..rules.solitaire_table import AGENT, HAND
from .keys import view_key
from .memory import Entry
from .solo_lines import solo_view_line

EVENT_NAMES = {event: event.name.lower().replace("_", "-") for event in Event}
END_WORDS = {End.WON: "won", End.LOST: "lost"}


@dataclass(frozen=True)
class SoloView:
    """A solo game as its player, or a spectator (`seat` None), sees it. A face-down card is None.

    Examples:
        >>> from suitors import Solo
        >>> view = Solo(seed=4).view(0)
        >>> view.queue[-2], view.queue[-1].name, view.pile
        (None, 'PRINCESS', 7)
    """

    rules: Edition
    players: tuple[str, ...]
    options: Mapping[str, Option]
    seat: int | None
    phase: Phase
    turn: int | None
    hand: tuple[Card, ...]  # one card, two after the draw
    agent: tuple[Card | None, ...]  # the secret agent; empty once it is gone
    calling: Card | None  # the revealed agent that is choosing now
    queue: tuple[Card | None, ...]  # from left to right
    pile: int  # cards left to draw
    discards: tuple[Card, ...]
    protected: bool  # the player is, during the opponent's next turn
    guarded: bool  # the queue is, during the player's turn
    attacker: Card | None  # the opposing card that waits for an offer
    won: bool | None  # None while the game goes on
    legal: tuple[str, ...]
    log: tuple[tuple[Entry, ...], ...]

    @property
    def edition(self) -> str:
        """The game; both of its editions give the same views."""
        return "solitaire"

    def position(self) -> str:
        """What is known of the position, in one line; a hidden card is a question mark."""
        return solo_view_line(self)

    def key(self) -> str:
        """A text that is equal for equal information, names of players apart, and the same in every version."""
        return view_key(self)


def make_solo_view(
    t: SoloTable,
    rules: Edition,
    seat: int | None,
    *,
    log: tuple[tuple[Entry, ...], ...],
    players: tuple[str, ...],
    options: Mapping[str, Option],
    legal: Sequence[str],
) -> SoloView:
    """The view of a solo game, field by field."""
    calling = t.phase == Phase.AGENT
    hand = (t.hand,) if calling else (t.hand, t.drawn)
    return SoloView(
        rules=rules,
        players=players,
        options=options,
        seat=seat,
        phase=Phase(t.phase),
        turn=None if t.phase in (Phase.DEAL, Phase.OVER) else 0,
        hand=tuple(Card(card) for card in hand if card != NO_CARD),
        agent=() if t.agent == NO_CARD else (Card(t.agent) if t.agent_up else None,),
        calling=Card(t.drawn) if calling else None,
        queue=tuple(Card(t.queue[k]) if t.up[k] else None for k in range(t.length)),
        pile=t.bottom - t.top,
        discards=tuple(Card(card) for card in t.piles[: t.discards]),
        protected=t.shielded == 1,
        guarded=t.guarded == 1,
        attacker=None if t.attacker == NO_CARD else Card(t.attacker),
        won=None if t.phase != Phase.OVER else t.champions == 1,
        legal=tuple(legal),
        log=log,
    )


def solo_data(view: SoloView) -> dict[str, Any]:
    """The view without its log as plain data: the same for both solo editions, which differ in the numbers shown."""
    return {
        "solo": True,
        "players": list(view.players),
        "options": dict(view.options),
        "seat": view.seat,
        "phase": view.phase.name.lower(),
        "turn": view.turn,
        "hand": [_name(card) for card in view.hand],
        "agent": [_name(card) for card in view.agent],
        "calling": _name(view.calling),
        "queue": [_name(card) for card in view.queue],
        "pile": view.pile,
        "discards": [_name(card) for card in view.discards],
        "protected": view.protected,
        "guarded": view.guarded,
        "attacker": _name(view.attacker),
        "won": view.won,
        "legal": list(view.legal),
    }


def read_solo_view(data: Mapping[str, Any]) -> SoloView:
    """The view that plain data describes."""
    rules = edition("solitaire", 1, data["options"])
    return SoloView(
        rules=rules,
        players=tuple(data["players"]),
        options=dict(data["options"]),
        seat=data["seat"],
        phase=Phase[data["phase"].upper()],
        turn=data["turn"],
        hand=tuple(CARD_OF[name] for name in data["hand"]),
        agent=tuple(_card(name) for name in data["agent"]),
        calling=_card(data["calling"]),
        queue=tuple(_card(name) for name in data["queue"]),
        pile=data["pile"],
        discards=tuple(CARD_OF[name] for name in data["discards"]),
        protected=data["protected"],
        guarded=data["guarded"],
        attacker=_card(data["attacker"]),
        won=data["won"],
        legal=tuple(data["legal"]),
        log=tuple(tuple(read_solo_entry(rules, entry) for entry in told) for told in data["log"]),
    )


def solo_entry(entry: Entry) -> dict[str, Any]:
    """An entry of the log as plain words."""
    event, actor, place, card = entry
    info = EVENTS[event]
    data: dict[str, Any] = {"event": EVENT_NAMES[event]}
    if event == Event.TRADED:
        data["own"] = place_name(actor)
    else:
        data["by"] = "queue" if actor == QUEUE else "player"
    if info.target == Target.END:
        data["end"] = END_WORDS[End(place)]
    if info.content == Content.MOVE:
        data["move"] = None if card is None else write_styled(card, Style.SOLO)
    if info.solo_place:
        data["place"] = place_name(place)
    if info.content == Content.CARD:
        data["card"] = _name(None if card == NO_CARD else card)
    return data


def read_solo_entry(rules: Edition, data: Mapping[str, Any]) -> Entry:
    """The entry that plain words describe."""
    event = Event[data["event"].upper().replace("-", "_")]
    actor = _place(data["own"]) if "own" in data else int(data["by"] == "queue")
    if event == Event.MOVED:
        return Entry(event, actor, actor, read_move(rules, data["move"]))
    if event == Event.ENDED:
        return Entry(event, actor, next(end for end, word in END_WORDS.items() if word == data["end"]), NO_CARD)
    targets = {Event.ROUND: 1, Event.DEALT: HAND, Event.TOKEN: 2, Event.RECEIVED: HAND}
    place = _place(data["place"]) if "place" in data else targets.get(event, actor)
    card = _card(data.get("card"))
    return Entry(event, actor, place, NO_CARD if card is None else card)


def _name(card: int | None) -> str | None:
    return None if card is None else CARD_NAMES[card]


def _card(name: str | None) -> Card | None:
    return None if name is None else CARD_OF[name]


def _place(name: str) -> int:
    return {"hand": HAND, "agent": AGENT}.get(name) or int(name[1:]) - 1
