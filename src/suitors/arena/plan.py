"""What a tournament is made of: every pair of bots at every table, each deal from both sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from math import inf
from typing import Any

from ..bots import Program
from ..errors import check_edition
from ..rules import Option, edition_data
from .elo import Pair
from .runner import Fixture

FORMAT = "suitors-tournament/1"

Switches = tuple[tuple[str, Option], ...]

SIDES = 2
"""The matches of a group: the same deals, the two bots in each other's seats."""


@cache
def seatings(players: int) -> tuple[tuple[int, ...], ...]:
    """Every way to share the seats as evenly as can be between sides 0 and 1, without the mirror images."""
    chosen = combinations(range(players), (players + 1) // 2)
    ways = (seats for seats in chosen if players % 2 or 0 in seats)
    return tuple(tuple(0 if seat in seats else 1 for seat in range(players)) for seats in ways)


@dataclass(frozen=True)
class Shard:
    """One of several equal parts of a tournament: each of so many groups, so that all pairs and tables are in it."""

    number: int  # from 1
    of: int

    def data(self) -> dict[str, Any]:
        """What logs and results say of it."""
        return {"shard": [self.number, self.of]}

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Plan:
    """A round robin. Its groups of mirrored matches are numbered, so that any of them can be played alone.

    A group has the matches of one deal, or of a block of deals: it is what is played, logged and counted at a time.
    """

    bots: tuple[str, ...]
    tables: tuple[tuple[str, int], ...]  # editions with numbers of players
    games: int  # for each pair at each table; so many groups of them
    seed: int
    budget_ms: float | None = None
    options: Switches = ()  # of all editions that are not in the next field; without those at their defaults
    edition_options: Mapping[str, Switches] = field(default_factory=dict)  # of editions with switches of their own
    strict: bool = False  # a decision that overruns the budget is replaced by one of chance
    programs: Mapping[str, Program] = field(default_factory=dict)  # the bots that are not known by their names alone
    block: int = 1  # deals of a group

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        """All pairs of bots, by their places in the list."""
        return tuple(combinations(range(len(self.bots)), 2))

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return self.games // self.group_size * len(self.tables) * len(self.pairs)

    @property
    def group_size(self) -> int:
        """The matches of a group."""
        return SIDES * self.block

    def numbers(self, shard: Shard | None) -> range:
        """The groups of a shard, or all."""
        return range(self.groups) if shard is None else range(shard.number - 1, self.groups, shard.of)

    def place(self, number: int) -> tuple[int, Pair, int]:
        """The table of a group, its pair, and which block of theirs it is. All pairs and tables advance together."""
        rest, pair = divmod(number, len(self.pairs))
        block, table = divmod(rest, len(self.tables))
        return table, self.pairs[pair], block

    def fixtures(self, number: int) -> tuple[Fixture, ...]:
        """The matches of a group, those with the same deals beside each other."""
        table, pair, block = self.place(number)
        deals = range(block * self.block, (block + 1) * self.block)
        return tuple(fixture for deal in deals for fixture in self._mirrored(table, pair, deal))

    def _mirrored(self, table: int, pair: Pair, deal: int) -> tuple[Fixture, ...]:
        """The two matches of a deal; the seating changes from deal to deal."""
        edition, players = self.tables[table]
        sides = seatings(players)[deal % len(seatings(players))]
        options = self.edition_options.get(edition, self.options)
        seed = f"{self.seed}/{edition}/{players}/{pair[0]}/{pair[1]}/{deal}"
        return tuple(
            Fixture(
                edition, tuple(pair[side ^ turn] for side in sides), f"{seed}/deal", f"{seed}/chance/{turn}", options
            )
            for turn in range(SIDES)
        )

    def data(self) -> dict[str, Any]:
        """What the results depend on, in plain data; what is at its default is left out."""
        own = [self.edition_options.get(edition, ()) for edition, _ in self.tables]
        return {
            "format": FORMAT,
            "bots": list(self.bots),
            "tables": [[edition_data(edition), players] for edition, players in self.tables],
            "games": self.games,
            "seed": self.seed,
            "budget_ms": self.budget_ms,
            **({"options": dict(self.options)} if self.options else {}),
            **({"edition_options": [dict(switches) for switches in own]} if any(own) else {}),
            **({"strict_time": True} if self.strict else {}),
            **({"block": self.block} if self.block > 1 else {}),
            **(
                {"programs": {name: _program_data(self.programs[name]) for name in self.programs}}
                if self.programs
                else {}
            ),
        }


def _program_data(program: Program) -> dict[str, Any]:
    command = program.command if isinstance(program.command, str) else list(program.command)
    return {"command": command, "protocol": program.protocol, "options": dict(program.options)}


def read_plan(data: Mapping[str, Any]) -> Plan:
    """The plan of which `Plan.data` made this. Raises what its parts raise, or a ValueError, where there is none."""
    tables = tuple((check_edition(edition, as_text=False), players) for edition, players in data["tables"])
    own = data.get("edition_options", [])
    plan = Plan(
        bots=tuple(data["bots"]),
        tables=tables,
        games=data["games"],
        seed=data["seed"],
        budget_ms=data["budget_ms"],
        options=tuple(data.get("options", {}).items()),
        edition_options={table[0]: tuple(switches.items()) for table, switches in zip(tables, own, strict=False)},
        strict=data.get("strict_time", False),
        programs={name: _read_program(program) for name, program in data.get("programs", {}).items()},
        block=data.get("block", 1),
    )
    if plan.data() != data or len(plan.bots) < 2 or not plan.tables or not _well_typed(plan):
        raise ValueError
    return plan


def _well_typed(plan: Plan) -> bool:
    """Whether the values that were read are of the types that they should be."""
    counts = (plan.games, plan.block, *(players for _, players in plan.tables))
    return (
        all(type(count) is int and count > 0 for count in counts)
        and all(isinstance(bot, str) for bot in plan.bots)
        and type(plan.seed) is int
        and (plan.budget_ms is None or (type(plan.budget_ms) in (int, float) and 0 < plan.budget_ms < inf))
    )


def _read_program(data: Mapping[str, Any]) -> Program:
    command = data["command"] if isinstance(data["command"], str) else tuple(data["command"])
    return Program(command, data["protocol"], data["options"])
