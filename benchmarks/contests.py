"""Contests between bots: one seat of a bot against all others of another, match by match in many processes.

Every match is a line of JSON in a journal as soon as it has ended, so that a run may be stopped at any time and goes on
where it was, and the journals of several machines may be put together.
"""

import hashlib
import json
import multiprocessing
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import suitors
from benchmarks import local_best_response, plain_search
from suitors.arena.runner import Fixture, MatchRunner
from suitors.arena.tally import WHOLE, Tally
from suitors.arena.workers import cores, end_with_parent
from suitors.bots import BOTS, Choose, best_reply, use_cores
from suitors.bots.learned import choosing
from suitors.bots.warmup import compile_bots
from suitors.fast import available
from suitors.records.record import load
from suitors.view.match import View
from suitors.view.solo import SoloView

PLAIN, BEST_REPLY, NETWORK, LOCAL = "plain search", "best reply", "network", "local best response"
"""Bots of the benchmarks: a search as in the literature, how `expert` played before it learnt, its network alone, and
a search that attacks the network."""

PACKAGE = Path(suitors.__file__).parent
THINKING, THOUGHTS = ("bots", "fast", "knowledge", "lab", "rules", "solve", "view"), (".py", ".net", ".bin")
"""The parts of the package, beside its own modules, and the kinds of files that decide how bots play."""

FIGURES = ("tokens", "decisions", "seconds", "forfeits")
"""What a line of a journal says of its match in two numbers: of the one seat and of all others, or of all."""

AHEAD = 2
"""Matches that wait while every process plays one."""

PAUSE_S = 10.0
"""Seconds between two lines of progress."""


def by_best_reply(view: View | SoloView, *arguments: Any) -> str:
    """A move as `expert` played before it learnt."""
    assert isinstance(view, View)
    return best_reply.choose(view, *arguments)


def by_network(view: View | SoloView, *arguments: Any) -> str:
    """A move by the network alone."""
    assert isinstance(view, View)
    rng, _ = arguments
    return view.legal[0] if len(view.legal) == 1 else choosing.choose(view, rng)


def by_local_best_response(view: View | SoloView, *arguments: Any) -> str:
    """A move against the network."""
    assert isinstance(view, View)
    return local_best_response.choose(view, *arguments)


MORE_BOTS: dict[str, Choose] = {
    PLAIN: plain_search.choose,
    BEST_REPLY: by_best_reply,
    NETWORK: by_network,
    LOCAL: by_local_best_response,
}


@lru_cache
def bots_digest() -> str:
    """A digest that changes whenever the code, networks or weights of bots change, or what compiles and runs them."""
    versions = [version(name) for name in ("numpy", "numba") if name == "numpy" or available()]
    found = hashlib.sha256(f"{versions}".encode())
    for bots in (__file__, plain_search.__file__, local_best_response.__file__):
        found.update(Path(str(bots)).read_bytes())
    for path in sorted(PACKAGE.rglob("*.*")):
        folder, *_ = path.relative_to(PACKAGE).parts
        if (folder in THINKING or path.parent == PACKAGE) and path.suffix in THOUGHTS:
            found.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:12]


@dataclass(frozen=True)
class Contest:
    """One seat of a bot against all others of another one, at so many milliseconds a decision."""

    edition: str
    players: int
    higher: str
    lower: str
    budget_ms: float
    seed: int
    bots: str = field(default_factory=bots_digest)  # those of this program: others are another contest


class Task(NamedTuple):
    """A match of a contest: the number of its deals, and how far the seats have moved on."""

    contest: Contest
    group: int
    rotation: int


@dataclass
class Result:
    """What came of a contest so far: two numbers are of the one seat and of all others."""

    contest: Contest
    groups: dict[int, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, line: dict[str, Any]) -> None:
        """Count a match; one that was counted already is left out."""
        if all(line["rotation"] != other["rotation"] for other in self.groups[line["group"]]):
            self.groups[line["group"]].append(line)

    def has(self, task: Task) -> bool:
        """Whether a match has been counted."""
        return any(line["rotation"] == task.rotation for line in self.groups.get(task.group, ()))

    @property
    def tally(self) -> Tally:
        """The matches that the one seat has won."""
        tally = Tally()
        for lines in self.groups.values():
            tally.add(sum(line["won"] for line in lines), len(lines))
        return tally

    @property
    def tokens(self) -> float:
        """The part of all tokens that the one seat has won."""
        mine, total = self._sums("tokens")
        return mine / max(1, total)

    @property
    def forfeits(self) -> tuple[int, int]:
        """Matches that were forfeited."""
        mine, others = self._sums("forfeits")
        return int(mine), int(others)

    @property
    def pace_ms(self) -> tuple[float, float]:
        """Milliseconds a decision."""
        mine, others = (
            1000 * spent / max(1, n) for spent, n in zip(self._sums("seconds"), self._sums("decisions"), strict=True)
        )
        return mine, others

    def _sums(self, name: str) -> list[float]:
        return [sum(line[name][k] for lines in self.groups.values() for line in lines) for k in range(2)]

    def said(self) -> str:
        """How it stands, in words."""
        c, tally = self.contest, self.tally
        low, high = tally.interval()
        title = f"{c.edition} {c.players}, {c.higher} against {c.lower}, {c.budget_ms:g} ms, seed {c.seed}"
        lost = f", {sum(self.forfeits)} forfeited" if any(self.forfeits) else ""
        return f"{title}: {tally.games} matches, {tally.rate:.1%} ({low:.1%} – {high:.1%}){lost}"


def get_ready() -> None:
    """Make a process ready to play: one thread for each match, everything compiled."""
    use_cores(1)
    BOTS.update(MORE_BOTS)
    compile_bots()


def start_worker() -> None:
    """Make a worker process ready: it leaves interrupts to the one that started it, and ends with that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    get_ready()


def play_match(task: Task) -> dict[str, Any]:
    """Play a match; its line in the journal."""
    contest = task.contest
    names = [contest.higher] + [contest.lower] * (contest.players - 1)
    seating = tuple((seat + task.rotation) % contest.players for seat in range(contest.players))
    number = task.group * contest.players + task.rotation
    fixture = Fixture(contest.edition, seating, f"{contest.seed}/deal/{task.group}", f"{contest.seed}/chance/{number}")
    with MatchRunner(names, budget_ms=contest.budget_ms, recording=True) as runner:
        outcome = runner.play(fixture)
    tokens = load(outcome.record or "").tokens
    mine = tokens[seating.index(0)]
    failed = None if outcome.forfeit is None else outcome.forfeit[0]
    return {
        **asdict(contest),
        "group": task.group,
        "rotation": task.rotation,
        "won": outcome.won[0],
        "tokens": [mine, sum(tokens)],
        "decisions": [outcome.decisions[0], sum(outcome.decisions[1:])],
        "seconds": [outcome.seconds[0], sum(outcome.seconds[1:])],
        "forfeits": [int(failed == 0), int(bool(failed))],
    }


def read_journals(paths: Iterable[Path]) -> dict[Contest, Result]:
    """The matches in some journals; a line that was torn by an interrupt is none."""
    found: dict[Contest, Result] = {}
    names = list(Contest.__dataclass_fields__)
    for path in paths:
        for text in path.read_text("utf-8", errors="replace").splitlines():
            try:
                line = json.loads(text)
                contest = Contest(**{name: line[name] for name in names})
                check(contest, line)
                result = found.setdefault(contest, Result(contest))
            except (ValueError, KeyError, TypeError):
                print(f"{path}: left out {text[:40]!r}", file=sys.stderr)
                continue
            result.add(line)
    return found


def check(contest: Contest, line: dict[str, Any]) -> None:
    """Raise ValueError, KeyError or TypeError where a line is not one of a journal."""
    numbers = [contest.players, line["group"], line["rotation"], line["won"]]
    figures = [contest.budget_ms, *(number for name in FIGURES for number in line[name])]
    sound = (
        all(isinstance(number, int) for number in numbers)
        and all(isinstance(number, int | float) and 0 <= number < inf for number in figures)
        and all(len(line[name]) == 2 for name in FIGURES)
        and 0 <= line["rotation"] < contest.players
        and 0 <= line["won"] <= WHOLE
    )
    if not sound:
        raise ValueError("a match that cannot have been")


def tasks(contests: list[Contest], games: int, first: int, results: dict[Contest, Result]) -> Iterator[Task]:
    """The matches that are still to be played, of all contests in turn: whole rotations, from a group on."""
    groups = {contest: -(-games // contest.players) for contest in contests}
    for group in range(max(groups.values(), default=0)):
        for contest in contests:
            for rotation in range(contest.players) if group < groups[contest] else ():
                task = Task(contest, first + group, rotation)
                if contest not in results or not results[contest].has(task):
                    yield task


def play(
    contests: list[Contest],
    games: int,
    *,
    jobs: int | None = None,
    first: int = 0,
    seconds: float | None = None,
    journal: Path | None = None,
) -> dict[Contest, Result]:
    """Play contests to their end, or for so long; what came of them, with what the journal had of them."""
    found = read_journals([journal] if journal and journal.exists() else [])
    if journal:
        end_last_line(journal)
    results = {contest: found.get(contest, Result(contest)) for contest in contests}
    jobs = jobs or cores()
    rest = tasks(contests, games, first, found)
    try:
        get_ready()  # compiles what is not yet, before all processes would
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), start_worker) as pool:
            try:
                for line in lines(pool, rest, jobs, seconds, results):
                    take(line, results, journal)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    except KeyboardInterrupt:
        print("Interrupted: --output goes on after the last match.", file=sys.stderr)
    except BrokenProcessPool:
        print("A process that played matches has ended: --output goes on after the last match.", file=sys.stderr)
    return results


def lines(
    pool: Executor, rest: Iterator[Task], jobs: int, seconds: float | None, results: dict[Contest, Result]
) -> Iterator[dict[str, Any]]:
    """Play matches, and begin no more after so long; each match's line as soon as it has ended."""
    began = told = time.monotonic()
    running: list[Future[dict[str, Any]]] = []
    while True:
        if seconds is None or time.monotonic() - began < seconds:
            running += [pool.submit(play_match, task) for task in islice(rest, jobs + AHEAD - len(running))]
        if not running:
            return
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        done = [future for future in running if future in ended]  # in the order in which they began
        running = [future for future in running if future not in ended]
        for future in sorted(done, key=lambda future: future.exception() is not None):
            yield future.result()
        if time.monotonic() - told > PAUSE_S:
            told = time.monotonic()
            tell(results.values(), told - began)


def end_last_line(journal: Path) -> None:
    """End a line that was torn by an interrupt, so that the next match has one of its own."""
    if journal.exists() and (text := journal.read_bytes()) and not text.endswith(b"\n"):
        with journal.open("ab") as file:
            file.write(b"\n")


def take(line: dict[str, Any], results: dict[Contest, Result], journal: Path | None) -> None:
    """Count a match, and write it down."""
    contest = Contest(**{name: line[name] for name in Contest.__dataclass_fields__})
    results[contest].add(line)
    if journal:
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def tell(results: Iterable[Result], seconds: float) -> None:
    """Say on standard error how the contests stand."""
    played = [result for result in results if result.groups]
    for result in played:
        print(f"{seconds:6.0f} s  {result.said()}", file=sys.stderr, flush=True)
