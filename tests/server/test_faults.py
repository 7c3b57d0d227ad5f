"""Faults under real processes on one PostgreSQL: what clients were told, by their own logs, is what the store holds."""

import json
import os
import random
import shutil
import signal
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from support.kills import PATIENCE_S, Player, check_player, check_record, open_table
from support.matches import call
from support.postgres import Cluster, new_database, own_cluster
from support.processes import Cable, ImpatientRunning, NewerRunning, several
from support.servers import API, Caller, Running

COME_AGAIN = {1001, 1012, 4012}
"""The codes after which a page connects anew by itself, without being loaded anew."""


@pytest.fixture(scope="module")
def breakable() -> Iterator[Cluster]:
    """A PostgreSQL that tests may stop."""
    folder = Path(tempfile.mkdtemp(prefix="suitors-pg-"))
    try:
        with own_cluster(folder) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def url(breakable: Cluster) -> Iterator[str]:
    with new_database(breakable) as name:
        yield breakable.url(name)


@pytest.fixture(scope="module")
def servers(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Running]]:
    """Three processes; a test that kills one starts it again."""
    with several(tmp_path_factory.mktemp("processes"), url, url, url) as servers:
        yield servers


@pytest.fixture(scope="module")
def cabled(breakable: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Running], Cable]]:
    """Two processes that do not wait long, the second of which reaches the database through a cable."""
    cable = Cable(breakable.port)
    with new_database(breakable) as name:
        urls = [breakable.url(name), breakable.tcp_url(name, cable.port)]
        with several(tmp_path_factory.mktemp("cabled"), *urls, kind=ImpatientRunning) as servers:
            yield servers, cable
    cable.close()


class Matches:
    """People spread over all processes, who play two matches to their end, and then two more, if that is wanted."""

    def __init__(self, servers: list[Running]) -> None:
        self.servers = servers
        self.closed: set[int] = set()  # the codes by which sockets were closed
        self._begin()

    def _begin(self) -> None:
        servers = self.servers
        addresses = [server.address for server in servers]
        self.people = [Caller(addresses[k % len(addresses)], name) for k, name in enumerate(("Ada", "Ben", "Cleo"))]
        self.tables = [
            open_table(self.people, "premium", ["random", "random"]),
            open_table(self.people[:2], "modern", ["random"]),
        ]
        self.players = [Player(person, self.tables[0], k, addresses=addresses) for k, person in enumerate(self.people)]
        self.players += [
            Player(person, self.tables[1], k, addresses=addresses) for k, person in enumerate(self.people[:2])
        ]
        for player in self.players:
            player.start()

    def play_on(self, events: int) -> None:
        """Come back when so much more has been told, in the middle of matches."""
        if not any(player.is_alive() for player in self.players[:3]):
            self.finish()
            self._begin()
        heard = self.heard + events
        while self.heard < heard and any(player.is_alive() for player in self.players[:3]):
            time.sleep(0.001)

    @property
    def heard(self) -> int:
        return sum(len(player.events) for player in self.players)

    def finish(self) -> None:
        """Wait for the end, and compare what everybody was told with what the store holds."""
        for person in self.people:
            person.address = self.players[0].addresses[0]
        for player in self.players:
            player.join(PATIENCE_S)
            check_player(player)
            self.closed |= player.closed
        for table in self.tables:
            check_record(self.people[0], table)


def ready(server: Running) -> int:
    """The status of a process's answer to a balancer."""
    try:
        with urllib.request.urlopen(f"{server.address}/health/ready", timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def version(server: Running) -> str:
    """What a process says of its version."""
    with urllib.request.urlopen(f"{server.address}/health/live", timeout=30) as answer:
        return str(json.load(answer)["version"])


def test_kill_9_of_one_of_three_processes_loses_nothing(servers: list[Running]) -> None:
    matches, rng = Matches(servers), random.Random(1)
    for server in servers:
        matches.play_on(rng.randrange(5, 40))
        server.restart()
    matches.finish()


def test_postgresql_restarted_in_the_middle_of_matches(servers: list[Running], breakable: Cluster) -> None:
    matches, rng = Matches(servers), random.Random(2)
    for how in ("fast", "immediate"):
        matches.play_on(rng.randrange(5, 40))
        breakable.stop(how)
        breakable.start()
    matches.finish()
    assert [ready(server) for server in servers] == [200] * 3


def test_connections_cut_in_the_middle_of_matches(servers: list[Running], url: str) -> None:
    matches, rng = Matches(servers), random.Random(3)
    for _ in range(6):
        matches.play_on(rng.randrange(5, 30))
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'suitors'")
    matches.finish()
    assert [ready(server) for server in servers] == [200] * 3


def come_back(servers: list[Running]) -> None:
    """Wait until all processes can do their work again, and see that they do."""
    while {ready(server) for server in servers} != {200}:
        time.sleep(0.02)
    Matches(servers).finish()


def test_a_process_that_cannot_reach_the_database_sends_its_players_to_the_others(
    cabled: tuple[list[Running], Cable],
) -> None:
    servers, cable = cabled
    matches = Matches(servers)
    matches.play_on(20)
    cable.cut()
    assert ready(servers[1]) == 503
    matches.finish()
    with pytest.raises(urllib.error.HTTPError, match="503"):
        Caller(servers[1].address, "Dora")
    cable.mend()
    come_back(servers)


def test_a_process_from_whose_database_nothing_comes_any_more_sends_its_players_to_the_others(
    cabled: tuple[list[Running], Cable],
) -> None:
    """Nothing is cut: all connections are there, and silent."""
    servers, cable = cabled
    matches = Matches(servers)
    matches.play_on(20)
    cable.hold()
    matches.finish()
    assert ready(servers[1]) == 503
    cable.mend()
    come_back(servers)


def test_a_process_that_is_stopped_keeps_no_bot_from_moving_and_comes_back(
    cabled: tuple[list[Running], Cable],
) -> None:
    servers, _ = cabled
    ada = Caller(servers[0].address, "Ada")
    table = open_table([ada], "premium", ["random"] * 7)
    ada("POST", f"/tables/{table}/seats/0/hand-over", state=ada("GET", f"/tables/{table}")["state"], bot="random")
    os.kill(servers[0].process.pid, signal.SIGSTOP)
    try:
        ada.address = servers[1].address
        while ada("GET", f"/tables/{table}")["status"] == "playing":
            time.sleep(0.05)
    finally:
        os.kill(servers[0].process.pid, signal.SIGCONT)
    check_record(ada, table)
    come_back(servers)


def test_processes_that_are_asked_for_the_same_move_at_the_same_instant_make_it_once(servers: list[Running]) -> None:
    people = [Caller(servers[k].address, name) for k, name in enumerate(("Ada", "Ben"))]
    table, rng = open_table(people, "classic", []), random.Random(4)

    def send(address: str, person: Caller, body: dict[str, Any]) -> int:
        headers = {"Content-Type": "application/json", "Cookie": person.cookie}
        target = f"{address}{API}/tables/{table}/moves"
        request = urllib.request.Request(target, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    made = 0
    with ThreadPoolExecutor(3) as hands:
        while made < 8:
            for seat, person in enumerate(people):
                told = person("GET", f"/tables/{table}/legal?seat={seat}")
                if told["legal"]:
                    body = {"state": told["state"], "seat": seat, "move": rng.choice(told["legal"])}
                    sent = [hands.submit(send, server.address, person, body) for server in servers]
                    assert sorted(each.result() for each in sent) == [200, 409, 409]
                    made += 1


def test_a_rolling_restart_to_a_newer_version_loses_no_move_and_asks_nobody_to_reload(
    servers: list[Running], url: str, tmp_path: Path
) -> None:
    """The first of the newer version changes the store while two older processes play on with it."""
    matches = Matches(servers)
    for server in servers:
        matches.play_on(20)
        port = int(server.address.rpartition(":")[2])
        assert server.end() == 0
        server.program = NewerRunning.program
        server.start(port)
    matches.finish()
    assert matches.closed <= COME_AGAIN
    assert {version(server) for server in servers} == {"99.0"}
    late = call("serve", "--no-open", "--port", "0", "--data", str(tmp_path / "late"), "--database", url)
    assert (late.status, "Use the newer program" in late.err) == (2, True)


def test_where_one_of_several_processes_does_not_start_the_others_are_ended(tmp_path: Path) -> None:
    started: list[Running] = []

    class Refusing(Running):
        def __init__(self, folder: Path, port: int, *more: str) -> None:
            if "refused" in more:
                raise OSError("no such database")
            super().__init__(folder, port)
            started.append(self)

    with pytest.raises(OSError, match="no such database"), several(tmp_path, "taken", "refused", kind=Refusing):
        pass
    assert [server.process.returncode for server in started] == [-signal.SIGKILL]
