"""Sets of seats: an int with one bit a seat. Quick for Python, for a CPU and for a GPU alike."""

from .names import NOBODY


def only(seat: int) -> int:
    """The set of one seat."""
    return 1 << seat


def has(seats: int, seat: int) -> bool:
    """Whether the seat is in the set."""
    return seats >> seat & 1 == 1


def without(seats: int, seat: int) -> int:
    """The set less one seat."""
    return seats & ~(1 << seat)


def size(seats: int) -> int:
    """How many seats the set holds."""
    n = 0
    while seats:
        seats &= seats - 1
        n += 1
    return n


def nth(seats: int, k: int) -> int:
    """The k-th lowest seat of the set, counted from 0; the set holds more than k."""
    for _ in range(k):
        seats &= seats - 1
    return lowest(seats)


def lowest(seats: int) -> int:
    """The lowest seat of the set, NOBODY if it is empty."""
    return size((seats & -seats) - 1) if seats else NOBODY


def after(seats: int, seat: int) -> int:
    """The next seat of the set clockwise; the set is not empty."""
    higher = seats >> (seat + 1) << (seat + 1)
    return lowest(higher if higher else seats)
