"""Moves tried on the same hidden cards with the same chance: what each of them leads to, world by world.

A world is a number. It settles the hidden cards, drawn from a belief, who plays at random, and the chance of the rest
of the round, so that two moves differ by what they do and not by their luck. In worlds that are played to learn, the
player finds out how to go on best (reply.py grows the tree); in the others, moves are measured by what was learnt.
"""

from ...fast.games import below, seed_chance
from ...knowledge.notes import NOTES, SEATS, Notes
from ...rules.choices import count_moves, nth_move
from ...rules.editions import Edition
from ...rules.table import Table
from ...solve.equity import equity
from .buffers import Ints, PolicyBuffers
from .deals import draw_deal, resolve_seen
from .policy import pick, score_moves
from .reply import (
    NO_SLOT,
    Players,
    Position,
    SearchTree,
    advance,
    back_up,
    choose_move,
    follow,
    mix,
    observe,
    over,
    random_seats,
    restore,
    slot_of,
)

GAIN, FIRST_GAIN = 4, 24
"""How many bits of an outcome the tokens gained by a seat have, and where those of seat 0 begin."""

CHAMPIONS, TIED = 8, 16
"""Where the winners of the match begin in an outcome, and those who are tied; below are the winners of the round."""

LEARNT = 24
"""Worlds in which a decision must have been met for what was learnt there to be trusted."""


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
    first_notes, notes, stakes = position.notes, position.round_notes, players.stakes
    restore(tables)
    t = tables[1]
    for k in range(NOTES):
        notes[k] = first_notes[k]
    draw_deal(t, ed, me, position.belief, buffers.moves, rng)
    resolve_seen(notes, t)
    at_random = random_seats(ed, players.at_random, rng)
    key = mix(observe(t, notes, ed, me, 1), move)
    key = advance(t, ed, notes, me, move, key)
    depth = play_on(t, ed, notes, players, tree, buffers, rng, me, at_random, key, learning)
    if learning:
        back_up(tree, depth, (equity(t, ed, me) - stakes[me]) * stakes[SEATS + me])
    return outcome_of(t, tables[0], ed)


def play_on(
    t: Table,
    ed: Edition,
    notes: Notes,
    players: Players,
    tree: SearchTree,
    buffers: PolicyBuffers,
    rng: Ints,
    me: int,
    at_random: int,
    key: int,
    learning: bool,
) -> int:
    """Play a round to its end; how long the path through the tree is."""
    moves, chances = buffers.moves, buffers.chances
    others, own = players.others, players.own
    depth = 0
    within = True
    while not over(t):
        if t.decider != me and at_random >> t.decider & 1:
            key = advance(t, ed, notes, me, nth_move(t, ed, below(rng, count_moves(t, ed))), key)
            continue
        n = score_moves(t, ed, notes, own if t.decider == me else others, buffers)
        k = pick(chances, n, rng)
        if t.decider == me and within:
            key = observe(t, notes, ed, me, key)
            if learning:
                node = slot_of(tree.keys, key, True)
                within = node != NO_SLOT and tree.visits[node] > 0
                depth = follow(tree.path, node, depth)
                if within:
                    k = choose_move(tree, key, node, moves, chances, n)
                    depth = follow(tree.path, slot_of(tree.keys, mix(key, moves[k]), True), depth)
            else:
                node = slot_of(tree.keys, key, False)
                within = node != NO_SLOT and tree.visits[node] >= LEARNT
                if within:
                    k = most_tried(tree, key, moves, n)
        key = advance(t, ed, notes, me, moves[k], key)
    return depth


def most_tried(tree: SearchTree, key: int, moves: Ints, n: int) -> int:
    """The move that was tried most often at a decision."""
    best = 0
    most = -1
    for k in range(n):
        slot = slot_of(tree.keys, mix(key, moves[k]), False)
        tried = tree.visits[slot] if slot != NO_SLOT else 0
        if tried > most:
            best, most = k, tried
    return best


def outcome_of(t: Table, before: Table, ed: Edition) -> int:
    """How a round ended as one number: who won it, who won the match, who is tied, and the tokens of each seat."""
    found = t.winners | t.champions << CHAMPIONS | t.tied << TIED
    for seat in range(ed.players):
        found |= t.tokens[seat] - before.tokens[seat] << FIRST_GAIN + GAIN * seat
    return found
