"""A pytest plugin that lets workers share the work of loading the tests.

What Python and pytest compile is kept on disk, but workers that begin at the same moment, with the same module, would
all compile everything. So each of them first loads the tests from another one on.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.pathlib import ImportMode, import_path

T = TypeVar("T")


def turned(all_of_them: Sequence[T], part: int, parts: int) -> list[T]:
    """The same, beginning with one of so many parts."""
    first = len(all_of_them) * part // parts
    return [*all_of_them[first:], *all_of_them[:first]]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests are to be run, load them in an order of this worker's own; collecting them tells what fails."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    part, parts = int(worker.removeprefix("gw")), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in turned(sorted(Path(__file__).parent.parent.rglob("test_*.py")), part, parts):
        with suppress(Exception, pytest.skip.Exception):
            import_path(
                path, mode=ImportMode.importlib, root=session.config.rootpath, consider_namespace_packages=False
            )
