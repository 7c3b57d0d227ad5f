"""Plays single matches between the bots of a series or a tournament."""

import json
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

from ..bots import BotFailure, Choose, Program, ProgramBot, find_bot, warm_up
from ..chance import Stream, seed_number
from ..game import Play, open_match
from ..rules import Card, Option
from .tally import WHOLE, Effort

SLACK, SLACK_MS = 1.1, 10.0
"""A decision overruns its budget where it takes more than so many times the budget and so many milliseconds."""


class ArenaError(RuntimeError):
    """The arena cannot go on, through no fault of the caller."""


class BotCrashed(ArenaError):
    """A built-in bot raised an unexpected exception: a mistake in the program, not a lost match."""

    def __init__(self, bot: str, reason: str, trace: str) -> None:
        super().__init__(bot, reason, trace)

    def __str__(self) -> str:
        bot, reason, trace = self.args
        return f"The bot '{bot}' broke down: {reason}.\n{trace}".rstrip()


@dataclass(frozen=True)
class Fixture:
    """A match to be played: who sits where, and the seeds of the deals and of the bots' chance."""

    edition: str
    seating: tuple[int, ...]  # the bot in each seat, by its number
    deal: str
    chance: str
    options: tuple[tuple[str, Option], ...] = ()  # switches of the rules


@dataclass(frozen=True)
class Outcome:
    """What came of a match, for each bot; wins in parts of WHOLE."""

    won: list[int]
    rounds_won: list[int]
    decisions: list[int]
    seconds: list[float]
    forfeit: tuple[int, str] | None = None  # the bot that failed, and how
    record: str | None = None
    overruns: Sequence[int] = ()  # decisions that took longer than the budget


def effort_of(bot: int, number: int, group: Sequence[Outcome]) -> Effort:
    """How a bot has worked in a group of matches of that number."""
    failures = [outcome.forfeit[1] for outcome in group if outcome.forfeit is not None and outcome.forfeit[0] == bot]
    return Effort(
        decisions=sum(outcome.decisions[bot] for outcome in group),
        seconds=sum(outcome.seconds[bot] for outcome in group),
        forfeits=len(failures),
        failure=(number, failures[0]) if failures else None,
        overruns=sum(outcome.overruns[bot] for outcome in group if outcome.overruns),
    )


@dataclass
class MatchRunner:
    """Plays matches between these bots; they are started when it is entered and ended when it is left."""

    names: Sequence[str]
    programs: Mapping[str, Program] = field(default_factory=dict)  # by name; the other bots are found by theirs
    budget_ms: float | None = None
    recording: bool = False
    strict: bool = False  # a decision that overruns the budget is replaced by one of chance
    compiled: bool = False  # matches of quick bots are played by compiled code, with the same results

    def __enter__(self) -> Self:
        self.bots: list[Choose] = []
        self.stack = ExitStack()
        for name in self.names:
            bot = find_bot(name, self.programs)
            if bot is None:
                raise ArenaError(f"There is no bot '{name}'.")
            if isinstance(bot, ProgramBot):
                self.stack.callback(bot.close)
            self.bots.append(bot)
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def play(self, fixture: Fixture) -> Outcome:
        """Play a match to its end, or until a bot fails: the other bots' seats have won it then."""
        names = [self.names[bot] for bot in fixture.seating]
        match = open_match(fixture.edition, names, dict(fixture.options), dealt=False)
        warm_up(names, match.rules)
        game = _RunningMatch(self, fixture, match)
        while not match.over and game.forfeit is None:
            if match.to_deal:
                game.deal()
            else:
                game.decide()
        game.announce_end()
        return game.outcome()


class _RunningMatch:
    """A match that is being played."""

    def __init__(self, runner: MatchRunner, fixture: Fixture, match: Play) -> None:
        self.runner, self.fixture, self.match = runner, fixture, match
        self.chance = [Stream(seed_number(fixture.chance), seat) for seat in range(len(fixture.seating))]
        self.decisions = [0] * len(runner.names)
        self.seconds = [0.0] * len(runner.names)
        self.overruns = [0] * len(runner.names)
        self.forfeit: tuple[int, str] | None = None

    def deal(self) -> None:
        """Start a round: its number and the seed settle the deck, whatever has happened before."""
        match = self.match
        match.rng = stream = Stream(seed_number(self.fixture.deal), len(match.rounds))
        order = [Card(card) for card in match.rules.box]
        stream.shuffle(order)
        match.deal(order)

    def decide(self) -> None:
        """Let the bot whose turn it is decide."""
        seat = self.match.turn
        assert seat is not None
        move = self._ask(seat, self.fixture.seating[seat])
        if move is not None:
            self.match.push(move)

    def _ask(self, seat: int, bot: int) -> int | None:
        """The bot's move, its time taken; None where it fails."""
        view, choose = self.match.view(seat), self.runner.bots[bot]
        began = time.perf_counter()
        try:
            starting = isinstance(choose, ProgramBot) and choose.prepare(view)
            began = time.perf_counter()
            move = self.match.parse(choose(view, self.chance[seat], self.runner.budget_ms))
        except BotFailure as failure:
            self.forfeit = bot, str(failure)
            return None
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise BotCrashed(self.runner.names[bot], reason, traceback.format_exc()) from None
        finally:
            spent = time.perf_counter() - began
            self.decisions[bot] += 1
            self.seconds[bot] += spent
        if starting or not self._overran(spent):
            return move
        self.overruns[bot] += 1
        return self.chance[seat].choice(self.match.moves()) if self.runner.strict else move

    def _overran(self, seconds: float) -> bool:
        budget = self.runner.budget_ms
        return budget is not None and seconds * 1000 > budget * SLACK + SLACK_MS

    @property
    def winners(self) -> Sequence[int]:
        """The seats that have won; after a forfeit, those of the other bots."""
        if self.forfeit is None:
            return self.match.winners
        return [seat for seat, bot in enumerate(self.fixture.seating) if bot != self.forfeit[0]]

    def announce_end(self) -> None:
        """Let the programs know how the match has ended."""
        failed = None if self.forfeit is None else self.forfeit[0]
        forfeit = [seat for seat, bot in enumerate(self.fixture.seating) if bot == failed]
        for seat, bot in enumerate(self.fixture.seating):
            choose = self.runner.bots[bot]
            if isinstance(choose, ProgramBot):
                choose.end_match(self.match.view(seat), self.winners, forfeit)

    def outcome(self) -> Outcome:
        """The match in figures."""
        rounds = [self._parts(ended.winners) for ended in self.match.rounds]
        return Outcome(
            won=self._parts(self.winners),
            rounds_won=[sum(column) for column in zip(*rounds, strict=True)],
            decisions=self.decisions,
            seconds=self.seconds,
            forfeit=self.forfeit,
            record=json.dumps(self.match.record()) if self.runner.recording else None,
            overruns=self.overruns,
        )

    def _parts(self, winners: Sequence[int]) -> list[int]:
        """What each bot has of a win that these seats share."""
        parts = [0] * len(self.runner.names)
        for seat in winners:
            parts[self.fixture.seating[seat]] += WHOLE // len(winners)
        return parts
