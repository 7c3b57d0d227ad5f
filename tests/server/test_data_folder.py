"""The data folder: who can read what is in it, backups, and what is said of a server that could be safer."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from suitors.server.ops.precautions import warnings
from suitors.server.storage.folder import FILE, LOCK
from suitors.server.storage.store import Store
from support.matches import call
from support.servers import in_process, json_of, new_person, path_of, running, started_table


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Files that are made without care can be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


# Modes


@pytest.mark.usefixtures("open_umask")
def test_nobody_else_on_the_machine_can_read_what_we_make(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with in_process(folder) as client:
        new_person(client, "Ada")
        assert mode(folder) == 0o700
        found = {path.name: mode(path) for path in folder.iterdir()}
        assert {FILE, LOCK, f"{FILE}-wal", f"{FILE}-shm"} <= found.keys()
        assert set(found.values()) == {0o600}
    assert mode(tmp_path / "new") == 0o755  # folders on the way are as always


@pytest.mark.parametrize("given", [0o755, 0o750, 0o2770, 0o700])
@pytest.mark.usefixtures("open_umask")
def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path, given: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(given)
    with in_process(folder):
        assert mode(folder) == given
        assert {mode(path) for path in folder.iterdir()} == {0o600}
    (folder / FILE).chmod(0o640)
    Store(folder).close()
    assert mode(folder / FILE) == 0o640  # nor is that ours to change any more


# What is said


def test_a_server_that_could_be_safer_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert warnings(tmp_path) == []
    for given in (0o710, 0o704, 0o720):
        tmp_path.chmod(given)
        (sentence,) = warnings(tmp_path)
        assert sentence.startswith(f"Others on this machine can open {tmp_path}, ")
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (sentence,) = warnings(tmp_path)
    assert sentence.startswith("The server runs as root: ")


def test_it_says_so_in_its_log_when_it_starts(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    with running(tmp_path) as server:
        log = (tmp_path / "log").read_text()
        assert f"Others on this machine can open {tmp_path / 'data'}" in log
        assert ("The server runs as root" in log) == (os.geteuid() == 0)
        assert server.end() == 0


# Backups


@pytest.mark.usefixtures("open_umask")
def test_a_running_server_can_be_backed_up_and_only_its_user_can_read_that(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    target = tmp_path / "copy" / FILE
    with in_process(tmp_path / "data") as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        before = json_of(ada.get(path_of(table, "events?seat=0")))["events"]
        outcome = call("serve", "--data", str(tmp_path / "data"), "--backup", str(target))
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.splitlines()[0] == f"The backup is in {target}; only its user can read it."
        assert mode(target) == 0o600
    with in_process(tmp_path / "copy") as client:
        again = new_person(client, "x")
        again.cookies = ada.cookies
        assert json_of(again.get(path_of(table, "events?seat=0")))["events"] == before


def test_a_backup_overwrites_nothing_and_leaves_nothing_half(tmp_path: Path) -> None:
    data, target = tmp_path / "data", tmp_path / "backup"
    Store(data).close()
    target.write_text("mine")
    outcome = call("serve", "--data", str(data), "--backup", str(target))
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{target} cannot be written anew" in outcome.err
    assert target.read_text() == "mine"
    target.unlink()
    (data / FILE).write_bytes(b"Dear diary, this is no database. " * 50)
    outcome = call("serve", "--data", str(data), "--backup", str(target))
    assert outcome.status == 2
    assert "cannot be copied" in outcome.err
    assert not target.exists()
    outcome = call("serve", "--data", str(tmp_path / "nowhere"), "--backup", str(target))
    assert outcome.status == 2
    assert "holds no data of a server" in outcome.err
    assert not (tmp_path / "nowhere").exists()


def test_the_other_documented_way_copies_all_as_well(tmp_path: Path) -> None:
    with in_process(tmp_path / "data") as client:
        new_person(client, "Ada")
        with closing(sqlite3.connect(tmp_path / "data" / FILE)) as db:
            db.execute("VACUUM INTO ?", (str(tmp_path / "copy.sqlite3"),))
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as db:
        assert db.execute("SELECT name FROM persons").fetchall() == [("Ada",)]
