"""Compiled templates are kept among the temporary files, where that is possible."""

import errno
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from suitors.pages.render import environment

make = environment.__wrapped__


def load_one(made: Environment) -> None:
    made.get_template("base.html")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the temporary files are."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_was_compiled_is_not_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_one(make())
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o700]
    monkeypatch.setattr(Environment, "compile", lambda *_, **__: pytest.fail("it is there already"))
    load_one(make())


def test_where_nobody_may_write_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "file"))
    made = make()
    assert made.bytecode_cache is None
    load_one(made)


def test_a_folder_that_others_may_write_to_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert make().bytecode_cache is None


def test_a_full_disk_keeps_nobody_from_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    load_one(make())
