"""Worlds that differ from a match in cards that some of its seats have not seen."""

import random
from typing import Any

from suitors import Match
from support.witness import witness


def other_world(match: Match, rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of one round's deck elsewhere; in the last one often a card drawn just now."""
    record = match.record()
    rounds = [{**data, "deck": data["deck"][:]} for data in record["rounds"]]
    if rng.random() < 0.5:
        deck = rounds[-1]["deck"]
        top = min(match.table.top, len(deck) - 1)
        i = rng.randrange(max(0, top - 3), top + 1)
        j = rng.choice([place for place in range(len(deck)) if place != i])
        deck[i], deck[j] = deck[j], deck[i]
        return {**record, "rounds": rounds}
    deck = rng.choice(rounds)["deck"]
    for _ in range(rng.choice((1, 1, 2, 3))):
        i, j = rng.sample(range(len(deck)), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return {**record, "rounds": rounds}


def same_moves(record: dict[str, Any], seat: int | None) -> tuple[Match, list[Any]] | None:
    """The match and the seat's notes, if the same moves are legal in this world too."""
    try:
        return witness(record, seat)
    except ValueError:
        return None
