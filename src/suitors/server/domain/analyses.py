"""Analyses of matches that are over, and hints: worked out by the processes for what visitors ask for.

An analysis is judged decision by decision, each in a turn of its client's, so that whoever else waits for something
waits for one decision and not for a match. It goes on when its page is closed, and is kept when it is finished.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Literal

import orjson

from ...coach import BUDGET_MS, BestReplyValuer, Hint, get_ready, hint
from ...coach.data import account_data, decision_data, hint_data
from ...coach.decisions import Due, Record, Settings, find_due
from ...coach.kept import Judged, analysis_key, judge_line, make_accounts, read_line
from ...game import Play, Solo
from ...solve import solve
from ...view.match import View
from ...view.solo import SoloView
from ..errors import Refused, conflict
from ..ops.jobs import Jobs, Results
from ..ops.limits import Limits
from ..storage.analyses import StoredAnalyses
from ..storage.database import StoreFailure
from .replay import count_steps
from .table import OVER, HostedTable

log = logging.getLogger(__name__)

READY_S = 600.0
"""How long it may take to compile what analyses need, once on a machine."""

MOST_STEPS = 1_000
"""Steps of the longest match that is analysed; a match for two of 13 rounds has about 150."""

SEED = 0
AT_ONCE = 2
"""Decisions of one analysis that are judged at once, where there are so many processes."""

TRIES = 2
"""How often a decision is begun whose process is lost, or fails."""

LONGEST_S = 7_200.0
"""How long an analysis may wait for the turns of its client; no match that is analysed needs so much work."""

KEPT_BYTES = 8 << 20
"""Of the lines of analyses that are in memory."""

State = Literal["waiting", "running", "done", "failed"]

MayKeep = Callable[[str, int], Awaitable[bool]]
"""Whether so many bytes of a client's may be kept."""


@dataclass(frozen=True)
class Progress:
    """An analysis as far as it has come: each decision of the match in its order, None where it is not judged."""

    state: State
    judged: tuple[Judged | None, ...]

    @property
    def count(self) -> int:
        """How many decisions are judged."""
        return sum(judged is not None for judged in self.judged)


@dataclass(frozen=True)
class Subject:
    """A match that is analysed, and where it was played at a table here, who sat where."""

    match: Play
    table: str = ""
    seats: Mapping[int, int] = field(default_factory=dict)  # persons by their seats

    @classmethod
    def of_table(cls, table: HostedTable) -> "Subject":
        """The match of a table; refused before it is over."""
        if table.status != OVER:
            raise conflict("not-over", "A match can be analysed when it is over.")
        seats = {k: seat.person for k, seat in enumerate(table.seats) if seat.person is not None}
        return cls(table.started_match, table.id, seats)


@dataclass
class Running:
    """An analysis that is under way: the lines of the decisions that are judged, "" for one that cannot be."""

    client: str
    key: str
    subject: Subject
    record: bytes
    lines: list[str | None]
    numbers: Iterator[int]
    since: float = field(default_factory=time.monotonic)
    read: dict[int, Judged] = field(default_factory=dict)
    failed: bool = False
    task: asyncio.Task[None] | None = None

    def judged(self) -> tuple[Judged | None, ...]:
        """What is judged so far; each line is read once."""
        for number, line in enumerate(self.lines):
            if line and number not in self.read:
                self.read[number] = read_line(line)
        return tuple(self.read.get(number) for number in range(len(self.lines)))


class Analyses:
    """The analyses of a server."""

    def __init__(self, jobs: Jobs, stored: StoredAnalyses, limits: Limits, may_keep: MayKeep) -> None:
        self.jobs = jobs
        self._stored = stored
        self._limits = limits
        self._may_keep = may_keep
        self._running: dict[str, Running] = {}
        self._found = Results(KEPT_BYTES)
        self._noted = Results(KEPT_BYTES)  # the tables whose seats are noted
        self._preparing: asyncio.Future[None] | None = None

    async def follow(self, client: str, subject: Subject, *, again: bool = False) -> Progress:
        """The analysis of a match as far as it has come; it is begun where nobody has, and again after a failure."""
        if count_steps(subject.match) > MOST_STEPS:
            raise Refused(422, "too-long", f"A match of more than {MOST_STEPS} steps is not analysed here.")
        record = subject.match.record()
        key, total = analysis_key(record, BUDGET_MS, SEED), count_decisions(record)
        found = None if key in self._running else await self._find(key, total)
        if found is not None and not (again and found.state == "failed"):
            if found.state == "done":
                await self._note(key, subject)
            return found
        if key not in self._running and not self._begin(client, key, subject, record):
            return Progress("waiting", (None,) * total)
        running = self._running[key]
        return Progress("running", running.judged())

    async def _find(self, key: str, total: int) -> Progress | None:
        """An analysis that has ended, from memory or from the store."""
        found: Progress | None = self._found.find(key)
        if found is None:
            text = await self._stored.find(key) or ""
            judged = read_lines(text)
            if text and len(judged) == total:
                found = Progress("done", judged)
                self._found.keep(key, found, len(text))
        return found

    async def _note(self, key: str, subject: Subject) -> None:
        """Note once whose match a finished analysis is of."""
        if subject.seats and self._noted.find(subject.table) is None:
            self._noted.keep(subject.table, key, len(key))
            await self._stored.note_seats(key, subject.table, subject.seats, int(time.time()))

    def _begin(self, client: str, key: str, subject: Subject, record: Record) -> bool:
        """Begin an analysis; false where so many are under way, of this client or of all."""
        own = sum(running.client == client for running in self._running.values())
        if own >= self._limits.analyses_client or len(self._running) >= self._limits.analyses:
            return False
        total = count_decisions(record)
        running = Running(client, key, subject, orjson.dumps(record), [None] * total, iter(range(total)))
        self._running[key] = running
        running.task = asyncio.ensure_future(self._run(running))
        return True

    async def _run(self, running: Running) -> None:
        """Judge all decisions, then keep what was found."""
        try:
            await self._patiently(running, self.prepare)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(AT_ONCE, self.jobs.workers)):
                    group.create_task(self._judge_all(running))
            await self._end(running)
        except Exception:
            log.exception("analysis-failed")
            self._found.keep(running.key, Progress("failed", running.judged()), len(running.record))
        finally:
            del self._running[running.key]

    async def _judge_all(self, running: Running) -> None:
        """Judge one decision after the other, until there is none that nobody has taken, or one has failed."""
        for number in running.numbers:
            for _ in range(TRIES):
                running.lines[number] = await self._patiently(running, partial(self._judge, running, number))
                if running.lines[number] is not None:
                    break
            else:
                running.failed = True
            if running.failed:
                return

    async def _judge(self, running: Running, number: int) -> str | None:
        """Judge one decision in another process, at the cost of its client; None where that fails."""
        key = ("decision", running.key, number)
        found: str | None = await self.jobs.work(f"{running.client} analysis", key, judge, running.record, number)
        return found

    async def _patiently(self, running: Running, work: Callable[[], Awaitable[Any]]) -> Any:
        """Do something that is refused while a client has used up its share, or too many wait: later, then."""
        while True:
            try:
                return await work()
            except Refused as refusal:
                if time.monotonic() - running.since > LONGEST_S:
                    raise
                await asyncio.sleep(max(1.0, refusal.more["wait_s"]))

    async def _end(self, running: Running) -> None:
        """Keep a finished analysis, if there is room; one that has failed only in memory."""
        text = "".join(f"{line or ''}\n" for line in running.lines)
        state: State = "failed" if running.failed else "done"
        if not running.failed and await self._may_keep(running.client, len(text)):
            try:
                await self._stored.keep(running.key, text, int(time.time()))
                await self._note(running.key, running.subject)
            except StoreFailure:
                log.exception("analysis-not-kept")
        self._found.keep(running.key, Progress(state, running.judged()), max(len(text), len(running.record)))

    # Hints

    def find_hint(self, table: HostedTable, seat: int) -> tuple[Hint, ...] | None:
        """The hint for what a seat has to decide now, if it has been worked out; empty where it could not be."""
        found: tuple[Hint, ...] | None = self.jobs.results.find(hint_key(table, seat))
        return found

    async def hint(self, client: str, table: HostedTable, seat: int) -> tuple[Hint, ...]:
        """The best move for a seat, from what it knows and nothing else; nothing where that cannot be worked out."""
        key, view = hint_key(table, seat), table.started_match.view(seat)
        if not view.legal:
            return ()
        await self.prepare()
        found: tuple[Hint, ...] | None = await self.jobs.work(client, key, advise, view)
        if found is None:  # it has failed, and would fail again
            self.jobs.results.keep(key, (), 1)
        return found or ()

    async def hint_data(self, client: str, table: HostedTable, seat: int) -> dict[str, Any] | None:
        """The same as plain data."""
        found = await self.hint(client, table, seat)
        return hint_data(found[0]) if found else None

    # Getting ready

    async def prepare(self) -> None:
        """Have everything compiled that is needed here, which may take longer than any job."""
        if self._preparing is None:
            self._preparing = asyncio.ensure_future(self.jobs.prepare(get_ready_to_judge, READY_S))
            self._preparing.add_done_callback(self._prepared)
        await asyncio.shield(self._preparing)

    def _prepared(self, ended: asyncio.Future[None]) -> None:
        """Let the next who asks try again where it could not be done, since too many waited."""
        if ended.cancelled() or ended.exception() is not None:
            self._preparing = None

    def close(self) -> None:
        """End the preparation and all analyses; what was not finished is judged anew when somebody asks."""
        for running in self._running.values():
            if running.task is not None:
                running.task.cancel()
        if self._preparing is not None:
            self._preparing.cancel()


def count_decisions(record: Record) -> int:
    """How many decisions a record has."""
    return sum(len(dealt["moves"]) for dealt in record["rounds"])


def analysis_data(match: Play, found: Progress) -> dict[str, Any]:
    """An analysis as plain data, as far as it has come."""
    accounts = make_accounts(match, found.judged) if found.state == "done" else ()
    return {
        "state": found.state,
        "decisions": [None if judged is None else decision_data(judged.decision) for judged in found.judged],
        "accounts": [account_data(account) for account in accounts],
    }


def read_lines(text: str) -> tuple[Judged | None, ...]:
    """The decisions of an analysis that was kept, None for what could not be judged; nothing where it is damaged."""
    try:
        return tuple(read_line(line) if line else None for line in text.splitlines())
    except (ValueError, KeyError, TypeError):
        return ()


def hint_key(table: HostedTable, seat: int) -> tuple[str, str, int, int]:
    """What a hint is kept under: the match as it stands."""
    return "hint", table.id, table.changed.match, seat


# In other processes


def judge(record: bytes, number: int) -> str:
    """The line of a decision, "" where it cannot be judged in time."""
    match, due = _read(record)
    return judge_line(match, due[number], Settings(BUDGET_MS, SEED, BestReplyValuer())) or ""


@lru_cache(maxsize=4)
def _read(record: bytes) -> tuple[Play, list[Due]]:
    """The match of a record and its decisions; those of the last ones are kept."""
    return find_due(orjson.loads(record))


def advise(view: View | SoloView) -> tuple[Hint, ...]:
    """The hint for a view; nothing where a solo game cannot be solved in time."""
    found = hint(view)
    return () if found is None else (found,)


def get_ready_to_judge() -> None:
    """Compile, or load, what analyses and hints need, before anybody waits for one."""
    get_ready()
    solve(Solo())
