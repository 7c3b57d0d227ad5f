"""What has been worked out before, looked up by what it depends on."""

from collections.abc import Callable, Hashable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lookup(dict[Key, Value]):
    """The values of a function by its argument; when there are too many of them, they are all forgotten.

    That is quicker than to know which was used last, as `functools.lru_cache` does: it moves each that is found.

    Examples:
        >>> squares = Lookup(lambda number: number * number, 1000)
        >>> squares[12], len(squares)
        (144, 1)
    """

    def __init__(self, work_out: Callable[[Key], Value], most: int) -> None:
        super().__init__()
        self.work_out = work_out
        self.most = most

    def __missing__(self, key: Key) -> Value:
        value = self.work_out(key)
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
