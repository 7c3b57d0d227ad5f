"""Matches and other tasks on a Dask cluster: real workers, some of which are killed."""

import gc
import json
import os
import re
import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import factorial
from pathlib import Path
from typing import Any, cast

import pytest

import suitors
from suitors.arena import ArenaError, Plan, run_everywhere
from suitors.arena.alike import identity
from suitors.arena.cluster import AHEAD, MOST_IN_BATCH, UNDER_WAY, Plain, _playing, _Run, run_batch
from suitors.arena.cluster_client import ClusterClient
from suitors.arena.journal import LOG
from suitors.arena.runner import MatchRunner
from suitors.errors import SuitorsError
from support.bot_programs import command_line, running
from support.matches import call

KILLING = """import json, os, sys
count = 0
for line in sys.stdin:
    count += 1
    if count == {count} and os.path.exists({flag!r}):
        {once}
        os.kill({whom}, 9)
        sys.exit(len(sys.stdin.read()))
    print(json.dumps({{"move": json.loads(line)["legal"][0]}}), flush=True)
"""
"""A bot that kills a process with its so many-th question: the one that asks, or another."""

ONCE = "os.unlink({flag!r})"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of two processes that gives a task up after two deaths."""
    with ClusterClient("local:2") as found:
        assert found.client.run_on_scheduler(_forgive_one_death) == 1
        yield found.client.scheduler.address


def _forgive_one_death(dask_scheduler: Any) -> int:
    dask_scheduler.allowed_failures = 1
    return 1


def killer(folder: Path, *, count: int = 30, whom: str = "os.getppid()", once: bool = True) -> tuple[str, Path]:
    """A bot that kills, and the file that makes it do so."""
    flag = folder / "flag"
    flag.touch()
    text = KILLING.format(count=count, flag=str(flag), whom=whom, once=ONCE.format(flag=str(flag)) if once else "pass")
    return "cmd:" + command_line(folder, text), flag


def timeless(folder: Path) -> list[Any]:
    """What the log of a tournament holds, in the order of its groups and without times."""
    head, *groups = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    return [head, *sorted(({**group, "seconds": 0} for group in groups), key=lambda group: group["group"])]


# Results


def test_a_match_gives_the_same_results_and_records_as_here(cluster: str, tmp_path: Path) -> None:
    words = ("match", "--bots", "random,novice,random", "--games", "20", "--seed", "4", "--json")
    printed = []
    for name, where in (("there", ("--cluster", cluster)), ("here", ("--jobs", "1"))):
        done = call(*words, *where, "--records", str(tmp_path / name))
        assert (done.status, done.err) == (0, "")
        for row in (data := done.lines[-1])["bots"]:
            row["seconds_per_decision"] = 0
        printed.append(data)
    assert printed[0] == printed[1]
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


def test_a_tournament_is_begun_on_a_cluster_and_finished_here_or_there(cluster: str, tmp_path: Path) -> None:
    words = ("tournament", "--bots", "random,novice", "--players", "2,3", "--seed", "4")
    assert call(*words, "--games", "12", "--jobs", "1", "--output", str(tmp_path / "here")).status == 0
    for games, where in (("4", cluster), ("8", None), ("12", cluster)):
        more = ("--jobs", "1") if where is None else ("--cluster", where)
        done = call(*words, "--games", games, *more, "--output", str(tmp_path / "there"), "--resume")
        assert (done.status, done.err) == (0, "")
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


def test_blocks_are_the_same_there_and_here(cluster: str, tmp_path: Path) -> None:
    words = ("tournament", "--bots", "random,novice", "--block", "5", "--games", "40", "--seed", "4")
    assert call(*words, "--jobs", "1", "--output", str(tmp_path / "here")).status == 0
    assert call(*words, "--cluster", cluster, "--output", str(tmp_path / "there")).status == 0
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


@pytest.mark.parametrize("installed", [True, False])
def test_a_worker_plays_compiled_matches_where_it_can(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    monkeypatch.setattr("suitors.arena.cluster.available", lambda: installed)
    monkeypatch.setattr("suitors.arena.workers.play_quickly", lambda *words: [])
    plan = Plan(("random", "novice"), (("classic", 2),), 8, 3, block=2)
    with _playing(MatchRunner(plan.bots, compiled=True)) as play:
        assert len(play(plan.fixtures(1))) == (0 if installed else 4)


def test_any_numbered_tasks_are_done_once_each(cluster: str) -> None:
    tasks = ((7 * n, n) for n in range(300))
    done = list(run_everywhere(cluster, factorial, tasks))
    assert sorted(done) == [(7 * n, factorial(n)) for n in range(300)]


def test_a_caller_may_stop_early(cluster: str) -> None:
    found = run_everywhere(cluster, factorial, ((n, n) for n in range(10**9)))
    assert len([next(found) for _ in range(20)]) == 20
    found.close()
    assert list(run_everywhere(cluster, factorial, [(0, 3)])) == [(0, 6)]


class FakeClient:
    """A cluster on which every task takes so long, and the newest batch comes back first."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers, self.seconds = workers, seconds
        self.batches: dict[int, list[tuple[int, int]]] = {}
        self.sizes: list[int] = []

    def submit(self, number: int, function: object, *arguments: Any) -> None:
        self.batches[number] = arguments[-1]
        self.sizes.append(len(arguments[-1]))

    def next_result(self) -> tuple[int, Any]:
        number = max(self.batches)
        batch = self.batches.pop(number)
        return number, (self.seconds * len(batch), batch)


@pytest.mark.parametrize(("seconds", "largest"), [(0.0, MOST_IN_BATCH), (0.1, 10), (5.0, 1)])
def test_batches_grow_until_they_take_a_second(seconds: float, largest: int) -> None:
    client = FakeClient(3, seconds)
    run = _Run(cast(ClusterClient, client), cast(Any, None), ((n, n) for n in range(20_000)))
    found = run.results()
    drawn = [next(found) for _ in range(40)]
    assert len(set(drawn)) == 40
    assert max(client.sizes) <= largest
    assert client.sizes[: UNDER_WAY * 3] == [1] * UNDER_WAY * 3
    assert all(b <= 2 * a for a, b in zip(client.sizes, client.sizes[1:], strict=False))
    assert sorted([*drawn, *found]) == [(n, n) for n in range(20_000)]
    assert max(client.sizes) == largest


def test_few_results_are_held_while_one_is_late() -> None:
    client = FakeClient(2, 5.0)
    run = _Run(cast(ClusterClient, client), cast(Any, None), ((n, n) for n in range(200)))
    for _ in run.results():
        late = min(run.pending, default=run.begun)
        assert run.begun <= late + AHEAD * 2


# Workers that die


def test_what_a_killed_worker_played_is_played_again_and_counted_once(cluster: str, tmp_path: Path) -> None:
    bot, flag = killer(tmp_path)
    words = ("tournament", "--bots", f"random,{bot}", "--editions", "classic", "--games", "24", "--seed", "5")
    workers = _pids(cluster)
    done = call(*words, "--cluster", cluster, "--output", str(tmp_path / "there"))
    assert (done.status, done.err, flag.exists()) == (0, "", False)
    assert _pids(cluster) != workers
    assert call(*words, "--jobs", "1", "--output", str(tmp_path / "here")).status == 0
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")
    assert len(timeless(tmp_path / "there")) == 1 + 12
    there, here = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("there", "here"))
    assert _untimed(there) == _untimed(here)


def _pids(cluster: str) -> set[int]:
    """The processes of a cluster, once there are two."""
    with ClusterClient(cluster) as found:
        found.client.wait_for_workers(2, timeout=60)
        return set(found.client.run(os.getpid).values())


def _untimed(results: dict[str, Any]) -> dict[str, Any]:
    for table in (*results["tables"], results["overall"]):
        for row in table["ratings"]:
            row["ms_per_decision"] = 0
    return results


def test_what_kills_every_worker_is_given_up(cluster: str, tmp_path: Path) -> None:
    bot, _ = killer(tmp_path, count=1, once=False)
    done = call("match", "--bots", f"{bot},random", "--games", "1", "--cluster", cluster)
    assert (done.status, done.out) == (1, "")
    assert done.err == "suitors: A task was given up: each worker that took it has died.\n"


def test_what_fails_on_a_worker_is_told(cluster: str) -> None:
    _pids(cluster)
    with pytest.raises(ArenaError, match=r"A worker failed: ValueError: factorial\(\) not defined"):
        list(run_everywhere(cluster, factorial, [(0, -1)]))


# Schedulers that die, and interrupts

CLUSTER = """import time
from distributed import LocalCluster
if __name__ == "__main__":
    where = {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **where) as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(600)
"""


@contextmanager
def separate_cluster(folder: Path) -> Iterator[tuple[str, int]]:
    """A cluster of one worker in a process of its own: the scheduler's address, and the process."""
    (folder / "cluster.py").write_text(CLUSTER)
    words = [sys.executable, str(folder / "cluster.py")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.kill()


def test_a_tournament_whose_scheduler_dies_is_taken_up_again(tmp_path: Path) -> None:
    with separate_cluster(tmp_path) as (address, process):
        bot, flag = killer(tmp_path, count=60, whom=str(process))
        words = ("tournament", "--bots", f"random,{bot}", "--editions", "classic", "--games", "40")
        done = call(*words, "--cluster", address, "--output", str(tmp_path / "there"))
    assert (done.status, done.out, flag.exists()) == (1, "", False)
    kept = f"What was finished is in {tmp_path / 'there'}: --resume goes on with it."
    assert done.err == f"suitors: The cluster at {address} has gone. {kept}\n"
    assert 1 < len((tmp_path / "there" / LOG).read_bytes().splitlines()) < 21
    assert not (tmp_path / "there" / "results.json").exists()
    for folder in ("there", "here"):
        assert call(*words, "--jobs", "1", "--output", str(tmp_path / folder), "--resume").status == 0
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


WAITING = """import os, sys
for line in sys.stdin:
    open({fifo!r}, "w").close()
    sys.exit(len(sys.stdin.read()))
"""


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    bot = "cmd:" + command_line(tmp_path, WAITING.format(fifo=str(fifo)))
    with running("match", "--bots", f"{bot},random", "--games", "9", "--cluster", "local:1") as process:
        fifo.open().close()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)  # ends when everybody has closed these pipes: nobody is left
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


# What is refused


def refusal(*words: str) -> str:
    done = call("match", "--games", "2", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


@pytest.mark.parametrize(
    "address",
    [
        "",
        "here",
        "local:",
        "local:0",
        "local:x",
        "local:9999",
        "local:²",
        "host",
        "host:",
        "host:99999999",
        "a b:1",
        "x/y",
        "strange://127.0.0.1:9",
        "http://127.0.0.1:9",
        "inproc://127.0.0.1:9",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert refusal("--cluster", address).startswith("suitors: A cluster is the HOST:PORT of its scheduler, or local:N")


@pytest.mark.parametrize("address", ["127.0.0.1:9", "tcp://127.0.0.1:9", "[::1]:9", "127.0.0.1:99999"])
def test_an_address_where_nobody_answers_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suitors.arena.cluster_client.CONNECT_S", 0.3)
    assert refusal("--cluster", address).startswith(f"suitors: There is no cluster at {address}: ")


@pytest.mark.parametrize("scheme", ["", "tls://"])
@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", None])
def test_a_port_that_speaks_another_language_is_refused(
    answer: bytes | None, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("suitors.arena.cluster_client.CONNECT_S", 0.5)
    with answering(answer) as port:
        err = refusal("--cluster", f"{scheme}127.0.0.1:{port}")
    assert err.startswith(f"suitors: There is no cluster at {scheme}127.0.0.1:{port}: ")
    assert "allocate" not in err
    assert _connecting() == []


def _connecting() -> list[object]:
    """Clients that were never closed: each of them would hold up the end of the process, and write a traceback."""
    from distributed import Client  # noqa: PLC0415 - only here

    return [found for found in gc.get_objects() if isinstance(found, Client) and found.status == "connecting"]


@contextmanager
def answering(answer: bytes | None) -> Iterator[int]:
    """A port where everybody gets the same answer, or none, and is then hung up on."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            if answer is None:
                self.request.recv(1 << 20)
            else:
                self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_the_address_of_a_worker_is_refused(cluster: str) -> None:
    with ClusterClient(cluster) as found:
        worker = min(found.client.scheduler_info()["workers"])
    assert refusal("--cluster", worker) == (
        f"suitors: There is no cluster at {worker}: a Worker answers there, not the scheduler.\n"
    )


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster  # noqa: PLC0415 - only here

    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50) as empty:
        monkeypatch.setattr("suitors.arena.cluster_client.CONNECT_S", 0.5)
        err = refusal("--cluster", empty.scheduler_address)
    assert re.fullmatch(r"suitors: The cluster at \S+ has no workers\.\n", err)


def test_a_worker_that_hangs_is_not_waited_for(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    process = min(_pids(cluster))
    os.kill(process, signal.SIGSTOP)
    try:
        monkeypatch.setattr("suitors.arena.cluster_client.CONNECT_S", 1.0)
        err = refusal("--cluster", cluster)
    finally:
        os.kill(process, signal.SIGCONT)
    assert err == f"suitors: A machine of the cluster at {cluster} does not answer.\n"


@pytest.fixture
def other_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    def change() -> None:
        monkeypatch.setattr(suitors, "__version__", "99.0")
        identity.cache_clear()

    yield change
    monkeypatch.undo()
    identity.cache_clear()


def test_workers_of_another_version_are_refused(cluster: str, other_version: Callable[[], None]) -> None:
    version = suitors.__version__
    _pids(cluster)
    other_version()
    err = refusal("--cluster", cluster)
    assert f"of the cluster has Suitors {version}, this machine has 99.0: they must be alike." in err
    assert err.startswith("suitors: The worker at tcp://")


@pytest.mark.parametrize("what", ["Suitors", "Python", "the sources of Suitors"])
def test_a_worker_of_another_version_that_comes_later_is_refused(what: str) -> None:
    assert identity().keys() == {"Suitors", "Python", "the sources of Suitors"}
    with pytest.raises(SuitorsError, match=f"A worker of the cluster has {what} .*, this machine has 0: they must"):
        run_batch({**identity(), what: "0"}, Plain(factorial), [])


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert refusal("--cluster", "local:2") == "suitors: --cluster needs Dask: pip install 'suitors[cluster]'.\n"


def test_a_cluster_and_processes_of_ones_own_do_not_go_together() -> None:
    assert refusal("--cluster", "local:2", "--jobs", "2") == "suitors: Give either --jobs or --cluster.\n"
