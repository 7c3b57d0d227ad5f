"""The end of a two-player round as a game in extensive form, and its equilibrium by CFR+.

The tree is grown with the rules themselves: one branch for each way the hidden cards may lie (`worlds`), every legal
move below. What a player knows at a node is a hash of the rows that this player may see, so the information sets are
those of the views. In the compilable subset of Python; arrays are lists or numpy's.
"""

from collections.abc import MutableSequence
from typing import Any, NamedTuple

from ..rules.choices import count_moves, nth_move
from ..rules.editions import Edition
from ..rules.names import CARDS, EVERYBODY, Card, Phase, third_of, verb_of
from ..rules.table import COLUMNS, Table
from ..rules.turn import play
from .equity import equity

Ints = MutableSequence[int]
Floats = MutableSequence[float]

PARENT, PLAYER, SET, EDGE, NODE = 0, 1, 2, 3, 4
"""A node: its parent, who decides there, the information set, the action that led to it; how long it is."""

OFFSET, COUNT, OWNER, MEMBERS = 0, 1, 2, 3
"""An information set: its first action, how many it has, whose it is; how long it is."""

NODES, SETS, ACTIONS, FULL, COUNTERS = 0, 1, 2, 3, 4
"""Counters: nodes, sets and actions in use; 1 if there was no room for all."""

TERMINAL, ORIGIN = 2, 3
NOBODY = -1
DEEPEST = 24
WIDEST = 40
SPREAD = -7046029254386353131
TRIES = 64


class GameTree(NamedTuple):
    """The trees of all worlds, in arrays."""

    nodes: Ints  # NODE numbers each
    values: Floats  # of each node: a world's weight at its origin, the result at its end
    sets: Ints  # MEMBERS numbers each
    table: Ints  # an open table of hashes, each followed by the number of its information set
    counters: Ints


class Levels(NamedTuple):
    """The path from the root to where the tree is growing, level by level."""

    keys: Ints  # the two players' hashes of what they know
    moves: Ints  # WIDEST moves each
    stack: Ints  # the node, how many of its moves have been followed, how many it has


class CfrState(NamedTuple):
    """What CFR+ has learnt, and what it works on: the first three by action, the others by node."""

    regrets: Floats
    sums: Floats  # of the strategies so far
    now: Floats  # the strategy of this iteration
    reach: Floats  # how likely each player, and chance, make the node
    worth: Floats  # to the first seat


def fold(key: int, word: int) -> int:
    """Fold a number into a hash."""
    key = (key ^ (word + 7)) * SPREAD & 0x7FFFFFFFFFFFFFFF
    return key ^ key >> 31


def fold_rows(t: Table, seat: int, key: int) -> int:
    """Fold what a seat sees of the last decision into the hash of what it knows."""
    for k in range(0, t.told, COLUMNS):
        audience = t.rows[k + 4]
        key = fold(fold(fold(key, t.rows[k]), t.rows[k + 1]), t.rows[k + 2])
        if audience == EVERYBODY or audience >> seat & 1 == 1:
            key = fold(key, t.rows[k + 3])
    return key


def list_sensible(t: Table, ed: Edition, hidden: int, moves: Ints, at: int) -> int:
    """The legal moves, less those that name what cannot be there: they all miss, so one of them will do."""
    n = 0
    missed = False
    for k in range(count_moves(t, ed)):
        move = nth_move(t, ed, k)
        if verb_of(move) == Card.GUARD and third_of(move) < CARDS and not names_hidden(ed, hidden, third_of(move)):
            if missed:
                continue
            missed = True
        moves[at + n] = move
        n += 1
    return n


def names_hidden(ed: Edition, hidden: int, name: int) -> bool:
    """Whether a Guard's word means a card that is still hidden."""
    for card in range(CARDS):
        if hidden >> card & 1 == 1 and ed.spoken[card] == name:
            return True
    return False


def set_of(tree: GameTree, key: int, owner: int, actions: int) -> int:
    """The information set of a hash, made if it is new; NOBODY if there is no room."""
    table, sets, counters = tree.table, tree.sets, tree.counters
    slots = len(table) // 2
    key = fold(key, owner)
    for attempt in range(TRIES):
        k = ((key >> 9) + attempt & slots - 1) * 2
        if table[k] == key:
            return table[k + 1]
        if table[k] == 0:
            made = counters[SETS]
            table[k] = key
            table[k + 1] = made
            sets[made * MEMBERS + OFFSET] = counters[ACTIONS]
            sets[made * MEMBERS + COUNT] = actions
            sets[made * MEMBERS + OWNER] = owner
            counters[SETS] += 1
            counters[ACTIONS] += actions
            return made
    return NOBODY


def new_node(tree: GameTree, parent: int, edge: int) -> int:
    """Add a node."""
    node = tree.counters[NODES]
    tree.nodes[node * NODE + PARENT] = parent
    tree.nodes[node * NODE + PLAYER] = TERMINAL
    tree.nodes[node * NODE + EDGE] = edge
    tree.counters[NODES] += 1
    return node


def grow(boards: Any, ed: Edition, hidden: int, weight: float, tree: GameTree, levels: Levels) -> None:
    """Grow the tree of one world: the first board is its position, the others are for those behind it.

    The first level of `levels` holds what the players know there.
    """
    nodes, counters, stack, room = tree.nodes, tree.counters, levels.stack, len(tree.values)
    node = new_node(tree, NOBODY, NOBODY)
    nodes[node * NODE + PLAYER] = ORIGIN
    tree.values[node] = weight
    open_level(boards[0], ed, hidden, tree, levels, new_node(tree, node, NOBODY), 0)
    level = 0
    while level >= 0 and counters[FULL] == 0:
        place = level * 3
        if stack[place + 1] == stack[place + 2]:
            level -= 1
            continue
        k = stack[place + 1]
        stack[place + 1] += 1
        parent = stack[place]
        edge = tree.sets[nodes[parent * NODE + SET] * MEMBERS + OFFSET] + k
        node = new_node(tree, parent, edge)
        follow(boards, ed, levels.keys, levels.moves[level * WIDEST + k], level)
        t = boards[level + 1]
        if t.phase == Phase.DEAL or t.phase == Phase.OVER:
            tree.values[node] = equity(t, ed, 0)
        else:
            level += 1
            open_level(t, ed, hidden, tree, levels, node, level)
        if counters[NODES] + 2 >= room or counters[ACTIONS] + WIDEST >= room:
            counters[FULL] = 1


def follow(boards: Any, ed: Edition, keys: Ints, move: int, level: int) -> None:
    """Play a move on the next level's board, and fold what each player sees of it into their hashes."""
    lay(boards, level)
    t = boards[level + 1]
    play(t, ed, move)
    for seat in range(2):
        keys[level * 2 + 2 + seat] = fold_rows(t, seat, keys[level * 2 + seat])


def open_level(t: Table, ed: Edition, hidden: int, tree: GameTree, levels: Levels, node: int, level: int) -> None:
    """Make a node the decision of its player and prepare to follow its moves."""
    n = list_sensible(t, ed, hidden, levels.moves, level * WIDEST)
    found = set_of(tree, levels.keys[level * 2 + t.decider], t.decider, n)
    if found == NOBODY:
        tree.counters[FULL] = 1
    tree.nodes[node * NODE + PLAYER] = t.decider
    tree.nodes[node * NODE + SET] = found
    levels.stack[level * 3] = node
    levels.stack[level * 3 + 1] = 0
    levels.stack[level * 3 + 2] = n


def lay(boards: Any, level: int) -> None:
    """Copy a level's board to the next level."""
    fields = vars(boards[level])
    boards[level + 1].__dict__.update({k: v[:] if isinstance(v, list) else v for k, v in fields.items()})


def match_regrets(sets: Ints, n: int, regrets: Floats, now: Floats) -> None:
    """Play each action in proportion to how much it is regretted, evenly where nothing is."""
    for s in range(n):
        start = sets[s * MEMBERS + OFFSET]
        count = sets[s * MEMBERS + COUNT]
        total = 0.0
        for a in range(start, start + count):
            total += regrets[a]
        for a in range(start, start + count):
            now[a] = regrets[a] / total if total > 0 else 1.0 / count


def evaluate(tree: GameTree, state: CfrState) -> None:
    """Each node's worth to the first seat under a strategy, and how likely chance and each player make it."""
    n, nodes, values = tree.counters[NODES], tree.nodes, tree.values
    now, reach, worth = state.now, state.reach, state.worth
    for i in range(n):
        row = i * NODE
        parent = nodes[row + PARENT]
        kind = nodes[row + PLAYER]
        worth[i] = values[i] if kind == TERMINAL else 0.0
        for who in range(3):
            reach[i * 3 + who] = reach[parent * 3 + who] if parent != NOBODY else 1.0
        if kind == ORIGIN:
            reach[i * 3 + 2] = values[i]
        elif nodes[row + EDGE] != NOBODY:
            reach[i * 3 + nodes[parent * NODE + PLAYER]] *= now[nodes[row + EDGE]]
    for j in range(n):
        i = n - 1 - j
        row = i * NODE
        parent = nodes[row + PARENT]
        if parent != NOBODY:
            chance = now[nodes[row + EDGE]] if nodes[row + EDGE] != NOBODY else 1.0
            worth[parent] += chance * worth[i]


def improve(rounds: int, done: int, tree: GameTree, state: CfrState) -> None:
    """So many more iterations of CFR+ after `done`: regrets never fall below 0, later strategies count for more."""
    regrets = state.regrets
    for k in range(rounds):
        for who in range(2):
            match_regrets(tree.sets, tree.counters[SETS], regrets, state.now)
            evaluate(tree, state)
            learn(tree, state, who, done + k + 1.0)
            for a in range(tree.counters[ACTIONS]):
                regrets[a] = max(0.0, regrets[a])


def learn(tree: GameTree, state: CfrState, who: int, weight: float) -> None:
    """Add one player's regrets, and the strategy played, weighed by how likely that player made it."""
    nodes, reach, worth = tree.nodes, state.reach, state.worth
    regrets, sums, now = state.regrets, state.sums, state.now
    sign = 1.0 if who == 0 else -1.0
    for i in range(tree.counters[NODES]):
        edge = nodes[i * NODE + EDGE]
        if edge != NOBODY:
            parent = nodes[i * NODE + PARENT]
            if nodes[parent * NODE + PLAYER] == who:
                against = reach[parent * 3 + 1 - who] * reach[parent * 3 + 2]
                regrets[edge] += sign * against * (worth[i] - worth[parent])
                sums[edge] += weight * reach[parent * 3 + who] * now[edge]


def average(tree: GameTree, state: CfrState) -> None:
    """Make the average strategy, which is what converges to an equilibrium, the present one."""
    match_regrets(tree.sets, tree.counters[SETS], state.sums, state.now)
