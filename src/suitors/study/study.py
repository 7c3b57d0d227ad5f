"""A study of one table: rounds are played bit by bit, so that it can be watched, interrupted and asked at any time."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from ..arena import run_everywhere
from ..bots.cores import cores
from .answers import Answer, Sums
from .questions import QUESTIONS
from .rounds import Rounds, StudyTable, play_guesses, play_rounds

AT_ONCE = 20_000
"""Rounds that compiled code plays in one call, which an interrupt has to wait for."""

Play = Callable[[StudyTable, range, int], Rounds]


class Part(NamedTuple):
    """Rounds of a study that are played in one go: what is asked of them, and the numbers of their groups."""

    study: int
    table: StudyTable
    asked: tuple[str, ...]
    play: Play
    numbers: range


class Study:
    """Questions to so many rounds at a table; those about a Guard's first guess are asked of as many others.

    Examples:
        >>> study = Study(StudyTable("classic", 2, "random", seed=1), ["first"], 2000)
        >>> sum(study.run())
        2000
        >>> [row["turn"] for row in study.answers()[0].rows]
        [1, 2]
    """

    def __init__(self, table: StudyTable, questions: Sequence[str], rounds: int, threads: int = 1) -> None:
        if "guess" in questions and not table.guesses:
            raise ValueError("There is no Guard in this edition.")
        self.table = table
        self.rounds = rounds
        self.threads = threads
        self.asked = {name: QUESTIONS[name] for name in questions}
        self.sums = {name: Sums(question.kinds(table)) for name, question in self.asked.items()}
        self.played = dict.fromkeys(self.asked, 0)

    @property
    def total(self) -> int:
        """About how many rounds are played in all."""
        return self.rounds * len({question.guesses for question in self.asked.values()})

    def run(self, watch: Callable[[Rounds], None] | None = None) -> Iterator[int]:
        """Play, and yield after each part how many rounds it had; `watch` is given rounds that start as they come."""
        for part in self.parts():
            rounds = part.play(self.table, part.numbers, self.threads)
            self.add(rounds.first.size, count(part, rounds))
            if watch is not None and part.play is play_rounds:
                watch(rounds)
            yield rounds.first.size

    def parts(self, number: int = 0) -> Iterator[Part]:
        """All rounds, bit by bit; the study has a number where there are several."""
        for guesses, play, size in (
            (False, play_rounds, self.table.players),
            (True, play_guesses, len(self.table.guesses)),
        ):
            asked = tuple(name for name, question in self.asked.items() if question.guesses == guesses)
            if asked:
                groups, step = -(-self.rounds // size), max(1, AT_ONCE // size)
                for start in range(0, groups, step):
                    yield Part(number, self.table, asked, play, range(start, min(start + step, groups)))

    def add(self, played: int, counted: dict[str, Sums]) -> None:
        """Count so many rounds."""
        for name, sums in counted.items():
            self.sums[name].merge(sums)
            self.played[name] += played

    def answers(self) -> list[Answer]:
        """What is known so far; nothing of questions to which no round has been played."""
        return [
            question.answer(name, self.table, self.sums[name], self.played[name])
            for name, question in self.asked.items()
            if self.played[name]
        ]


def count(part: Part, rounds: Rounds) -> dict[str, Sums]:
    """What rounds say to the questions of their part."""
    found = {name: Sums(QUESTIONS[name].kinds(part.table)) for name in part.asked}
    for name, sums in found.items():
        sums.add(*QUESTIONS[name].count(part.table, rounds))
    return found


def run_studies(studies: Sequence[Study], cluster: str) -> Generator[int]:
    """Play several studies on a cluster (`arena.run_everywhere`), and yield after each part how many rounds it had."""
    parts = (part for number, study in enumerate(studies) for part in study.parts(number))
    with closing(run_everywhere(cluster, play_part, enumerate(parts))) as done:
        for _, (number, played, counted) in done:
            studies[number].add(played, counted)
            yield played


def play_part(part: Part) -> tuple[int, int, dict[str, Sums]]:
    """Play a part on a worker: the number of its study, how many rounds it had, and what they say."""
    rounds = part.play(part.table, part.numbers, cores())
    return part.study, rounds.first.size, count(part, rounds)
