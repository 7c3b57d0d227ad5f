"""Guided games: scripted rounds, one idea a step. Each page plays a real match from its first deal on."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..errors import InvalidMove
from ..game import Match, Play, Solo
from ..notation import CARD_NAMES, CARD_OF
from ..rules import Card, Edition, Refusal, edition
from ..view.match import View
from ..words.editions import edition_title
from ..words.lesson import StepWords, lesson_words, opponents, start_words, step_words
from ..words.speech import Speaker
from ..words.story import LogLine, Narrator
from ..words.themes import load_theme
from ..words.tips import edition_tips
from ..words.vocabulary import Vocabulary
from .board import Board, Occupant, board
from .cards import CardRenderer
from .happenings import steps_of
from .lesson_scripts import CARDS, FIRST, IDEAS, LESSON_OF, LESSONS, SCRIPTS, Script
from .lesson_steps import LessonStep
from .preferences import Preferences
from .solo_board import SoloBoard, solo_board

LEARNER = 0
"""The seat of the one who learns."""

FAN = (Card.PRIEST, Card.GUARD, Card.HANDMAID, Card.PRINCESS)
"""The cards that greet a learner."""

MOVES_TOLD = 2
"""How many moves are told beside the deck, at most; the log has them all."""


START = "/learn"
"""Where the pages of lessons are."""


class Link(NamedTuple):
    """A lesson that can be begun: where it is, what it is called, and what it is about."""

    path: str
    title: str
    about: str


@dataclass(frozen=True)
class LessonPage:
    """A step as its page shows it; the first has the number 1, and 0 is what comes before it."""

    number: int
    words: StepWords
    last: int
    edition: str
    path: str = ""  # of the lesson; its steps are numbers below it
    title: str = ""  # of the lesson, where it is not the first game
    solo: bool = False
    task: bool = False
    answer: str = ""  # to a move that did not lead on
    tips: tuple[str, ...] = ()  # at the end
    following: Link | None = None  # the lesson after it


@dataclass(frozen=True)
class LessonTable:
    """What the templates of a table ask for, where the table is a lesson's."""

    title: str
    edition: str
    choose_to: str
    act_to: str
    here: str
    players: int
    seat: int | None = LEARNER
    id: str = "learn"
    sums: bool = False
    state: int = 0
    status: str = "lesson"
    yours: tuple[int, ...] = ()
    level: int = 2  # of the table's heading: the first is the lesson's
    covered: None = None
    pass_to: None = None
    follower: None = None
    shuffle: None = None
    stands: tuple[()] = ()
    switches: tuple[()] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson in one edition, for one learner."""

    script: Script
    edition: str
    preferences: Preferences

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """What it consists of."""
        return self.script.steps[self.edition]

    @property
    def words(self) -> Vocabulary:
        """The learner's words for it."""
        return self.preferences.words_for(self.edition)

    @property
    def rules(self) -> Edition:
        """The rules it is played by."""
        return edition(self.edition, self.script.players)

    @property
    def path(self) -> str:
        """Where its pages are."""
        return START if self.script.name == FIRST else f"{START}/{self.script.name}"

    def match_at(self, number: int, learner: str = "") -> Play:
        """The match as it stands at a step: every scripted move before it has been played."""
        match = self._open(learner)
        for step in self.steps[:number]:
            if step.deck:
                match = match if match.to_deal else self._open(learner)
                match.deal(full_deck(step.deck.split(), match.rules.box), LEARNER)
            for move in step.moves:
                match.play(spoken(move, match.rules))
            if step.task and step is not self.steps[number - 1]:
                match.play(spoken(step.task, match.rules))
        return match

    def _open(self, learner: str) -> Play:
        """A new match of the learner's."""
        if self.script.players == 1:
            return Solo(self.edition, (learner,), dealt=False)
        return Match(self.edition, (learner, *opponents(self.preferences.lang)[: self.script.players - 1]), dealt=False)

    def task(self, number: int) -> str:
        """The move that leads on from a step; empty where none does."""
        return spoken(self.steps[number - 1].task, self.rules)


def find_lesson(name: str, preferences: Preferences) -> Lesson | None:
    """A lesson in the first edition that it is played in and the learner's theme has names for, if there is one."""
    script, known = SCRIPTS.get(name), load_theme(preferences.theme).editions
    slugs = () if script is None else [slug for slug in script.steps if slug in known]
    return Lesson(script, slugs[0], preferences) if script is not None and slugs else None


def first_game(preferences: Preferences) -> Lesson:
    """The guided first game; one whose theme has names for none of its editions plays the usual one."""
    usual = SCRIPTS[FIRST]
    return find_lesson(FIRST, preferences) or Lesson(usual, next(iter(usual.steps)), preferences)


def lessons_about(about: str, preferences: Preferences) -> list[Lesson]:
    """The lessons of a kind that the learner's theme has names for."""
    found = [find_lesson(script.name, preferences) for script in LESSONS if script.about == about]
    return [lesson for lesson in found if lesson is not None]


def lesson_for(kind: str, preferences: Preferences) -> Link | None:
    """The lesson about a kind of reason, if there is one."""
    lesson = find_lesson(LESSON_OF.get(kind, ""), preferences)
    return None if lesson is None else _link(lesson)


def spoken(move: str, rules: Edition) -> str:
    """A scripted move as the edition speaks it: a Guard names a character, or a number; a Bishop always a number."""
    verb, *words = move.split() or [""]
    by_number = verb == "bishop" or (verb == "guard" and rules.by_number)
    if not by_number or len(words) < 2 or words[1] not in CARD_OF:
        return move
    return f"{verb} {words[0]} {rules.value[CARD_OF[words[1]]]}"


def full_deck(top: list[str], box: tuple[int, ...]) -> list[str]:
    """A whole deck with these cards on top."""
    rest = Counter(CARD_NAMES[card] for card in box)
    rest.subtract(top)
    return [*top, *rest.elements()]


def answer_wrong_move(lesson: Lesson, number: int, move: str) -> tuple[str, bool]:
    """The answer to a move that does not lead on from a step, and whether it would be legal."""
    words, step = lesson.words, lesson.steps[number - 1]
    if not step.task:
        return words.say("There is nothing to play at this step: just continue."), False
    try:
        refusal = lesson.match_at(number).why_not(move)
    except InvalidMove:
        return words.say("That is not a move."), False
    if refusal != Refusal.FINE:
        reason = Speaker((), LEARNER, words).reason(refusal)
        return words.say("Not now: {reason}.").format(reason=reason), False
    return step_words(step.key, words).wrong, True


def start_context(preferences: Preferences) -> dict[str, Any]:
    """What the page before the first step needs: the first game, and the course."""
    lesson = first_game(preferences)
    renderer = CardRenderer(lesson.rules, lesson.words)
    page = LessonPage(0, start_words(lesson.words), len(lesson.steps), lesson.edition, lesson.path)
    course = {about: [_link(each) for each in lessons_about(about, preferences)] for about in (CARDS, IDEAS)}
    return {"edition": lesson.edition, "lesson": page, "fan": renderer.faces(FAN), "course": course}


def _link(lesson: Lesson) -> Link:
    words = lesson_words(lesson.script.name, lesson.words)
    return Link(f"{lesson.path}/1", words.title, words.text)


def _following(lesson: Lesson) -> Link | None:
    """The lesson after this one."""
    course = [each for about in (CARDS, IDEAS) for each in lessons_about(about, lesson.preferences)]
    names = [FIRST, *(each.script.name for each in course)]
    after = course[names.index(lesson.script.name) :]
    return _link(after[0]) if after else None


def step_context(lesson: Lesson, number: int, name: str, chosen: str = "", answer: str = "") -> dict[str, Any]:
    """All that the page of a step needs; `name` is the learner's, and `chosen` what they have clicked so far."""
    step, match = lesson.steps[number - 1], lesson.match_at(number, name)
    here, last, first = f"{lesson.path}/{number}", len(lesson.steps), lesson.script.name == FIRST
    solo, at_end = isinstance(match, Solo), number == last
    table = LessonTable(
        edition_title(lesson.edition, lesson.preferences.lang),
        lesson.edition,
        choose_to=f"{here}#choices",
        act_to=here,
        here=here,
        players=lesson.script.players,
        seat=None if solo else LEARNER,
    )
    page = LessonPage(
        number,
        step_words(step.key, lesson.words),
        last,
        lesson.edition,
        lesson.path,
        "" if first else lesson_words(lesson.script.name, lesson.words).title,
        solo,
        bool(step.task),
        answer,
        edition_tips(lesson.words) if at_end and first else (),
        _following(lesson) if at_end else None,
    )
    occupants = [Occupant(player) for player in match.players]
    shown = _board(lesson, number, match, occupants, chosen)
    return {"edition": lesson.edition, "lesson": page, "table": table, "occupants": occupants, "board": shown}


def _board(lesson: Lesson, number: int, match: Play, occupants: list[Occupant], chosen: str) -> Board | SoloBoard:
    """What lies on the table at a step; where nothing is to be played nothing can be chosen."""
    preferences, idle = lesson.preferences, not lesson.steps[number - 1].task
    if isinstance(match, Solo):
        alone = match.view(LEARNER)
        return solo_board(
            replace(alone, legal=()) if idle else alone, match.edition, preferences, chosen, match.why_not
        )
    assert isinstance(match, Match)
    view = match.view(LEARNER)
    made = board(replace(view, legal=()) if idle else view, occupants, preferences, chosen, match.why_not)
    return replace(made, news=news(lesson, number, view))


def news(lesson: Lesson, number: int, view: View) -> tuple[LogLine, ...]:
    """What has happened since the learner last decided, so that an effect is read before what others did after it."""
    step = lesson.steps[number - 1]
    since = len(step.moves) + (1 if step.deck else bool(lesson.steps[number - 2].task))
    narrator = Narrator(view.rules, view.players, view.seat, lesson.words)
    told = [narrator.tell(entries) for entries in steps_of(view.log[view.round])]
    return tuple(line for lines in told[-min(since, MOVES_TOLD) :] for line in lines)
