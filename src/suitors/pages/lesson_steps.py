"""The guided first game as a script: one idea a step, for the editions in which it is played."""

from dataclasses import dataclass

PLAYERS = 3
"""For how many the first game is."""


@dataclass(frozen=True)
class LessonStep:
    """One step: what has happened since the one before, and the learner's move that leads on (none: just go on)."""

    key: str
    task: str = ""
    deck: str = ""  # of a new round, top first, as far as it matters: one aside, one for each, then as they are drawn
    moves: tuple[str, ...] = ()


LOOK_AND_NAME = (
    LessonStep("priest", "priest 1", deck="king guard prince handmaid priest guard baron"),
    LessonStep("seal"),
    LessonStep("guard", "guard 1 prince", moves=("guard 2 handmaid",)),
    LessonStep("last"),
)
PROTECT_AND_COMPARE = (
    LessonStep("handmaid", "handmaid", deck="guard king princess priest handmaid guard handmaid prince guard baron"),
    LessonStep("prince", "prince 1", moves=("guard 2 prince", "handmaid")),
    LessonStep("baron", "baron 2", moves=("guard 0 countess",)),
    LessonStep("tokens"),
)
SPY_AND_CHANCELLOR = (
    LessonStep(
        "spy",
        "spy",
        deck="prince guard prince chancellor spy baron king baron guard handmaid priest guard guard priest spy guard"
        " guard countess chancellor princess handmaid",
    ),
    LessonStep(
        "chancellor",
        "chancellor",
        moves=(
            "prince 2",
            "baron 1",
            "guard 2 prince",
            "handmaid",
            "priest",
            "guard 0 priest",
            "guard 2 countess",
            "priest 0",
            "spy",
            "guard 0 baron",
            "guard 2 princess",
            "countess",
        ),
    ),
    LessonStep("keep", "keep princess guard handmaid"),
    LessonStep("empty", "handmaid", moves=("guard 0 prince",)),
    LessonStep("showdown"),
)
LAST_CARD = (
    LessonStep(
        "last_card",
        "handmaid",
        deck="guard guard prince handmaid prince priest guard princess baron guard countess baron king priest guard"
        " handmaid",
        moves=(
            "guard 2 baron",
            "priest 0",
            "guard 0 king",
            "prince 1",
            "guard 0 baron",
            "handmaid",
            "baron 1",
            "countess",
            "priest 2",
            "guard 0 king",
        ),
    ),
    LessonStep("highest"),
)
FORCED_AND_KNOWN = (
    LessonStep("countess", "countess", deck="guard prince priest prince countess baron baron guard"),
    LessonStep("know", "guard 2 prince", moves=("baron 2", "baron 0")),
)

WITH_21_CARDS = (
    *LOOK_AND_NAME,
    *PROTECT_AND_COMPARE,
    *SPY_AND_CHANCELLOR,
    *FORCED_AND_KNOWN,
    LessonStep("end"),
)
WITH_16_CARDS = (*LOOK_AND_NAME, *PROTECT_AND_COMPARE, *LAST_CARD, *FORCED_AND_KNOWN, LessonStep("one_more"))

COURSES = {"modern": WITH_21_CARDS, "house": WITH_16_CARDS, "premium": WITH_16_CARDS}
"""The editions in which the first game can be played, the usual one first, with its steps."""
