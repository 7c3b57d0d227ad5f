"""The guided first game: scripted rounds, one idea a step. Each page plays a real match from its first deal on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidMove
from ..game import Match
from ..notation import CARD_NAMES
from ..rules import Card, Refusal, edition
from ..view.match import View
from ..words.lesson import EDITION, PLAYERS, StepWords, opponents, start_words, step_words
from ..words.rulebook import editions
from ..words.speech import Speaker
from ..words.story import LogLine, Narrator
from .board import Occupant, board, steps_of
from .cards import CardRenderer
from .preferences import Preferences

LEARNER = 0
"""The seat of the one who learns."""

FAN = (Card.PRIEST, Card.GUARD, Card.HANDMAID, Card.PRINCESS)
"""The cards that greet a learner."""

MOVES_TOLD = 2
"""How many moves are told beside the deck, at most; the log has them all."""


@dataclass(frozen=True)
class LessonStep:
    """One step: what has happened since the one before, and the learner's move that leads on (none: just go on)."""

    key: str
    task: str = ""
    deck: str = ""  # of a new round, top first, as far as it matters: one aside, one for each, then as they are drawn
    moves: tuple[str, ...] = ()


STEPS = (
    # The first round: look, name, be the last one in.
    LessonStep("priest", "priest 1", deck="king guard prince handmaid priest guard baron"),
    LessonStep("seal"),
    LessonStep("guard", "guard 1 prince", moves=("guard 2 handmaid",)),
    LessonStep("last"),
    # The second: protection, a forced discard, a comparison.
    LessonStep("handmaid", "handmaid", deck="spy king princess priest handmaid guard handmaid prince guard baron"),
    LessonStep("prince", "prince 1", moves=("guard 2 prince", "handmaid")),
    LessonStep("baron", "baron 2", moves=("guard 0 countess",)),
    LessonStep("tokens"),
    # The third goes on until the deck is empty.
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
    # The fourth: a card that must be played, and all that is known.
    LessonStep("countess", "countess", deck="guard prince priest prince countess baron baron guard"),
    LessonStep("know", "guard 2 prince", moves=("baron 2", "baron 0")),
    LessonStep("end"),
)


@dataclass(frozen=True)
class Lesson:
    """A step as its page shows it; the first has the number 1, and 0 is what comes before it."""

    number: int
    words: StepWords
    last: int = len(STEPS)
    task: bool = False
    answer: str = ""  # to a move that did not lead on


@dataclass(frozen=True)
class LessonTable:
    """What the templates of a table ask for, where the table is a lesson's."""

    title: str
    name_of: Callable[[int], str]
    choose_to: str
    act_to: str
    here: str
    id: str = "learn"
    edition: str = EDITION
    sums: bool = False
    state: int = 0
    status: str = "lesson"
    yours: tuple[int, ...] = ()
    seat: int = LEARNER
    level: int = 2  # of the table's heading: the first is the lesson's
    covered: None = None
    pass_to: None = None
    follower: None = None
    commitment: str = ""
    stands: tuple[()] = ()
    players: int = PLAYERS
    switches: tuple[()] = ()


def match_at_step(number: int, players: tuple[str, ...]) -> Match:
    """The match as it stands at a step: every scripted move before it has been played."""
    match = Match(EDITION, players, dealt=False)
    for step in STEPS[:number]:
        if step.deck:
            match.deal(full_deck(step.deck.split(), match.rules.box), LEARNER)
        for move in step.moves:
            match.play(move)
        if step.task and step is not STEPS[number - 1]:
            match.play(step.task)
    return match


def full_deck(top: list[str], box: tuple[int, ...]) -> list[str]:
    """A whole deck with these cards on top."""
    rest = Counter(CARD_NAMES[card] for card in box)
    rest.subtract(top)
    return [*top, *rest.elements()]


def answer_wrong_move(number: int, move: str, preferences: Preferences) -> tuple[str, bool]:
    """The answer to a move that does not lead on from a step, and whether it would be legal."""
    _, step = preferences.say, STEPS[number - 1]
    if not step.task:
        return _("There is nothing to play at this step: just go on."), False
    try:
        refusal = match_at_step(number, ("", *opponents(preferences.lang))).why_not(move)
    except InvalidMove:
        return _("That is not a move."), False
    if refusal != Refusal.FINE:
        speaker = Speaker((), LEARNER, preferences.lang, preferences.theme_for(EDITION))
        return _("Not now: {reason}.").format(reason=speaker.reason(refusal)), False
    return step_words(step.key, preferences.lang, preferences.theme_for(EDITION)).wrong, True


def start_context(preferences: Preferences) -> dict[str, Any]:
    """What the page before the first step needs."""
    theme = preferences.theme_for(EDITION)
    renderer = CardRenderer(edition(EDITION, PLAYERS), EDITION, preferences.lang, theme)
    return {"lesson": Lesson(0, start_words(preferences.lang, theme)), "fan": renderer.faces(FAN)}


def step_context(
    number: int, preferences: Preferences, name: str, chosen: str = "", answer: str = ""
) -> dict[str, Any]:
    """All that the page of a step needs; `name` is the learner's, and `chosen` what they have clicked so far."""
    step, theme = STEPS[number - 1], preferences.theme_for(EDITION)
    match = match_at_step(number, (name, *opponents(preferences.lang)))
    view, here = match.view(LEARNER), f"/learn/{number}"
    occupants = [Occupant(player) for player in match.players]
    made = replace(board(view, occupants, preferences, chosen, match.why_not), news=news(number, view, preferences))
    face = LessonTable(
        title=editions()[EDITION][preferences.lang]["title"],
        name_of=lambda card: theme.name(card, preferences.lang),
        choose_to=f"{here}#choices",
        act_to=here,
        here=here,
    )
    words = step_words(step.key, preferences.lang, theme)
    lesson = Lesson(number, words, task=bool(step.task), answer=answer)
    return {"lesson": lesson, "table": face, "occupants": occupants, "board": made}


def news(number: int, view: View, preferences: Preferences) -> tuple[LogLine, ...]:
    """What has happened since the learner last decided, so that an effect is read before what others did after it."""
    step = STEPS[number - 1]
    since = 1 if step.deck else len(step.moves) + bool(STEPS[number - 2].task)
    narrator = Narrator(view.rules, view.players, view.seat, preferences.lang, preferences.theme_for(EDITION))
    told = [narrator.tell(entries) for entries in steps_of(view.log[view.round])]
    return tuple(line for lines in told[-min(since, MOVES_TOLD) :] for line in lines)
