"""How compiled code comes about: in turn among processes, and inner functions as parts of their callers."""

import fcntl
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from suitors.fast import compiler
from suitors.fast.compiler import CALLED_INSIDE, COMPILED_FOLDERS, cache_folder, cached
from suitors.fast.turns import compile_in_turn, turn


def locked(folder: Path) -> bool:
    """Whether somebody holds the only lock in a folder."""
    (path,) = folder.glob("*.lock")
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def test_what_one_process_compiles_another_waits_for(tmp_path: Path) -> None:
    seen: list[tuple[str, bool]] = []

    def compile_now(signature: str) -> str:
        seen.append((signature, locked(tmp_path)))
        return "compiled"

    dispatcher = SimpleNamespace(compile=compile_now, py_func=test_what_one_process_compiles_another_waits_for)
    compile_in_turn(dispatcher, str(tmp_path))
    assert dispatcher.compile("(int64)") == "compiled"
    assert seen == [("(int64)", True)]
    assert not locked(tmp_path)


def test_the_turn_ends_with_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), turn(str(tmp_path), "this"):
        raise ZeroDivisionError
    assert not locked(tmp_path)


def test_where_no_file_can_be_made_nobody_waits(tmp_path: Path) -> None:
    with turn(str(tmp_path / "missing"), "this"):
        assert not list(tmp_path.iterdir())


def test_threads_declare_one_after_the_other_and_never_into_the_folder_of_another() -> None:
    """numba's folder is one setting for all threads: an empty one is the folder that the user happens to be in."""
    seen = list[tuple[str, str]]()

    def declare(cache: bool) -> None:
        seen.append(("begun", numba.config.CACHE_DIR))
        time.sleep(0.05)
        seen.append(("done", numba.config.CACHE_DIR))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(cached, [declare] * 4))
    assert seen == [("begun", cache_folder()), ("done", cache_folder())] * 4


def test_an_edit_of_any_folder_with_compiled_code_makes_it_new() -> None:
    package = Path(compiler.__file__).parent.parent
    compiled = re.compile(r"^from \S*\bcompiler import (\([^)]*|.*)\b(kernel|register)\b", re.MULTILINE)
    sources = [path for path in package.rglob("*.py") if compiled.search(path.read_text(encoding="utf-8"))]
    folders = {path.parent.relative_to(package).as_posix() for path in sources}
    assert folders >= {"lab", "solve"}
    assert folders <= set(COMPILED_FOLDERS)


def test_inner_functions_compute_and_raise_within_their_callers() -> None:
    def entry(numbers: Any, k: int) -> Any:
        return numbers[k]

    def doubled(numbers: Any, k: int) -> Any:
        if k == 7:
            raise ValueError("seven")
        return 2 * inner_entry(numbers, k)

    def caller(numbers: Any, k: int) -> Any:
        return inner_doubled(numbers, k) + inner_entry(numbers, 0)

    inner_entry = numba.njit(**CALLED_INSIDE)(entry)
    inner_doubled = numba.njit(**CALLED_INSIDE)(doubled)
    compiled, numbers = numba.njit(caller), np.arange(10, 13)
    assert compiled(numbers, 2) == 34
    with pytest.raises(ValueError, match="seven"):
        compiled(numbers, 7)
    with pytest.raises(IndexError):
        compiled(numbers, 3)


def test_inner_functions_return_no_arrays() -> None:
    def same(numbers: Any) -> Any:
        return numbers

    def caller(numbers: Any) -> Any:
        return inner(numbers)[0]

    inner = numba.njit(**CALLED_INSIDE)(same)
    with pytest.raises(TypeError, match=r"same returns array\(int64, 1d, C\), for which nobody counts references"):
        numba.njit(caller)(np.arange(3))
