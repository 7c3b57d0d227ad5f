"""How many tables one server carries: scripted players on loopback, four at a table, all of them moving.

    python benchmarks/server.py --tables 500,2000 --seconds 30
    python benchmarks/server.py --tables 2000 --ways sync --database postgresql://host/name --processes 1,2,4

Each table has a move due once a second (`--rate`), at a moment of its own. The delay of a move runs from the moment it
was due, so that a server which falls behind cannot hide it, to the moment when the last of the four players has been
told. Then the same tables move as fast as the server answers (`--rush`), which shows what bounds it. The baseline is
fanout.py in the same run: the same sockets and messages with nothing behind them.

With `--database` the same is measured with the data in an empty database of PostgreSQL, by so many processes
(`--processes`). The four players of a table are spread over them, as a balancer without stickiness would do, or with
`--sticky` all at one. The processor time is that of all processes, and apart from it that of PostgreSQL, where it runs
on this machine.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import orjson
import uvloop

API = "/api/v1"
SEATS = 4
PEOPLE = 40
"""Persons; each sits at many tables."""

WAYS = ("baseline", "sync", "no sync")
"""The bare sockets; the server waiting for its disk; and not waiting for it."""

POSTGRES = "PostgreSQL"
"""The way in which several processes share a database."""

LIMITS = {
    "requests_s": 1e8,
    "requests_burst": 100_000_000,
    "requests_at_once": 1_000_000,
    "persons_hour": 1e8,
    "tables": 1_000_000,
    "tables_hour": 1e8,
    "events_table": 1_000_000,
    "sockets_person": 1_000_000,
    "sockets_client": 1_000_000,
    "connections_client": 1_000_000,
    "messages_s": 1e6,
    "messages_burst": 1_000_000,
    "loop_s": 1e8,
    "loop_share": 1e8,
}


class PlayerSocket(asyncio.Protocol):
    """One player's socket: as little code as can be, for the players share the machine with the server."""

    def __init__(self, table: "MeasuredTable", seat: int, request: bytes) -> None:
        self.table, self.seat, self.request = table, seat, request
        self.buffer = b""
        self.ready = False

    def connection_made(self, transport: Any) -> None:
        """Ask for the socket."""
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Take in whole frames; the server's are never masked."""
        buffer = self.buffer + data
        if not self.ready:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self.buffer = head
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self.ready = True
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4]), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10]), 10
            if len(buffer) < start + size:
                break
            if buffer[0] & 15 == 1:
                self.table.receive(self.seat, buffer[start : start + size])
            elif buffer[0] & 15 == 9:
                self.send(buffer[start : start + size], 0x8A)
            buffer = buffer[start + size :]
        self.buffer = buffer

    def connection_lost(self, exc: Exception | None) -> None:
        """It should not, before the end."""
        self.table.lost_sockets += 1

    def send(self, payload: bytes, kind: int = 0x81) -> None:
        """Send a frame; the mask is 0, which changes nothing."""
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2)
        self.transport.write(bytes([kind]) + size + b"\0\0\0\0" + payload)


@dataclass
class MeasuredTable:
    """A table with its four players, who move when it is time."""

    id: str
    rng: random.Random
    sockets: list[PlayerSocket] = field(default_factory=list)
    state: int = 0
    mover: int | None = None
    legal: list[str] = field(default_factory=list)
    over: bool = False
    due: float = 0.0
    awaited: int = 0  # the state after the move that is on its way, 0 for none
    told: int = 0
    fast: bool = False
    lost_sockets: int = 0
    delays: list[float] = field(default_factory=list)
    refused: int = 0

    def receive(self, seat: int, message: bytes) -> None:
        """A player is told something."""
        data = orjson.loads(message)
        if data["type"] == "answer":
            self.refused += "error" in data
            return
        if data["type"] != "news":
            return
        self.state, self.over = max(self.state, data["state"]), data["status"] == "over"
        scene = data["scene"]
        if scene is not None and scene["legal"]:
            self.mover, self.legal = seat, scene["legal"]
        if self.awaited and data["events"] and data["events"][0]["state"] == self.awaited:
            self.told += 1
            if self.told == SEATS:
                self.delays.append(time.perf_counter() - self.due)
                self.awaited = 0
        if self.fast and not self.awaited and self.mover is not None:
            self.move(time.perf_counter())

    def move(self, due: float) -> None:
        """Play any legal move, if one is due and the last one is through."""
        if self.mover is None or self.awaited or self.over:
            return
        socket, move = self.sockets[self.mover], self.rng.choice(self.legal)
        self.awaited, self.told, self.due, self.mover = self.state + 1, 0, due, None
        socket.send(orjson.dumps({"do": "move", "state": self.state, "move": move}))


class ApiPerson:
    """Somebody with a key."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.jar = address, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.call("POST", "/me", name=name)
        self.cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def call(self, method: str, path: str, **body: Any) -> Any:
        """A request of the API."""
        request = urllib.request.Request(
            self.address + API + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        with self.opener.open(request, timeout=60) as answer:
            return json.loads(answer.read())


class ServerProcess:
    """The server under test, or the baseline, in processes of its own."""

    def __init__(self, folder: Path, way: str, database: str = "", count: int = 1) -> None:
        limits = folder / "limits.toml"
        limits.write_text("".join(f"{key} = {value}\n" for key, value in LIMITS.items()))
        self.way = way
        self.log = (folder / "log").open("w")
        self.processes: list[subprocess.Popen[str]] = []
        self.addresses: list[str] = []
        for number in range(count):
            command = [sys.executable, "-m", "suitors", "serve", "--no-open", "--port", "0", "--limits", str(limits)]
            command += ["--data", str(folder / f"data-{number}"), *(["--no-sync"] if way == "no sync" else [])]
            command += ["--database", database] if way == POSTGRES else []
            if way == "baseline":
                command = [sys.executable, str(Path(__file__).with_name("fanout.py"))]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
            assert process.stdout is not None
            self.addresses.append(process.stdout.readline().split()[3].rstrip("/"))
            self.processes.append(process)

    def cpu(self) -> float:
        """Seconds of processor time used so far."""
        return sum(cpu_of(process.pid) for process in self.processes)

    def memory(self) -> float:
        """Megabytes in memory."""
        statuses = [Path(f"/proc/{process.pid}/status").read_text() for process in self.processes]
        return sum(int(status.partition("VmRSS:")[2].split()[0]) for status in statuses) / 1024

    def close(self) -> None:
        """End it."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait()
        self.log.close()


def cpu_of(number: int) -> float:
    """Seconds of processor time that a process has used, with that of its children that have ended."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def postgres_cpu() -> float:
    """Seconds of processor time that the processes of PostgreSQL on this machine have used."""
    total = 0.0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if (folder / "comm").read_text().strip() == "postgres":
                    total += cpu_of(int(folder.name))
    return total


async def start_table(
    server: ServerProcess, people_pool: list[ApiPerson], number: int, edition: str, sticky: bool
) -> MeasuredTable:
    """Open a table, seat four persons, start it and listen with all of them; the baseline knows no persons."""
    people = [people_pool[(number * SEATS + seat) % len(people_pool)] if people_pool else None for seat in range(SEATS)]
    seated = [person for person in people if person]
    made = await asyncio.to_thread(open_table, seated, edition) if seated else str(number)
    table = MeasuredTable(made, random.Random(number))
    for seat, person in enumerate(people):
        address = server.addresses[(number if sticky else number + seat) % len(server.addresses)]
        host, port = address.removeprefix("http://").split(":")
        path = f"{API}/tables/{made}/live?seat={seat}"
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {person.cookie if person else ''}\r\n\r\n"
        ).encode()
        loop = asyncio.get_running_loop()
        socket = PlayerSocket(table, seat, request)
        await loop.create_connection(lambda socket=socket: socket, host, int(port))  # type: ignore[misc]
        table.sockets.append(socket)
    return table


def open_table(people: list[ApiPerson], edition: str) -> str:
    """Open a table over HTTP and start it; its id."""
    made = people[0].call("POST", "/tables", edition=edition, players=SEATS, pace_ms=0, rest_s=0.0, seats=[{}])
    state = made["state"]
    for seat in range(1, SEATS):
        state = people[seat].call("PUT", f"/tables/{made['id']}/seats/{seat}", state=state)["state"]
    people[0].call("POST", f"/tables/{made['id']}/start", state=state)
    return str(made["id"])


async def keep_pace(tables: list[MeasuredTable], seconds: float, rate: float) -> float:
    """Let each table move once a period, spread over it; the seconds it took."""
    start, period = time.perf_counter(), 1 / rate
    order = [(period * k / len(tables), table) for k, table in enumerate(tables)]
    for tick in range(round(seconds * rate)):
        for offset, table in order:
            due = start + tick * period + offset
            if due > time.perf_counter() + 0.0005:
                await asyncio.sleep(due - time.perf_counter())
            table.move(due)
    await asyncio.sleep(1)
    return time.perf_counter() - start - 1


async def play_fast(tables: list[MeasuredTable], seconds: float) -> float:
    """Let every table move as fast as it is answered."""
    start = time.perf_counter()
    for table in tables:
        table.fast = True
        table.move(start)
    await asyncio.sleep(seconds)
    for table in tables:
        table.fast = False
    return time.perf_counter() - start


def report(
    what: str,
    server: ServerProcess,
    tables: list[MeasuredTable],
    took: float,
    cpu: float,
    empty: float,
    postgres: float,
) -> None:
    """Print what was measured, and start anew."""
    if not any(table.delays for table in tables):
        print(f"  {what:<22} no move was told to all")
        return
    delays = sorted(delay * 1000 for table in tables for delay in table.delays)
    cuts = statistics.quantiles(delays, n=100)
    memory = server.memory()
    print(
        f"  {what:<22}{len(delays) / took:8.0f} moves/s   p50 {cuts[49]:6.1f}  p95 {cuts[94]:6.1f}  p99 {cuts[98]:6.1f}"
        f"  max {delays[-1]:6.1f} ms   CPU {cpu / took:5.1%}, {cpu / len(delays) * 1e6:4.0f} µs a move"
        f"   {memory:5.0f} MB, {(memory - empty) * 1024 / len(tables):4.0f} kB a table"
        + (f"   PostgreSQL {postgres / len(delays) * 1e6:4.0f} µs a move" if server.way == POSTGRES else ""),
        flush=True,
    )
    refused, lost_sockets = sum(table.refused for table in tables), sum(table.lost_sockets for table in tables)
    if refused or lost_sockets:
        print(f"    {refused} moves refused, {lost_sockets} sockets lost")
    for table in tables:
        table.delays.clear()


async def measure(count: int, options: argparse.Namespace, way: str, processes: int = 1) -> None:
    """Seat everybody at so many tables and measure."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        server = ServerProcess(Path(folder), way, options.database, processes)
        empty = server.memory()
        try:
            tables = await seat_all(server, count, options, f"{way}, {processes} processes" if processes > 1 else way)
            rate, rush = f"{options.rate:g} a second and table", "as fast as it goes"
            for what, phase in ((rate, keep_pace(tables, options.seconds, options.rate)), (rush, None)):
                cpu, postgres = server.cpu(), postgres_cpu()
                took = await (phase or play_fast(tables, options.rush))
                report(what, server, tables, took, server.cpu() - cpu, empty, postgres_cpu() - postgres)
        finally:
            server.close()


async def seat_all(server: ServerProcess, count: int, options: argparse.Namespace, what: str) -> list[MeasuredTable]:
    """So many tables, all of them started."""
    people_pool = []
    if server.way != "baseline":
        people_pool = [ApiPerson(server.addresses[k % len(server.addresses)], f"Player {k}") for k in range(PEOPLE)]
    began, tables = time.perf_counter(), list[MeasuredTable]()
    for start in range(0, count, 4):
        some = range(start, min(count, start + 4))
        starting = (start_table(server, people_pool, k, options.edition, options.sticky) for k in some)
        tables += await asyncio.gather(*starting)
    print(f"{count} tables, {what}, seated in {time.perf_counter() - began:.0f} s", flush=True)
    return tables


def main() -> None:
    """Measure each number of tables in each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="500,2000", help="numbers of tables (default 500,2000)")
    parser.add_argument("--seconds", type=float, default=30, help="how long at the given pace (default 30)")
    parser.add_argument("--rate", type=float, default=1, help="moves a second and table (default 1)")
    parser.add_argument("--rush", type=float, default=5, help="how long as fast as it goes (default 5)")
    parser.add_argument("--edition", default="modern", help="the edition (default modern)")
    parser.add_argument("--folder", default=None, help="where the store lies (default: the system's temporary folder)")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"what to measure (default {','.join(WAYS)})")
    parser.add_argument("--database", default="", help="the address of an empty database of PostgreSQL")
    parser.add_argument("--processes", default="1,2,4", help="how many processes share the database (default 1,2,4)")
    parser.add_argument("--sticky", action="store_true", help="all players of a table come to one process")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for count in map(int, options.tables.split(",")):
        for way in options.ways.split(","):
            uvloop.run(measure(count, options, way))
        for processes in map(int, options.processes.split(",") if options.database else ()):
            uvloop.run(measure(count, options, POSTGRES, processes))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
