"""A small HTTP client from an address of its own on loopback, for benchmarks/abuse.py: victims and attackers use it."""

import asyncio
import json
import random
import re
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

API = "/api/v1"
FORM = "application/x-www-form-urlencoded"

ROUND = {
    "first": 0,
    "deck": [
        *("princess", "guard", "guard", "baron", "prince", "guard", "guard", "handmaid"),
        *("prince", "countess", "handmaid", "guard", "priest", "priest", "king", "baron"),
    ],
    "moves": [
        *("guard 1 countess", "prince 0", "handmaid", "guard", "handmaid", "guard", "prince 1", "king 0", "baron 1"),
    ],
}
"""A round that nobody wins where a full tie has no winner: a match may have any number of them."""

MOST_ROUNDS = 924
"""Rounds of this kind in the largest record that may be uploaded."""


class Client:
    """A client over one connection at a time."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self.cookies: dict[str, str] = {}
        self.accept = "*/*"
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def again(self) -> "Client":
        """The same person over another connection."""
        twin = Client(self.port, self.source)
        twin.cookies, twin.accept = self.cookies, self.accept
        return twin

    @property
    def cookie(self) -> str:
        """The Cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def open_stream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from the address of this client."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))

    def socket(self, path: str) -> connect:
        """A socket, to be entered with `async with`."""
        headers = {"cookie": self.cookie}
        address = f"ws://127.0.0.1:{self.port}{path}"
        return connect(address, additional_headers=headers, local_addr=(self.source, 0))

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, bytes]:
        """Send a request: the status, and the body of the answer or the place that it leads to."""
        try:
            return await self._ask(method, path, body, kind)
        except (asyncio.IncompleteReadError, OSError):  # the server has closed a connection that was not used for long
            self._stream = None
            return await self._ask(method, path, body, kind)

    async def _ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        if self._stream is None:
            self._stream = await self.open_stream()
        reader, writer = self._stream
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncookie: {self.cookie}\r\n"
        writer.write(
            f"{head}accept: {self.accept}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;]*)", answer):
            self.cookies[name] = value
        length = re.search(r"(?im)^content-length: (\d+)", answer)
        content = await reader.readexactly(int(length[1])) if length else b""
        if re.search(r"(?im)^connection: close", answer):
            writer.close()
            self._stream = None
        found = re.search(r"(?im)^location: (\S+)", answer)
        return int(answer.split()[1]), found[1].encode() if found else content

    async def api(self, method: str, path: str, **body: Any) -> Any:
        """Ask the API for something that must be granted."""
        status, content = await self.ask(method, API + path, json.dumps(body).encode())
        assert status < 300, (status, content)
        return json.loads(content)

    async def become(self, name: str) -> "Client":
        """Become a person of this name."""
        await self.api("POST", "/me", name=name)
        return self

    async def open_table(self, edition: str, *seats: Any, **given: Any) -> str:
        """A table that has started, where nobody waits."""
        settings = {"pace_ms": 0, "rest_s": 0, "start": True, **given}
        table = await self.api("POST", "/tables", edition=edition, players=len(seats), seats=list(seats), **settings)
        return str(table["id"])

    async def upload(self, rounds: int, name: str) -> str:
        """Upload a record with so many rounds: the path of its page."""
        record = {"format": "suitors-record/1", "edition": "house", "players": [name, "Ben"]}
        data = {**record, "rounds": [ROUND] * rounds, "options": {"house_full_tie": "none"}}
        head = '--x\r\ncontent-disposition: form-data; name="file"; filename="record.json"\r\n\r\n'
        body = f"{head}{json.dumps(data, separators=(',', ':'))}\r\n--x--\r\n".encode()
        status, place = await self.ask("POST", "/games", body, "multipart/form-data; boundary=x")
        assert status == 303, (status, place)
        return place.decode()


class BotGame:
    """Matches against a bot, one after the other, through a socket: how long the bot takes to move."""

    def __init__(self, who: Client, bot: str) -> None:
        self.who, self.bot = who, bot
        self.took: list[float] = []

    async def play(self) -> None:
        """Play until cancelled."""
        while True:
            table = await self.who.open_table("classic", {}, {"bot": self.bot})
            async with self.who.socket(f"{API}/tables/{table}/live") as socket:
                await self._play_match(socket)

    async def _play_match(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        moved_at = None
        async for text in socket:
            news = json.loads(text)
            if news["type"] != "news":
                continue
            if moved_at is not None and any(event.get("by") == "bot" for event in news["events"]):
                self.took.append(loop.time() - moved_at)
                moved_at = None
            if news["status"] == "over":
                return
            scene = news["scene"] or {}
            if scene.get("turn") == 0 and scene["legal"]:
                await asyncio.sleep(0.1)
                move = {"do": "move", "state": news["state"], "move": random.choice(scene["legal"])}
                moved_at = loop.time()
                await socket.send(json.dumps(move))
