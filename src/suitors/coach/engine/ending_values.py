"""What each first move of a solved ending is worth to one seat, in any measure of how the round may end."""

from ...bots.engine.buffers import Floats
from ...solve.endings import (
    EDGE,
    NOBODY,
    NODE,
    NODES,
    ORIGIN,
    PARENT,
    PLAYER,
    SET,
    TERMINAL,
    CfrState,
    GameTree,
    average,
    evaluate,
)

SAME = 1e-9
"""Results that differ by less are the same one."""


def value_moves(
    tree: GameTree, state: CfrState, results: Floats, worths: Floats, found: int, first: int, totals: Floats
) -> bool:
    """Add up what the moves of an information set, whose first action is given, are worth; False if a result is new.

    `totals` gets the worth of each move times the weight of its worlds, and last the weight of one move's worlds.
    """
    if not relabel(tree, results, worths):
        return False
    average(tree, state)
    evaluate(tree, state)
    nodes = tree.nodes
    for i in range(tree.counters[NODES]):
        edge = nodes[i * NODE + EDGE]
        if edge != NOBODY:
            parent = nodes[i * NODE + PARENT]
            origin = nodes[parent * NODE + PARENT]
            if nodes[origin * NODE + PLAYER] == ORIGIN and nodes[parent * NODE + SET] == found:
                totals[edge - first] += tree.values[origin] * state.worth[i]
                if edge == first:
                    totals[len(totals) - 1] += tree.values[origin]
    return True


def relabel(tree: GameTree, results: Floats, worths: Floats) -> bool:
    """Put the worth of each result in its place at every end; False if a result is none of those given."""
    for i in range(tree.counters[NODES]):
        if tree.nodes[i * NODE + PLAYER] == TERMINAL:
            k = 0
            while k < len(results) and abs(results[k] - tree.values[i]) > SAME:
                k += 1
            if k == len(results):
                return False
            tree.values[i] = worths[k]
    return True
