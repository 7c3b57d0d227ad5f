"""Compiles the rules with numba: registers their functions from outside and caches the result safely.

numba does not notice edits in another file when it loads a cached function, so the cache folder is named after a hash
of the sources, of the versions and of whether bounds are checked.
"""

import hashlib
import inspect
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numba.extending
import numpy as np

from ..rules import (
    acts,
    choices,
    effects,
    names,
    scoring,
    seats,
    solitaire,
    solitaire_choices,
    solitaire_table,
    table,
    turn,
)
from . import games
from .linking import InnerCompiler
from .turns import compile_in_turn

SOLO = (solitaire_table, solitaire_choices, solitaire)
MODULES: tuple[ModuleType, ...] = (names, seats, table, acts, scoring, effects, choices, turn, *SOLO, games)
"""Where the compilable functions are."""

UNCOMPILED = frozenset({"sizes", "new_table", "copy_table", "solo_sizes", "new_solo"})
"""Functions of these modules that only interpreted Python needs."""

COMPILED_FOLDERS = ("rules", "fast", "solve", "bots/engine", "lab", "mass", "coach/engine")
"""Where the sources of compiled code are."""

CALLED_INSIDE = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "pipeline_class": InnerCompiler,
}
"""How a function is compiled that only compiled code calls: without wrappers for others and machine code of its own.

It counts no references to arrays either, which took a fifth of the time of a vector's step.
"""

FOLDERS_KEPT = 4
PATIENCE_S = 1.0
"""How long a first call may take before a line says what is happening."""


def functions(modules: Iterable[ModuleType] = MODULES) -> Iterator[FunctionType]:
    """Every compilable function of these modules, which are those of the rules and the random games."""
    for module in modules:
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in UNCOMPILED:
                yield function


Overload = Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]]
"""What numba and numba-cuda each have: the decorator that gives a Python function its compiled meaning."""


TELLERS: dict[str, Callable[..., None]] = {"rows": acts.tell}
"""How a compiled table tells of an event, by a field that it has; a table without any of them is watched by nobody."""


def register_with(overload: Overload, options: dict[str, Any]) -> None:
    """Let compiled code call the rules."""
    register_functions(overload, options, (f for f in functions() if f not in (acts.tell, solitaire.tell_solo)))

    def telling(t: Any, event: Any, actor: Any, target: Any, card: Any, audience: Any) -> Callable[..., None]:
        return next((teller for field, teller in TELLERS.items() if field in t.fields), _untold)

    def telling_solo(t: Any, event: Any, actor: Any, place: Any, card: Any) -> Callable[..., None]:
        return solitaire.tell_solo if "rows" in t.fields else _untold_solo

    overload(acts.tell, jit_options=options, strict=False)(telling)
    overload(solitaire.tell_solo, jit_options=options, strict=False)(telling_solo)


def register_functions(overload: Overload, options: dict[str, Any], chosen: Iterable[FunctionType]) -> None:
    """Let compiled code call these functions."""
    for function in chosen:
        overload(function, jit_options=options, strict=False)(_always(function))


def _always(function: FunctionType) -> Callable[..., FunctionType]:
    def same(*arguments: Any, **named: Any) -> FunctionType:
        return function

    return same


def _untold(t: Any, event: int, actor: int, target: int, card: int, audience: int) -> None:
    """Tell nobody."""


def _untold_solo(t: Any, event: int, actor: int, place: int, card: int) -> None:
    """Tell nobody."""


INLINED = {**CALLED_INSIDE, "forceinline": True}
"""How the rules are compiled for the CPU: everything is inlined, for they are many small functions."""


@lru_cache
def register() -> None:
    """Let code compiled for the CPU call the rules."""
    register_with(numba.extending.overload, INLINED)


def source_hash() -> str:
    """A hash of all that compiled code depends on."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    for folder in COMPILED_FOLDERS:
        for path in sorted((package / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache
def cache_folder() -> str:
    """The folder for compiled code of just these sources; older ones are swept."""
    base = Path(os.environ.get("SUITORS_CACHE") or _user_cache() / "suitors")
    folder = base / source_hash()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    old = sorted((path for path in base.iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime)
    for path in old[FOLDERS_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
    return str(folder)


def _user_cache() -> Path:
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


_declaring = threading.RLock()
"""numba's folder is a setting of the process, so one thread declares at a time."""


def cached(declare: Callable[[bool], Any]) -> Any:
    """Declare compiled code with numba's cache in our own folder; where none can be written, without one."""
    with _declaring:
        before = numba.config.CACHE_DIR
        try:
            numba.config.CACHE_DIR = cache_folder()
            return declare(True)
        except (OSError, RuntimeError):  # it is compiled anew in every process
            return declare(False)
        finally:
            numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that calls the rules; it runs without Python's lock and is cached on disk."""
    register()

    def declare(cache: bool) -> Callable[..., Any]:
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=cache, error_model="numpy")(function)
        if cache:
            compile_in_turn(compiled, cache_folder())
        return compiled

    return cached(declare)  # type: ignore[no-any-return]


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Say what is happening if it takes long: a first call compiles for some seconds."""
    text = f"Compiling {what} (once on this machine; about a quarter of a minute) …"
    timer = threading.Timer(PATIENCE_S, print, [text], {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
