"""What may be clicked next in the solo game: a card or a verb, then places, then a name; word by word."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..notation import CARD_NAMES, CARD_OF
from ..rules import Card, Phase, Refusal
from ..view.solo import SoloView
from .choices import NOTHING, Option, WhyNot

OWN = ("hand", "agent")


@dataclass(frozen=True)
class SoloChoices:
    """The choices of one moment."""

    step: str = "wait"  # wait, start, card, place, own, name, offer, confirm
    chosen: str = ""
    card: int | None = None
    hand: tuple[Option, ...] = ()  # for each card in hand
    places: dict[str, Option] = field(default_factory=dict)  # q1 …, hand, agent
    names: tuple[tuple[int, Option], ...] = ()
    verbs: dict[str, Option] = field(default_factory=dict)
    confirm: Option = NOTHING


def solo_choices_for(view: SoloView, chosen: str, why_not: WhyNot) -> SoloChoices:
    """What the player may click, after the words chosen so far."""
    if not view.legal:
        return SoloChoices()
    if chosen in view.legal and fatal(view, chosen):
        return SoloChoices("confirm", chosen, _card(chosen), confirm=Option(chosen, True))
    if view.phase == Phase.START:
        return SoloChoices("start", verbs={verb: _click(view, verb) for verb in view.legal})
    if view.phase == Phase.OFFER:
        return SoloChoices("offer", places={text.split()[1]: _click(view, text) for text in view.legal})
    if view.phase == Phase.AGENT and not _onwards(view, chosen):
        chosen = CARD_NAMES[view.calling or 0]
    onwards = _onwards(view, chosen) if chosen else ()
    if not onwards:
        return SoloChoices("card", hand=tuple(_held(view, card, why_not) for card in view.hand))
    words = {text.split()[0]: text for text in onwards}
    if any(word in CARD_OF for word in words):
        cards = sorted((int(CARD_OF[word]) for word in words), key=lambda card: (view.rules.value[card], card))
        names = tuple((card, _click(view, f"{chosen} {CARD_NAMES[card]}")) for card in cards)
        return SoloChoices("name", chosen, _card(chosen), names=names)
    step = "own" if len(chosen.split()) == 2 else "place"
    places = {word: _click(view, f"{chosen} {word}") for word in words}
    if step == "place":
        places = {**{place: Option(why_not=_why(view, chosen, place, why_not)) for place in _places(view)}, **places}
    return SoloChoices(step, chosen, _card(chosen), places=places)


def _held(view: SoloView, card: int, why_not: WhyNot) -> Option:
    name = CARD_NAMES[card]
    if any(text.split()[0] == name for text in view.legal):
        return _click(view, name)
    return Option(why_not=why_not(name))


def _click(view: SoloView, words: str) -> Option:
    """What a click that leads to these words does: forced choices are skipped."""
    while words not in view.legal:
        nexts = {rest.split()[0] for rest in _onwards(view, words)}
        if len(nexts) != 1:
            return Option(words)
        words = f"{words} {nexts.pop()}"
    return Option(words, final=not fatal(view, words))


def _onwards(view: SoloView, chosen: str) -> tuple[str, ...]:
    """What may follow the words chosen so far."""
    start = f"{chosen} "
    return tuple(text[len(start) :] for text in view.legal if chosen and text.startswith(start))


def _places(view: SoloView) -> Iterator[str]:
    yield from (f"q{place + 1}" for place in range(len(view.queue)))
    yield from OWN if view.agent else OWN[:1]


def _why(view: SoloView, chosen: str, place: str, why_not: WhyNot) -> Refusal:
    """Why a place cannot be chosen."""
    card = _card(chosen)
    more = {Card.GUARD: " priest", Card.BARON: " hand", Card.KING: " hand"}.get(Card(card or 0), "")
    if place.startswith("q") and view.queue[int(place[1:]) - 1] is not None and card == Card.GUARD:
        more = ""
    return why_not(f"{chosen} {place}{more}") if place.startswith("q") or card == Card.PRINCE else Refusal.FINE


def _card(chosen: str) -> int | None:
    found = CARD_OF.get(chosen.split(maxsplit=1)[0]) if chosen.strip() else None
    return None if found is None else int(found)


def fatal(view: SoloView, text: str) -> bool:
    """Whether a move loses the game for certain, by what lies open: the page asks before it is played."""
    verb, *rest = text.split()
    if verb == "princess" or (verb == "agent" and view.agent == (Card.PRINCESS,)):
        return True
    if verb not in ("prince", "baron"):
        return False
    hand = list(view.hand)
    if view.calling is None:
        hand.remove(CARD_OF[verb])
    own = {"hand": hand[0] if hand else None, "agent": view.agent[0] if view.agent else None}
    place = rest[0] if rest else ""
    if verb == "prince":
        draws = place in OWN or (place and not view.rules.removes and in_queue(view, place) != Card.PRINCESS)
        return own.get(place) == Card.PRINCESS or bool(draws and view.pile == 0)
    mine = own.get(rest[1]) if len(rest) > 1 else None
    theirs = in_queue(view, place) if place else None
    return mine is not None and theirs is not None and view.rules.value[mine] < view.rules.value[theirs]


def in_queue(view: SoloView, place: str) -> int | None:
    """The card that lies open at a place of the queue."""
    return view.queue[int(place[1:]) - 1]
