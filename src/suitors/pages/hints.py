"""Hints at the table: what a page shows where they are allowed, and where one has been asked for."""

from dataclasses import dataclass
from typing import Literal

from ..coach import Hint
from ..view.match import View
from ..view.solo import SoloView
from ..words.coach import CoachSpeaker
from .preferences import Preferences

MOST_MOVES = 8
"""How many moves of a solo game a hint lists."""

HintState = Literal["offered", "awaited", "shown", "unknown"]


@dataclass(frozen=True)
class HintInfo:
    """A hint: it may be asked for, is being worked out, is here, or cannot be worked out."""

    state: HintState
    move: str = ""
    reason: str = ""
    chance: str = ""  # to win the match with it
    values: tuple[tuple[str, str], ...] = ()  # of a solo game: moves and what they are worth, the best first


def hint_info(asked: bool, found: tuple[Hint, ...] | None, view: View | SoloView, preferences: Preferences) -> HintInfo:
    """What a page shows to the seat of a view that has to decide."""
    if not asked or found is None:
        return HintInfo("awaited" if asked else "offered")
    if not found:
        return HintInfo("unknown")
    hint, words = found[0], preferences.words_for(view.edition)
    speaker = CoachSpeaker(view.rules, view.players, view.seat, words)
    if isinstance(view, SoloView):
        shown = hint.moves[:MOST_MOVES]
        return HintInfo("shown", values=tuple((speaker.move(v.move), preferences.percent(v.match, 1)) for v in shown))
    reason = speaker.why_good(hint.reason) if len(hint.moves) > 1 else ""
    return HintInfo("shown", speaker.move(hint.move), reason, speaker.chance(hint.match, 1))
