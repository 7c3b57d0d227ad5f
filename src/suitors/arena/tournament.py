"""A tournament: played group by group, logged as it goes, and taken up again where it was left."""

from collections.abc import Generator
from contextlib import closing

from .cluster import play_plan_everywhere
from .journal import Finished, Journal
from .plan import Plan, Shard
from .runner import MatchRunner
from .standings import Row, Standings, make_row
from .workers import play_groups


class Tournament:
    """A plan, or one shard of it, what of it is finished, and the standings."""

    def __init__(self, plan: Plan, shard: Shard | None = None) -> None:
        self.plan = plan
        self.numbers = plan.numbers(shard)
        self.finished = Finished()  # by their places in the numbers
        self.standings = Standings(plan)

    def take_up(self, journal: Journal) -> None:
        """Count what the log of an interrupted tournament holds."""
        for row in journal.resume():
            self.add(row)

    def play(
        self, journal: Journal | None = None, *, jobs: int | None = None, cluster: str | None = None
    ) -> Generator[Row]:
        """Play what is left, in processes of this machine or on a cluster, log it, count it, and yield each group."""
        with closing(self._rows(jobs, cluster)) as rows:
            for row in rows:
                if journal is not None:
                    journal.write(row)
                self.add(row)
                yield row

    def _rows(self, jobs: int | None, cluster: str | None) -> Generator[Row]:
        """Play what is left."""
        plan = self.plan
        runner = MatchRunner(plan.bots, plan.programs, plan.budget_ms, strict=plan.strict)
        left = len(self.numbers) - len(self.finished)
        numbers = (number for place, number in enumerate(self.numbers) if place not in self.finished)
        if cluster is not None:
            with closing(play_plan_everywhere(cluster, runner, plan, numbers, left)) as found:
                yield from found
            return
        with closing(play_groups(runner, ((n, plan.fixtures(n)) for n in numbers), left, jobs)) as done:
            for number, outcomes in done:
                yield make_row(plan, number, outcomes)

    def add(self, row: Row) -> None:
        """Count a finished group, unless it was counted before."""
        place = self.numbers.index(row.number)
        if place not in self.finished:
            self.finished.add(place)
            self.standings.add(row)
