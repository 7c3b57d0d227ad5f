"""Sockets of a server in this process that offer what those of the real one do: texts that need no queue."""

from collections.abc import Callable
from typing import Any

from suitors.server.common.asgi import Receive, Scope, Send
from suitors.server.ops.websockets import DIRECT


class DirectSockets:
    """Gives each text to the listener of its socket first, as FastWebSocket does; what is written waits in a queue."""

    taken = 0
    """Texts that listeners have taken, at all servers of this process."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        if scope["type"] != "websocket" or DIRECT in scope["extensions"]:
            await self.app(scope, receive, send)
            return
        listeners: list[Callable[[str], bool]] = []

        async def received() -> Any:
            while True:
                message = await receive()
                text = message.get("text")
                if text is None or not any(listener(text) for listener in listeners):
                    return message
                DirectSockets.taken += 1

        direct = {"write": lambda text: False, "listen": listeners.append}
        scope["extensions"] = {**scope.get("extensions", {}), DIRECT: direct}
        await self.app(scope, received, send)
