"""No client can make others wait: what one costs the loop is counted, and what takes long is done in a thread."""

import asyncio
import json
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
from suitors.server.ops.shares import LoopShares, Timed
from suitors.server.web import games, replays
from support.servers import FREE, server_of

BUSY_S = 0.005


def burn(seconds: float = BUSY_S) -> None:
    """Use the processor for so long."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def test_only_what_a_coroutine_computes_is_counted() -> None:
    async def work() -> str:
        burn()
        await asyncio.sleep(0.05)
        burn()
        return "done"

    async def act() -> float:
        timed = Timed(work())
        assert await timed == "done"
        return timed.seconds

    assert asyncio.run(act()) >= 2 * BUSY_S


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


def test_a_client_beyond_its_share_is_refused_with_the_time_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = LoopShares(replace(FREE, loop_s=0.001, loop_share=0.001))
    monkeypatch.setattr(server_of(client), "shares", shares)
    answers = [client.get("/health") for _ in range(3)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1


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
