"""The lessons after the first game as scripts: the cards of the large game, the solo game, and ideas for every game."""

from dataclasses import dataclass

from ..rules import Card
from .lesson_steps import COURSES, PLAYERS, LessonStep

FIRST = "first"
"""The name of the first game."""

SIXTEEN = ("classic", "premium", "house")
"""Editions with the same sixteen cards for three players: all chances are the same in them."""

CARDS, IDEAS = "cards", "ideas"
"""What lessons are about."""


@dataclass(frozen=True)
class Script:
    """A lesson: what it is about, for how many, and its steps in each edition that it can be played in."""

    name: str
    about: str
    players: int
    steps: dict[str, tuple[LessonStep, ...]]


def script(name: str, about: str, editions: tuple[str, ...], players: int, *steps: LessonStep) -> Script:
    """A lesson with the same steps in all its editions."""
    return Script(name, about, players, dict.fromkeys(editions, steps))


TRADE = script(
    "king",
    CARDS,
    SIXTEEN,
    3,
    LessonStep("king", "king 2", deck="guard priest handmaid countess king guard baron handmaid"),
    LessonStep("king_known", "countess", moves=("guard 2 baron", "priest 1")),
    LessonStep("king_end"),
)
ZEROS = script(
    "jester",
    CARDS,
    ("premium",),
    5,
    LessonStep(
        "jester", "jester 2", deck="guard assassin prince baron handmaid count jester guard priest guard guard guard"
    ),
    LessonStep("assassin", moves=("guard 0 handmaid",)),
    LessonStep("jester_pays", moves=("guard 3 handmaid", "guard 0 priest", "guard 4 count")),
)
TWO_HANDS = script(
    "cardinal",
    CARDS,
    ("premium",),
    5,
    LessonStep(
        "baroness",
        "baroness 1 2",
        deck="guard countess prince priest baron handmaid baroness guard count guard guard cardinal",
    ),
    LessonStep("cardinal", "cardinal 3 4", moves=("guard 4 baron", "count", "guard 1 handmaid", "guard 2 baron")),
    LessonStep("cardinal_look", "look 3"),
    LessonStep("cardinal_end"),
)
MARK_AND_COUNT = script(
    "sycophant",
    CARDS,
    ("premium",),
    5,
    LessonStep(
        "sycophant", "sycophant 2", deck="guard count guard prince baron priest sycophant guard handmaid guard princess"
    ),
    LessonStep("sycophant_aims", moves=("guard 2 prince",)),
    LessonStep("count", "count", moves=("handmaid", "guard 1 handmaid")),
    LessonStep("count_end"),
)
HIGH_CARDS = script(
    "bishop",
    CARDS,
    ("premium",),
    5,
    LessonStep(
        "constable",
        "constable",
        deck="guard constable king guard handmaid baron dowager-queen guard guard guard guard guard priest guard count"
        " bishop handmaid priest countess",
    ),
    LessonStep(
        "dowager",
        "dowager-queen 1",
        moves=("guard 2 priest", "guard 3 count", "guard 4 count", "guard 2 handmaid"),
    ),
    LessonStep("bishop", "bishop 2 priest", moves=("guard 3 count", "guard 4 count", "count")),
    LessonStep("bishop_hit"),
    LessonStep("constable_pays", moves=("stay", "handmaid", "priest 4", "baron 0")),
)
SOLO = script(
    "solitaire",
    CARDS,
    ("solitaire",),
    1,
    LessonStep("solo", "draw", deck="guard prince handmaid priest baron countess priest king guard"),
    LessonStep("solo_priest", "priest q1"),
    LessonStep("solo_offer", "offer agent"),
    LessonStep("solo_end"),
)

COUNTING = script(
    "counting",
    IDEAS,
    SIXTEEN,
    3,
    LessonStep(
        "counting",
        "guard 2 prince",
        deck="guard handmaid baron handmaid guard king prince princess",
        moves=("handmaid", "king 2", "baron 1"),
    ),
    LessonStep("counting_end"),
)
COMPARING = script(
    "baron",
    IDEAS,
    SIXTEEN,
    3,
    LessonStep("baron_not", "priest 1", deck="guard baron countess prince priest guard guard king"),
    LessonStep("baron_now", "baron 2", moves=("guard 2 handmaid", "guard 1 baron")),
    LessonStep("baron_end"),
)
TELLING = script(
    "countess",
    IDEAS,
    SIXTEEN,
    3,
    LessonStep("countess_bluff", "countess", deck="handmaid princess baron priest countess guard"),
    LessonStep("countess_missed", moves=("guard 0 prince",)),
    LessonStep(
        "countess_tells",
        "guard 2 prince",
        deck="guard guard baron prince handmaid guard countess priest",
        moves=("handmaid", "guard 2 priest", "countess"),
    ),
    LessonStep("countess_end"),
)
SEEN = script(
    "known",
    IDEAS,
    SIXTEEN,
    3,
    LessonStep(
        "known",
        "prince 1",
        deck="guard prince guard king guard priest handmaid priest baron",
        moves=("guard 2 baron", "priest 0", "handmaid"),
    ),
    LessonStep("known_end"),
)
ENDING = script(
    "ending",
    IDEAS,
    SIXTEEN,
    3,
    LessonStep(
        "ending",
        "king 2",
        deck="countess baron prince princess guard prince guard guard handmaid priest guard guard handmaid baron priest"
        " king",
        moves=(
            "guard 2 king",
            "prince 1",
            "guard 0 priest",
            "handmaid",
            "guard 2 king",
            "guard 1 priest",
            "guard 2 king",
            "handmaid",
            "baron",
            "priest 0",
        ),
    ),
    LessonStep("ending_end"),
)

LESSONS = (
    *(TRADE, ZEROS, TWO_HANDS, MARK_AND_COUNT, HIGH_CARDS, SOLO),
    *(COUNTING, COMPARING, TELLING, SEEN, ENDING),
)
"""The course in the order in which it is offered."""

LESSON_OF = {
    "guess": COUNTING.name,
    "name": COUNTING.name,
    "comparison": COMPARING.name,
    "trade": TRADE.name,
    "telling": TELLING.name,
    "exposed": SEEN.name,
    "last": ENDING.name,
}
"""The lesson that has more to say about a reason of the coach, by the reason's kind."""

SCRIPTS = {one.name: one for one in (Script(FIRST, CARDS, PLAYERS, COURSES), *LESSONS)}
"""Every lesson by its name."""

UNTAUGHT: frozenset[Card] = frozenset()
"""Cards that could be played in a lesson, and that no lesson teaches."""
