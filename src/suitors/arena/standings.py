"""Where a tournament stands: sums for each pair and bot at each table, and the results that follow from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..rules import edition_data
from .elo import Pair, Rating, fit
from .plan import SIDES, Plan
from .runner import Outcome, effort_of
from .tally import WHOLE, Effort, Tally


@dataclass(frozen=True)
class Row:
    """A finished group: what the first bot of its pair has won, and how both have worked."""

    number: int
    games: int
    won: int  # in parts of WHOLE
    won_squared: int  # the sum of the squares of what was won with each deal
    efforts: tuple[Effort, Effort]

    @property
    def tally(self) -> Tally:
        """The results of its deals as sums."""
        return Tally(self.games, self.won, SIDES * self.games, self.won_squared, SIDES * self.won)

    def possible(self, plan: Plan) -> bool:
        """Whether a group of the plan can have come to this: a log may have been changed by hand."""
        deals, most = self.games // SIDES, WHOLE * SIDES
        return (
            self.games == plan.group_size
            and 0 <= self.won <= most * deals
            and self.won**2 <= self.won_squared * deals
            and self.won_squared <= most * self.won
            and all(effort.possible(self.games) for effort in self.efforts)
        )

    def data(self, plan: Plan) -> dict[str, Any]:
        """The row as a line of the log, with what it is about for those who read it."""
        table, pair, _ = plan.place(self.number)
        return {
            "group": self.number,
            "edition": edition_data(plan.tables[table][0]),
            "players": plan.tables[table][1],
            "bots": list(pair),
            "games": self.games,
            "won": round(self.won / WHOLE, 6),
            **({"won_squared": self.won_squared} if self.games > SIDES else {}),
            "decisions": [effort.decisions for effort in self.efforts],
            "seconds": [round(effort.seconds, 6) for effort in self.efforts],
            "forfeits": [effort.forfeits for effort in self.efforts],
            "failures": [effort.failure and effort.failure[1] for effort in self.efforts],
            "overruns": [effort.overruns for effort in self.efforts],
        }


def make_row(plan: Plan, number: int, outcomes: Sequence[Outcome]) -> Row:
    """The row of a group that has just been played."""
    _, (one, other), _ = plan.place(number)
    efforts = effort_of(one, number, outcomes), effort_of(other, number, outcomes)
    won = [outcome.won[one] for outcome in outcomes]
    squared = sum(sum(won[k : k + SIDES]) ** 2 for k in range(0, len(won), SIDES))
    return Row(number, len(won), sum(won), squared, efforts)


def read_row(data: Mapping[str, Any]) -> Row:
    """The row that a line of the log holds. Raises what its parts raise where it holds none."""
    columns = (data["decisions"], data["seconds"], data["forfeits"], data["failures"], data["overruns"])
    number = int(data["group"])
    one, other = (
        Effort(
            int(decisions),
            float(seconds),
            int(forfeits),
            failure if failure is None else (number, str(failure)),
            int(overruns),
        )
        for decisions, seconds, forfeits, failure, overruns in zip(*columns, strict=True)
    )
    games, won = int(data["games"]), round(data["won"] * WHOLE)
    return Row(number, games, won, won * won if games == SIDES else int(data["won_squared"]), (one, other))


class Standings:
    """The sums of all rows so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tallies = [{pair: Tally() for pair in plan.pairs} for _ in plan.tables]
        self.efforts = [[Effort() for _ in plan.bots] for _ in plan.tables]

    def add(self, row: Row) -> None:
        """Count a group."""
        table, pair, _ = self.plan.place(row.number)
        self.tallies[table][pair].merge(row.tally)
        for bot, effort in zip(pair, row.efforts, strict=True):
            self.efforts[table][bot].merge(effort)

    def data(self) -> dict[str, Any]:
        """The results: each table, and all of them together."""
        plan = self.plan
        tables = [
            {"edition": edition_data(edition), "players": players, **_results(plan, tallies, efforts)}
            for (edition, players), tallies, efforts in zip(plan.tables, self.tallies, self.efforts, strict=True)
        ]
        tallies = {pair: _together(table[pair] for table in self.tallies) for pair in plan.pairs}
        efforts = []
        for column in zip(*self.efforts, strict=True):
            efforts.append(Effort())
            for part in column:
                efforts[-1].merge(part)
        return {**plan.data(), "tables": tables, "overall": _results(plan, tallies, efforts)}


def _together(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.merge(tally)
    return total


def _results(plan: Plan, tallies: Mapping[Pair, Tally], efforts: Sequence[Effort]) -> dict[str, Any]:
    """Every pair's result and every bot's rating at one table, or over all."""
    rows = zip(plan.bots, fit(len(plan.bots), tallies), efforts, strict=True)
    ratings = [_rating(name, rating, _of_bot(tallies, bot), effort) for bot, (name, rating, effort) in enumerate(rows)]
    return {
        "games": sum(tally.games for tally in tallies.values()),
        "pairs": [{"bots": [plan.bots[bot] for bot in pair], **_rate(tally)} for pair, tally in tallies.items()],
        "ratings": ratings,
    }


def _of_bot(tallies: Mapping[Pair, Tally], bot: int) -> Tally:
    """All that a bot has won, against whomever."""
    return _together(tally if pair[0] == bot else tally.turned() for pair, tally in tallies.items() if bot in pair)


def _rate(tally: Tally) -> dict[str, Any]:
    low, high = tally.interval()
    return {
        "games": tally.games,
        "won": round(tally.wins, 6),
        "rate": round(tally.rate, 6),
        "low": round(low, 6),
        "high": round(high, 6),
    }


def _rating(name: str, rating: Rating, tally: Tally, effort: Effort) -> dict[str, Any]:
    rate = _rate(tally)
    return {
        "name": name,
        "elo": round(rating.elo, 2) + 0.0,
        "low": round(rating.low, 2) + 0.0,
        "high": round(rating.high, 2) + 0.0,
        "games": rate["games"],
        "won": rate["won"],
        "rate": rate["rate"],
        "rate_low": rate["low"],
        "rate_high": rate["high"],
        "decisions": effort.decisions,
        "ms_per_decision": round(1000 * effort.pace, 6),
        "forfeits": effort.forfeits,
        "failure": None if effort.failure is None else effort.failure[1],
        "overruns": effort.overruns,
    }
