"""Views as plain words, lists and numbers: the JSON that `--view`, bots and other clients read; and back again."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..notation import CARD_NAMES, CARD_OF, NO_MOVE, UNREADABLE, Style, read_move, style_of, write_styled
from ..rules import NO_CARD, NOBODY, Award, Card, Edition, End, Event, Phase, edition, edition_data, own_slug
from ..rules.names import EVENTS, Audience, Content, Target
from .match import View, seats
from .memory import Entry
from .solo import EVENT_NAMES, SoloView, read_solo_view, solo_data, solo_entry

END_NAMES: dict[End, str] = {end: end.name.lower().replace("_", "-") for end in End if end != End.NONE}
END_OF = {name: end for end, name in END_NAMES.items()}

PLAIN = ("seat", "round", "active", "turn", "deck", "aside", "mark", "bettor", "favourite")
"""Fields that are the same number, or null, in both forms."""

LISTS = ("players", "tokens", "playing", "standing", "protected", "held", "tied", "winners", "legal")
"""Fields that are the same list in both forms."""

PHASE_NAMES = tuple(phase.name.lower() for phase in Phase)
"""The phases by their numbers."""


def view_data(view: View | SoloView) -> dict[str, Any]:
    """A view as plain data.

    Examples:
        >>> from suitors import Match
        >>> view = Match("modern", ["Ada", "Ben"], seed=6).view(0)
        >>> view_data(view)["hand"]
        ['priest', 'handmaid']
        >>> read_view(view_data(view)) == view
        True
    """
    return {**scene_data(view), "log": [[entry_data(view.rules, entry) for entry in told] for told in view.log]}


def scene_data(view: View | SoloView) -> dict[str, Any]:
    """A view as plain data without its log: what lies on the table now."""
    if isinstance(view, SoloView):
        return solo_data(view)
    return {**common_data(vars(view)), **own_data(view.seat, view.known, view.under, view.legal)}


def own_data(
    seat: int | None, known: Sequence[Sequence[Card]], under: Mapping[int, Card], legal: Sequence[str]
) -> dict[str, Any]:
    """The part of a scene that is a seat's own: the known cards in hands and in the deck, and the legal moves."""
    return {
        "seat": seat,
        "hand": [] if seat is None else names(known[seat]),
        "known": [names(cards) for cards in known],
        "under": {str(place): CARD_NAMES[card] for place, card in sorted(under.items())},
        "legal": list(legal),
    }


def common_data(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a scene that is the same for every seat, from the fields of a view that all seats share."""
    return {
        "edition": edition_data(facts["edition"]),
        "options": dict(facts["options"]),
        "goal": facts["rules"].goal,
        "phase": PHASE_NAMES[facts["phase"]],
        "round": facts["round"],
        "active": facts["active"],
        "turn": facts["turn"],
        "deck": facts["deck"],
        "aside": facts["aside"],
        "mark": facts["mark"],
        "bettor": facts["bettor"],
        "favourite": facts["favourite"],
        "players": [*facts["players"]],
        "tokens": [*facts["tokens"]],
        "playing": [*facts["playing"]],
        "standing": [*facts["standing"]],
        "protected": [*facts["protected"]],
        "held": [*facts["held"]],
        "tied": [*facts["tied"]],
        "winners": [*facts["winners"]],
        "piles": [names(pile) for pile in facts["piles"]],
        "face_up": names(facts["face_up"]),
    }


def read_view(data: Mapping[str, Any]) -> View | SoloView:
    """The view that plain data describes; a KeyError, TypeError or ValueError where it describes none."""
    if data.get("solo"):
        return read_solo_view(data)
    slug = data["edition"] if isinstance(data["edition"], str) else own_slug(data["edition"])
    rules = edition(slug, len(data["players"]), data["options"])
    same: dict[str, Any] = {name: data[name] for name in PLAIN} | {name: tuple(data[name]) for name in LISTS}
    return View(
        rules=rules,
        edition=slug,
        options=dict(data["options"]),
        phase=Phase[data["phase"].upper()],
        **same,
        piles=tuple(cards_of(pile) for pile in data["piles"]),
        known=tuple(cards_of(known) for known in data["known"]),
        under={int(place): CARD_OF[name] for place, name in data["under"].items()},
        face_up=cards_of(data["face_up"]),
        log=tuple(tuple(read_entry(rules, entry) for entry in told) for told in data["log"]),
    )


def names(cards: Sequence[int]) -> list[str]:
    """Cards by name."""
    return [CARD_NAMES[card] for card in cards]


def cards_of(names_: Sequence[str]) -> tuple[Card, ...]:
    """Cards from their names."""
    return tuple(CARD_OF[name] for name in names_)


def entry_data(rules: Edition, entry: Entry) -> dict[str, Any]:
    """An entry of the log as plain words; `card` and `move` are null where this seat may not know them."""
    return styled_entry(style_of(rules), entry)


def styled_entry(style: Style, entry: Entry) -> dict[str, Any]:
    """The same, by the style of the moves, which is all that it depends on."""
    if style == Style.SOLO:
        return solo_entry(entry)
    event, actor, target, card = entry
    data: dict[str, Any] = {"event": EVENT_NAMES[event]}
    if actor != NOBODY:
        data["seat"] = actor
    info = EVENTS[event]
    match info.target:
        case Target.SEATS:
            data["seats"] = list(seats(target))
        case Target.AWARD:
            data["for"] = Award(target).name.lower()
        case Target.END:
            data["end"] = END_NAMES[End(target)]
        case Target.SEAT if target != actor:
            data["target"] = target
    match info.content:
        case Content.MOVE:
            data["move"] = None if card is None else write_styled(card, style)
        case Content.CARD:
            data["card"] = CARD_NAMES[card] if card is not None and card != NO_CARD else None
    return data


def read_entry(rules: Edition, data: Mapping[str, Any]) -> Entry:
    """The entry of the log that plain words describe."""
    event = Event[data["event"].upper().replace("-", "_")]
    actor = data.get("seat", NOBODY)
    return Entry(event, actor, _target(rules, event, actor, data), _content(rules, event, data))


def _target(rules: Edition, event: Event, actor: int, data: Mapping[str, Any]) -> int:
    match EVENTS[event].target:
        case Target.SEATS:
            return sum(1 << range(rules.players).index(seat) for seat in data["seats"])
        case Target.AWARD:
            return Award[data["for"].upper()]
        case Target.END:
            return END_OF[data["end"]]
    target: int = data.get("target", actor)
    return target


def _content(rules: Edition, event: Event, data: Mapping[str, Any]) -> int | None:
    """The card or move; None where this seat may not know it, NO_CARD where there is none."""
    info = EVENTS[event]
    match info.content:
        case Content.MOVE:
            return None if data["move"] is None else _move(rules, data["move"])
        case Content.CARD:
            return CARD_OF.get(data["card"], NO_CARD if info.audience == Audience.EVERYBODY else None)
    return NO_CARD


def _move(rules: Edition, text: str) -> int:
    move = read_move(rules, text)
    if move in (NO_MOVE, UNREADABLE):
        raise ValueError(f"{text!r:.60} is not a move")
    return move
