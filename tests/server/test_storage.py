"""What every store does, in SQLite and in PostgreSQL alike: commits, failures, tables, people, records, expiry."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from suitors.server.storage import expiry as expiry_module
from suitors.server.storage import people as people_module
from suitors.server.storage.analyses import OwnAnalysis
from suitors.server.storage.bans import Ban
from suitors.server.storage.database import Connection, StoreFailure
from suitors.server.storage.practice import Tries
from suitors.server.storage.store import Store
from suitors.server.storage.tables import Event, Summary, TableWrite, TooManyTables, UnreadableEvents

OPENED: list[Event] = [{"kind": "opened"}, {"kind": "sat", "seat": 0, "name": "Ada ’\\", "person": 7}]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("database")
    with closing(Store(tmp_path / "data", sync=False, url=url)) as store:
        yield store


def run(work: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await work

    return asyncio.run(wait())


# The writer


def noted(store: Store) -> list[str]:
    return [row[0] for row in store.database.read("SELECT name FROM persons ORDER BY name")]


def note(name: str) -> Callable[[Connection], None]:
    """A job that notes a name, and fails for `bad` after it has done so."""

    def job(db: Connection) -> None:
        db.execute("INSERT INTO persons (name, since) VALUES (?, 0)", (name,))
        if name == "bad":
            raise ValueError("a job that fails")

    return job


async def together(store: Store, *names: str) -> list[Any]:
    """What comes of these jobs when all of them wait at once."""
    free = threading.Event()
    first = asyncio.ensure_future(store.database.write(lambda db: free.wait(60)))
    waiting = [asyncio.ensure_future(store.database.write(note(name))) for name in names]
    await asyncio.sleep(0)
    free.set()
    assert await first
    return await asyncio.gather(*waiting, return_exceptions=True)


def test_what_waits_at_once_is_committed_at_once(store: Store) -> None:
    names = [f"n{k:03}" for k in range(200)]
    assert run(together(store, *names)) == [None] * 200
    assert store.database.commits in (2, 1)  # the one they waited behind, and theirs
    assert noted(store) == names


def test_a_job_that_fails_fails_alone_and_leaves_nothing(store: Store) -> None:
    outcomes = run(together(store, "a", "bad", "b", "c"))
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreFailure, type(None), type(None)]
    assert noted(store) == ["a", "b", "c"]


def test_a_statement_that_fails_is_a_failure_of_the_store(store: Store) -> None:
    with pytest.raises(StoreFailure, match="cannot be read"):
        store.database.read("SELECT nothing FROM nowhere")
    with pytest.raises(StoreFailure, match="did not take it"):
        run(store.database.write(lambda db: db.execute("DELETE FROM nowhere").rowcount))


# Tables


def summary(table: str, host: int = 1, **more: Any) -> Summary:
    given = {"edition": "classic", "open": True, "status": "waiting", "due": False, "updated": 60, **more}
    return Summary(table, host, **given)


def write(table: str, number: int, *events: Event, line: Summary | None = None) -> TableWrite:
    members = [event["person"] for event in events if event["kind"] == "sat"]
    return TableWrite(table, 5, number, [*events], members, line)


async def add(store: Store, *writes: TableWrite) -> None:
    await store.tables.append(list(writes))


def test_events_come_back_as_they_were_in_order(store: Store) -> None:
    more: list[Event] = [{"kind": "word", "seat": 0, "word": "été \u2028 \\u0000 \U0001f48c"}, {"kind": "started"}]
    run(add(store, write("t", 0, *OPENED)))
    run(add(store, write("t", 2, *more), write("u", 0, {"kind": "opened"})))
    assert run(store.tables.events("t")) == [*OPENED, *more]
    assert run(store.tables.events("t", 3)) == [more[1]]
    assert run(store.tables.events("u")) == [{"kind": "opened"}]
    assert run(store.tables.events("v")) == []


def test_what_strangers_ask_for_is_not_there(store: Store) -> None:
    run(add(store, write("t", 0, *OPENED)))
    for name in ("a\0b", "\0", "", "' OR 1 = 1 --", "%s", "?", "é" * 9_000):
        assert run(store.tables.events(name)) == []
        assert run(store.records.find(name)) is None


def test_events_are_never_written_over(store: Store) -> None:
    run(add(store, write("t", 0, {"kind": "opened"}, {"kind": "started"})))
    for number in (0, 1):
        other = write("t", number, {"kind": "closed"}, {"kind": "closed"})
        with pytest.raises(StoreFailure):
            run(add(store, write("u", 0, {"kind": "opened"}), other))
        assert [event["kind"] for event in run(store.tables.events("t"))] == ["opened", "started"]
        assert run(store.tables.events("u")) == []  # all or none


def test_of_many_writes_the_one_whose_number_is_taken_fails_alone(store: Store) -> None:
    async def act() -> list[Any]:
        await add(store, write("t", 0, {"kind": "opened"}))
        writes = [write("t" if k == 30 else f"t{k}", 0, {"kind": "opened"}) for k in range(60)]
        return await asyncio.gather(*(store.tables.append([each]) for each in writes), return_exceptions=True)

    outcomes = run(act())
    assert [k for k, outcome in enumerate(outcomes) if isinstance(outcome, StoreFailure)] == [30]
    assert store.database.read("SELECT count(*) FROM events") == [(60,)]


def test_events_that_are_missing_or_no_json_are_unreadable(store: Store) -> None:
    run(add(store, write("t", 0, *OPENED), write("u", 0, *OPENED)))
    run(add(store, write("t", 3, {"kind": "closed"})))
    sql = "UPDATE events SET body = 'nothing' WHERE table_id = 'u' AND number = 1"
    run(store.database.write(lambda db: db.execute(sql).rowcount))
    for table, why, known in (("t", "Event 2 is missing.", 2), ("u", "Event 1 is no JSON.", 1)):
        with pytest.raises(UnreadableEvents, match=why) as unreadable:
            run(store.tables.events(table))
        assert unreadable.value.readable == OPENED[:known]


def test_lists_of_tables(store: Store) -> None:
    lines = [
        summary("a", updated=60),
        summary("b", updated=120, open=False),
        summary("c", updated=180, status="over"),
        summary("d", 2, updated=240, status="playing", due=True),
        summary("e", 2, updated=300, status="damaged"),
    ]
    run(add(store, *(write(line.id, 0, *OPENED, line=line) for line in lines)))
    assert run(store.tables.list_open(10)) == [lines[3], lines[0]]
    assert run(store.tables.list_open(1)) == [lines[3]]
    assert run(store.tables.list_of(7, 10)) == lines[::-1]
    assert run(store.tables.list_of(8, 10)) == []
    assert run(store.tables.list_all(None, 10)) == lines[::-1]
    assert run(store.tables.list_all("over", 10)) == [lines[2]]
    assert run(store.tables.list_damaged()) == [lines[4]]
    assert run(store.tables.count_unfinished(1)) == 2
    run(store.tables.mark_damaged("a"))
    assert run(store.tables.count_unfinished(1)) == 1
    run(store.tables.restore(summary("a", status="playing")))
    assert run(store.tables.list_all("playing", 10))[-1].id == "a"


def test_a_summary_is_changed_and_the_members_stay(store: Store) -> None:
    run(add(store, write("t", 0, *OPENED, line=summary("t"))))
    run(add(store, write("t", 2, OPENED[1], line=summary("t", status="playing", updated=600))))
    assert run(store.tables.list_of(7, 10)) == [summary("t", status="playing", updated=600)]


def test_who_sits_at_a_table(store: Store) -> None:
    bot = {"kind": "bot-sat", "seat": 1, "bot": "random", "name": "Pip"}
    run(add(store, write("t", 0, *OPENED, bot)))
    assert run(store.tables.seats("t")) == [OPENED[1], bot]
    run(add(store, write("t", 3, {"kind": "left", "seat": 0}, {"kind": "started"})))
    assert run(store.tables.seats("t")) == [bot]


def test_a_host_has_no_more_tables_than_they_may(store: Store) -> None:
    async def act() -> list[Any]:
        lines = [summary(f"t{k}", 3) for k in range(6)]
        opening = [store.tables.open([write(line.id, 0, *OPENED, line=line)], 3, 4) for line in lines]
        return await asyncio.gather(*opening, return_exceptions=True)

    outcomes = run(act())
    assert [type(each) for each in outcomes] == [type(None)] * 4 + [TooManyTables] * 2
    assert store.database.read("SELECT count(DISTINCT table_id) FROM events") == [(4,)]


def test_a_damaged_table_is_closed_once(store: Store) -> None:
    run(add(store, write("t", 0, *OPENED)))
    for _ in range(2):
        run(store.tables.close_damaged("t", 9))
    assert run(store.tables.events("t")) == [*OPENED, {"kind": "closed"}]


# People


def test_keys_lead_to_persons(store: Store) -> None:
    ada = run(store.people.create("Ada", b"a" * 32, 1))
    ben = run(store.people.create("Ben", b"b" * 32, 1))
    assert ben > ada
    assert run(store.people.find(b"a" * 32)) == (ada, "Ada")
    assert run(store.people.find(b"c" * 32)) is None
    run(store.people.rename(ada, "Ada II"))
    assert run(store.people.find_number(ada)) == (ada, "Ada II")
    assert run(store.people.find_number(99)) is None
    assert run(store.people.touch_key(b"a" * 32, 50))
    run(store.people.delete_key(b"a" * 32))
    assert not run(store.people.touch_key(b"a" * 32, 60))
    assert run(store.people.find(b"a" * 32)) is None


def test_a_transfer_code_works_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = run(store.people.create("Ada", b"a" * 32, 1))
    run(store.people.add_transfer(ada, b"old", 100))
    run(store.people.add_transfer(ada, b"new", 100))
    assert run(store.people.find_transfer(b"old", 50)) is None
    assert run(store.people.find_transfer(b"new", 101)) is None
    assert run(store.people.find_transfer(b"new", 50)) == (ada, "Ada")
    assert run(store.people.use_transfer(b"new", b"k" * 32, 50)) == (ada, "Ada")
    assert run(store.people.use_transfer(b"new", b"l" * 32, 50)) is None
    assert run(store.people.find(b"k" * 32)) == (ada, "Ada")
    monkeypatch.setattr(people_module, "MOST_KEYS", 4)
    for number in range(6):
        run(store.people.add_transfer(ada, b"more", 100))
        run(store.people.use_transfer(b"more", bytes([number]) * 32, 60 + number))
    assert store.database.read("SELECT seen FROM keys ORDER BY seen") == [(62,), (63,), (64,), (65,)]


# Records, bans, marks, expiry


async def analysed(store: Store) -> None:
    await store.tables.append([written("t1"), written("t2")])
    await store.analyses.keep("a", "first\n", 10)
    await store.analyses.keep("b", "\n", 20)
    await store.analyses.note_seats("a", "t1", {0: 7, 2: 8}, 10)
    await store.analyses.note_seats("a", "t1", {0: 7, 2: 8}, 11)
    await store.analyses.note_seats("b", "t2", {1: 7}, 20)
    await store.analyses.note_seats("gone", "t3", {1: 7}, 30)


def written(table: str) -> TableWrite:
    return TableWrite(table, 1, 0, OPENED, [7], Summary(table, 7, "modern", False, "over", False, 1))


def test_an_analysis_is_kept_under_its_digest_and_known_to_those_who_sat_there(store: Store) -> None:
    run(analysed(store))
    run(store.analyses.keep("a", "again ’\n", 12))
    assert [run(store.analyses.find(key)) for key in ("a", "b", "gone")] == ["again ’\n", "\n", None]
    mine = [OwnAnalysis("t2", 1, "b", 20), OwnAnalysis("t1", 0, "a", 10)]
    assert run(store.analyses.list_of(7, 9)) == mine  # the last first, and nothing that is not kept
    assert run(store.analyses.list_of(7, 1)) == mine[:1]
    assert run(store.analyses.list_of(8, 9)) == [OwnAnalysis("t1", 2, "a", 10)]
    assert run(store.analyses.list_of(9, 9)) == []


def test_analyses_end_when_they_are_old_and_with_their_tables(store: Store) -> None:
    run(analysed(store))
    assert [run(store.expiry.delete_rows(kind, 15)) for kind in ("analyses", "analysed")] == [1, 2]
    assert run(store.analyses.find("a")) is None
    assert run(store.analyses.list_of(7, 9)) == [OwnAnalysis("t2", 1, "b", 20)]
    assert sorted(run(store.expiry.delete_tables("over", 5))) == ["t1", "t2"]
    assert run(store.analyses.list_of(7, 9)) == []
    assert run(store.analyses.find("b")) == "\n"  # a record of the same match may still be looked at
    assert run(store.expiry.newest_time()) == 20


async def practised(store: Store, person: int) -> list[Any]:
    """What comes of three attempts at one puzzle and one at another, where each rates one point higher."""

    def rate(before: tuple[float, int] | None) -> tuple[float, int]:
        return (100.5, 1) if before is None else (before[0] + 1, before[1] + 1)

    tried = [("a", False, rate), ("a", True, rate), ("a", True, rate), ("t1/0/2", True, None), ("b", True, rate)]
    return [await store.practice.note(person, puzzle, solved, 5, given) for puzzle, solved, given in tried]


def test_practice_is_counted_and_the_first_attempt_rated(store: Store) -> None:
    assert run(store.practice.rating(7)) is None
    assert run(practised(store, 7)) == [(None, (100.5, 1)), None, None, None, ((100.5, 1), (101.5, 2))]
    assert run(store.practice.rating(7)) == (101.5, 2)
    assert run(store.practice.tries(7)) == {"a": Tries(2, 1, 2), "t1/0/2": Tries(1, 0, 1), "b": Tries(1, 0, 1)}
    run(store.practice.note(7, "a", False, 6))
    assert run(store.practice.tries(7))["a"] == Tries(2, 2, 0), "a miss ends what was solved in a row"
    assert (run(store.practice.tries(8)), run(store.practice.rating(8))) == ({}, None)


def test_practice_ends_with_its_person(store: Store) -> None:
    known, gone = (run(store.people.create(name, name.encode() * 16, 1)) for name in ("ok", "no"))
    for person in (known, gone):
        run(practised(store, person))
    run(store.people.delete_key(b"no" * 16))
    assert run(store.expiry.delete_persons()) == 1
    assert (len(run(store.practice.tries(known))), run(store.practice.rating(known))) == (3, (101.5, 2))
    assert (run(store.practice.tries(gone)), run(store.practice.rating(gone))) == ({}, None)


def test_records_are_kept_within_bounds(store: Store) -> None:
    async def save(name: str, text: str, person: int = 1) -> bool:
        return await store.records.add(name, person, text, now=1, most=3, most_bytes=20)

    assert run(save("a", "{}"))
    assert run(save("b", '"été"'))
    assert not run(save("c", "x" * 12))
    assert run(save("c", "x" * 11))
    assert not run(save("d", ""))
    assert run(save("d", "", person=2))
    assert run(store.records.find("b")) == '"été"'
    assert run(store.records.find("z")) is None


def test_bans(store: Store) -> None:
    first, second = Ban("192.0.2.7/32", 10, "why’s"), Ban("person:3", 20, "")
    for ban in (second, first):
        run(store.bans.add(ban))
    assert run(store.bans.list()) == [first, second]
    changed = Ban("person:3", 30, "again")
    run(store.bans.add(changed))
    run(store.bans.remove(first.subject))
    assert run(store.bans.list()) == [changed]


def test_what_is_old_is_deleted_a_few_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry_module, "TABLES_STEP", 2)
    monkeypatch.setattr(expiry_module, "ROWS_STEP", 2)
    expiry = store.expiry
    assert (run(expiry.last_time()), run(expiry.newest_time())) == (None, None)
    run(add(store, *(write(f"t{k}", 0, *OPENED, line=summary(f"t{k}", updated=k)) for k in range(4))))
    for number in range(4):
        run(store.people.create(f"p{number}", bytes([number]) * 32, number))
    assert run(expiry.newest_time()) == 3
    found = run(expiry.delete_tables("waiting", 3))
    assert len(found) == 2
    assert sorted(found + run(expiry.delete_tables("waiting", 3))) == ["t0", "t1", "t2"]
    assert run(expiry.delete_tables("waiting", 3)) == []
    assert store.database.read("SELECT DISTINCT table_id FROM events") == [("t3",)]
    assert store.database.read("SELECT table_id FROM members") == [("t3",)]
    assert [run(expiry.delete_rows("keys", 3)) for _ in range(3)] == [2, 1, 0]
    assert [run(expiry.delete_persons()) for _ in range(3)] == [2, 1, 0]
    for at in (12, 13):
        run(expiry.mark(at))
    run(store.check())
    assert run(expiry.last_time()) == 13


def test_a_store_knows_its_size_and_keeps_its_name(store: Store) -> None:
    assert run(store.used_bytes()) > 1000
    assert 0 < store.free_bytes() <= sys.maxsize
    assert len(store.server_id) == 8
    assert int(store.server_id, 16) >= 0


def test_due_tables_are_claimed(store: Store) -> None:
    lines = [summary("a", status="playing", due=True), summary("b")]

    async def act() -> tuple[list[str], bool, int]:
        connected = asyncio.Event()
        store.messages.start(lambda *_: None, lambda _: connected.set())
        if store.shared:
            await connected.wait()
        await add(store, *(write(line.id, 0, *OPENED, line=line) for line in lines))
        found = await store.duties.claim_due(), await store.duties.claim("b")
        if not store.shared:
            return *found, 2
        await store.database.write(lambda db: db.execute("INSERT INTO duties VALUES ('of a process that ended', 1)"))
        await store.duties.clean()
        return *found, len(await store.database.fetch("SELECT table_id FROM duties"))

    assert run(act()) == (["a"], True, 2)
