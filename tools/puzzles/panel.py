"""How hard a puzzle is, by the bots that find its solution."""

import random
from collections.abc import Callable, Mapping

from suitors.bots import counting, search, solo
from suitors.bots.tree_search import TreeSearch
from suitors.knowledge.belief import Belief
from suitors.view.match import View
from suitors.view.solo import SoloView

Panel = Mapping[str, float]
"""How often each member finds the solution."""

TRIES = 4
"""How often each member is asked."""

EASIEST, HARDEST = 700, 2200
"""The lowest and the highest rating."""

WEIGHTS = {"counting": 350, "glance": 300, "search": 350}
"""What the rating gains if a member never finds the solution."""

CHOICE, MOST_MOVES = 20, 15
"""What it gains for every legal move beyond the second, up to so many."""

CLOSE, WIDE = 300, 0.4
"""What it gains if the margin is as good as none, and the margin with which it gains nothing."""


def glance(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """A search that is cut short after a hundred rounds; in the solo game, the rollouts of `counting`."""
    if isinstance(view, SoloView):
        return solo.by_counting(view, rng)
    tree = TreeSearch(view, Belief(view), rng)
    return tree.most_tried(tree.run([0.0] * view.rules.players, 100))


MEMBERS: dict[str, Callable[[View | SoloView, random.Random, float | None], str]] = {
    "counting": counting.choose,
    "glance": glance,
    "search": search.choose,
}


def ask_panel(view: View | SoloView, best: str, name: str) -> dict[str, float]:
    """How often each member finds the best move."""
    found = {}
    for member, choose in MEMBERS.items():
        hits = sum(choose(view, random.Random(f"{name}/{member}/{k}"), None) == best for k in range(TRIES))
        found[member] = hits / TRIES
    return found


def rate(panel: Panel, moves: int, margin: float) -> int:
    """The rating of a puzzle: high where few find it, with many moves and a small margin."""
    missed = sum(weight * (1 - panel[member]) for member, weight in WEIGHTS.items())
    choice = CHOICE * min(moves - 2, MOST_MOVES)
    close = CLOSE * max(0.0, 1 - margin / WIDE)
    return max(EASIEST, min(HARDEST, round(EASIEST + missed + choice + close)))
