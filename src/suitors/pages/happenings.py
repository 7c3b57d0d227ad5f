"""What has happened at a table, move by move, as one seat is told it: since its last decision, and before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..rules import BLANK, Event
from ..rules.names import first_of, is_card, second_of, verb_of
from ..view.match import View
from ..view.memory import Entry
from ..words.story import LogLine, Narrator
from .cards import CardFace, CardRenderer

LOGGED_ROUNDS = 2
"""How many rounds the log shows."""

WATCHED_STEPS = 8
"""How many moves those see together who only watch."""


@dataclass(frozen=True)
class Happening:
    """One step of a round: the deal, or a move and all that followed from it."""

    key: str  # its round and its place in it
    lines: tuple[LogLine, ...]
    mover: int | None
    letter: CardFace | None  # the card that was played
    targets: tuple[int, ...]  # the others at whom it was played
    aimed: bool  # somebody aimed it at the reader, or it put the reader out


def happenings(view: View, renderer: CardRenderer, narrator: Narrator) -> tuple[tuple[int, tuple[Happening, ...]], ...]:
    """The last rounds, by number, step by step."""
    rounds = list(enumerate(view.log))[-LOGGED_ROUNDS:]
    return tuple(
        (
            number + 1,
            tuple(
                _happening(view, entries, f"{number + 1}-{place}", tuple(narrator.tell(entries)), renderer)
                for place, entries in enumerate(steps_of(told))
            ),
        )
        for number, told in rounds
    )


def _happening(
    view: View, entries: Sequence[Entry], key: str, lines: tuple[LogLine, ...], renderer: CardRenderer
) -> Happening:
    """One step as a page tells it."""
    event, actor, _, move = entries[0]
    if event != Event.MOVED or move is None:
        return Happening(key, lines, None, None, (), False)
    played = is_card(verb_of(move))
    out = any(entry.event == Event.OUT and entry.actor == view.seat for entry in entries)
    chosen = (first_of(move), second_of(move)) if played else ()
    targets = tuple(seat for seat in chosen if seat not in (BLANK, actor))
    letter = renderer.face(verb_of(move)) if played else None
    return Happening(key, lines, actor, letter, targets, out or view.seat in targets)


def since_decision(steps: Sequence[Happening], seat: int | None) -> tuple[Happening, ...]:
    """All steps of a round since the last decision of a seat, that one included; for a spectator the last few."""
    if seat is None:
        return tuple(steps[-WATCHED_STEPS:])
    own = [place for place, step in enumerate(steps) if step.mover == seat]
    return tuple(steps[own[-1] if own else 0 :])


def to_nod(since: Iterable[Happening]) -> str:
    """The key of the last step that concerns the reader, who may want to read it before the others go on."""
    return next((step.key for step in reversed(tuple(since)) if step.aimed), "")


def steps_of(entries: Iterable[Entry]) -> list[list[Entry]]:
    """What a seat has seen of a round, step by step: the deal, then each decision with all that followed from it."""
    steps: list[list[Entry]] = []
    for entry in entries:
        if entry.event in (Event.ROUND, Event.MOVED) or not steps:
            steps.append([])
        steps[-1].append(entry)
    return steps
