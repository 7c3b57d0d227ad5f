"""The best reply to modelled opponents: a tree over one player's own decisions, the others playing by their models.

What the player observes between two of its decisions is folded into a hash; the position of the tree is that hash, and
the statistics lie in one open table of hashes: those of decisions, and those of the moves made there.
"""

from math import sqrt
from typing import NamedTuple

from ...fast.games import below, next_word
from ...knowledge.notes import NOTES, SEATS, Notes, step
from ...rules.choices import count_moves, nth_move
from ...rules.editions import Edition
from ...rules.names import Phase
from ...rules.table import Table
from ...solve.equity import equity
from .buffers import Floats, Ints, PolicyBuffers
from .deals import BeliefArrays, draw_deal, resolve_seen
from .policy import pick, score_moves

DEEPEST = 250
"""Decisions and moves of a path at most."""

SPREAD = -7046029254386353131
TRIES = 32
NO_SLOT = -1
EXPLORATION = 1.6
"""How much a move that the policy likes and that was tried less often is preferred."""

FIRST_GUESS = 0.1
"""How far below the parent's mean a move that was never tried is assumed to be."""

PRIOR_FLOOR = 0.04
"""What part of the prior is spread evenly over all moves."""


LEARNT = 24
"""Worlds in which a decision must have been met for what was learnt there to be trusted."""


class Position(NamedTuple):
    """What is known where the search begins."""

    notes: Notes  # what the players know of each other
    round_notes: Notes  # the same in the simulated round: written there
    belief: BeliefArrays


class Players(NamedTuple):
    """How everybody plays in the simulated rounds."""

    others: Floats  # the weights of the others' policy
    own: Floats  # those of the searching player
    stakes: Floats  # by seat: its equity if another wins a token; then 1 / what it would gain by winning one itself
    at_random: Floats  # each seat's chance to play a whole round at random


class SearchTree(NamedTuple):
    """The open table of hashes, each with its statistics."""

    keys: Ints
    visits: Ints
    totals: Floats  # sums of results
    path: Ints  # the slots that the running round has come through


def mix(key: int, word: int) -> int:
    """Fold a number into a hash."""
    key = (key ^ (word + 1)) * SPREAD & 0x7FFFFFFFFFFFFFFF
    return key ^ key >> 29


def slot_of(keys: Ints, key: int, add: bool) -> int:
    """Where a hash is kept, or NO_SLOT: it is not there, and was not to be added or found no room."""
    for attempt in range(TRIES):
        k = (key >> 7) + attempt & len(keys) - 1
        if keys[k] == key:
            return k
        if keys[k] == 0:
            if add:
                keys[k] = key
                return k
            return NO_SLOT
    return NO_SLOT


def observe(t: Table, notes: Notes, ed: Edition, me: int, key: int) -> int:
    """Fold what the player sees at its decision into the hash: the own cards and those it knows of others."""
    key = mix(key, t.hand[me])
    if t.active == me:
        key = mix(mix(key, t.drawn), t.extra)
    for seat in range(ed.players):
        key = mix(key, notes[me * SEATS + seat])
    return key


def advance(t: Table, ed: Edition, notes: Notes, me: int, move: int, key: int) -> int:
    """Play a move and fold what the player sees of it, which is all but another's `keep`, into the hash."""
    if t.phase != Phase.KEEP or t.decider == me:
        key = mix(key, move)
    discards = t.discards
    step(t, ed, notes, move)
    for k in range(discards, t.discards):
        key = mix(key, t.piles[k])
    return key


def choose_move(tree: SearchTree, key: int, node: int, moves: Ints, chances: Floats, n: int) -> int:
    """The move to try next at a decision: good so far, liked by the policy, or not tried enough."""
    keys, visits, totals = tree.keys, tree.visits, tree.totals
    root = sqrt(float(visits[node]))
    guess = totals[node] / visits[node] - FIRST_GUESS
    best = 0
    most = -1e9
    for k in range(n):
        prior = (1 - PRIOR_FLOOR) * chances[k] + PRIOR_FLOOR / n
        slot = slot_of(keys, mix(key, moves[k]), False)
        tried = visits[slot] if slot != NO_SLOT else 0
        mean = totals[slot] / tried if tried > 0 else guess
        bound = mean + EXPLORATION * prior * root / (1 + tried)
        if bound > most:
            best, most = k, bound
    return best


def replies(
    tables: list[Table],
    ed: Edition,
    position: Position,
    players: Players,
    tree: SearchTree,
    buffers: PolicyBuffers,
    rng: Ints,
    iterations: int,
) -> None:
    """So many more simulated rounds from the first table; they are played at the second."""
    me = tables[0].decider
    notes, stakes = position.round_notes, players.stakes
    for _ in range(iterations):
        begin_round(tables, ed, me, position, buffers, rng)
        t = tables[1]
        at_random = random_seats(ed, players.at_random, rng)
        depth = play_on(t, ed, notes, players, tree, buffers, rng, me, at_random, 1, True)
        back_up(tree, depth, (equity(t, ed, me) - stakes[me]) * stakes[SEATS + me])


def begin_round(
    tables: list[Table], ed: Edition, me: int, position: Position, buffers: PolicyBuffers, rng: Ints
) -> None:
    """Set the second table to the first, and draw what the player does not know."""
    notes = position.round_notes
    restore(tables)
    for k in range(NOTES):
        notes[k] = position.notes[k]
    draw_deal(tables[1], ed, me, position.belief, buffers.moves, rng)
    resolve_seen(notes, tables[1])


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
    """Play a round to its end, by the tree as far as it goes; how long the path through the tree is.

    To learn, the tree grows; else it is trusted where a decision was met often enough.
    """
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


def random_seats(ed: Edition, at_random: Floats, rng: Ints) -> int:
    """The set of seats that play this round at random."""
    seats = 0
    for seat in range(ed.players):
        if next_word(rng) < at_random[seat] * 4294967296.0:
            seats |= 1 << seat
    return seats


def follow(path: Ints, slot: int, depth: int) -> int:
    """Add a slot to the path, if there is one; how long the path is then."""
    if slot == NO_SLOT or depth == DEEPEST:
        return depth
    path[depth] = slot
    return depth + 1


def back_up(tree: SearchTree, depth: int, result: float) -> None:
    """Count the result of a round for everything on its path."""
    visits, totals, path = tree.visits, tree.totals, tree.path
    for k in range(depth):
        visits[path[k]] += 1
        totals[path[k]] += result


def over(t: Table) -> bool:
    """Whether the round has ended."""
    return t.phase == Phase.DEAL or t.phase == Phase.OVER


def restore(tables: list[Table]) -> None:
    """Set the second table to the first."""
    fields = vars(tables[0])
    tables[1].__dict__.update({name: value[:] if isinstance(value, list) else value for name, value in fields.items()})
