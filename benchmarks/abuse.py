"""Whether one client can make others wait: how long their requests take when it is quiet, and under attack.

    python benchmarks/abuse.py --seconds 10

Each attack comes from an address of its own on loopback and does as much as the server lets it, with the limits as they
are; meanwhile somebody else asks for pages and views at a steady pace. The bound: the p99 of the other's requests stays
below 100 ms, or three times what it was when it was quiet, whichever is higher. The exit status is 1 where it does not.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

API = "/api/v1"
VICTIM, ATTACKER = "127.0.0.1", "127.0.0.2"
AT_ONCE = 40
"""Connections and sockets of an attacker."""

BOUND_S, RATIO = 0.1, 3.0
PACE_S = 0.05
"""How often the other client asks for something."""

ROUND = {
    "first": 0,
    "deck": [
        *("princess", "guard", "guard", "guard", "priest", "prince", "countess", "prince"),
        *("priest", "guard", "baron", "guard", "king", "handmaid", "baron", "handmaid"),
    ],
    "moves": [
        *("guard 1 princess", "priest 0", "prince 1", "guard 0 baron", "prince 1", "guard 0 priest"),
        *("handmaid", "king", "handmaid"),
    ],
}
"""A round that nobody wins where a full tie has no winner: a match may have any number of them."""


class Client:
    """A client over one connection at a time, from an address of its own."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self.cookies: dict[str, str] = {}
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def again(self) -> "Client":
        """The same person over another connection."""
        twin = Client(self.port, self.source)
        twin.cookies = self.cookies
        return twin

    @property
    def cookie(self) -> str:
        """The Cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, bytes]:
        """Send a request: the status and the body of the answer."""
        if self._stream is None:
            self._stream = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        reader, writer = self._stream
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncookie: {self.cookie}\r\n"
        writer.write(f"{head}content-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
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

    async def open_table(self, edition: str, *seats: Any) -> str:
        """A table that has started."""
        players = len(seats)
        table = await self.api(
            "POST", "/tables", edition=edition, players=players, seats=list(seats), pace_ms=0, rest_s=0
        )
        await self.api("POST", f"/tables/{table['id']}/start", state=table["state"])
        return str(table["id"])

    async def upload(self, rounds: int, name: str) -> str:
        """Upload a record with so many rounds: the path of its page."""
        record = {
            "format": "suitors-record/1",
            "edition": "house",
            "players": [name, "Ben"],
            "rounds": [ROUND] * rounds,
        }
        text = json.dumps({**record, "options": {"house_full_tie": "none"}}, separators=(",", ":"))
        form = urlencode({"text": text}).replace("%2C", ",").replace("%22", '"').replace("%5B", "[").replace("%5D", "]")
        status, place = await self.ask("POST", "/games", form.encode(), "application/x-www-form-urlencoded")
        assert status == 303, (status, place)
        return place.decode()


# Attacks


async def flood(who: Client, answers: Counter[str], path: Callable[[], str]) -> None:
    """Ask again and again over many connections."""

    async def ask(client: Client) -> None:
        while True:
            status, _ = await client.ask("GET", path())
            answers[str(status)] += 1
            if status in (429, 503):
                await asyncio.sleep(0.1)

    await asyncio.gather(*(ask(who.again()) for _ in range(AT_ONCE)))


async def kits(who: Client, answers: Counter[str]) -> None:
    """Kits of all kinds."""
    slugs, ways = ("classic", "modern", "premium"), itertools.product(("en", "fr"), ("a4", "letter"), ("", "both"))
    paths = [f"/print/{slug}/kit.pdf?lang={w[0]}&paper={w[1]}&sides={w[2]}" for w in ways for slug in slugs]
    await flood(who, answers, lambda: random.choice(paths))


async def lines(who: Client, answers: Counter[str]) -> None:
    """The line of chances of crafted records, the longest that has one and longer ones."""
    paths = [await who.upload(rounds, f"Ada {rounds}") for rounds in (99, 100, 98, 97, 600)]
    await flood(who, answers, lambda: f"{random.choice(paths)}?line=1")


async def records(who: Client, answers: Counter[str]) -> None:
    """Pages of records as large as may be uploaded."""
    paths = [await who.upload(620, f"Ada {number}") for number in range(20)]
    await flood(who, answers, lambda: f"{random.choice(paths)}?step={random.randrange(6000)}")


async def hints(who: Client, answers: Counter[str]) -> None:
    """Hints on pages of solo games."""
    tables = [await who.open_table("solitaire", {}) for _ in range(10)]
    await flood(who, answers, lambda: f"/tables/{random.choice(tables)}?hint=1")


async def pages(who: Client, answers: Counter[str]) -> None:
    """The first page and the rules."""
    await flood(who, answers, lambda: random.choice(("/", "/rules/premium", "/people", "/learn/3")))


async def sockets(who: Client, answers: Counter[str], path: str, message: Callable[[], str]) -> None:
    """Many sockets, each with as many messages as it may send."""

    async def talk() -> None:
        address = f"ws://127.0.0.1:{who.port}{path}"
        while True:
            try:
                headers = {"cookie": who.cookie}
                async with connect(address, additional_headers=headers, local_addr=(who.source, 0)) as socket:
                    reading = asyncio.ensure_future(drain(socket, answers))
                    while not reading.done():
                        await socket.send(message())
                        await asyncio.sleep(0.052)
            except (WebSocketException, OSError):
                answers["closed"] += 1
                await asyncio.sleep(0.5)

    await asyncio.gather(*(talk() for _ in range(AT_ONCE)))


async def drain(socket: Any, answers: Counter[str]) -> None:
    """Read all that a socket tells."""
    with suppress(WebSocketException):
        async for _ in socket:
            answers["told"] += 1


async def chances(who: Client, answers: Counter[str]) -> None:
    """Pages with chances: hints and choices through many sockets."""
    table = await who.open_table("solitaire", {})
    await sockets(who, answers, f"/tables/{table}/page", lambda: random.choice(('{"hint": true}', '{"chosen": ""}')))


async def words(who: Client, answers: Counter[str]) -> None:
    """Words for the shuffle through many sockets."""
    table = await who.open_table("classic", {}, {})

    def word() -> str:
        return json.dumps({"do": "word", "state": 10_000, "word": f"word {random.random()}", "id": 1})

    await sockets(who, answers, f"{API}/tables/{table}/live", word)


ATTACKS: dict[str, Callable[[Client, Counter[str]], Awaitable[None]]] = {
    "kits": kits,
    "lines": lines,
    "records": records,
    "chances": chances,
    "words": words,
    "hints": hints,
    "pages": pages,
}


async def attack(name: str, port: int, seconds: float) -> None:
    """Attack for so long, and print what was answered."""
    who, answers = Client(port, ATTACKER), Counter[str]()
    await who.api("POST", "/me", name="Mallory")
    print("ready", flush=True)
    try:
        await asyncio.wait_for(ATTACKS[name](who, answers), seconds)
    except TimeoutError:
        print(json.dumps(answers), flush=True)


# What others notice


async def probe(who: Client, table: str, seconds: float) -> list[float]:
    """How long the requests of somebody else take; each is sent at its moment, whether others are answered or not."""
    paths = itertools.cycle(
        (f"{API}/tables/{table}", f"{API}/tables/{table}/view?seat=0", "/tables", f"/tables/{table}")
    )
    idle, took, end = [who.again() for _ in range(8)], list[float](), time.perf_counter() + seconds

    async def ask(path: str) -> None:
        due = time.perf_counter()
        client = idle.pop() if idle else who.again()
        status, content = await client.ask("GET", path)
        assert status == 200, (path, status, content[:300])
        took.append(time.perf_counter() - due)
        idle.append(client)

    asked = list[asyncio.Future[None]]()
    while time.perf_counter() < end:
        asked.append(asyncio.ensure_future(ask(next(paths))))
        await asyncio.sleep(PACE_S)
    await asyncio.gather(*asked)
    return took


def p50_p99(took: list[float]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    return cuts[49], cuts[98]


async def measure(port: int, options: argparse.Namespace) -> bool:
    """Print what others notice of each attack; whether the bound held in all of them."""
    who = Client(port, VICTIM)
    await who.api("POST", "/me", name="Ada")
    table, held = await who.open_table("modern", {}, {}), True
    await probe(who, table, 2)  # everything has been loaded once
    print(f"{'':10}{'quiet p50':>11}{'p99':>8}{'attack p50':>12}{'p99':>8}{'ratio':>8}   answers to the attacker")
    for name in options.attacks or ATTACKS:
        quiet = p50_p99(await probe(who, table, options.seconds))
        command = ["nice", "-n", "10", sys.executable, __file__, "--attack", name, "--port", str(port)]
        attacker = subprocess.Popen(
            [*command, "--seconds", str(options.seconds + 4)], stdout=subprocess.PIPE, text=True
        )
        assert attacker.stdout is not None
        await asyncio.to_thread(attacker.stdout.readline)
        await asyncio.sleep(2)
        busy = p50_p99(await probe(who, table, options.seconds))
        answers = (await asyncio.to_thread(attacker.communicate))[0].strip()
        good = busy[1] < max(BOUND_S, RATIO * quiet[1])
        held = held and good
        figures = f"{quiet[0] * 1e3:8.1f} ms{quiet[1] * 1e3:8.1f}{busy[0] * 1e3:9.1f} ms{busy[1] * 1e3:8.1f}"
        print(f"{name:10}{figures}{busy[1] / quiet[1]:8.1f}   {answers}{'' if good else '  TOO SLOW'}", flush=True)
        await asyncio.sleep(options.rest)
    return held


def serve_and_measure(options: argparse.Namespace) -> bool:
    """Start a server with the usual limits, and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "suitors", "serve", "--no-open", "--port", "0", "--data", folder]
        with (Path(folder) / "log").open("w") as log:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
            assert server.stdout is not None
            try:
                port = int(server.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])
                return asyncio.run(measure(port, options))
            finally:
                server.terminate()
                server.wait(30)


def main() -> None:
    """Measure, or attack as one of the processes of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=f"which ones, of {', '.join(ATTACKS)}; all, if none is named")
    parser.add_argument("--seconds", type=float, default=10, help="how long each is measured")
    parser.add_argument("--rest", type=float, default=3, help="seconds between two")
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.attacks) - set(ATTACKS):
        parser.error(f"There is no attack {', '.join(sorted(unknown))}.")
    if options.attack:
        asyncio.run(attack(options.attack, options.port, options.seconds))
    else:
        sys.exit(0 if serve_and_measure(options) else 1)


if __name__ == "__main__":
    main()
