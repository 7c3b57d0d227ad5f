"""What is compiled for the CPU: loops over many tables. A first call compiles for the given layout."""

from typing import Any

import numpy as np

from ..rules.choices import count_moves, nth_move
from ..rules.names import Refusal
from ..rules.solitaire import deal_solo, play_solo
from ..rules.solitaire_choices import count_solo_moves, nth_solo_move, why_not_solo
from .compiler import kernel
from .games import STATE, deal_if_due, play_if_legal, random_match, seed_chance


@kernel
def play_random(
    scratch: Any, eds: Any, seed: int, first_game: int, winners: Any, rounds: Any, moves: Any
) -> None:  # pragma: no cover - compiled
    """Play a random match for each place of the result arrays; game k has the stream of number first_game + k."""
    t = scratch[0]
    ed = eds[0]
    rng: Any = np.empty(STATE, np.int64)
    order: Any = np.empty(ed.cards, np.int64)
    for k in range(len(winners)):
        seed_chance(rng, seed, first_game + k)
        length = random_match(t, ed, order, rng)
        winners[k] = t.champions
        rounds[k] = length >> 32
        moves[k] = length & 0xFFFFFFFF


@kernel
def deal_tables(tables: Any, eds: Any, decks: Any, first: Any, done: Any) -> None:  # pragma: no cover - compiled
    """Start a round at each table that waits for one and may be started by that seat; say which."""
    ed = eds[0]
    for k in range(len(tables)):
        done[k] = deal_if_due(tables[k], ed, decks[k], first[k])


@kernel
def step_tables(tables: Any, eds: Any, moves: Any, refusals: Any) -> None:  # pragma: no cover - compiled
    """Play a move at each table; one that is refused changes nothing."""
    ed = eds[0]
    for k in range(len(tables)):
        refusals[k] = play_if_legal(tables[k], ed, moves[k])


@kernel
def count_tables(tables: Any, eds: Any, counts: Any) -> None:  # pragma: no cover - compiled
    """How many moves are legal at each table."""
    ed = eds[0]
    for k in range(len(tables)):
        counts[k] = count_moves(tables[k], ed)


@kernel
def list_tables(tables: Any, eds: Any, counts: Any, moves: Any) -> None:  # pragma: no cover - compiled
    """The legal moves of each table, in the order in which the rules number them."""
    ed = eds[0]
    for k in range(len(tables)):
        for j in range(counts[k]):
            moves[k, j] = nth_move(tables[k], ed, j)


@kernel
def deal_solos(tables: Any, eds: Any, decks: Any) -> None:  # pragma: no cover - compiled
    """Start a solo game at each table."""
    for k in range(len(tables)):
        deal_solo(tables[k], eds[0], decks[k], 0)


@kernel
def step_solos(tables: Any, eds: Any, moves: Any, refusals: Any) -> None:  # pragma: no cover - compiled
    """Play a move at each solo table; one that is refused changes nothing."""
    ed = eds[0]
    for k in range(len(tables)):
        refusals[k] = why_not_solo(tables[k], ed, moves[k])
        if refusals[k] == Refusal.FINE:
            play_solo(tables[k], ed, moves[k])


@kernel
def list_solos(tables: Any, eds: Any, counts: Any, moves: Any) -> None:  # pragma: no cover - compiled
    """The legal moves of each solo table, and how many they are."""
    ed = eds[0]
    for k in range(len(tables)):
        counts[k] = count_solo_moves(tables[k], ed)
        for j in range(counts[k]):
            moves[k, j] = nth_solo_move(tables[k], ed, j)
