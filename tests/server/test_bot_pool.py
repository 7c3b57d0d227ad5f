"""The bots of a server: nobody waits for one that still compiles."""

import asyncio
import random

import pytest

from suitors import Match
from suitors.server.ops.bot_pool import QUICK_MIND, BotPool
from suitors.view.match import View
from suitors.view.solo import SoloView


def test_a_quicker_mind_decides_until_a_bot_has_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("classic", ["Ada", "Ben", "Cleo"], rng=random.Random(1))
    asked: list[tuple[str, bool]] = []

    async def decide(self: BotPool, bot: str, view: View | SoloView, thinks: bool) -> str:
        asked.append((bot, thinks))
        return view.legal[0]

    async def play() -> None:
        compiled = asyncio.Event()
        pool = BotPool(1, 5.0)

        async def call(*_: object, **__: object) -> None:
            await compiled.wait()

        monkeypatch.setattr(pool._thinking, "call", call)
        try:
            await pool.choose("search", match.view(match.turn))
            await pool.choose("expert", match.view(match.turn))
            compiled.set()
            await asyncio.gather(*pool._preparing)
            await pool.choose("search", match.view(match.turn))
            await pool.choose("expert", match.view(match.turn))
            await pool.choose("random", match.view(match.turn))
        finally:
            pool.close()

    monkeypatch.setattr(BotPool, "_ask", decide)
    asyncio.run(play())
    before = [(QUICK_MIND, False), ("expert", False)]  # by its network alone
    assert asked == [*before, ("search", True), ("expert", True), ("random", False)]
