"""Processes that need the same compiled code take turns: the first compiles it, the others load it."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

try:
    import fcntl
except ImportError:  # on Windows: each process compiles for itself
    fcntl = None  # type: ignore[assignment]


@contextmanager
def turn(folder: str, what: str) -> Iterator[None]:
    """Wait until no other process is at work on this; where files cannot be locked, go on at once."""
    name = hashlib.sha256(what.encode()).hexdigest()[:16]
    descriptor = None
    with suppress(OSError):
        descriptor = os.open(f"{folder}/{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def compile_in_turn(dispatcher: Any, folder: str) -> None:
    """Let a function of numba's compile, or load what is compiled, in turn."""
    compile_now, name = dispatcher.compile, dispatcher.py_func.__qualname__

    def compile_(signature: Any) -> Any:
        with turn(folder, f"{dispatcher.py_func.__module__}.{name}{signature}"):
            return compile_now(signature)

    dispatcher.compile = compile_
