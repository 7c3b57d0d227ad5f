"""The words of practice: what puzzles are about, how hard they are, and what is said of an answer."""

from collections.abc import Callable, Iterator
from datetime import date

from ..coach.judgement import MoveValue
from ..coach.puzzles import Exercise, Puzzle
from ..coach.reasons import Comparison, Exposed, Fall, Last, Telling, Trade
from .coach import CoachSpeaker
from .dates import short_date
from .vocabulary import Vocabulary

OF_POSITION = (Comparison, Fall, Trade, Telling, Exposed, Last)
"""The reasons against a move that are true of it before anybody has made it."""


def theme_titles(words: Vocabulary) -> dict[str, str]:
    """What each theme is called, with cards named as the reader's theme has them."""
    say = words.say
    return {
        "counting": say("Counting cards"),
        "countess": words.fill(say("What {countess} says")),
        "bluff": say("Bluff and disguise"),
        "baron": words.fill(say("{baron:^} or not")),
        "hands": say("Changing hands"),
        "keep": say("What to keep"),
        "safety": say("Which card to play"),
        "ending": say("Endings"),
        "solitaire": say("Solitaire"),
    }


def level_titles(say: Callable[[str], str]) -> dict[str, str]:
    """What each level of difficulty is called."""
    return {"easy": say("easy"), "medium": say("medium"), "hard": say("hard")}


def about_puzzle(puzzle: Puzzle, say: Callable[[str], str]) -> str:
    """What is said of a puzzle before it is solved: the theme would tell too much."""
    return say("{level}, rated {rating}").format(level=level_titles(say)[puzzle.level], rating=puzzle.rating)


def puzzle_of_day(day: date, words: Vocabulary) -> str:
    """The title of the puzzle of a day."""
    return words.say("Puzzle of {day}").format(day=short_date(day, words.lang))


class ExerciseSpeaker(CoachSpeaker):
    """Says what came of an answer to the one who has solved a position, or not."""

    def __init__(self, exercise: Exercise, words: Vocabulary) -> None:
        super().__init__(exercise.view.rules, exercise.view.players, exercise.view.seat, words)
        self.exercise = exercise

    def verdict(self, tried: str) -> str:
        """Whether a move is the best one; no move where somebody has given up."""
        say, best = self.say, self.move(self.exercise.best)
        if not tried:
            return say("The best move: {best}.").format(best=best)
        if not self.exercise.solves(tried):
            return say("Not the best. The best move: {best}.").format(best=best)
        if tried != self.exercise.best:
            return say("Right! {move} is as good as the best move.").format(move=self.move(tried))
        return say("Right! {move} is the best move.").format(move=best)

    def reasons(self, tried: str) -> Iterator[str]:
        """Why the move is worse, or else why the best one is good, and why another is not that looks so."""
        exercise, seat = self.exercise, self.exercise.view.seat or 0
        if tried and not exercise.solves(tried):
            yield self.why_worse(exercise.reason(tried), seat)
            return
        favour = exercise.reason(exercise.best)
        yield self.why_good(favour)
        for tempting in exercise.liked[:1]:
            against = exercise.reason(tempting)
            if isinstance(against, OF_POSITION) and against != favour:
                looks = self.say("{move} may look better.").format(move=self.move(tempting))
                yield f"{looks} {self.why_worse(against, seat)}"

    def chances(self, value: MoveValue) -> tuple[str, ...]:
        """The chances of a move to win the round and the match; alone, to win."""
        found = (value.match,) if self.rules.players == 1 else (value.round, value.match)
        return tuple(self.chance(chance, 1) for chance in found)
