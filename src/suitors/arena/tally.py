"""Running sums of results and the intervals that follow from them; nothing is kept of a single match."""

from dataclasses import dataclass
from math import inf, sqrt

WHOLE = 840
"""A win in parts that are whole numbers however many seats share it (1 to 8): sums are exact in any order."""

Z95 = 1.959963984540054
"""How many standard errors hold 95% of a normal distribution."""

DOUBT = 4
"""How many independent matches the belief weighs that matches on the same deals are as good as independent ones."""

MOST_DECISIONS = 10**15
"""More than a bot can ever have been asked for."""


def wilson(rate: float, games: float) -> tuple[float, float]:
    """The 95% score interval of a rate; sound near 0 and 1 and for shared wins, which only narrow the spread."""
    if games == 0:
        return 0.0, 1.0
    z2 = Z95 * Z95 / games
    centre = (rate + z2 / 2) / (1 + z2)
    half = Z95 / (1 + z2) * sqrt(rate * (1 - rate) / games + z2 / (4 * games))
    return min(rate, max(0.0, centre - half)), max(rate, min(1.0, centre + half))


@dataclass
class Tally:
    """One side's results as sums over groups of matches that share their deals; wins are counted in parts of WHOLE."""

    games: int = 0
    won: int = 0
    games_squared: int = 0
    won_squared: int = 0
    won_by_games: int = 0

    def add(self, won: int, games: int) -> None:
        """Count one group."""
        self.games += games
        self.won += won
        self.games_squared += games * games
        self.won_squared += won * won
        self.won_by_games += won * games

    def merge(self, other: "Tally") -> None:
        """Count all groups of another tally."""
        self.games += other.games
        self.won += other.won
        self.games_squared += other.games_squared
        self.won_squared += other.won_squared
        self.won_by_games += other.won_by_games

    def turned(self) -> "Tally":
        """The same groups seen from the other side of the table."""
        return Tally(
            games=self.games,
            won=WHOLE * self.games - self.won,
            games_squared=self.games_squared,
            won_squared=WHOLE * WHOLE * self.games_squared - 2 * WHOLE * self.won_by_games + self.won_squared,
            won_by_games=WHOLE * self.games_squared - self.won_by_games,
        )

    @property
    def wins(self) -> float:
        """Matches won, shared ones in parts."""
        return self.won / WHOLE

    @property
    def rate(self) -> float:
        """The part of the matches that was won."""
        return self.wins / self.games if self.games else 0.0

    def effect(self) -> float:
        """The variance of the rate, compared with as many independent matches (below 1 where luck cancels out).

        The variance is the cluster-robust one, from how far each group is from the mean; since a few groups say little
        about it, DOUBT matches' worth of plain chance is mixed in.
        """
        smooth = (self.wins + DOUBT / 2) / (self.games + DOUBT)
        plain = DOUBT * smooth * (1 - smooth)
        return (self._spread() + plain) / (self.games * self.rate * (1 - self.rate) + plain)

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the rate: Wilson's, for the number of independent matches that would tell as much."""
        return wilson(self.rate, self.games / self.effect())

    def _spread(self) -> float:
        """The sum over groups of (won - rate * games) squared; in whole numbers to the end, so that nothing cancels."""
        n, won = self.games, self.won
        whole = self.won_squared * n * n - 2 * won * n * self.won_by_games + won * won * self.games_squared
        return whole / (n * n * WHOLE * WHOLE) if n else 0.0


@dataclass
class Effort:
    """How a bot has worked: its decisions, the time they took, the matches it lost by failing, and its overruns."""

    decisions: int = 0
    seconds: float = 0.0
    forfeits: int = 0
    failure: tuple[int, str] | None = None  # the number of the first group in which it failed, and what it did
    overruns: int = 0  # decisions that took longer than the budget

    def merge(self, other: "Effort") -> None:
        """Count another effort of the same bot."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.forfeits += other.forfeits
        self.overruns += other.overruns
        self.failure = min((failure for failure in (self.failure, other.failure) if failure is not None), default=None)

    def possible(self, games: int) -> bool:
        """Whether a bot can have worked like this in so many matches."""
        return (
            0 <= self.overruns <= self.decisions <= MOST_DECISIONS
            and 0 <= self.seconds < inf
            and 0 <= self.forfeits <= games
            and (self.forfeits == 0) == (self.failure is None)
        )

    @property
    def pace(self) -> float:
        """Seconds for each decision."""
        return self.seconds / self.decisions if self.decisions else 0.0
