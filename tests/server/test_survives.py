"""`kill -9` at any moment loses nothing: what the clients were told, by their own logs, is what the tables hold.

A real server is killed again and again while people and bots play. The people reconnect by themselves, from the last
event they saw; each writes down everything it is told and every answer to its moves. `python -m benchmarks.kills` does
the same for as long as one likes.
"""

import json
import random
import signal
import time
import urllib.error
from pathlib import Path

import pytest

from support.kills import PATIENCE_S, Player, check_player, check_record, kill_again_and_again, open_table
from support.servers import Caller, all_events, running


@pytest.mark.parametrize("sync", [(), ("--no-sync",)], ids=["sync", "no-sync"])
def test_kill_9_loses_nothing(sync: tuple[str, ...], tmp_path: Path) -> None:
    rng = random.Random(len(sync))
    with running(tmp_path, *sync) as server:
        people = [Caller(server.address, name) for name in ("Ada", "Ben", "Cleo")]
        first = open_table(people, "premium", ["random", "novice"])
        second = open_table(people[:2], "modern", ["random", "random"])
        players = [Player(person, first, seat) for seat, person in enumerate(people)]
        players += [Player(person, second, seat) for seat, person in enumerate(people[:2])]
        for player in players:
            player.start()
        killed = kill_again_and_again(server, players, 5, rng)
        for player in players:
            player.join(PATIENCE_S)
            check_player(player)
        assert killed >= 3
        assert all(player.returns >= 3 for player in players[:3])
        for table in (first, second):
            check_record(people[0], table)


def test_tables_that_nobody_watches_go_on_after_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ada = Caller(server.address, "Ada")
        table = open_table([ada], "premium", ["random"] * 7)
        state = ada("GET", f"/tables/{table}")["state"]
        while True:
            try:
                ada("POST", f"/tables/{table}/seats/0/hand-over", state=state, bot="random")
                break
            except urllib.error.HTTPError as error:
                state = json.loads(error.read())["error"]["state"]
        server.restart()
        deadline = time.monotonic() + PATIENCE_S
        while ada("GET", f"/tables/{table}")["status"] != "over":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        check_record(ada, table)


def test_a_server_that_is_asked_to_ends_in_order(tmp_path: Path) -> None:
    for how in (signal.SIGTERM, signal.SIGINT):
        with running(tmp_path) as server:
            ada = Caller(server.address, "Ada")
            table = open_table([ada], "modern", ["random", "expert"])
            before = all_events(ada, table, 0)
            assert server.end(how) in (0, 130, -how)
            log = (tmp_path / "log").read_text()
            assert '"event": "closed"' in log
            assert "Traceback" not in log
            server.start(int(server.address.rpartition(":")[2]))
            after = all_events(ada, table, 0)
            assert after[: len(before)] == before
