"""What is wrong with a store: every table is folded from its events, and every deal held against its seal."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from ... import fair
from ...errors import SuitorsError
from ...notation import CARD_NAMES
from ..storage.database import StoreFailure
from ..storage.tables import Event, UnreadableEvents
from .table import DamagedTable, HostedTable, fold


@dataclass
class StoreReport:
    """What was found in a store: how much was looked at, and a sentence for each thing that is damaged."""

    tables: int = 0
    events: int = 0
    damage: list[str] = field(default_factory=list)


class StoreContents(Protocol):
    """A store that is looked through, whichever database it is in."""

    def faults(self) -> list[str]:
        """What is wrong with the files."""

    def table_ids(self) -> list[bytes]:
        """The ids of all tables, and of events that belong to none."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Read everything as it is now, whatever a server writes meanwhile."""

    def has_table(self, table: str) -> bool:
        """Whether there is such a table."""

    def events(self, table: str) -> list[Event]:
        """All events of a table; UnreadableEvents where one is missing or is no JSON."""


def check_store(file: StoreContents, progress: Callable[[int, int], None] = lambda done, all_: None) -> StoreReport:
    """Look through a store; `progress` is told how many tables are done, and of how many."""
    report = StoreReport(damage=[f"The file: {fault.rstrip('.')}." for fault in file.faults()])
    try:
        tables = file.table_ids()
        for number, raw in enumerate(tables, 1):
            _check_table(file, raw, report)
            progress(number, len(tables))
    except StoreFailure as failure:
        report.damage.append(f"The file: {failure}")
    return report


def _check_table(file: StoreContents, raw: bytes, report: StoreReport) -> None:
    try:
        table = raw.decode()
    except UnicodeDecodeError:
        report.damage.append(f"Table {raw.decode(errors='replace')}: Its id is no text.")
        return
    try:
        with file.snapshot():
            state, known = fold_checked(file, table).state, file.has_table(table)
        if state and not known:
            raise DamagedTable(HostedTable(table), "Its events belong to no table.")
        if known and not state:
            raise DamagedTable(HostedTable(table), "It has no events.")
    except DamagedTable as damage:
        state = damage.table.state
        report.damage.append(f"Table {table}: {damage}")
    report.tables += 1
    report.events += state


def fold_checked(file: StoreContents, table: str) -> HostedTable:
    """The table in a store, if each of its events can be applied and each deal is the one that its seal promises."""
    try:
        return fold(table, file.events(table), _apply_checked)
    except UnreadableEvents as unreadable:
        raise DamagedTable(fold(table, unreadable.readable, _apply_checked), str(unreadable)) from None


def _apply_checked(table: HostedTable, event: Event) -> None:
    if event["kind"] == "dealt":
        _check_deal(table, event)
    table.apply(event)


def _check_deal(table: HostedTable, event: Event) -> None:
    """Refuse a deal that does not follow from the table's secret and the words of its seats."""
    due = fair.draw(table.started_match, table.secret, table.id, event["words"])
    deck = [CARD_NAMES[card] for card in due.order]
    for key, expected in {"first": due.first, "deck": deck, "seal": due.seal}.items():
        if event[key] != expected:
            raise SuitorsError(f"wrong-{key}", f"The {key} of this deal is not what secret and words give.")
