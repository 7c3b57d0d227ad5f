"""People who play at a server that is killed again and again, and write down all that they are told."""

import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from suitors import fair
from suitors.records.record import replay
from support.servers import API, Caller, Running, all_events

PATIENCE_S = 120.0
"""After which a test that hangs is a failed one."""


class Player(threading.Thread):
    """Somebody who plays any legal move, and comes back whenever the line is cut."""

    def __init__(
        self, caller: Caller, table: str, seat: int, patience_s: float = PATIENCE_S, addresses: Sequence[str] = ()
    ) -> None:
        super().__init__(daemon=True)
        self.addresses = addresses or [caller.address]  # of the processes of the server, each tried in turn
        self.closed: set[int] = set()  # the codes by which sockets were closed
        self.patience_s = patience_s
        self.caller, self.table, self.seat = caller, table, seat
        self.rng = random.Random(seat)
        self.events: list[dict[str, Any]] = []
        self.granted: list[tuple[int, str]] = []  # the states that moves of one's own led to
        self.returns = 0
        self.over = False
        self.fault = ""

    def run(self) -> None:
        """Play to the end."""
        deadline = time.monotonic() + self.patience_s
        while not self.over and not self.fault and time.monotonic() < deadline:
            try:
                self.follow()
            except (OSError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None:
                    self.closed.add(error.rcvd.code)
                if isinstance(error, InvalidStatus) and error.response.status_code < 500:
                    self.fault = str(error)  # a page would have to be loaded anew
                self.returns += 1
                time.sleep(0.02)

    def follow(self) -> None:
        """Listen, and move when it is one's turn, until the line is cut or the match is over."""
        process = self.addresses[(self.seat + self.returns) % len(self.addresses)]
        address = process.replace("http", "ws") + f"{API}/tables/{self.table}/live"
        query = f"?seat={self.seat}&since={len(self.events)}"
        with connect(address + query, additional_headers={"Cookie": self.caller.cookie}, max_size=None) as socket:
            while not self.over:
                message = json.loads(socket.recv(timeout=PATIENCE_S))
                if message["type"] == "answer" and "error" not in message:
                    self.granted.append((message["state"], message["id"]))
                elif message["type"] == "answer" and message["error"]["code"] != "stale":
                    self.fault = str(message)
                elif message["type"] == "news":
                    self.hear(message)
                    if message["scene"] and message["scene"]["legal"] and not self.over:
                        move = self.rng.choice(message["scene"]["legal"])
                        socket.send(json.dumps({"id": move, "do": "move", "state": message["state"], "move": move}))

    def hear(self, message: dict[str, Any]) -> None:
        """Write down what is told; a gap or a repetition is a fault."""
        for event in message["events"]:
            if event["state"] != len(self.events) + 1:
                self.fault = f"state {event['state']} came after {len(self.events)}"
            self.events.append(event)
        self.over = message["status"] == "over"


def open_table(people: list[Caller], edition: str, bots: list[str]) -> str:
    """A table that has started, with these people in the first seats and bots in the others."""
    seats = [{}, *[None] * (len(people) - 1), *({"bot": bot} for bot in bots)]
    made = people[0]("POST", "/tables", edition=edition, players=len(seats), pace_ms=0, rest_s=0.0, seats=seats)
    state = made["state"]
    for seat in range(1, len(people)):
        state = people[seat]("PUT", f"/tables/{made['id']}/seats/{seat}", state=state)["state"]
    people[0]("POST", f"/tables/{made['id']}/start", state=state)
    return str(made["id"])


def kill_again_and_again(server: Running, players: list[Player], times: int, rng: random.Random) -> int:
    """Kill the server at random moments of play, until it has been done so often or all is over; how often it was."""
    for count in range(times):
        heard = sum(len(player.events) for player in players) + rng.randrange(5, 60)
        while sum(len(player.events) for player in players) < heard:
            if not any(player.is_alive() for player in players):
                return count
            time.sleep(0.001)
        server.restart()
    return times


def killed(module: Any, name: str, act: Callable[[], Any]) -> bool:
    """Do something in a process of its own, which is killed right after this function of a module has been called."""
    number = os.fork()
    if not number:
        function = getattr(module, name)

        def last(*given: Any, **more: Any) -> None:
            function(*given, **more)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(module, name, last)
        try:
            act()
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(number, 0)[1]) == signal.SIGKILL


def check_player(player: Player) -> None:
    """What a player was told is what the table holds, word for word."""
    assert player.fault == ""
    assert player.over
    told = all_events(player.caller, player.table, player.seat)
    assert told == player.events
    for state, move in player.granted:
        event = told[state - 1]
        assert (event["kind"], event["seat"]) == ("moved", player.seat)
        assert event["entries"][0]["move"] == move


def check_record(caller: Caller, table: str) -> None:
    """The record is that of one honest match, played to its end."""
    record = caller("GET", f"/tables/{table}/record")
    assert replay(record).over
    assert fair.verify(record).honest
