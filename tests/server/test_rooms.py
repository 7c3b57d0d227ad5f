"""Habits of the server's source that no import contract can keep: where SQL may be, and what a move costs."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import suitors.server
from suitors.history import BaseMatch
from suitors.server.domain.commands import COMMANDS, Caller, Decision, deal, play_for_bot
from suitors.server.domain.loaded import LoadedTable
from suitors.server.domain.opening import NewTable, first_events
from suitors.server.domain.people import Person
from suitors.server.domain.table import HostedTable, fold

ROOT = Path(suitors.server.__file__).parent
OUTSIDE = [path for path in sorted(ROOT.rglob("*.py")) if "storage" not in path.relative_to(ROOT).parts]
SQL = re.compile(
    r"\b(SELECT\b.+\bFROM|SELECT \d|INSERT\b.*\bINTO|UPDATE\b.+\bSET|DELETE FROM|CREATE TABLE|PRAGMA)\b", re.DOTALL
)


def faults(source: str) -> list[str]:
    """What in a module belongs into storage: imports of sqlite3, statements of SQL, calls that run them."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "sqlite3" for alias in node.names):
            found.append("import sqlite3")
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlite3":
            found.append("from sqlite3")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
            found.append(node.value)
        if isinstance(node, ast.Attribute) and node.attr in {"execute", "executescript", "executemany", "database"}:
            found.append(node.attr)
    return found


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(ROOT)))
def test_sql_is_in_storage_alone(path: Path) -> None:
    assert faults(path.read_text("utf-8")) == []


def test_the_search_for_sql_finds_it() -> None:
    for source in (
        "import sqlite3",
        "from sqlite3 import Connection",
        "x = 'SELECT name FROM persons'",
        "x = f'INSERT OR IGNORE INTO {t} VALUES (?)'",
        "x = 'UPDATE keys SET seen = ?'",
        "db.execute(sql)",
        "store.database.read(sql)",
    ):
        assert faults(source), source


# Moves


@pytest.fixture
def ada() -> Person:
    return Person(1, "Ada")


@pytest.fixture
def loaded(ada: Person) -> LoadedTable:
    """A table where Ada plays against a bot."""
    given = NewTable.model_validate(
        {"edition": "classic", "players": 2, "seats": [{}, {"bot": "random"}], "start": True}
    )
    table = LoadedTable(HostedTable("x"), away_s=1.0)
    table.apply(first_events("x", ada, given))
    table.apply(deal(table.table))
    return table


def next_decision(table: HostedTable, ada: Person) -> Decision:
    """The next move of the match, whosever turn it is."""
    match = table.started_match
    if match.turn == 0:
        return COMMANDS["move"].decision(Caller(ada, 0), move=match.legal()[0])
    return lambda now: play_for_bot(now, 1, match.legal()[0])


def test_a_move_is_parsed_once_on_its_way(loaded: LoadedTable, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = BaseMatch.parse

    def counted(match: BaseMatch[Any], text: str) -> int:
        parsed.append(text)
        return parse(match, text)

    monkeypatch.setattr(BaseMatch, "parse", counted)
    for _ in range(3):
        match = loaded.table.started_match
        if match.to_deal:
            loaded.apply(deal(loaded.table))
        written = loaded.apply(next_decision(loaded.table, ada)(loaded.table))
        assert [event["move"] for event in written.events] == parsed
        parsed.clear()


def test_what_is_stored_folds_to_the_same_table(loaded: LoadedTable, ada: Person) -> None:
    table = loaded.table
    while not table.started_match.over:
        decision = deal if table.started_match.to_deal else next_decision(table, ada)
        written = loaded.apply(decision(table))
        assert all(isinstance(event, dict) and "packed" not in event for event in written.events)
    again = fold("x", [event for event, _ in table.events])
    assert again.started_match.record() == table.started_match.record()
    assert (again.status, again.state, again.shuffles) == (table.status, table.state, table.shuffles)
    assert [where for _, where in again.events] == [where for _, where in table.events]
