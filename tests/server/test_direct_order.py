"""Messages that are decided as they come: in order, by those who may, and whatever fails while they are decided."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.common.cookies import key_cookie
from suitors.server.domain.registry import TableRegistry
from suitors.server.domain.table import HostedTable
from suitors.server.sockets.base import COME_AGAIN
from suitors.server.storage.database import TakenNumber
from suitors.server.storage.tables import StoredTables
from support.disks import Disk, on_bad_disk
from support.frame_lines import FrameLine, turns
from support.raw_connections import frame
from support.servers import FREE, key_of, new_person, on_loop, path_of, server_of, started_table

Scene = Callable[[FrameLine, FrameLine], Awaitable[None]]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[TestClient, Disk]]:
    with on_bad_disk(tmp_path) as found:
        yield found


def at_table(client: TestClient, scene: Scene) -> None:
    """Play a scene on the event loop of the server: with the sockets of who has to decide, and of the other."""
    people = [new_person(client, "Ada"), new_person(client, "Ben")]
    table, cookie = started_table(*people), key_cookie(server_of(client))

    async def play() -> None:
        lines = []
        for seat, who in enumerate(people):
            line = FrameLine(client.app, FREE)
            lines.append(await line.open(path_of(table, f"live?seat={seat}"), f"{cookie}={key_of(who)}"))
        turn = last(lines[0])["scene"]["turn"]
        try:
            await scene(lines[turn], lines[1 - turn])
        finally:
            for line in lines:
                line.abort()
            await turns()

    on_loop(client, play)


def last(line: FrameLine) -> dict[str, Any]:
    return line.messages("news")[-1]


def move(line: FrameLine, number: int) -> dict[str, Any]:
    told = last(line)
    return {"do": "move", "state": told["state"], "move": told["scene"]["legal"][0], "id": number}


def word(line: FrameLine, number: int) -> dict[str, Any]:
    return {"do": "word", "state": last(line)["state"], "word": f"word {number}", "id": number}


def test_a_message_does_not_overtake_one_that_has_waited(place: tuple[TestClient, Disk]) -> None:
    client, disk = place

    async def scene(ada: FrameLine, ben: FrameLine) -> None:
        loaded = next(iter(server_of(client).tables.loaded.values()))
        disk.hold()
        ben.ask(**word(ben, 1))
        ada.ask(**word(ada, 2))  # waits until Ben's is on disk
        await turns()
        assert loaded.writing is not None
        loaded.writing.add_done_callback(lambda _: ada.ask(**word(ada, 3)))  # comes right before it goes on
        disk.free.set()
        assert await ada.answered(2) == [2, 3]
        assert [event["word"] for told in ben.messages("news")[1:] for event in told["events"]] == [
            "word 1",
            "word 2",
            "word 3",
        ]

    at_table(client, scene)


@pytest.mark.parametrize(("burst", "code"), [(10, "bad-message"), (1, "too-many")])
def test_a_message_that_is_refused_waits_for_the_answer_before_it(
    place: tuple[TestClient, Disk], burst: int, code: str
) -> None:
    client, disk = place
    server = server_of(client)
    server.limits = replace(server.limits, messages_s=0.001, messages_burst=burst)

    async def scene(ada: FrameLine, ben: FrameLine) -> None:
        disk.hold()
        ada.ask(**move(ada, 1))
        ada.send(frame(1, b"{"))
        await turns()
        assert not ada.messages("answer")
        disk.free.set()
        assert await ada.answered(2) == [1, None]
        assert ada.messages("answer")[1]["error"]["code"] == code

    at_table(client, scene)


def test_so_it_does_where_the_one_before_is_decided_anew(
    place: tuple[TestClient, Disk], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = place
    append = StoredTables.append

    def taken_once(*_: Any) -> Any:
        monkeypatch.setattr(StoredTables, "append", append)
        failing = asyncio.get_running_loop().create_future()
        failing.set_exception(TakenNumber("Another was first."))
        return failing

    async def slowly(tables: TableRegistry, table: str) -> HostedTable:
        await turns(5)
        return await read(tables, table)

    async def scene(ada: FrameLine, ben: FrameLine) -> None:
        loaded = next(iter(server_of(client).tables.loaded.values()))
        monkeypatch.setattr(StoredTables, "append", taken_once)
        ada.ask(**move(ada, 1))
        await turns(3)
        assert loaded.writing is not None  # the table is being read again
        loaded.writing.add_done_callback(lambda _: ada.ask(**word(ada, 2)))
        assert await ada.answered(2) == [1, 2]
        ada.ask(**word(ada, 3))
        assert await ada.answered(3) == [1, 2, 3]

    read = TableRegistry._read
    monkeypatch.setattr(TableRegistry, "_read", slowly)
    at_table(client, scene)


def test_a_failure_while_a_message_is_decided_ends_its_socket_alone(
    place: tuple[TestClient, Disk], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client, _ = place

    async def scene(ada: FrameLine, ben: FrameLine) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(TableRegistry, "begin_change", lambda *_: 1 // 0)
            ada.ask(**move(ada, 1))
        await turns()
        assert (ada.code, ben.code) == (COME_AGAIN, None)
        ben.ask(**word(ben, 2))
        assert await ben.answered(1) == [2]

    with caplog.at_level(logging.ERROR):
        at_table(client, scene)
    failures = [record for record in caplog.records if record.message == "socket-failed"]
    assert [record.exc_info[0] for record in failures if record.exc_info] == [ZeroDivisionError]


def test_who_is_banned_cannot_play_on_by_reading_nothing(place: tuple[TestClient, Disk]) -> None:
    client, _ = place
    server = server_of(client)

    async def scene(ada: FrameLine, ben: FrameLine) -> None:
        loaded = next(iter(server.tables.loaded.values()))
        ada.socket.pause_writing()
        ben.ask(**word(ben, 1))  # Ada's socket waits to tell her that
        assert await ben.answered(1) == [1]
        (person,) = (each.person for each in loaded.subscribers if each.seat == last(ada)["scene"]["turn"])
        await server.bans.add(f"person:{person}", "")
        server.drop_banned()
        state = loaded.table.state
        ada.ask(**move(ada, 2))
        ada.ask(**word(ada, 3))
        await turns()
        await loaded.settled()
        assert loaded.table.state == state

    at_table(client, scene)
