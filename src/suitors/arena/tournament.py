"""A tournament: played group by group, logged as it goes, and taken up again where it was left."""

from collections.abc import Generator
from contextlib import closing

from .journal import Finished, Journal
from .plan import Plan
from .runner import MatchRunner
from .standings import Row, Standings, make_row
from .workers import play_groups


class Tournament:
    """A plan, what of it is finished, and the standings."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.finished = Finished()
        self.standings = Standings(plan)

    def take_up(self, journal: Journal) -> None:
        """Count what the log of an interrupted tournament holds."""
        for row in journal.resume():
            self._add(row)

    def play(self, journal: Journal | None = None, *, jobs: int | None = None) -> Generator[Row]:
        """Play what is left, log it, count it, and yield each group."""
        plan = self.plan
        runner = MatchRunner(plan.bots, plan.programs, plan.budget_ms, strict=plan.strict)
        left = plan.groups - len(self.finished)
        tasks = ((n, plan.fixtures(n)) for n in range(plan.groups) if n not in self.finished)
        with closing(play_groups(runner, tasks, left, jobs)) as done:
            for number, outcomes in done:
                row = make_row(plan, number, outcomes)
                if journal is not None:
                    journal.write(row)
                self._add(row)
                yield row

    def _add(self, row: Row) -> None:
        if row.number not in self.finished:
            self.finished.add(row.number)
            self.standings.add(row)
