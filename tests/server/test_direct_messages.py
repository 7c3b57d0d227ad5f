"""Messages that are taken as they come, without a queue: on disk before they are answered, in order, or refused."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from suitors.server.sockets.base import COME_AGAIN
from suitors.server.storage.database import TakenNumber
from suitors.server.storage.tables import StoredTables
from support.direct_sockets import DirectSockets
from support.disks import Disk, held_up, on_bad_disk
from support.raw_connections import frame, opened, table_at
from support.servers import (
    FREE,
    Caller,
    Running,
    SocketReader,
    in_process,
    new_person,
    path_of,
    running,
    started_table,
    state_of,
)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[TestClient, Disk]]:
    with on_bad_disk(tmp_path) as found:
        yield found


def deciding(client: TestClient) -> tuple[TestClient, dict[str, Any], int]:
    """Somebody at a table where they have to decide, and their seat."""
    people = [new_person(client, "Ada"), new_person(client, "Ben")]
    table = started_table(*people)
    for seat in (0, 1):
        with people[seat].websocket_connect(path_of(table, f"live?seat={seat}")) as line:
            if SocketReader(line).wait(2)["scene"]["turn"] == seat:
                return people[seat], table, seat
    raise AssertionError("Nobody has to decide.")


def a_move(told: SocketReader, **more: Any) -> str:
    last = told.news[-1]
    return json.dumps({"do": "move", "state": last["state"], "move": last["scene"]["legal"][0], **more})


def test_a_move_is_taken_at_once_and_told_when_it_is_on_disk(place: tuple[TestClient, Disk]) -> None:
    client, disk = place
    ada, table, seat = deciding(client)
    with ada.websocket_connect(path_of(table, f"live?seat={seat}")) as line:
        told, taken = SocketReader(line), DirectSockets.taken
        state = told.news[-1]["state"]
        disk.hold()
        line.send_text(a_move(told, id=7))
        held_up(client, table["id"])
        assert DirectSockets.taken == taken + 1
        assert len(told.news) == 1
        disk.free.set()
        messages = [told.read(), told.read()]
        assert {message["type"]: message["state"] for message in messages} == {"news": state + 1, "answer": state + 1}


def test_a_move_that_the_disk_refuses_is_told_to_nobody(place: tuple[TestClient, Disk]) -> None:
    client, disk = place
    ada, table, seat = deciding(client)
    before = state_of(ada, table)
    with ada.websocket_connect(path_of(table, f"live?seat={seat}")) as line:
        told, taken = SocketReader(line), DirectSockets.taken
        disk.broken = ("COMMIT",)
        line.send_text(a_move(told, id=7))
        with pytest.raises(WebSocketDisconnect) as closed:
            told.read()
        assert (closed.value.code, DirectSockets.taken) == (COME_AGAIN, taken + 1)
    disk.broken = ()
    assert state_of(ada, table) == before


def test_messages_are_answered_in_their_order_whether_they_wait_or_not(place: tuple[TestClient, Disk]) -> None:
    client, disk = place
    ada, table, seat = deciding(client)
    with ada.websocket_connect(path_of(table, f"live?seat={seat}")) as line:
        told = SocketReader(line)
        disk.hold()
        word = {"do": "word", "state": told.news[-1]["state"], "id": 4, "word": "x"}
        for text in (a_move(told, id=1), a_move(told, id=2), "{", json.dumps(word)):
            line.send_text(text)
        held_up(client, table["id"], 1)
        disk.free.set()
        answers = [told.answer() for _ in range(4)]
    assert [answer["id"] for answer in answers] == [1, 2, None, 4]
    assert ["error" in answer for answer in answers] == [False, True, True, False]


def test_a_message_that_is_refused_counts_once(tmp_path: Path) -> None:
    with in_process(tmp_path, messages_s=0.001, messages_burst=10) as client:
        ada, table, seat = deciding(client)
        with ada.websocket_connect(path_of(table, f"live?seat={seat}")) as line:
            told = SocketReader(line)
            codes = []
            for _ in range(12):
                line.send_text('{"do": "dance"}')
                codes.append(told.answer()["error"]["code"])
    assert codes == ["bad-message"] * 10 + ["too-many"] * 2


def test_a_move_that_comes_behind_that_of_another_process_is_decided_anew(
    place: tuple[TestClient, Disk], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = place
    ada, table, seat = deciding(client)
    append = StoredTables.append

    def taken_once(tables: StoredTables, writes: Any) -> asyncio.Future[None]:
        monkeypatch.setattr(StoredTables, "append", append)
        failing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failing.set_exception(TakenNumber("Another was first."))
        return failing

    with ada.websocket_connect(path_of(table, f"live?seat={seat}")) as line:
        told = SocketReader(line)
        monkeypatch.setattr(StoredTables, "append", taken_once)
        line.send_text(a_move(told, id=7))
        assert told.answer()["state"] == told.news[0]["state"] + 1
        assert [event["kind"] for event in told.news[1]["events"]] == ["moved"]


# Frames of the real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("frames")
    limits = folder / "free.toml"
    limits.write_text("".join(f"{key} = {value}\n" for key, value in vars(FREE).items()))
    with running(folder, "--limits", str(limits)) as found:
        yield found


@pytest.fixture(scope="module")
def live(server: Running) -> str:
    """The address of a socket that anybody may open."""
    return table_at(Caller(server.address, "Ada"), start=False)[1] + "/live"


def question(number: int) -> bytes:
    return json.dumps({"do": "dance", "id": number}).encode()


LONG = json.dumps({"do": "dance", "id": 4, "why": "x" * 300}).encode()
ONE, TWO, THREE = (frame(1, question(number)) for number in (1, 2, 3))
WAYS: dict[str, tuple[list[bytes], list[int | None]]] = {
    "one by one": ([ONE, TWO, THREE], [1, 2, 3]),
    "all at once": ([ONE + TWO + THREE], [1, 2, 3]),
    "in pieces": ([ONE[:1], ONE[1:4], ONE[4:9], ONE[9:] + TWO[:3], TWO[3:], THREE], [1, 2, 3]),
    "with a payload that looks like a frame": ([frame(2, TWO)[:6], TWO, THREE], [None, 3]),
    "in fragments": ([frame(1, question(1)[:5], last=False), frame(9), frame(0, question(1)[5:]), TWO], [1, 2]),
    "behind a long one": ([b"\x81\xfe" + len(LONG).to_bytes(2) + b"\0\0\0\0" + LONG, ONE], [4, 1]),
}
"""Pieces that are sent one after the other, and the messages that are answered."""


@pytest.mark.parametrize("way", WAYS)
def test_messages_are_the_same_however_their_bytes_come(server: Running, live: str, way: str) -> None:
    pieces, numbers = WAYS[way]
    with opened(server, Caller(server.address, "Ben"), live) as line:
        for piece in pieces:
            line.socket.sendall(piece)
            time.sleep(0.02)  # so that most are read apart
        answers = [message for message in map(json.loads, read(line, len(numbers) + 2)) if message["type"] == "answer"]
    assert [answer["id"] for answer in answers] == numbers
    assert {answer["error"]["code"] for answer in answers} == {"bad-message"}


@pytest.mark.parametrize(
    ("pieces", "code"),
    [([frame(1, b"\xff")], 1007), ([frame(1, b"{", last=False), ONE], 1002), ([b"\x81\x01{"], 1002)],
    ids=["no UTF-8", "a text within another", "not masked"],
)
def test_a_frame_that_may_not_come_ends_the_socket(server: Running, live: str, pieces: list[bytes], code: int) -> None:
    with opened(server, Caller(server.address, "Cleo"), live) as line:
        for piece in (ONE, *pieces):
            line.socket.sendall(piece)
            time.sleep(0.02)
        with pytest.raises(ConnectionClosed) as closed:
            read(line, 10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


def read(line: ClientConnection, count: int) -> list[str | bytes]:
    """The next so many messages."""
    return [line.recv(30) for _ in range(count)]
