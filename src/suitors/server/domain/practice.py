"""What a person practises: the puzzles that ship with the program, and their own mistakes again."""

import time
from dataclasses import dataclass

from ...coach import Decision
from ...coach.decisions import find_due
from ...coach.judgement import TO_PRACTISE
from ...coach.puzzles import Exercise, Puzzle, load_puzzles
from ...coach.rating import PracticeRating
from ...game import Play
from ..errors import Refused, missing
from ..storage.practice import Rating, Tries
from ..storage.store import Store
from .analyses import read_lines

LEARNT = 2
"""Solved so often in a row, a mistake is not shown again."""

MATCHES = 20
"""Of so many matches of a person, those analysed last, mistakes are shown."""

MARKED = tuple(f'"mark":"{mark.value}"' for mark in TO_PRACTISE)
"""What stands in the lines of such decisions: the others need not be read."""


@dataclass(frozen=True)
class Mistake:
    """A decision of a person's own that was a mistake, and the table where it was made."""

    table: str
    decision: Decision

    @property
    def id(self) -> str:
        """What attempts at it are noted under."""
        return f"{self.table}/{self.decision.round}/{self.decision.ply}"

    def exercise(self, match: Play) -> Exercise:
        """The position as it was, from the match of the table."""
        found = self.decision
        _, due = find_due(match.record(), [found.seat])
        view = next(each.view for each in due if (each.round, each.ply) == (found.round, found.ply))
        reasons = {} if found.reason is None else {found.move: found.reason}
        return Exercise(match.edition, view, found.moves, found.best, found.stake, reasons)


@dataclass(frozen=True)
class Rated:
    """A rating before and after an attempt."""

    before: PracticeRating
    after: PracticeRating


class Practice:
    """The practice of all persons."""

    def __init__(self, store: Store) -> None:
        self._stored = store.practice
        self._analyses = store.analyses

    async def tries(self, person: int | None) -> dict[str, Tries]:
        """How a person fared with what they have tried; one who is not known has tried nothing."""
        return {} if person is None else await self._stored.tries(person)

    async def rating(self, person: int | None) -> PracticeRating:
        """The rating of a person."""
        return read_rating(None if person is None else await self._stored.rating(person))

    async def try_puzzle(self, person: int, puzzle: Puzzle, move: str) -> Rated | None:
        """Note an attempt at a puzzle; what it has done to the rating, which only a first attempt changes.

        No move is an attempt of somebody who gives up.
        """
        solved = solves(puzzle.exercise, move)

        def rate(before: Rating | None) -> Rating:
            after = read_rating(before).after(puzzle.rating, solved)
            return after.rating, after.played

        found = await self._stored.note(person, puzzle.id, solved, int(time.time()), rate)
        return None if found is None else Rated(*map(read_rating, found))

    async def try_mistake(self, person: int, mistake: Mistake, exercise: Exercise, move: str) -> None:
        """Note an attempt at a mistake of one's own, which is not rated."""
        await self._stored.note(person, mistake.id, solves(exercise, move), int(time.time()))

    async def mistakes(self, person: int | None) -> list[Mistake]:
        """The mistakes that a person has not learnt to avoid yet, the worst first."""
        tries = await self.tries(person)
        found = [mistake for mistake in await self._all_mistakes(person) if not learnt(tries.get(mistake.id))]
        return sorted(found, key=lambda mistake: -mistake.decision.interval[0] / mistake.decision.stake)

    async def find_mistake(self, person: int | None, mistake_id: str) -> Mistake:
        """A mistake of a person by its id."""
        for mistake in await self._all_mistakes(person):
            if mistake.id == mistake_id:
                return mistake
        raise missing("page")

    async def _all_mistakes(self, person: int | None) -> list[Mistake]:
        """The mistakes in the matches of a person that have been analysed."""
        if person is None:
            return []
        found = []
        for own in await self._analyses.list_of(person, MATCHES):
            text = await self._analyses.find(own.analysis) or ""
            marked = "\n".join(line for line in text.splitlines() if any(mark in line for mark in MARKED))
            decisions = (judged.decision for judged in read_lines(marked) if judged is not None)
            found += [Mistake(own.table, one) for one in decisions if one.seat == own.seat and one.mark in TO_PRACTISE]
        return found


def find_puzzle(puzzle_id: str) -> Puzzle:
    """A puzzle by its id."""
    puzzle = load_puzzles().get(puzzle_id)
    if puzzle is None:
        raise missing("page")
    return puzzle


def solves(exercise: Exercise, move: str) -> bool:
    """Whether a move solves a position; one that is not legal there is refused."""
    if move and move not in exercise.view.legal:
        raise Refused(422, "illegal-move", "That is not a move of this position.")
    return bool(move) and exercise.solves(move)


def learnt(tries: Tries | None) -> bool:
    """Whether a mistake has been solved so often in a row that it need not come again."""
    return tries is not None and tries.streak >= LEARNT


def read_rating(found: Rating | None) -> PracticeRating:
    """A rating as it is stored; that of a beginner where none is."""
    return PracticeRating() if found is None else PracticeRating(*found)
