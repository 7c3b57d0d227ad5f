"""The solo game as a page shows it: the queue, the agent, the hand and choices."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..notation import CARD_NAMES, CARD_OF, place_name
from ..rules import Event
from ..rules.names import is_card, verb_of
from ..rules.solitaire import QUEUE
from ..rules.solitaire_table import HAND
from ..view.memory import Entry
from ..view.solo import SoloView
from ..words.story import LogLine
from ..words.story_solo import SoloNarrator
from ..words.tips import card_tip
from ..words.vocabulary import Vocabulary
from .board import HandCard, MenuItem
from .cards import CardBack, CardFace, CardRenderer
from .chances import ReferenceRow
from .choices import Option, WhyNot
from .happenings import steps_of
from .preferences import Preferences
from .solo_choices import SoloChoices, solo_choices_for


@dataclass(frozen=True)
class Place:
    """A place of the layout: a card of the queue, or the agent; its face is None while it lies face down."""

    key: str
    face: CardFace | None
    option: Option
    why_not: str
    picked: bool = False  # it is chosen already, and something more is asked


@dataclass(frozen=True)
class SoloBoard:
    """All that a page shows of a solo game."""

    edition: str
    back: CardBack
    queue: tuple[Place, ...]
    agent: Place | None
    hand: tuple[HandCard, ...]
    own: Option  # the hand as a place that can be chosen
    attacker: CardFace | None
    calling: CardFace | None
    pile: int
    discards: tuple[CardFace, ...]
    protected: bool
    guarded: bool
    won: bool | None
    choices: SoloChoices
    card: CardFace | None
    items: tuple[MenuItem, ...]
    news: tuple[LogLine, ...]
    log: tuple[LogLine, ...]
    reference: tuple[ReferenceRow, ...]


def solo_board(view: SoloView, edition: str, preferences: Preferences, chosen: str, why_not: WhyNot) -> SoloBoard:
    """The board that shows a view."""
    words = preferences.words_for(edition)
    renderer = CardRenderer(view.rules, words)
    choices = solo_choices_for(view, chosen, why_not)
    narrator = SoloNarrator(view.rules, words)
    steps = [tuple(narrator.tell(step)) for step in steps_of(view.log[-1])] if view.log else []
    unseen = unseen_copies(view)
    return SoloBoard(
        edition=edition,
        back=renderer.back(),
        queue=tuple(_place(f"q{k + 1}", card, choices, renderer, narrator) for k, card in enumerate(view.queue)),
        agent=_place("agent", view.agent[0], choices, renderer, narrator) if view.agent else None,
        hand=_hand(view, choices, renderer, narrator),
        own=choices.places.get("hand", Option()),
        attacker=None if view.attacker is None else renderer.face(view.attacker),
        calling=None if view.calling is None else renderer.face(view.calling),
        pile=view.pile,
        discards=renderer.faces(view.discards),
        protected=view.protected,
        guarded=view.guarded,
        won=view.won,
        choices=choices,
        card=None if choices.card is None else renderer.face(choices.card),
        items=tuple(_name(renderer.face(card), option, unseen[card]) for card, option in choices.names),
        news=steps[-1] if steps else (),
        log=tuple(line for step in steps for line in step),
        reference=tuple(_remaining(face, view, unseen, words) for face in renderer.deck()),
    )


def solo_animations(view: SoloView, steps: int) -> list[tuple[str, str]]:
    """How cards have moved in the last steps: from which element of the page to which other."""
    if not steps or not view.log:
        return []
    entries = [entry for step in steps_of(view.log[-1])[-steps:] for entry in step]
    lying, found = len(view.discards), []
    for entry in reversed(entries):
        if (source := _leaves(entry)) is not None:
            lying -= 1
            found.append((source, f"discard-{lying}"))
        elif entry.event == Event.DREW and entry.target == HAND and entry.card is not None:
            found.append(("deck", f"hand-{CARD_NAMES[entry.card]}"))
    return found[::-1]


def _leaves(entry: Entry) -> str | None:
    """The element from which a card goes to the discards, if one does."""
    event, actor, place, card = entry
    if event == Event.MOVED and card is not None and is_card(verb_of(card)):
        return f"hand-{CARD_NAMES[verb_of(card)]}"
    if event == Event.DISCARDED:
        return place_name(place) if actor == QUEUE else "hand"
    return None


def unseen_copies(view: SoloView) -> Counter[int]:
    """The copies of each character that lie face down."""
    counts = Counter({card: copies for card, copies in enumerate(view.rules.copies) if copies})
    open_cards = (*view.discards, *view.hand, *view.agent, *view.queue, view.calling)
    counts.subtract(card for card in open_cards if card is not None)
    return counts


def _remaining(face: CardFace, view: SoloView, unseen: Mapping[int, int], words: Vocabulary) -> ReferenceRow:
    card = int(CARD_OF[face.slug])
    tip = card_tip(words, card) or ""
    return ReferenceRow(face, view.rules.copies[card], unseen[card], (), tip)


def _name(face: CardFace, option: Option, unseen: int) -> MenuItem:
    return MenuItem(option, face.name, (face,), unseen)


def _place(key: str, card: int | None, choices: SoloChoices, renderer: CardRenderer, narrator: SoloNarrator) -> Place:
    option = choices.places.get(key, Option())
    face, picked = None if card is None else renderer.face(card), key in choices.chosen.split()
    return Place(key, face, option, narrator.reason(option.why_not), picked)


def _hand(view: SoloView, choices: SoloChoices, renderer: CardRenderer, narrator: SoloNarrator) -> tuple[HandCard, ...]:
    options = choices.hand or (Option(),) * len(view.hand)
    held, keys = [], Counter[int]()
    for card, option in zip(view.hand, options, strict=True):
        keys[card] += 1
        key = f"hand-{CARD_NAMES[card]}" + (f"-{keys[card]}" if keys[card] > 1 else "")
        held.append(HandCard(key, renderer.face(card), option, narrator.reason(option.why_not)))
    return tuple(held)
