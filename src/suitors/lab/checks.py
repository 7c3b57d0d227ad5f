"""What callers give to environments and vectors: editions, numbers of any library, seeds."""

from collections.abc import Mapping
from operator import index
from typing import Any

from ..errors import SuitorsError, brief, check_dealt, check_edition, check_options, check_players, edition_name
from ..history import EditionLike
from ..rules import Edition, Option, edition, find_box


def as_int(given: Any) -> int | None:
    """A whole number of any library as an int, None if it is something else."""
    if isinstance(given, bool):
        return None
    try:
        return index(given)
    except TypeError:
        return None


def check_rules(edition_: EditionLike, players: int, options: Mapping[str, Option] | None) -> tuple[str, Edition]:
    """What an edition for several players is known by, and its numbers."""
    slug = check_edition(edition_)
    if find_box(slug).solo:
        raise SuitorsError("unknown-edition", f"{edition_name(slug)} is a game for one: use suitors.envs.Solitaire.")
    number = as_int(players)
    if number is None or number < 0:
        raise SuitorsError("bad-players", f"A number of players is needed, not {brief(players)}.")
    check_players(slug, ("",) * min(number, 99))
    rules = edition(slug, number, check_options({} if options is None else options))
    check_dealt(rules)
    return slug, rules


def check_number(action: Any, actions: int) -> int:
    """The action as an int, if there is one of this number."""
    number = as_int(action)
    if number is None or not 0 <= number < actions:
        raise SuitorsError("illegal-move", f"An action is a number from 0 to {actions - 1}, not {brief(action)}.")
    return number


def check_seed(seed: Any) -> int:
    """The seed as an int."""
    number = as_int(seed)
    if number is None:
        raise SuitorsError("bad-seed", f"A seed is a whole number, not {brief(seed)}.")
    return number
