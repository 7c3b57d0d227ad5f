"""A plain search to compare bots with: single-observer information-set Monte Carlo tree search.

    python benchmarks/plain_search.py [--budget-ms 40]     how many iterations it makes
    python benchmarks/plain_search.py --bot                play over JSON Lines, as `suitors bot` does

As in Cowling, Powley and Whitehouse (Information Set Monte Carlo Tree Search, 2012): one tree over all players' moves;
each iteration in a deal of its own, any that the searcher cannot rule out being as likely as the others; UCB1 with
counts of how often a move could have been made; rollouts by chance; at the end the move that was tried most often.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from suitors import Match
from suitors.bots import BOTS, BotFailure
from suitors.bots.arrays import floats, table_pair
from suitors.bots.engine.compiling import register_engine
from suitors.bots.engine.deals import draw_deal
from suitors.bots.engine.policy import list_moves
from suitors.bots.engine.reply import over
from suitors.bots.tree_search import TreeSearch, in_time
from suitors.cli.root import bot_command
from suitors.fast.compiler import kernel
from suitors.fast.games import STATE, below, random_move, seed_chance
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import Uniform
from suitors.knowledge.notes import SEATS
from suitors.knowledge.public import Public
from suitors.rules.choices import MOST_MOVES
from suitors.rules.turn import play
from suitors.solve.equity import equity
from suitors.view.match import View
from suitors.view.solo import SoloView

register_engine()

NAME = "plain-search"

EXPLORE = 0.7
"""The constant of UCB1."""

BUDGET_MS = 40.0
"""The budget where none is given."""

CHUNK = 64
"""Iterations between two looks at the clock."""

ROOM = 1 << 18
"""Nodes of a tree; once they are used up it grows no more."""

DEEPEST = 250
"""More moves than a round has."""

FIRST, NEXT, MOVE, MOVER, VISITS, OFFERED, COLUMNS = 0, 1, 2, 3, 4, 5, 6
"""What a node holds: its first child, its next sibling, the move to it and who made it, its counts."""

ROOT, NO_NODE = 0, -1


class Tree(NamedTuple):
    """The nodes of a tree, and what an iteration writes."""

    nodes: Any  # COLUMNS numbers each
    totals: Any  # sums of results
    path: Any  # the nodes that this iteration came through
    moves: Any  # the legal moves of a decision


class Consistent(Uniform):
    """What a player did rules out the cards with which it cannot be done, and says nothing else."""

    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """1 for a card with which the play was legal."""
        return [float(chance > 0) for chance in super().play(public, seat, move)]


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the kernel call a function."""
    registered: Callable[..., Any] = register_jitable(error_model="numpy")(function)
    return registered


@helper
def child_by(nodes: Any, node: int, move: int) -> Any:
    """The child that a move leads to, or NO_NODE."""
    child = nodes[node, FIRST]
    while child != NO_NODE and nodes[child, MOVE] != move:
        child = nodes[child, NEXT]
    return child


@helper
def add_child(nodes: Any, totals: Any, count: int, node: int, move: int, mover: int) -> Any:
    """Add a child as node number `count`."""
    nodes[count, FIRST] = NO_NODE
    nodes[count, NEXT] = nodes[node, FIRST]
    nodes[count, MOVE] = move
    nodes[count, MOVER] = mover
    nodes[count, VISITS] = 0
    nodes[count, OFFERED] = 1
    totals[count] = 0.0
    nodes[node, FIRST] = count
    return count


@helper
def choose_child(nodes: Any, totals: Any, node: int, moves: Any, n: int, rng: Any) -> Any:
    """The child with the best bound, and one of the legal moves that have no child yet (-1 if all have one)."""
    best, most = NO_NODE, -np.inf
    fresh, untried = -1, 0
    for k in range(n):
        child = child_by(nodes, node, moves[k])
        if child == NO_NODE:
            untried += 1
            if below(rng, untried) == 0:
                fresh = moves[k]
        else:
            nodes[child, OFFERED] += 1
            visits = nodes[child, VISITS]
            bound = totals[child] / visits + EXPLORE * np.sqrt(np.log(nodes[child, OFFERED]) / visits)
            if bound > most:
                best, most = child, bound
    return best, fresh


@helper
def descend(t: Any, ed: Any, nodes: Any, totals: Any, count: int, path: Any, moves: Any, rng: Any) -> Any:
    """Follow the tree in this deal and add one node; how long the path is, and how many nodes there are now."""
    node, depth = ROOT, 0
    while not over(t) and depth < DEEPEST:
        n = list_moves(t, ed, moves)
        child, fresh = choose_child(nodes, totals, node, moves, n, rng)
        if fresh >= 0:
            if count == ROOM:
                break
            child = add_child(nodes, totals, count, node, fresh, t.decider)
            count += 1
        play(t, ed, nodes[child, MOVE])
        path[depth] = child
        depth += 1
        node = child
        if fresh >= 0:
            break
    return depth, count


@kernel
def search(boards: Any, eds: Any, belief: Any, stakes: Any, iterations: int, tree: Tree, count: int, rng: Any) -> Any:
    """So many more iterations from the first board, on the second; how many nodes there are now."""
    nodes, totals, path, moves = tree.nodes, tree.totals, tree.path, tree.moves
    ed = eds[0]
    me = boards[0].decider
    for _ in range(iterations):
        boards[1] = boards[0]
        t = boards[1]
        draw_deal(t, ed, me, belief, moves, rng)
        depth, count = descend(t, ed, nodes, totals, count, path, moves, rng)
        while not over(t):
            play(t, ed, random_move(t, ed, rng))
        for k in range(depth):
            seat = nodes[path[k], MOVER]
            nodes[path[k], VISITS] += 1
            totals[path[k]] += (equity(t, ed, seat) - stakes[seat]) * stakes[SEATS + seat]
    return count


class PlainSearch:
    """A tree with all that it works on; a lost round is worth about 0 and a won one 1, by what tokens are worth."""

    def __init__(self, start: TreeSearch) -> None:
        self.start = start
        self.boards, self.rules = table_pair(start.table, start.rules)
        self.stakes = floats(start.stakes)
        self.tree = Tree(
            nodes=np.empty((ROOM, COLUMNS), np.int64),
            totals=np.empty(ROOM),
            path=np.empty(DEEPEST, np.int64),
            moves=np.empty(MOST_MOVES, np.int64),
        )
        self.tree.nodes[ROOT] = NO_NODE, NO_NODE, 0, 0, 0, 0
        self.count = 1
        self.iterations = 0
        rng = [0] * STATE
        seed_chance(rng, start.seed, 0)
        self.rng = np.array(rng)

    def more(self) -> None:
        """Make some more iterations."""
        self.count = search(
            self.boards, self.rules, self.start.belief, self.stakes, CHUNK, self.tree, self.count, self.rng
        )
        self.iterations += CHUNK

    def visits(self) -> dict[int, int]:
        """How often each move was tried at the root."""
        found, nodes = dict[int, int](), self.tree.nodes
        child = nodes[ROOT, FIRST]
        while child != NO_NODE:
            found[int(nodes[child, MOVE])] = int(nodes[child, VISITS])
            child = nodes[child, NEXT]
        return found


def think(view: View, rng: random.Random, budget_ms: float) -> PlainSearch:
    """Search until the time is up."""
    began = time.perf_counter()
    search = PlainSearch(TreeSearch(view, Belief(view, Consistent()), rng))
    search.more()
    while in_time(began, budget_ms):
        search.more()
    return search


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move that was tried most often."""
    if isinstance(view, SoloView):
        raise BotFailure("does not play the solo game")
    if len(view.legal) == 1:
        return view.legal[0]
    search = think(view, rng, BUDGET_MS if budget_ms is None else budget_ms)
    return search.start.most_tried(search.visits())


def measure(slug: str, players: int, budget_ms: float) -> str:
    """Iterations in the budget at each decision of some rounds that are played by chance."""
    rng = random.Random(1)
    found: list[int] = []
    match = Match(slug, [str(seat) for seat in range(players)], rng=rng)
    while len(found) < 50 and not match.over:
        if match.to_deal:
            match.deal()
            continue
        assert match.turn is not None
        view = match.view(match.turn)
        if len(view.legal) > 1:
            found.append(think(view, rng, budget_ms).iterations)
        match.push(rng.choice(match.moves()))
    found.sort()
    return f"{slug:>8} {players}: fewest {found[0]:,}, middle {found[len(found) // 2]:,}, most {found[-1]:,}"


def main() -> None:
    """Serve as a bot, or measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", action="store_true", help="play over JSON Lines")
    parser.add_argument("--budget-ms", type=float, default=BUDGET_MS)
    arguments = parser.parse_args()
    if arguments.bot:
        BOTS[NAME] = choose
        bot_command.main([NAME])
    for slug, players in (("classic", 2), ("premium", 2), ("modern", 2), ("premium", 4), ("modern", 6)):
        measure(slug, players, 1.0)  # compiles
        print(f"iterations in {arguments.budget_ms:g} ms, {measure(slug, players, arguments.budget_ms)}", flush=True)


if __name__ == "__main__":
    main()
