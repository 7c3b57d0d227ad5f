"""No client can make others wait: what one costs the loop is counted, and what takes long is done in a thread."""

import asyncio
import json
import math
import threading
from dataclasses import replace
from time import thread_time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.game import Match
from suitors.records.record import load
from suitors.server.domain.replay import at_step
from suitors.server.errors import Refused
from suitors.server.ops import shares as shares_module
from suitors.server.ops.bot_pool import BotPool
from suitors.server.ops.shares import LoopShares, Slowness, Timed
from suitors.server.web import games, replays
from support.servers import API, FREE, denied, new_table, refused, server_of

BUSY_S = 0.005


def burn(seconds: float = BUSY_S) -> None:
    """Use the processor for so long."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


class CountingShares(LoopShares):
    """Shares that note whose work they have run."""

    def __init__(self) -> None:
        super().__init__(FREE)
        self.ran: list[str] = []

    async def run(self, client: str, work: Any, longest_s: float = math.inf, delay_s: float = math.inf) -> Any:
        """Note it, and run it."""
        self.ran.append(work.__name__)
        return await super().run(client, work, longest_s, delay_s)


def test_only_what_a_coroutine_computes_is_counted() -> None:
    async def work() -> str:
        burn()
        await asyncio.sleep(0.05)
        burn()
        return "done"

    async def act() -> float:
        timed = Timed(work())
        assert await timed == "done"
        return timed.cpu

    assert asyncio.run(act()) >= 2 * BUSY_S


def test_on_a_slow_machine_work_counts_for_more_and_a_stall_for_everybody() -> None:
    slowness = Slowness()
    assert slowness.note(1.0, 1.0) == pytest.approx(1.0)
    assert slowness.note(1.0, 5.0) == pytest.approx(3.0, rel=0.1)  # not by five for the one who was served then
    assert slowness.note(1.0, 0.0) >= 1.0


def test_a_cancellation_reaches_the_coroutine() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def act() -> None:
        shares = LoopShares(FREE)
        task = asyncio.ensure_future(shares.run("ada", work()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(act())
    assert ended == ["cancelled"]


def test_an_exception_comes_out_and_what_it_cost_is_counted() -> None:
    async def work() -> None:
        burn()
        raise ValueError("it")

    async def act() -> None:
        shares = LoopShares(replace(FREE, loop_s=BUSY_S, loop_share=1e-6))
        with pytest.raises(ValueError, match="it"):
            await shares.run("ada", work())
        with pytest.raises(Refused):
            await shares.run("ada", work(), 10)

    asyncio.run(act())


def test_many_at_once_begin_one_after_the_other_and_others_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    async def nothing() -> None:
        await asyncio.sleep(0)

    async def act() -> None:
        shares = LoopShares(replace(FREE, loop_s=0.02, loop_share=0.1))
        every = await asyncio.gather(*(shares.run("greedy", nothing(), 1) for _ in range(30)), return_exceptions=True)
        refused = [each for each in every if each is not None]
        assert len(waits) == len(every) - len(refused) - 3  # two are within the share, and the third ends it
        assert waits == sorted(waits)
        assert all(isinstance(each, Refused) and each.code == "too-much-work" for each in refused)
        assert refused
        before = len(waits)
        await shares.run("ada", nothing(), 1)
        assert len(waits) == before

    monkeypatch.setattr(shares_module, "sleep", sleep)
    asyncio.run(act())


def test_a_client_beyond_its_share_is_refused_later_with_the_time_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    shares = LoopShares(replace(FREE, loop_s=0.001, loop_share=0.00001))
    monkeypatch.setattr(server_of(client), "shares", shares)
    monkeypatch.setattr(shares_module, "sleep", sleep)
    answers = [client.get("/health/live") for _ in range(3)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert waits[-1] == shares_module.LONGEST_DELAY_S


def test_refusals_are_within_the_share_as_well(ada: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = CountingShares()
    monkeypatch.setattr(server_of(ada), "shares", shares)
    refused(ada.get("/", headers={"host": "elsewhere.example"}), 421, "wrong-host")
    denied(ada, f"{API}/tables/unknown/live")
    assert shares.ran == ["refuse", "_find", "refuse"]


# Sockets


@pytest.mark.parametrize("path", [f"{API}/tables/{{}}/live", "/tables/{}/page"])
def test_what_a_socket_costs_is_counted_from_its_beginning(
    ada: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, shares = new_table(ada)["id"], CountingShares()
    monkeypatch.setattr(server_of(ada), "shares", shares)
    with ada.websocket_connect(path.format(table)) as socket:
        socket.receive_text()
        socket.send_text("{}")
        socket.receive_text()
    assert shares.ran[:2] == ["_find", "_subscribe"]
    assert "_handle" in shares.ran


def test_sockets_that_wait_for_their_share_are_counted_as_open(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = server_of(client)
    seen: list[int] = []

    class Watching(LoopShares):
        async def run(self, client: str, work: Any, longest_s: float = math.inf, delay_s: float = math.inf) -> Any:
            if work.__name__ == "_find":
                seen.append(server.open_sockets)
                assert longest_s < math.inf
            return await super().run(client, work, longest_s, delay_s)

    table = new_table(ada)["id"]
    monkeypatch.setattr(server, "shares", Watching(FREE))
    with ada.websocket_connect(f"{API}/tables/{table}/live") as socket:
        socket.receive_text()
    assert seen == [1]
    denied(ada, f"{API}/tables/unknown/live")
    assert server.open_sockets == 0


# Lists


def test_who_sits_at_a_table_is_read_once_for_lists(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = server_of(client).store.tables
    table = new_table(ada, open=True, seats=[{"name": "Ada Senior"}, None])["id"]
    read: list[str] = []
    looked_up = tables._read_seats

    async def read_seats(table: str) -> list[Any]:
        read.append(table)
        return await looked_up(table)

    monkeypatch.setattr(tables, "_read_seats", read_seats)
    assert "Ada Senior" in ada.get("/tables").text
    assert "Ada Senior" in ada.get("/tables").text
    assert read.count(table) == 1
    state = ada.get(f"{API}/tables/{table}").json()["state"]
    ada.put(f"{API}/tables/{table}/seats/1", json={"state": state, "name": "Ada Junior"})
    assert "Ada Junior" in ada.get("/tables").text
    assert read.count(table) == 2


# Bots


def test_quick_bots_leave_the_thinking_time_of_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: dict[str, float] = {}

    class Pool:
        async def call(self, function: Any, bot: str, view: Any, seed: int, budget: float, limit_s: float) -> str:
            budgets[bot] = budget
            await asyncio.sleep(0)
            return "guard"

    async def act() -> None:
        bots = BotPool(1, 200.0)
        monkeypatch.setattr(bots, "_quick", Pool())
        monkeypatch.setattr(bots, "_thinking", Pool())
        monkeypatch.setattr(bots, "_warm", True)
        monkeypatch.setattr(bots, "_ready", True)
        view = Match("classic", ["Ada", "Ben"], seed=1).view(0)
        await asyncio.gather(*(bots.choose("random", view) for _ in range(50)), bots.choose("search", view))

    asyncio.run(act())
    assert budgets["search"] == 200.0


# Records


def test_records_are_read_and_shown_off_the_loop_and_kept(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, threading.Thread]] = []

    def noted(name: str, function: Any) -> Any:
        def call(*given: Any) -> Any:
            seen.append((name, threading.current_thread()))
            return function(*given)

        return call

    async def loop_thread() -> threading.Thread:
        return threading.current_thread()

    monkeypatch.setattr(games, "load", noted("load", load))
    monkeypatch.setattr(replays, "at_step", noted("step", at_step))
    match = Match("classic", ["Ada", "Ben"])
    while match.turn is not None:
        match.play(match.legal()[0])
    place = ada.post("/games", data={"text": json.dumps(match.record())}, follow_redirects=False).headers["location"]
    for step in (0, 1, 2):
        assert ada.get(place, params={"step": step}).status_code == 200
    assert [name for name, _ in seen] == ["load", "load", "step", "step", "step"]  # as it comes, and once to be shown
    assert client.portal is not None
    loop = client.portal.call(loop_thread)
    assert loop not in {thread for _, thread in seen}
