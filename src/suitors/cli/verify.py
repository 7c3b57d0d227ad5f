"""The command that checks the deals of a match: `suitors verify`."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import click

from ..arena.chart import plain
from ..errors import check_edition
from ..fair import HEX, Finding, Noted, Verdict, verify
from ..notation import CARD_NAMES
from ..records.record import RecordError
from ..records.strict_json import NotJson, parse
from ..rules import find_box
from ..words import gettext
from .options import Lang

Say = Callable[[str], str]

ELLIPSIS = ".…"
PART = re.compile(f"[0-9a-f]+[{ELLIPSIS}]*")
"""Hexadecimal digits, shortened or too many."""


@click.command("verify")
@click.argument("record", type=click.File("rb"))
@click.option("--commitment", metavar="HEX", help="The commitment that you noted before the match.")
@click.option("--table", metavar="ID", help="The table's id that you noted before the match.")
@click.option("--word", "words", multiple=True, metavar="SEAT=WORD", help="The word that a seat gave in every round.")
@click.option("--seal", "seals", multiple=True, metavar="ROUND=HEX", help="A seal that you noted; rounds count from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@Lang
@click.pass_context
def verify_command(
    context: click.Context,
    record: IO[bytes],
    commitment: str | None,
    table: str | None,
    words: tuple[str, ...],
    seals: tuple[str, ...],
    as_json: bool,
    lang: str | None,
) -> None:
    """Check that every deal in RECORD ('-': standard input) follows from the server's secret and the players' words.

    The exit status is 0 where all is honest, 1 where something does not fit, 2 where nothing can be checked.
    """
    digits = None if commitment is None else _read_hash("--commitment", commitment)
    noted = Noted(digits, table, _read_words(words), _read_seals(seals))
    data = _read(record)
    verdict = verify(data, noted)
    if as_json:
        click.echo(json.dumps(verdict.data()))
    else:
        for line in _report(verdict, noted, gettext(lang or find_box(check_edition(data["edition"])).language)):
            click.echo(line)
    context.exit(0 if verdict.honest else 1)


def _read(file: IO[bytes]) -> Any:
    try:
        return parse(file.read())
    except NotJson as error:
        raise RecordError("bad-json", str(error)) from None


def _read_hash(option: str, text: str) -> str:
    """A commitment or seal as somebody noted it, perhaps in capitals; a part of one proves too little."""
    digits = text.strip().lower()
    if HEX.fullmatch(digits):
        return digits
    if PART.fullmatch(digits):
        count = len(digits.rstrip(ELLIPSIS))
        raise click.UsageError(f"{option} takes 64 hexadecimal digits, and this has {count}: copy the whole of it.")
    raise click.UsageError(f"{option} takes 64 hexadecimal digits, not '{text:.80}'.")


def _read_words(texts: Iterable[str]) -> dict[int, str]:
    """Words given as SEAT=WORD."""
    return dict(_read_pair("--word", "SEAT=WORD", text) for text in texts)


def _read_seals(texts: Iterable[str]) -> dict[int, str]:
    """Seals given as ROUND=HEX, by the index of the round."""
    pairs = (_read_pair("--seal", "ROUND=HEX", text) for text in texts)
    return {number - 1: _read_hash("--seal", seal) for number, seal in pairs}


def _read_pair(option: str, form: str, text: str) -> tuple[int, str]:
    number, equals, value = text.partition("=")
    if not equals or not (number.isascii() and number.isdigit() and len(number) < 4):
        raise click.UsageError(f"{option} takes {form}, not '{text:.80}'.")
    return int(number), value


# The report


def _report(verdict: Verdict, noted: Noted, say: Say) -> Iterator[str]:
    """The findings as sentences, the result first."""
    if verdict.honest:
        yield say("The deals are honest: the secret and the words give exactly these.")
    else:
        yield say("The deals are NOT honest, or somebody has changed the record:")
    yield from (f"  {text}" for text in _complaints(verdict, say))
    yield say("Rounds checked: {count}.").format(count=len(verdict.rounds))
    yield from _silences(verdict.rounds, say)
    if verdict.honest and None in (noted.commitment, noted.table):
        text = say(
            "This holds only if the table and the commitment shown before the match were {table} and {commitment}."
        )
        yield text.format(table=plain(f"“{verdict.table:.80}”"), commitment=verdict.commitment)


def _complaints(verdict: Verdict, say: Say) -> Iterator[str]:
    """Everything that does not fit."""
    told = {
        "secret": say("The secret does not open the commitment."),
        "commitment": say("The commitment of the record is not the one noted."),
        "table": say("The table of the record is not the one noted."),
    }
    yield from (told[fault] for fault in verdict.faults)
    for number, found in enumerate(verdict.rounds, 1):
        place = say("Round {number} of {count}").format(number=number, count=len(verdict.rounds))
        yield from (f"{place} – {text}" for text in _round_complaints(found, say))


def _round_complaints(found: Finding, say: Say) -> Iterator[str]:
    deck = ", ".join(CARD_NAMES[card] for card in found.due.order)
    told = {
        "first": say("seat {seat} should have started.").format(seat=found.due.first),
        "deck": say("the deck should have been in this order: {deck}.").format(deck=deck),
        "seal": say("the seal should have been {seal}.").format(seal=found.due.seal),
        "noted-seal": say("the seal of the record is not the one noted."),
    }
    yield from (told[fault] for fault in found.faults)
    yield from (say("the word of seat {seat} is not the one noted.").format(seat=seat) for seat in found.unheard)


def _silences(rounds: tuple[Finding, ...], say: Say) -> Iterator[str]:
    """Who gave no word, and when; what that means."""
    seats = sorted({seat for found in rounds for seat in found.silent})
    for seat in seats:
        silent = _numbers(seat in found.silent for found in rounds)
        yield say("Rounds without a word of seat {seat}: {rounds}.").format(seat=seat, rounds=silent)
    if seats:
        yield say("A deal without a seat’s word rests on the server’s secret and the other words alone.")
    if alone := _numbers(len(found.silent) == len(found.words) for found in rounds):
        yield say("Rounds without any word, whose cards the server alone chose: {rounds}.").format(rounds=alone)


def _numbers(wanted: Iterable[bool]) -> str:
    """The numbers of the rounds that are wanted, counted from 1."""
    return ", ".join(str(number) for number, is_wanted in enumerate(wanted, 1) if is_wanted)
