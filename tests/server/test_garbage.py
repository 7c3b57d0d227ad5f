"""Garbage is looked for when sockets have closed, and not while people play; connections leave none."""

import asyncio
import gc
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from suitors.server.domain.opening import NewTable
from suitors.server.ops import garbage
from suitors.server.ops.connections import LimitedHttp
from suitors.server.ops.websockets import FastWebSocket
from suitors.server.process import listen, make_config
from suitors.server.server import Server, Settings
from suitors.server.sockets.base import Socket
from support.raw_connections import UPGRADE, frame


class Collector:
    """A stand-in for the module gc that only takes notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.notes.append(" ".join([name, *map(str, given)]))


async def keep(turns: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the collector go round once for each pair of open and closed sockets; what it did."""
    collector, state = Collector(), {"turn": -1}

    async def pause(seconds: float) -> None:
        state["turn"] += 1
        if state["turn"] == len(turns):
            raise asyncio.CancelledError

    def now(k: int) -> int:
        return turns[max(0, state["turn"])][k]

    monkeypatch.setattr(garbage, "gc", collector)
    monkeypatch.setattr(garbage, "sleep", pause)
    with pytest.raises(asyncio.CancelledError):
        await garbage.collect_garbage(lambda: now(0), lambda: now(1))
    assert collector.notes[:3] == ["disable", "collect", "freeze"]
    return collector.notes[3:]


@pytest.mark.parametrize(
    ("turns", "collected"),
    [
        ([(8, 0)] * 5, 0),
        ([(8, 0), (8, 1_000), (8, 1_001)], 1),
        ([(5_000, 0), (5_000, 9_000), (5_000, 10_001), (5_000, 19_000), (5_000, 21_000)], 2),
    ],
    ids=["nobody left", "many left", "as many as twice those who stay"],
)
def test_everything_is_looked_at_when_many_have_left(
    turns: list[tuple[int, int]], collected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(0, 61)
    monkeypatch.setattr(garbage, "monotonic", lambda: float(next(clock)))
    notes = asyncio.run(keep(turns, monkeypatch))
    assert notes.count("collect") == notes.count("unfreeze") == collected
    assert notes.count("freeze") == len(turns)
    assert [notes[k - 1] for k, note in enumerate(notes) if note == "freeze"] == ["collect 0"] * len(turns)


def test_everything_is_not_looked_at_again_within_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, 10)
    monkeypatch.setattr(garbage, "monotonic", lambda: float(next(clock)))
    notes = asyncio.run(keep([(8, 2_000 * turn) for turn in range(10)], monkeypatch))
    assert notes.count("collect") == 1


def test_a_failure_is_logged_and_the_next_turn_comes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = iter([OSError("a clock that fails")])

    def monotonic() -> float:
        if caplog.records or state["started"] < 1:
            state["started"] += 1
            return 0.0
        raise next(failing)

    state = {"started": 0}
    monkeypatch.setattr(garbage, "monotonic", monotonic)
    notes = asyncio.run(keep([(8, 0)] * 3, monkeypatch))
    assert [record.message for record in caplog.records] == ["garbage-failed"]
    assert notes.count("freeze") == 2


def test_everything_is_looked_at_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 1_000))
    monkeypatch.setattr(garbage, "monotonic", lambda: float(next(clock)))
    notes = asyncio.run(keep([(8, 0)] * 8, monkeypatch))
    assert notes.count("collect") in (1, 2)


# What connections leave

HEAD = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n"
SOCKET = "\r\n".join(["GET {path} HTTP/1.1", "Host: localhost", *UPGRADE, ""]).encode()
ENDINGS = {
    "an answer": HEAD + b"Connection: close\r\n\r\n",
    "a long pipeline": (HEAD + b"\r\n") * 100,
    "a long head": HEAD + b"X-Long: " + b"x" * 100_000,
    "many headers": HEAD + b"a:b\r\n" * 200,
    "a socket that is refused": SOCKET.replace(b"{path}", b"/nowhere") + b"\r\n",
    "a socket with a long head": SOCKET.replace(b"{path}", b"/nowhere") + b"X: " + b"x" * 9_000 + b"\r\n\r\n",
    "a socket that closes": SOCKET + b"\r\n" + frame(0x8, b"\x03\xe8"),
    "a socket that floods": SOCKET + b"\r\n" + frame(0x1, b"x") * 2_000,
}
TURNS = 500
"""How often it is looked whether all is freed: on a busy machine the last turns of an event loop may take a while."""


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[Server, int]]:
    """A server on the event loop of the test, and its port."""
    started: asyncio.Future[Server] = asyncio.get_running_loop().create_future()
    sock = listen("127.0.0.1", 0)
    process = uvicorn.Server(
        make_config(Settings(folder, sync=False, workers=1), started.set_result, started.set_exception)
    )
    running = asyncio.ensure_future(process.serve([sock]))
    try:
        yield await started, sock.getsockname()[1]
    finally:
        process.should_exit = True
        await running
        sock.close()


async def send_and_wait(port: int, data: bytes) -> None:
    """Send this on a connection of its own, and wait until the other side closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head, end, rest = data.partition(b"\r\n\r\n")
    writer.write(head + end)
    if b"Upgrade" in head:
        await asyncio.sleep(0.05)  # frames come after the handshake
    writer.write(rest)
    with suppress(ConnectionError):
        while await reader.read(65_536):
            pass
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def connections() -> list[object]:
    """All connections and sockets that the collector knows of."""
    return [each for each in gc.get_objects() if issubclass(type(each), LimitedHttp | FastWebSocket | Socket)]


async def left_over(folder: Path, data: bytes) -> list[str]:
    """What ten connections that end like this leave for the collector, when the event loop has had time for them."""
    others = connections()  # what other tests have left
    async with served(folder) as (server, port):
        person, _ = await server.people.create("Ada")
        loaded = await server.open_table("", person, NewTable(edition="classic", players=2, open=True))
        data = data.replace(b"{path}", f"/api/v1/tables/{loaded.table.id}/live".encode())
        for _ in range(10):
            await send_and_wait(port, data)
        for _ in range(TURNS):
            left = [type(each).__name__ for each in connections() if not any(each is other for other in others)]
            if not left:
                break
            await asyncio.sleep(0.01)
    return left


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_connection_that_has_ended_is_freed_at_once(ending: str, tmp_path: Path) -> None:
    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(left_over(tmp_path, ENDINGS[ending])) == []
    finally:
        gc.enable()
