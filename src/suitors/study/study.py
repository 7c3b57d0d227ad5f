"""A study of one table: rounds are played bit by bit, so that it can be watched, interrupted and asked at any time."""

from collections.abc import Callable, Iterator, Sequence

from .answers import Answer, Sums
from .questions import QUESTIONS, Question
from .rounds import Rounds, StudyTable, play_guesses, play_rounds

AT_ONCE = 20_000
"""Rounds that compiled code plays in one call, which an interrupt has to wait for."""

Play = Callable[[StudyTable, range, int], Rounds]


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
        for guesses, play, size in (
            (False, play_rounds, self.table.players),
            (True, play_guesses, len(self.table.guesses)),
        ):
            asked = {name: question for name, question in self.asked.items() if question.guesses == guesses}
            if asked:
                yield from self._run(asked, play, size, None if guesses else watch)

    def answers(self) -> list[Answer]:
        """What is known so far; nothing of questions to which no round has been played."""
        return [
            question.answer(name, self.table, self.sums[name], self.played[name])
            for name, question in self.asked.items()
            if self.played[name]
        ]

    def _run(
        self, asked: dict[str, Question], play: Play, size: int, watch: Callable[[Rounds], None] | None
    ) -> Iterator[int]:
        groups, step = -(-self.rounds // size), max(1, AT_ONCE // size)
        for start in range(0, groups, step):
            rounds = play(self.table, range(start, min(start + step, groups)), self.threads)
            for name, question in asked.items():
                self.sums[name].add(*question.count(self.table, rounds))
                self.played[name] += rounds.first.size
            if watch is not None:
                watch(rounds)
            yield rounds.first.size
