"""Whether this process has loaded the code that bots compile: until then, a bot with a network plays by it alone."""

from threading import Event

_loaded = Event()


def is_loaded() -> bool:
    """Whether the code is there."""
    return _loaded.is_set()


def set_loaded() -> None:
    """The code is there now."""
    _loaded.set()
