"""The baseline of server.py: the same sockets and messages of the same size, with no game and no disk behind them.

It shows what uvicorn, Python and the machine's loopback cost by themselves: a message is read and parsed, four are
encoded and sent, and four more where a round would be dealt. server.py starts it.
"""

import asyncio
import gc
import socket
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import uvicorn

FILL = " " * 900
"""Makes a message as long as one of `modern` with four players is on average: 1,020 bytes."""

ROUND = 17
"""Moves of a round there; behind the last of them the next is dealt, which all are told, too."""

Send = Callable[[Any], Awaitable[None]]
tables: dict[str, list[asyncio.Queue[str]]] = defaultdict(list)


async def app(scope: Any, receive: Callable[[], Awaitable[Any]], send: Send) -> None:
    """Tell everybody at the table whatever one of them says; each in turn is the next to speak."""
    if scope["type"] != "websocket":
        return
    everybody, told = tables[scope["path"]], asyncio.Queue[str]()
    told.put_nowait(news(0, not everybody))
    everybody.append(told)
    await receive()
    await send({"type": "websocket.accept"})
    writing = asyncio.ensure_future(write(told, send))
    while (message := await receive())["type"] == "websocket.receive":
        state = orjson.loads(message["text"])["state"] + 1
        ends = state % (ROUND + 1) == ROUND
        for k, other in enumerate(everybody):
            other.put_nowait(news(state, not ends and k == state % len(everybody)))
        for k, other in enumerate(everybody if ends else ()):
            other.put_nowait(news(state + 1, k == (state + 1) % len(everybody)))
    writing.cancel()


async def write(told: "asyncio.Queue[str]", send: Send) -> None:
    """Send what is to be told."""
    while True:
        await send({"type": "websocket.send", "text": await told.get()})


def news(state: int, due: bool) -> str:
    """A message like the server's, filled up to its size."""
    scene = {"legal": ["on"] if due else []}
    data = {"type": "news", "state": state, "status": "playing", "events": [{"state": state}], "scene": scene}
    return orjson.dumps({**data, "fill": FILL}).decode()


if __name__ == "__main__":
    gc.disable()  # as the server does, which collects in its own way: with 8,000 sockets it would double all figures
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"Baseline is at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(
        app, ws="websockets-sansio", ws_per_message_deflate=False, log_level="error", lifespan="off"
    )
    uvicorn.Server(config).run([listener])
    sys.exit(0)
