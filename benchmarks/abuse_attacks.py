"""The attacks of benchmarks/abuse.py: each does as much as the server lets it, and counts what it is answered."""

import asyncio
import itertools
import json
import random
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.exceptions import WebSocketException

from benchmarks.abuse_client import API, MOST_ROUNDS, Client

AT_ONCE = 40
"""Connections and sockets of an attacker, where an attack does not say otherwise."""

Answers = Counter[str]
Ready = Callable[[], None]
"""Called when an attack has made what it needs, and begins."""

CHANCES = "know=on&edition=premium"
"""The cookie of a visitor who wants to see chances."""


# Requests


async def flood(
    who: Client, answers: Answers, paths: Sequence[str], at_once: int = AT_ONCE, pause_s: float = 0.1
) -> None:
    """Ask again and again over many connections; refused, after a pause."""
    turn = itertools.cycle(random.sample(paths, len(paths)))

    async def ask(client: Client) -> None:
        while True:
            status, _ = await client.ask("GET", next(turn))
            answers[str(status)] += 1
            if status in (429, 503):
                await asyncio.sleep(pause_s)

    await asyncio.gather(*(ask(who.again()) for _ in range(at_once)))


async def records(who: Client, answers: Answers, ready: Ready) -> None:
    """Pages of the largest records that may be uploaded, at every step."""
    places = [await who.upload(MOST_ROUNDS, f"Ada {number}") for number in range(20)]
    ready()
    await flood(who, answers, [f"{place}?step={random.randrange(9000)}" for place in places for _ in range(50)])


async def lines(who: Client, answers: Answers, ready: Ready) -> None:
    """Analyses of crafted records: the longest that have one, and longer ones."""
    places = [await who.upload(rounds, f"Ada {rounds}") for rounds in (*range(90, 101), MOST_ROUNDS)]
    ready()
    await flood(who, answers, [f"{place}/analysis" for place in places])


async def kits(who: Client, answers: Answers, ready: Ready, at_once: int) -> None:
    """So many kits at once, again and again, no two the same."""
    ways = itertools.product(
        ("classic", "modern", "premium"), ("en", "fr"), ("a4", "letter"), ("", "both"), ("", "save")
    )
    paths = [f"/print/{w[0]}/kit.pdf?lang={w[1]}&paper={w[2]}&sides={w[3]}&ink={w[4]}" for w in ways]
    ready()
    await flood(who, answers, paths, at_once)


async def kits_45(who: Client, answers: Answers, ready: Ready) -> None:
    """45 kits at once."""
    await kits(who, answers, ready, 45)


async def kits_60(who: Client, answers: Answers, ready: Ready) -> None:
    """60 kits at once."""
    await kits(who, answers, ready, 60)


async def events(who: Client, answers: Answers, ready: Ready) -> None:
    """All that there is to read of long matches: events, views, records and replays."""
    tables = [await long_match(who) for _ in range(4)]
    ready()
    parts = ("events", "view", "record", "replay")
    await flood(who, answers, [f"{API}/tables/{table}/{part}" for table in tables for part in parts])


async def long_match(who: Client) -> str:
    """A match of eight that has been played to its end by bots."""
    table = await who.open_table("premium", {}, *[{"bot": "random"}] * 7, open=True)
    state = (await who.api("GET", f"/tables/{table}"))["state"]
    await who.api("POST", f"/tables/{table}/seats/0/hand-over", state=state, bot="random")
    for _ in range(300):  # a minute
        if (await who.api("GET", f"/tables/{table}"))["status"] == "over":
            break
        await asyncio.sleep(0.2)
    return table


async def lists(who: Client, answers: Answers, ready: Ready) -> None:
    """Lists of a hundred tables with eight seats each."""
    for number in range(5):
        host = await Client(who.port, who.source).become(f"Host {number}")
        for _ in range(20):
            await host.open_table("premium", *[{"bot": "random"}] * 8, open=True, start=False)
    ready()
    await flood(who, answers, ["/tables", "/", f"{API}/tables"])


async def pages(who: Client, answers: Answers, ready: Ready) -> None:
    """Large pages."""
    ready()
    await flood(who, answers, ["/", "/rules/premium", "/rules/modern", "/people/court", "/learn/3", "/credits"])


async def refusals(who: Client, answers: Answers, ready: Ready) -> None:
    """Requests that are refused, by far too many, each with a page."""
    who.accept = "text/html"
    ready()
    await flood(who, answers, ["/nothing"], pause_s=0)


async def heads(who: Client, answers: Answers, ready: Ready) -> None:
    """Heads of requests without an end, over many connections."""
    line = b"x-header: " + b"x" * 4000 + b"\r\n"
    ready()

    async def send() -> None:
        while True:
            with suppress(OSError):
                _, writer = await who.open_stream()
                writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
                for _ in range(1000):
                    writer.write(line)
                    await writer.drain()
                    answers["lines"] += 1
            answers["closed"] += 1
            await asyncio.sleep(0.02)

    await asyncio.gather(*(send() for _ in range(AT_ONCE)))


# Sockets


@asynccontextmanager
async def raw_socket(who: Client, path: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket as its two streams, after the handshake: for frames that no library sends."""
    reader, writer = await who.open_stream()
    head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{who.port}\r\ncookie: {who.cookie}\r\nconnection: upgrade\r\n"
    key = "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    writer.write((head + key).encode())
    try:
        await reader.readuntil(b"\r\n\r\n")
        yield reader, writer
    finally:
        writer.close()


async def frames(who: Client, answers: Answers, ready: Ready) -> None:
    """Pings, pongs and empty fragments, as many as the connection takes."""
    table = await who.open_table("classic", {}, {})
    mask = struct.pack("!I", 0)
    kinds = (b"\x89\x80" + mask, b"\x8a\x80" + mask, b"\x01\x80" + mask + (b"\x00\x80" + mask) * 50)
    ready()

    async def send() -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                async with raw_socket(who, f"{API}/tables/{table}/live") as (reader, writer):
                    reading = asyncio.ensure_future(read_all(reader))
                    while not reading.done():
                        writer.write(random.choice(kinds) * 200)
                        await writer.drain()
                        answers["bursts"] += 1
            answers["closed"] += 1
            await asyncio.sleep(0.05)

    await asyncio.gather(*(send() for _ in range(AT_ONCE)))


async def read_all(reader: asyncio.StreamReader) -> None:
    """Read until the connection is closed."""
    with suppress(OSError):
        await reader.read(-1)


async def talk(who: Client, answers: Answers, path: str, message: Callable[[], str]) -> None:
    """Many sockets, each with as many messages as it may send."""

    async def one() -> None:
        while True:
            try:
                async with who.socket(path) as socket:
                    reading = asyncio.ensure_future(drain(socket, answers))
                    while not reading.done():
                        await socket.send(message())
                        await asyncio.sleep(0.052)
            except (WebSocketException, OSError):
                answers["closed"] += 1
                await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))


async def drain(socket: Any, answers: Answers) -> None:
    """Read all that a socket tells."""
    with suppress(WebSocketException):
        async for _ in socket:
            answers["told"] += 1


async def chances(who: Client, answers: Answers, ready: Ready) -> None:
    """Pages with chances, of eight seats, through many sockets that look through other eyes each time."""
    table = await who.open_table("premium", *[{}] * 8)
    who.cookies["suitors-reader"] = CHANCES
    ready()
    await talk(who, answers, f"/tables/{table}/page", lambda: json.dumps({"seat": random.randrange(8)}))


async def hints(who: Client, answers: Answers, ready: Ready) -> None:
    """Hints for a solo game through many sockets."""
    table = await who.open_table("solitaire", {}, hints=True)
    while not (seen := await who.api("GET", f"/tables/{table}/legal?seat=0"))["legal"]:
        await asyncio.sleep(0.1)
    ready()
    asking = json.dumps({"do": "hint", "state": seen["state"], "id": 1})
    await talk(who, answers, f"{API}/tables/{table}/live?seat=0", lambda: asking)


async def words(who: Client, answers: Answers, ready: Ready) -> None:
    """Words for the shuffle through many sockets."""
    table = await who.open_table("classic", {}, {})
    ready()

    def word() -> str:
        return json.dumps({"do": "word", "state": 10_000, "word": f"word {random.random()}", "id": 1})

    await talk(who, answers, f"{API}/tables/{table}/live", word)


async def first_news(who: Client, answers: Answers, ready: Ready) -> None:
    """Sockets that are opened again and again, and told a whole match each time."""
    table = await long_match(who)
    ready()

    async def open_and_close() -> None:
        while True:
            try:
                async with who.socket(f"{API}/tables/{table}/live?since=0&seat=none") as socket:
                    await socket.recv()
                    await socket.recv()
                    answers["told"] += 1
            except (WebSocketException, OSError):
                answers["closed"] += 1
                await asyncio.sleep(0.1)

    await asyncio.gather(*(open_and_close() for _ in range(AT_ONCE)))


async def autoplay(who: Client, answers: Answers, ready: Ready, bot: str) -> None:
    """Twenty tables where bots play among themselves without any pause, and new ones when these are over."""
    ready()
    seats: list[Any] = [{}, *[{"bot": bot}] * 5]
    given = {"edition": "modern", "players": 6, "seats": seats, "pace_ms": 0, "rest_s": 0, "start": True}

    async def play(client: Client) -> None:
        while True:
            status, content = await client.ask("POST", f"{API}/tables", json.dumps(given).encode())
            answers[f"tables {status}"] += 1
            if status == 201:
                path = f"{API}/tables/{json.loads(content)['id']}"
                state = json.loads((await client.ask("GET", path))[1])["state"]
                await client.ask("POST", f"{path}/seats/0/hand-over", json.dumps({"state": state, "bot": bot}).encode())
            await asyncio.sleep(1)

    await asyncio.gather(*(play(who.again()) for _ in range(20)))


async def quick_bots(who: Client, answers: Answers, ready: Ready) -> None:
    """Bots that answer at once play among themselves."""
    await autoplay(who, answers, ready, "random")


async def experts(who: Client, answers: Answers, ready: Ready) -> None:
    """Bots that think play among themselves."""
    await autoplay(who, answers, ready, "expert")


ATTACKS: dict[str, Callable[[Client, Answers, Ready], Awaitable[None]]] = {
    "records": records,
    "chances": chances,
    "kits-45": kits_45,
    "kits-60": kits_60,
    "lines": lines,
    "words": words,
    "heads": heads,
    "frames": frames,
    "events": events,
    "first-news": first_news,
    "lists": lists,
    "hints": hints,
    "pages": pages,
    "refusals": refusals,
    "quick-bots": quick_bots,
    "experts": experts,
}
