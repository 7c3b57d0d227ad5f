"""A series of matches between the same bots: each deal is played in every rotation of the seats, wins may be shared."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from ..bots import Program
from ..rules import Option, edition_data
from .cluster import play_everywhere
from .runner import Fixture, MatchRunner, Outcome, effort_of
from .tally import WHOLE, Effort, Tally
from .workers import Task, in_order, play_groups


@dataclass
class Score:
    """What one bot has done in a series."""

    name: str
    tally: Tally = field(default_factory=Tally)
    effort: Effort = field(default_factory=Effort)
    rounds_won: int = 0  # in parts of WHOLE

    def add(self, bot: int, number: int, group: list[Outcome]) -> None:
        """Count a group of matches on the same deals."""
        self.tally.add(sum(outcome.won[bot] for outcome in group), len(group))
        self.rounds_won += sum(outcome.rounds_won[bot] for outcome in group)
        self.effort.merge(effort_of(bot, number, group))

    def data(self) -> dict[str, Any]:
        """The bot's row of the result."""
        low, high = self.tally.interval()
        return {
            "name": self.name,
            "won": round(self.tally.wins, 6),
            "rate": round(self.tally.rate, 6),
            "low": round(low, 6),
            "high": round(high, 6),
            "rounds_won": round(self.rounds_won / WHOLE, 6),
            "decisions": self.effort.decisions,
            "seconds_per_decision": round(self.effort.pace, 9),
        }


class Series:
    """A series as it stands: what is played, and each bot's score in the order given."""

    def __init__(
        self,
        edition: str,
        names: list[str],
        seed: int,
        *,
        options: Mapping[str, Option] | None = None,
        budget_ms: float | None = None,
        strict: bool = False,
        programs: Mapping[str, Program] | None = None,
    ) -> None:
        self.edition = edition
        self.seed = seed
        self.options = tuple((options or {}).items())
        self.programs = programs or {}
        self.budget_ms = budget_ms
        self.strict = strict
        self.scores = [Score(name) for name in names]
        self.games = 0

    def play(
        self, games: int, *, jobs: int | None = None, cluster: str | None = None, recording: bool = False
    ) -> Generator[Outcome]:
        """Play the matches in processes of this machine or on a cluster, count them, and yield them in their order."""
        names = [score.name for score in self.scores]
        runner = MatchRunner(names, self.programs, self.budget_ms, recording, self.strict)
        tasks, groups = self._tasks(games), -(-games // len(names))
        played = (
            play_groups(runner, tasks, groups, jobs)
            if cluster is None
            else play_everywhere(cluster, runner, tasks, groups)
        )
        with closing(played) as done:
            for number, group in enumerate(in_order(done)):
                self.games += len(group)
                for bot, score in enumerate(self.scores):
                    score.add(bot, number, group)
                yield from group

    def data(self) -> dict[str, Any]:
        """The object that `suitors match` prints."""
        return {
            "edition": edition_data(self.edition),
            "players": len(self.scores),
            "games": self.games,
            "seed": self.seed,
            "bots": [score.data() for score in self.scores],
        }

    def _tasks(self, games: int) -> Iterator[Task]:
        """Groups of as many matches as there are bots: the same deals, the seats rotated."""
        size = len(self.scores)
        for group, start in enumerate(range(0, games, size)):
            yield group, tuple(self._fixture(group, game) for game in range(start, min(start + size, games)))

    def _fixture(self, group: int, game: int) -> Fixture:
        size = len(self.scores)
        seating = tuple((seat + game) % size for seat in range(size))
        seed = self.seed
        return Fixture(self.edition, seating, f"{seed}/deal/{group}", f"{seed}/chance/{game}", self.options)
