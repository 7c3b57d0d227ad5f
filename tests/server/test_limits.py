"""The limits of a server and the options it is run with: good ones, bad ones, and the page that lists them."""

import os
import re
import socket
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from suitors.cli.serve import check_origin, data_folder, serve_command
from suitors.server.domain import expiry, registry
from suitors.server.ops import limits
from suitors.server.ops.limits import BadLimits, Buckets, Limits, read_limits
from suitors.server.storage.folder import FILE
from support.matches import call
from support.servers import (
    Clock,
    Running,
    in_process,
    json_of,
    load_version_1,
    new_person,
    next_decision,
    on_loop,
    path_of,
    server_of,
    started_table,
    state_of,
)

DAY_S = 86_400
PAGE = Path(__file__).parent.parent.parent / "docs" / "server.md"


def written(folder: Path, text: str) -> Path:
    path = folder / "limits.toml"
    path.write_text(text, "utf-8")
    return path


# The file


def test_a_file_sets_what_it_names_and_leaves_the_rest(tmp_path: Path) -> None:
    assert read_limits(written(tmp_path, "")) == Limits()
    text = "tables = 3\nrequests_s = 7\naway_s = 0.5  # quick\n"
    assert read_limits(written(tmp_path, text)) == replace(Limits(), tables=3, requests_s=7, away_s=0.5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tables = ", "cannot be read as a TOML file"),
        ("tables = 3\ntables = 4", "cannot be read as a TOML file"),
        ("tabels = 3", "there is no limit 'tabels'"),
        ("[limits]\ntables = 3", "there is no limit 'limits'"),
        ("tables = 2.5", "must be a whole number above 0"),
        ("tables = true", "must be a whole number above 0"),
        ("tables = 0", "must be a whole number above 0"),
        ("tables = 1000000000", "below a billion"),
        ("away_s = -1", "must be a number above 0"),
        ("away_s = nan", "must be a number above 0"),
        ("away_s = inf", "must be a number above 0"),
        ("away_s = '5'", "must be a number above 0"),
        ("away_s = []", "must be a number above 0"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadLimits) as error:
        read_limits(path)
    assert says in str(error.value)
    outcome = call("serve", "--no-open", "--data", str(tmp_path / "data"), "--limits", str(path))
    assert (outcome.status, outcome.out) == (2, "")
    assert says in outcome.err
    assert not (tmp_path / "data").exists()


def test_a_file_of_other_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadLimits, match="cannot be read as a TOML file"):
        read_limits(tmp_path / "limits.toml")


# The options


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--port", "http"),
        ("--bots", "0"),
        ("--bots", "257"),
        ("--limits", "no-such-file.toml"),
        ("--data", __file__),
        ("--metrics-token", "no-such-file"),
        ("--metrics-token", __file__),
        ("--metrics-token", os.devnull),
        ("--origin", "play.example.org"),
        ("--origin", "ftp://play.example.org"),
        ("--origin", "https://play.example.org/suitors"),
        ("--origin", "https://"),
        ("--origin", "https://["),
        ("--origin", "https://me@play.example.org"),
        ("--origin", "https://play.example.org:99999"),
        ("--origin", "https://play.example.org?x"),
        ("--trust-proxy", "everybody"),
        ("--trust-proxy", "127.0.0.1:8765"),
        ("--trust-proxy", "10.0.0.1/8"),
        ("--trust-proxy", "*"),
        ("--host", "no.such.host.invalid"),
        ("--host", "192.0.2.1"),
        ("--colour", "red"),
        ("table",),
    ],
    ids=" ".join,
)
def test_a_bad_option_is_refused_in_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    outcome = call("serve", "--no-open", "--data", str(tmp_path / "data"), *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("suitors: ")
    assert len(outcome.err.splitlines()) == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("origin", ["https://play.example.org", "http://play.example.org:8080/", "http://[::1]:8765"])
def test_good_origins_are_taken(origin: str) -> None:
    check_origin(origin)


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        outcome = call("serve", "--no-open", "--data", str(tmp_path), "--port", port)
    assert outcome.status == 2
    assert f"Cannot listen on 127.0.0.1, port {port}" in outcome.err


def test_a_second_start_opens_the_server_that_is_there(
    server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for screen in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(screen, raising=False)  # no browser shall open here
    outcome = call("serve", "--data", str(tmp_path / "other"), "--port", server.address.rpartition(":")[2])
    assert (outcome.status, outcome.out) == (0, f"Suitors is at {server.address}/ already: opening that.\n")
    assert not (tmp_path / "other").exists()


def test_data_are_kept_where_a_users_programs_keep_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "suitors"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder() == tmp_path / ".local" / "share" / "suitors"


# The page


def rows(heading: str) -> dict[str, list[str]]:
    """The first table under a heading: its lines by their first cell."""
    part = PAGE.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:3] == "| `"]
    return {line[0].strip("`"): line[1:] for line in cells}


def test_the_page_lists_every_limit_with_its_value() -> None:
    listed = {name: float(cells[0].replace(" ", "")) for name, cells in rows("Limits").items()}
    assert listed == {field.name: field.default for field in fields(Limits)}
    assert all(len(cells[1]) > 10 for cells in rows("Limits").values())


def test_the_page_lists_every_option() -> None:
    options = {name for parameter in serve_command.params for name in parameter.opts}
    listed = {re.split(r"[ =]", name)[0] for name in rows("Options")}
    assert listed == options


# What the limits do where no client is needed


def test_a_bucket_fills_again_and_never_runs_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    bucket = Buckets(rate=2.0, burst=3)
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take("b") == 0  # another client
    now += 0.5
    assert [bucket.take("a") for _ in range(2)] == [0, 0.5]
    now += 3600
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_buckets_of_clients_long_gone_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Buckets, "CLIENTS", 10)
    bucket = Buckets(rate=1e-9, burst=1)
    for number in range(100):
        assert bucket.take(f"client {number}") == 0
    assert len(bucket._levels) == 10
    assert bucket.take("client 99") > 0


def test_tables_unused_for_long_are_swept_by_their_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_version_1(tmp_path)
    with in_process(tmp_path, keep_keys_days=30) as client:
        clock, server = Clock(monkeypatch, expiry), server_of(client)
        seen: list[set[str]] = []
        for days in (1.9, 2.1, 59.0, 61.0, 364.0, 366.0):
            while clock.ahead < days * DAY_S:  # as if it had run all the time
                clock.ahead = min(days * DAY_S, clock.ahead + 20 * DAY_S)
                on_loop(client, server.expiry.sweep)
            seen.append({status for (status,) in server.store.database.read("SELECT DISTINCT status FROM tables")})
        everything = {"waiting", "closed", "playing", "over"}
        assert seen == [everything, {"playing", "over"}, {"playing", "over"}, {"over"}, {"over"}, set()]
        for table in ("events", "members", "keys", "persons"):
            assert server.store.database.read(f"SELECT count(*) FROM {table}") == [(0,)]


def test_what_is_old_is_swept_when_the_server_starts(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE tables SET updated = 0 WHERE id <> 'playing'")
        db.commit()
    with in_process(tmp_path) as client:
        assert server_of(client).store.database.read("SELECT id FROM tables") == [("playing",)]


def test_a_table_that_nobody_looks_at_leaves_the_memory_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process(tmp_path) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        next_decision({0: ada, 1: ben}, table)
        before = json_of(ada.get(path_of(table, "view?seat=0")))
        clock, server = Clock(monkeypatch, registry), server_of(client)
        with ada.websocket_connect(path_of(table, "live")) as socket:
            socket.receive_json()
            clock.ahead = DAY_S
            on_loop(client, server.tables.unload_idle)
            assert table["id"] in server.tables.loaded  # somebody watches
        state_of(ada, table)
        on_loop(client, server.tables.unload_idle)
        assert table["id"] in server.tables.loaded  # somebody has just looked
        clock.ahead = 2 * DAY_S
        on_loop(client, server.tables.unload_idle)
        assert server.tables.loaded == {}
        assert json_of(ada.get(path_of(table, "view?seat=0"))) == before
