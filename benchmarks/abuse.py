"""Whether one client can make others wait: how long their requests take when it is quiet, and under attack.

    python -m benchmarks.abuse [--seconds 10] [attack …]

Each attack comes from an address of its own on loopback and does as much as the server lets it, with the limits as they
are. Meanwhile five others ask for pages and views at a steady pace, and somebody plays against a bot at another table.
Right before each attack the same is measured without it. The bound: the p99 of the others' requests stays below 100 ms,
or three times what it was when it was quiet, whichever is higher. The exit status is 1 where it does not.

Attacker, victim, server, bots and jobs share the machine here. `late` is by how much the measuring process itself
was late when it wanted to ask (p99): what the machine adds, which a request's time may contain, too.
"""

import argparse
import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.abuse_attacks import ATTACKS
from benchmarks.abuse_client import API, BotGame, Client

VICTIMS, PLAYER = [f"127.0.0.{number}" for number in range(1, 6)], "127.0.0.9"
BOUND_S, RATIO = 0.1, 3.0
PACE_S = 0.025
"""How often one of the others asks for something."""

BOT = "expert"
LONGEST_S = 120.0
"""How long to wait for a move of the bot."""

RAMP_S = 2.0
"""How long an attack goes on before anything is measured."""

HEADS = ("attack", "quiet p50", "p99", "late", "attack p50", "p99", "late", "ratio", "bot quiet", "bot attack")


@dataclass
class Figures:
    """What others noticed in some seconds."""

    requests: list[float]
    late: list[float]
    bot: list[float]

    @property
    def p50(self) -> float:
        """The median of the requests."""
        return statistics.median(self.requests)

    @property
    def p99(self) -> float:
        """Their 99th percentile."""
        return percentile(self.requests)

    def line(self) -> list[str]:
        """As columns of the table, in milliseconds."""
        return [f"{1e3 * value:.1f}" for value in (self.p50, self.p99, percentile(self.late))]

    def bot_line(self) -> str:
        """The median and the longest time until the bot had moved, in seconds."""
        return f"{statistics.median(self.bot):.2f}, {max(self.bot):.2f}" if self.bot else "none"


def percentile(values: list[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


async def attack(name: str, port: int, source: str, seconds: float) -> None:
    """Attack for so long, and print what was answered."""
    who, answers = Client(port, source), Counter[str]()
    await who.become("Mallory")
    ready = asyncio.Event()
    task = asyncio.ensure_future(ATTACKS[name](who, answers, ready.set))
    waiting = asyncio.ensure_future(ready.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    print("ready", flush=True)
    with suppress(TimeoutError):
        await asyncio.wait_for(task, seconds)
    print(json.dumps(answers), flush=True)


@dataclass
class Victim:
    """Somebody who looks at a table of their own."""

    who: Client
    table: str
    idle: list[Client] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """What they look at."""
        api = f"{API}/tables/{self.table}"
        return [api, f"{api}/view?seat=0", "/tables", f"/tables/{self.table}"]

    async def ask(self, path: str, due: float, took: list[float]) -> None:
        """Send a request, and note how long it took since it was due."""
        client = self.idle.pop() if self.idle else self.who.again()
        status, content = await client.ask("GET", path)
        assert status == 200, (path, status, content[:300])
        took.append(time.perf_counter() - due)
        self.idle.append(client)


async def make_victim(port: int, source: str) -> Victim:
    """One at this address."""
    who = await Client(port, source).become("Ada")
    return Victim(who, await who.open_table("modern", {}, {}))


async def probe(victims: list[Victim], game: BotGame, seconds: float) -> Figures:
    """How long the requests of others take; each is sent at its moment, whether others are answered or not."""
    turns = itertools.cycle((victim, path) for k in range(4) for victim in victims for path in [victim.paths[k]])
    game.took = []
    found = Figures([], [], game.took)

    asked, due = list[asyncio.Future[None]](), time.perf_counter()
    end = due + seconds
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        found.late.append(time.perf_counter() - due)
        victim, path = next(turns)
        asked.append(asyncio.ensure_future(victim.ask(path, due, found.requests)))
        due += PACE_S
    await asyncio.gather(*asked)
    while not game.took and time.perf_counter() < end + LONGEST_S:  # one move at least, however long it takes
        await asyncio.sleep(0.1)
    return found


async def measure(port: int, options: argparse.Namespace) -> bool:
    """Print what others notice of each attack; whether the bound held in all of them."""
    victims, held = [await make_victim(port, source) for source in VICTIMS], True
    game = BotGame(await Client(port, PLAYER).become("Ben"), BOT)
    playing = asyncio.ensure_future(game.play())
    await probe(victims, game, 5)  # everything has been loaded once
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.seconds:g} s each; times in ms, bots in s")
    print(" | ".join(HEADS), flush=True)
    for number, name in enumerate(options.attacks or ATTACKS):
        quiet = await probe(victims, game, options.seconds)
        command = ["nice", "-n", "10", sys.executable, "-m", "benchmarks.abuse", "--attack", name, "--port", str(port)]
        given = ["--source", f"127.0.1.{number + 1}", "--seconds", str(options.seconds + RAMP_S)]
        attacker = subprocess.Popen([*command, *given], stdout=subprocess.PIPE, text=True)
        assert attacker.stdout is not None
        await asyncio.to_thread(attacker.stdout.readline)
        await asyncio.sleep(RAMP_S)
        busy = await probe(victims, game, options.seconds)
        answers = (await asyncio.to_thread(attacker.communicate))[0].strip()
        good = busy.p99 < max(BOUND_S, RATIO * quiet.p99)
        held = held and good
        figures = [*quiet.line(), *busy.line(), f"{busy.p99 / quiet.p99:.1f}", quiet.bot_line(), busy.bot_line()]
        print(" | ".join([name, *figures]), f"  {answers}{'' if good else '  TOO SLOW'}", flush=True)
        await asyncio.sleep(options.rest)
    playing.cancel()
    return held


def serve_and_measure(options: argparse.Namespace) -> bool:
    """Start a server with the usual limits, and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "suitors", "serve", "--no-open", "--port", "0", "--data", f"{folder}/data"]
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
    parser.add_argument("--source", default="127.0.1.1", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.attacks) - set(ATTACKS):
        parser.error(f"There is no attack {', '.join(sorted(unknown))}.")
    if options.attack:
        asyncio.run(attack(options.attack, options.port, options.source, options.seconds))
    else:
        sys.exit(0 if serve_and_measure(options) else 1)


if __name__ == "__main__":
    main()
