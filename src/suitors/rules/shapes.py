"""How the rules' records are laid out: a class's annotations are its one list of fields.

The interpreted object and the compiled record are both made from `fields`, so they cannot drift apart. An int stands
for itself; a list or tuple is annotated with the Shape that says how long it is and how wide its numbers are.
"""

from typing import Annotated, NamedTuple, get_type_hints


class Shape(NamedTuple):
    """The length of an array, by the name of a size, and the width of its numbers in bytes."""

    size: str
    width: int


class Field(NamedTuple):
    """One field of a record: an int where `shape` is None, else an array."""

    name: str
    shape: Shape | None


BySeat = Annotated[list[int], Shape("seats", 1)]
InDeck = Annotated[list[int], Shape("deck", 1)]
InPiles = Annotated[list[int], Shape("cards", 1)]
InQueue = Annotated[list[int], Shape("queue", 1)]
Rows = Annotated[list[int], Shape("rows", 4)]
ByCard = Annotated[tuple[int, ...], Shape("characters", 1)]
Names = Annotated[tuple[int, ...], Shape("names", 1)]
Cards = Annotated[tuple[int, ...], Shape("cards", 1)]


def fields(record: type) -> tuple[Field, ...]:
    """The fields of a record class, in the order in which they are written there."""
    found = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        shape = next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Shape)), None)
        found.append(Field(name, shape))
    return tuple(found)
