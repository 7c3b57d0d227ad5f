"""`suitors backup` and `suitors restore`: copies of a store that a server uses meanwhile, checked before they count."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from suitors.server.storage import copies
from suitors.server.storage.copies import StoreFile
from suitors.server.storage.folder import FILE, LOCK
from suitors.server.storage.schema import VERSIONS
from suitors.server.storage.tables import Event
from support.kills import PATIENCE_S, Player, check_player, killed, open_table
from support.matches import Outcome, call
from support.servers import Caller, in_process, running
from support.stores import TABLE, change_events, flip, make_store, set_version, small_disk

MOST = 8
"""Backups that are made during one match."""


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Files that are made without care can be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def back_up(folder: Path, file: Path) -> Outcome:
    return call("backup", str(folder), str(file))


def restore(file: Path, folder: Path, *options: str) -> Outcome:
    return call("restore", str(file), str(folder), *options)


def is_private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


# While people play


def test_backups_during_a_match_hold_all_that_was_told_before(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        people = [Caller(server.address, name) for name in ("Ada", "Ben")]
        table = open_table(people, "premium", ["random", "random"])
        players = [Player(person, table, seat) for seat, person in enumerate(people)]
        for player in players:
            player.start()
        told: list[int] = []
        copies: list[Path] = []
        while players[0].is_alive() and len(copies) < MOST:
            told.append(len(players[0].events))
            copies.append(tmp_path / f"backup-{len(copies)}")
            done = back_up(tmp_path / "data", copies[-1])
            assert (done.status, done.err) == (0, "")
        for player in players:
            player.join(PATIENCE_S)
            check_player(player)
        whole = stored_events(tmp_path / "data" / FILE, table)
        found = [stored_events(copy, table) for copy in copies]
    assert all(events == whole[: len(events)] for events in found)
    assert all(len(events) >= known for events, known in zip(found, told, strict=True))
    assert len(found[0]) < len(whole)  # people went on playing


def stored_events(file: Path, table: str) -> list[Event]:
    with StoreFile(file) as store:
        return store.events(table)


# Files


@pytest.mark.usefixtures("open_umask")
def test_a_backup_is_private_and_goes_back_as_it_was(tmp_path: Path) -> None:
    make_store(tmp_path / "data")
    file, folder = tmp_path / "kept", tmp_path / "again"
    done = back_up(tmp_path / "data", file)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == f"The backup is in {file}; only its user can read it."
    done = restore(file, folder)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == f"The data of {file} is in {folder}."
    assert is_private(file)
    assert is_private(folder / FILE)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "data", "kept"]
    with in_process(folder):
        pass


def test_a_backup_overwrites_nothing_and_needs_a_folder(tmp_path: Path) -> None:
    make_store(tmp_path / "data")
    file = tmp_path / "kept"
    file.write_text("mine")
    for target in (file, tmp_path / "nowhere" / "kept"):
        done = back_up(tmp_path / "data", target)
        assert (done.status, done.out) == (2, "")
        assert f"{target} cannot be written anew" in done.err
    assert file.read_text() == "mine"


def test_a_full_disk_leaves_no_half_of_a_copy(tmp_path: Path) -> None:
    make_store(tmp_path / "data")
    file, folder = tmp_path / "kept", tmp_path / "again"
    with small_disk(20_000):
        done = back_up(tmp_path / "data", file)
    assert (done.status, done.out) == (1, "")
    assert "cannot be copied" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    assert back_up(tmp_path / "data", file).status == 0
    make_store(folder)
    before = (folder / FILE).read_bytes()
    with small_disk(20_000):
        done = restore(file, folder, "--replace")
    assert (done.status, done.out) == (1, "")
    assert (folder / FILE).read_bytes() == before
    assert not list(folder.glob("*.part"))


# Damage


def test_a_damaged_table_is_named_and_its_backup_is_kept(tmp_path: Path) -> None:
    change_events(make_store(tmp_path / "data"), "DELETE FROM events WHERE number = 3")
    file, folder = tmp_path / "kept", tmp_path / "again"
    done = back_up(tmp_path / "data", file)
    assert done.status == 1
    assert done.err == f"Table {TABLE}: Event 3 is missing.\n"
    assert file.exists()
    done = restore(file, folder)
    assert done.status == 1
    assert done.err.splitlines()[0] == "Nothing was restored; --damaged does it all the same."
    assert (folder / FILE).stat().st_size == 0
    done = restore(file, folder, "--damaged")
    assert done.status == 1
    assert (folder / FILE).stat().st_size > 0


@pytest.mark.parametrize("how", ["flipped", "cut", "diary", "later", "nowhere"])
def test_a_file_that_is_damaged_or_no_backup_is_not_restored(tmp_path: Path, how: str) -> None:
    file, folder = make_store(tmp_path / "data"), tmp_path / "again"
    if how == "flipped":
        flip(file, 4096 * 2, 4096 * 8)
    elif how == "cut":
        file.write_bytes(file.read_bytes()[:9000])
    elif how == "diary":
        file.write_text("Dear diary, " * 100)
    elif how == "later":
        set_version(file, len(VERSIONS) + 1)
    else:
        file.unlink()
    done = restore(file, folder)
    assert (done.status, done.out) == (1 if how in ("flipped", "cut") else 2, "")
    assert done.err.startswith("suitors: ")
    assert how in ("flipped", "cut") or not folder.exists()


# A folder in use


def left_behind(folder: Path) -> Path:
    """A store as a server leaves it that was killed: the last that it wrote is in a file beside it."""
    file = make_store(folder)
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("DELETE FROM events WHERE number = 3 AND table_id = ?", (TABLE,))
        db.commit()
        parts = {ending: Path(f"{file}{ending}").read_bytes() for ending in ("", "-wal")}
    db.close()
    for ending, data in parts.items():
        Path(f"{file}{ending}").write_bytes(data)
    return file


def has_event_3(file: Path) -> bool:
    with sqlite3.connect(file) as db:
        return bool(db.execute("SELECT 1 FROM events WHERE table_id = ? AND number = 3", (TABLE,)).fetchone())


def test_restoring_overwrites_nothing_unless_told_and_puts_aside_what_was_there(tmp_path: Path) -> None:
    make_store(tmp_path / "data")
    file, folder = tmp_path / "kept", tmp_path / "again"
    assert back_up(tmp_path / "data", file).status == 0
    left_behind(folder)
    before = [path.read_bytes() for path in sorted(folder.iterdir())]
    done = restore(file, folder)
    assert (done.status, done.out) == (2, "")
    assert f"{folder} holds data already" in done.err
    assert [path.read_bytes() for path in sorted(folder.iterdir()) if path.name != LOCK] == before
    asides = []
    for _ in range(2):  # within one second
        done = restore(file, folder, "--replace")
        assert (done.status, done.err) == (0, "")
        asides.append(Path(done.out.splitlines()[1].removeprefix("What was there is in ").removesuffix(".")))
    assert [has_event_3(aside) for aside in asides] == [False, True]  # of the first, what was beside it, too
    assert not (folder / f"{FILE}-wal").exists()
    assert call("check", str(folder)).status == 0


def test_a_damaged_store_is_put_aside_as_it_is(tmp_path: Path) -> None:
    file, folder = make_store(tmp_path / "data"), tmp_path / "again"
    make_store(folder).write_bytes(b"SQLite format 3\0, or not" * 500)
    (folder / f"{FILE}-wal").write_bytes(b"old")
    before = (folder / FILE).read_bytes()
    done = restore(file, folder, "--replace")
    assert (done.status, done.err) == (0, "")
    aside = Path(done.out.splitlines()[1].removeprefix("What was there is in ").removesuffix("."))
    assert (aside.read_bytes(), Path(f"{aside}-wal").read_bytes()) == (before, b"old")


@pytest.mark.parametrize("place", ["_is_one_file", "_put_aside", "_sync", "give_name", "give_to_owner"])
def test_a_restore_that_is_killed_leaves_the_old_store_or_the_new_one(tmp_path: Path, place: str) -> None:
    file, folder = make_store(tmp_path / "data"), tmp_path / "again"
    left_behind(folder)
    assert killed(copies, place, lambda: restore(file, folder, "--replace"))
    assert has_event_3(folder / FILE) == (place in ("give_name", "give_to_owner"))
    assert restore(file, folder, "--replace").status == 0
    assert has_event_3(folder / FILE)


def test_what_root_restores_belongs_to_whoever_has_the_folder(tmp_path: Path) -> None:
    file, folder = make_store(tmp_path / "data"), tmp_path / "again"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    assert restore(file, folder).status == 0
    assert {path.stat().st_uid for path in folder.iterdir()} == {folder.stat().st_uid}


def test_nothing_is_restored_over_a_running_server(tmp_path: Path) -> None:
    file = make_store(tmp_path / "data")
    program = "import sys; from pathlib import Path; from suitors.server.storage.store import Store; "
    held = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{program} s = Store(Path({str(tmp_path / 'again')!r})); print('up', flush=True); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with held:
        assert held.stdout is not None
        assert held.stdout.readline() == b"up\n"
        done = restore(file, tmp_path / "again", "--replace")
        held.kill()
    assert (done.status, done.out) == (2, "")
    assert "Another server is using it" in done.err
