"""The command that says what every decision of a match was worth: `suitors analyse`."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

import click

from ..arena.chart import plain
from ..coach import BUDGET_MS, Account, Decision, Review, get_ready
from ..coach.data import analysis_data
from ..fast import available
from ..records.record import RecordError
from ..records.strict_json import NotJson, parse
from ..words import load_theme
from ..words.coach import CoachSpeaker
from ..words.numbers import decimal
from ..words.vocabulary import vocabulary
from .options import Lang, check_budget

SEATS = 8
"""Players at a table at most."""


@click.command("analyse")
@click.argument("record", type=click.File("rb"))
@click.option("--seat", type=click.IntRange(0, SEATS - 1), metavar="N", help="Judge this seat's decisions only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--budget-ms",
    type=float,
    default=BUDGET_MS,
    show_default=True,
    callback=check_budget,
    metavar="MS",
    help="How much to simulate for each decision; it stands for a number of rounds, not for a clock.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="A seed for what is simulated.")
@Lang
def analyse_command(
    record: IO[bytes], seat: int | None, as_json: bool, budget_ms: float, seed: int, lang: str | None
) -> None:
    """Print what each decision in RECORD ('-': standard input) was worth, for all that its seat knew then.

    The same record, seed and budget give the same analysis.
    """
    data = _read(record)
    try:
        review = Review(data, seats=None if seat is None else [seat], budget_ms=budget_ms, seed=seed)
    except RecordError as error:
        if as_json:
            click.echo(json.dumps(error.data()))
        raise
    _get_ready()
    report = Report(review, seat, lang or review.match.box.language)
    seen = not as_json and sys.stdout.isatty()  # the lines tell how far it is
    with click.progressbar(length=len(review.due), file=sys.stderr, hidden=seen or not sys.stderr.isatty()) as bar:
        for line in report.lines(lambda: bar.update(1)):
            if not as_json:
                click.echo(line)
    if as_json:
        click.echo(json.dumps(report.data()))


def _read(file: IO[bytes]) -> Any:
    try:
        return parse(file.read())
    except NotJson as error:
        raise RecordError("bad-json", str(error)) from None


def _get_ready() -> None:
    """Compile what is needed, once on a machine, and say so if it takes long."""
    if available():
        from ..fast.compiler import patience  # noqa: PLC0415 - only where numba is installed

        with patience("the coach"):
            get_ready()


class Report:
    """An analysis as lines of text, or as an object."""

    def __init__(self, review: Review, seat: int | None, lang: str) -> None:
        match = review.match
        self.review, self.lang = review, lang
        self.names = [plain(f"{name:.80}") for name in match.players]
        words = vocabulary(load_theme("court"), match.edition, lang)
        self.speaker = CoachSpeaker(match.rules, self.names, seat, words)
        self.say = self.speaker.say

    def data(self) -> dict[str, Any]:
        """The object that is printed; each reason has its sentence."""
        found = analysis_data(self.review.analysis())
        for decision, row in zip(self.review.judged, found["decisions"], strict=True):
            if decision.reason is not None:
                row["reason"]["text"] = self.speaker.why_worse(decision.reason, decision.seat)
        return found

    def lines(self, judged: Callable[[], None]) -> Iterator[str]:
        """Every decision as soon as it is judged, and the accounts behind them; each is also told to the caller."""
        say, last = self.say, -1
        for decision in self.review.decisions():
            judged()
            if decision.round != last:
                last = decision.round
                yield say("Round {number}").format(number=last + 1)
            yield from self._decision(decision)
        for seat in self.review.seats:
            yield from self._account(self.review.account(seat))

    def _decision(self, decision: Decision) -> Iterator[str]:
        told = {"name": self.names[decision.seat], "move": self.speaker.move(decision.move)}
        played = f"{decision.ply + 1:4}. " + self.say("{name}: {move}").format(**told)
        chance, mark = self.speaker.chance(decision.after, 1), self.speaker.mark(decision.mark)
        yield f"{played}  [{chance}]" if decision.forced else f"{played}  [{chance}]  {mark}"
        if decision.loss:
            yield "      " + self.speaker.loss(decision)
        if decision.reason is not None:
            yield "      " + self.speaker.why_worse(decision.reason, decision.seat)

    def _account(self, account: Account) -> Iterator[str]:
        say, percent = self.say, self.speaker.chance
        text = say("{player}: {start} at the start, {skill} points by skill, {luck} by luck: {result}.")
        yield text.format(
            player=self.names[account.seat],
            start=percent(account.start, 1),
            skill=self.speaker.points(account.skill, signed=True),
            luck=self.speaker.points(account.luck, signed=True),
            result=percent(account.result, 1),
        )
        counts = ", ".join(f"{self.speaker.mark(mark)} {count}" for mark, count in account.marks.items())
        if account.accuracy is not None:
            yield "  " + say("Accuracy {number} ({marks}).").format(
                number=decimal(account.accuracy, self.lang, 0), marks=counts
            )
