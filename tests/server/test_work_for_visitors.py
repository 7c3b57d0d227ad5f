"""What visitors ask for has processes of its own, with bounds for each client; and bots move whatever happens."""

import asyncio
import operator
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.domain import automation
from suitors.server.errors import Refused
from suitors.server.ops import limits as limits_module
from suitors.server.ops import turns as turns_module
from suitors.server.ops.bot_pool import BotPool
from suitors.server.ops.jobs import Jobs, Results
from suitors.server.ops.turns import Turns
from suitors.server.ops.workers import WorkerDied, WorkerPool, WorkerSilent
from support.servers import (
    FREE,
    Clock,
    in_process,
    json_of,
    new_person,
    new_table,
    next_decision,
    on_loop,
    path_of,
    server_of,
    state_of,
)

KIT = "/print/classic/kit.pdf"


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def using(pool: Any, act: Callable[[], Awaitable[None]]) -> None:
    """Run something that uses a pool, and end its processes."""

    async def run() -> None:
        try:
            await act()
        finally:
            pool.close()

    asyncio.run(run())


# Turns


def test_clients_take_turns_however_many_jobs_one_of_them_has() -> None:
    async def act() -> list[str]:
        turns, order, go = Turns(1, FREE), list[str](), asyncio.Event()

        async def job(client: str) -> None:
            async with turns.turn(client):
                order.append(client)
                await go.wait()

        jobs = [asyncio.ensure_future(job("greedy")) for _ in range(5)]
        await settle()
        jobs += [asyncio.ensure_future(job(client)) for client in ("ada", "ben")]
        await settle()
        go.set()
        await asyncio.gather(*jobs)
        return order

    assert asyncio.run(act()) == ["greedy", "greedy", "ada", "ben", "greedy", "greedy", "greedy"]


def test_who_stops_waiting_leaves_no_gap_in_the_queue() -> None:
    async def act() -> None:
        turns = Turns(1, FREE)

        async def job(client: str) -> str:
            async with turns.turn(client):
                await asyncio.sleep(0)
                return client

        first, second, third = (asyncio.ensure_future(job(client)) for client in ("ada", "ben", "carla"))
        await asyncio.sleep(0)
        second.cancel()
        assert (await asyncio.wait_for(first, 30), await asyncio.wait_for(third, 30)) == ("ada", "carla")
        assert turns.waiting == 0
        assert await asyncio.wait_for(job("ben"), 30) == "ben"

    asyncio.run(act())


@pytest.mark.parametrize(
    ("limits", "code", "status"), [({"jobs_client": 2}, "too-many-jobs", 429), ({"jobs": 1}, "busy", 503)]
)
def test_a_full_queue_is_refused_with_the_time_to_come_again(limits: dict[str, int], code: str, status: int) -> None:
    async def act() -> Refused:
        turns, go = Turns(1, replace(FREE, **limits)), asyncio.Event()

        async def job() -> None:
            async with turns.turn("ada"):
                await go.wait()

        jobs = [asyncio.ensure_future(job()) for _ in range(2)]
        await settle()
        try:
            with pytest.raises(Refused) as refusal:
                await job()
        finally:
            go.set()
            await asyncio.gather(*jobs)
        return refusal.value

    refusal = asyncio.run(act())
    assert (refusal.code, refusal.status) == (code, status)
    assert int(refusal.headers()["retry-after"]) >= 1


def test_a_client_who_has_used_up_the_budget_has_to_wait_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, turns_module, limits_module)

    async def job(turns: Turns, client: str, seconds: float) -> None:
        async with turns.turn(client):
            clock.ahead += seconds

    async def act() -> None:
        turns = Turns(1, replace(FREE, work_s=10, work_minute_s=6))
        await job(turns, "ada", 9)
        await job(turns, "ada", 30)  # begun within the budget, and now far beyond it
        with pytest.raises(Refused) as refusal:
            await job(turns, "ada", 0)
        assert refusal.value.code == "too-much-work"
        await job(turns, "ben", 1)
        clock.ahead += refusal.value.more["wait_s"] + 1
        await job(turns, "ada", 0)

    asyncio.run(act())


# Processes


def test_a_process_that_hangs_is_ended_and_no_other_notices() -> None:
    pool = WorkerPool(2, 0)

    async def act() -> None:
        other = await pool.call(os.getpid, limit_s=60)
        busy = asyncio.ensure_future(pool.call(time.sleep, 0.5, limit_s=60))
        await settle()
        with pytest.raises(WorkerSilent):
            await pool.call(time.sleep, 3600, limit_s=0.1)
        await busy
        assert await pool.call(operator.add, 1, 2, limit_s=60) == 3
        assert other == await pool.call(os.getpid, limit_s=60)

    using(pool, act)


def test_a_process_that_dies_is_replaced() -> None:
    pool = WorkerPool(1, 0)

    async def act() -> None:
        with pytest.raises(WorkerDied):
            await pool.call(os._exit, 3, limit_s=60)
        assert await pool.call(operator.add, 1, 2, limit_s=60) == 3

    using(pool, act)


def test_a_caller_who_goes_does_not_leave_a_busy_process_to_others() -> None:
    pool = WorkerPool(1, 0)

    async def act() -> None:
        gone = asyncio.ensure_future(pool.call(time.sleep, 3600, limit_s=0.1))
        await settle()
        gone.cancel()
        assert await asyncio.wait_for(pool.call(operator.add, 1, 2, limit_s=60), 60) == 3

    using(pool, act)


def test_what_is_asked_for_twice_is_made_once() -> None:
    jobs = Jobs(1, FREE)

    async def act() -> None:
        both = await asyncio.gather(*(jobs.work(client, "key", os.urandom, 8) for client in ("ada", "ben")))
        assert both[0] == both[1] == await jobs.work("carla", "key", os.urandom, 8)
        assert both[0] != await jobs.work("ada", "another", os.urandom, 8)

    using(jobs, act)


def test_a_job_that_fails_or_takes_too_long_gives_nothing_and_is_not_kept() -> None:
    jobs = Jobs(1, replace(FREE, job_s=0.1))

    async def act() -> None:
        assert await jobs.work("ada", "slow", time.sleep, 3600) is None
        jobs.limit_s = 60.0
        assert await jobs.work("ada", "wrong", operator.truediv, 1, 0) is None
        assert await jobs.work("ada", "slow", operator.add, 1, 2) == 3

    using(jobs, act)


def test_results_have_a_bound() -> None:
    results = Results(100)
    for key in range(10):
        results.keep(key, f"result {key}", 30)
        results.find(0)
    assert [key for key in range(10) if results.find(key)] == [0, 8, 9]
    results.keep("large", "result", 101)
    assert results.find("large") is None
    assert results.room == 100


# Kits


def test_a_kit_is_made_once_and_waits_for_no_bot(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_bots(*_: Any) -> None:
        raise AssertionError("a kit has nothing to do with the bots")

    monkeypatch.setattr(BotPool, "_ask", no_bots)
    first = client.get(KIT)
    assert first.content.startswith(b"%PDF")
    monkeypatch.setattr(server_of(client).jobs, "_work", no_bots)
    assert client.get(KIT).content == first.content
    assert client.get(KIT, params={"paper": "letter"}).status_code == 500  # this is another one


def test_a_visitor_who_finds_the_queue_full_is_told_when_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_of(client).jobs.turns, "limits", replace(FREE, jobs_client=0))
    answer = client.get(KIT, params={"ink": "save"})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
    assert "wait until one is done" in answer.text


# Bots


def playing_a_bot(who: TestClient) -> dict[str, Any]:
    """A match against a bot that is under way."""
    table = new_table(who, seats=[{}, {"bot": "random"}])
    json_of(who.post(path_of(table, "start"), json={"state": state_of(who, table)}))
    return table


def play_on(who: TestClient, table: dict[str, Any], moves: int) -> None:
    """Play some moves; the bot has to move in between."""
    rng = random.Random(0)
    for _ in range(moves):
        state, seat, legal = next_decision({0: who}, table)
        body = {"state": state, "seat": seat, "move": rng.choice(legal)}
        if (
            json_of(who.post(path_of(table, "moves"), json=body))
            and json_of(who.get(path_of(table)))["status"] == "over"
        ):
            return


@pytest.mark.parametrize("fault", [asyncio.CancelledError, RuntimeError, TimeoutError])
def test_a_bot_moves_whatever_has_failed(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    real, failed = server_of(client).bots.choose, list[str]()

    async def choose(bot: str, view: Any) -> str:
        if len(failed) < 2:
            failed.append(bot)
            raise fault
        return await real(bot, view)

    monkeypatch.setattr(automation, "RETRY_S", (0.0,))
    monkeypatch.setattr(server_of(client).bots, "choose", choose)
    play_on(ada, playing_a_bot(ada), 3)
    assert len(failed) == 2


def test_a_task_that_has_ended_is_started_again(tmp_path: Path, monkeypatch: Any) -> None:
    with in_process(tmp_path) as client:  # with no table but this one
        ada = new_person(client, "Ada")
        server, real = server_of(client), server_of(client).bots.choose
        begun = []

        async def never(bot: str, view: Any) -> str:
            begun.append(bot)
            return await asyncio.Event().wait() and ""

        monkeypatch.setattr(server.bots, "choose", never)
        table = playing_a_bot(ada)
        while not begun:  # until it is the bot's turn
            told = json_of(ada.get(path_of(table, "legal"), params={"seat": 0}))
            if told["legal"]:
                body = {"state": told["state"], "seat": 0, "move": told["legal"][0]}
                json_of(ada.post(path_of(table, "moves"), json=body))
        monkeypatch.setattr(server.bots, "choose", real)

        async def lose_task() -> None:
            task = (await server.tables.load(table["id"])).task
            assert task is not None
            task.cancel()
            await asyncio.wait([task])
            await server.tables.resume()

        on_loop(client, lose_task)
        play_on(ada, table, 2)


def test_bots_survive_the_death_of_their_processes(client: TestClient, ada: TestClient) -> None:
    table = playing_a_bot(ada)
    play_on(ada, table, 1)
    for process in server_of(client).bots._quick._idle:
        for pid in list(process._executor._processes or {}):
            os.kill(pid, signal.SIGKILL)
    play_on(ada, table, 2)


def test_a_move_that_is_owed_for_too_long_is_counted_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with in_process(tmp_path) as client:
        ada, server = new_person(client, "Ada"), server_of(client)
        table = new_table(ada, seats=[{}, {"bot": "random"}], pace_ms=10_000)
        json_of(ada.post(path_of(table, "start"), json={"state": state_of(ada, table)}))
        loaded = server.tables.loaded[table["id"]]
        while loaded.pending is None or loaded.pending.bot is None:
            told = json_of(ada.get(path_of(table, "legal"), params={"seat": 0}))
            if told["legal"]:
                body = {"state": told["state"], "seat": 0, "move": told["legal"][0]}
                json_of(ada.post(path_of(table, "moves"), json=body))
        assert b"suitors_overdue_tables 0.0" in server.metrics.text()
        Clock(monkeypatch, automation).ahead = 10 + automation.OVERDUE_S
        assert b"suitors_overdue_tables 1.0" in server.metrics.text()
        server.tables.log_overdue()
        assert [record.message for record in caplog.records if record.levelname == "ERROR"] == ["overdue"]
