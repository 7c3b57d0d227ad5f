"""The guided first game: scripted rounds, one idea a step. Each page plays a real match from its first deal on."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidMove
from ..game import Match
from ..notation import CARD_NAMES, CARD_OF
from ..rules import Card, Edition, Refusal, edition
from ..view.match import View
from ..words.editions import edition_title
from ..words.lesson import StepWords, opponents, start_words, step_words
from ..words.speech import Speaker
from ..words.story import LogLine, Narrator
from ..words.themes import load_theme
from ..words.tips import edition_tips
from ..words.vocabulary import Vocabulary
from .board import Occupant, board
from .cards import CardRenderer
from .happenings import steps_of
from .lesson_steps import COURSES, PLAYERS, LessonStep
from .preferences import Preferences

LEARNER = 0
"""The seat of the one who learns."""

FAN = (Card.PRIEST, Card.GUARD, Card.HANDMAID, Card.PRINCESS)
"""The cards that greet a learner."""

MOVES_TOLD = 2
"""How many moves are told beside the deck, at most; the log has them all."""


@dataclass(frozen=True)
class Lesson:
    """A step as its page shows it; the first has the number 1, and 0 is what comes before it."""

    number: int
    words: StepWords
    last: int
    edition: str
    task: bool = False
    answer: str = ""  # to a move that did not lead on
    tips: tuple[str, ...] = ()  # at the end


@dataclass(frozen=True)
class LessonTable:
    """What the templates of a table ask for, where the table is a lesson's."""

    title: str
    edition: str
    choose_to: str
    act_to: str
    here: str
    id: str = "learn"
    sums: bool = False
    state: int = 0
    status: str = "lesson"
    yours: tuple[int, ...] = ()
    seat: int = LEARNER
    level: int = 2  # of the table's heading: the first is the lesson's
    covered: None = None
    pass_to: None = None
    follower: None = None
    shuffle: None = None
    stands: tuple[()] = ()
    players: int = PLAYERS
    switches: tuple[()] = ()


@dataclass(frozen=True)
class Course:
    """The guided game in one edition, for one learner."""

    edition: str
    preferences: Preferences

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """What it consists of."""
        return COURSES[self.edition]

    @property
    def words(self) -> Vocabulary:
        """The learner's words for it."""
        return self.preferences.words_for(self.edition)

    def match_at(self, number: int, learner: str = "") -> Match:
        """The match as it stands at a step: every scripted move before it has been played."""
        match = Match(self.edition, (learner, *opponents(self.preferences.lang)), dealt=False)
        for step in self.steps[:number]:
            if step.deck:
                match.deal(full_deck(step.deck.split(), match.rules.box), LEARNER)
            for move in step.moves:
                match.play(spoken(move, match.rules))
            if step.task and step is not self.steps[number - 1]:
                match.play(spoken(step.task, match.rules))
        return match

    def task(self, number: int) -> str:
        """The move that leads on from a step; empty where none does."""
        return spoken(self.steps[number - 1].task, edition(self.edition, PLAYERS))


def course_for(preferences: Preferences) -> Course:
    """The guided game in the first edition that it is played in and the learner's theme has names for."""
    known = load_theme(preferences.theme).editions
    return Course(next((slug for slug in COURSES if slug in known), next(iter(COURSES))), preferences)


def spoken(move: str, rules: Edition) -> str:
    """A scripted move as the edition speaks it: a Guard names a character, or a number."""
    *words, last = move.split() or [""]
    return " ".join([*words, str(rules.value[CARD_OF[last]])]) if len(words) == 2 and rules.by_number else move


def full_deck(top: list[str], box: tuple[int, ...]) -> list[str]:
    """A whole deck with these cards on top."""
    rest = Counter(CARD_NAMES[card] for card in box)
    rest.subtract(top)
    return [*top, *rest.elements()]


def answer_wrong_move(course: Course, number: int, move: str) -> tuple[str, bool]:
    """The answer to a move that does not lead on from a step, and whether it would be legal."""
    words, step = course.words, course.steps[number - 1]
    if not step.task:
        return words.say("There is nothing to play at this step: just continue."), False
    try:
        refusal = course.match_at(number).why_not(move)
    except InvalidMove:
        return words.say("That is not a move."), False
    if refusal != Refusal.FINE:
        reason = Speaker((), LEARNER, words).reason(refusal)
        return words.say("Not now: {reason}.").format(reason=reason), False
    return step_words(step.key, words).wrong, True


def start_context(course: Course) -> dict[str, Any]:
    """What the page before the first step needs."""
    renderer = CardRenderer(edition(course.edition, PLAYERS), course.words)
    lesson = Lesson(0, start_words(course.words), len(course.steps), course.edition)
    return {"edition": course.edition, "lesson": lesson, "fan": renderer.faces(FAN)}


def step_context(course: Course, number: int, name: str, chosen: str = "", answer: str = "") -> dict[str, Any]:
    """All that the page of a step needs; `name` is the learner's, and `chosen` what they have clicked so far."""
    step, match = course.steps[number - 1], course.match_at(number, name)
    view, here = match.view(LEARNER), f"/learn/{number}"
    occupants = [Occupant(player) for player in match.players]
    made = board(view, occupants, course.preferences, chosen, match.why_not)
    title = edition_title(course.edition, course.preferences.lang)
    table = LessonTable(title, course.edition, choose_to=f"{here}#choices", act_to=here, here=here)
    words = step_words(step.key, course.words)
    last = len(course.steps)
    tips = edition_tips(course.words) if number == last else ()
    lesson = Lesson(number, words, last, course.edition, bool(step.task), answer, tips)
    shown = replace(made, news=news(course, number, view))
    return {"edition": course.edition, "lesson": lesson, "table": table, "occupants": occupants, "board": shown}


def news(course: Course, number: int, view: View) -> tuple[LogLine, ...]:
    """What has happened since the learner last decided, so that an effect is read before what others did after it."""
    step = course.steps[number - 1]
    since = len(step.moves) + (1 if step.deck else bool(course.steps[number - 2].task))
    narrator = Narrator(view.rules, view.players, view.seat, course.words)
    told = [narrator.tell(entries) for entries in steps_of(view.log[view.round])]
    return tuple(line for lines in told[-min(since, MOVES_TOLD) :] for line in lines)
