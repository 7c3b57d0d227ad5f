"""Moves tried on the same hidden cards with the same chance: what each of them leads to, world by world.

A world is a number. It settles the hidden cards, drawn from a belief, who plays at random, and the chance of the rest
of the round, so that two moves differ by what they do and not by their luck. In worlds that are played to learn, the
player finds out how to go on best (reply.py grows the tree); in the others, moves are measured by what was learnt.
"""

from ...fast.games import seed_chance
from ...knowledge.notes import SEATS
from ...rules.editions import Edition
from ...rules.table import Table
from ...solve.equity import equity
from .buffers import Ints, PolicyBuffers
from .reply import (
    Players,
    Position,
    SearchTree,
    advance,
    back_up,
    begin_round,
    mix,
    observe,
    play_on,
    random_seats,
)

GAIN, FIRST_GAIN = 4, 24
"""How many bits of an outcome the tokens gained by a seat have, and where those of seat 0 begin."""

CHAMPIONS, TIED = 8, 16
"""Where the winners of the match begin in an outcome, and those who are tied; below are the winners of the round."""


def try_moves(
    tables: list[Table],
    ed: Edition,
    position: Position,
    players: Players,
    tree: SearchTree,
    buffers: PolicyBuffers,
    rng: Ints,
    seed: int,
    first: int,
    moves: Ints,
    outcomes: Ints,
    learning: bool,
) -> None:
    """Try each of the moves in worlds from the first on; as many as there is room for outcomes, world by world."""
    count = len(moves)
    for k in range(len(outcomes)):
        seed_chance(rng, seed, first + k // count)
        outcomes[k] = try_move(tables, ed, position, players, tree, buffers, rng, moves[k % count], learning)


def try_move(
    tables: list[Table],
    ed: Edition,
    position: Position,
    players: Players,
    tree: SearchTree,
    buffers: PolicyBuffers,
    rng: Ints,
    move: int,
    learning: bool,
) -> int:
    """Play a move from the first table in the world of this chance, and the round to its end; the outcome."""
    me = tables[0].decider
    notes, stakes = position.round_notes, players.stakes
    begin_round(tables, ed, me, position, buffers, rng)
    t = tables[1]
    at_random = random_seats(ed, players.at_random, rng)
    key = mix(observe(t, notes, ed, me, 1), move)
    key = advance(t, ed, notes, me, move, key)
    depth = play_on(t, ed, notes, players, tree, buffers, rng, me, at_random, key, learning)
    if learning:
        back_up(tree, depth, (equity(t, ed, me) - stakes[me]) * stakes[SEATS + me])
    return outcome_of(t, tables[0], ed)


def outcome_of(t: Table, before: Table, ed: Edition) -> int:
    """How a round ended as one number: who won it, who won the match, who is tied, and the tokens of each seat."""
    found = t.winners | t.champions << CHAMPIONS | t.tied << TIED
    for seat in range(ed.players):
        found |= t.tokens[seat] - before.tokens[seat] << FIRST_GAIN + GAIN * seat
    return found
