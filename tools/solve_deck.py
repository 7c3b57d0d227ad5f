"""Solve a round of a small deck of your own with CFR+ of OpenSpiel, and print the best openings.

    pip install 'suitors[lab,openspiel]'
    python tools/solve_deck.py [--iterations 100] [--cards guard=2,priest=1,baron=1,princess=1] [--edition classic]

The game is written out once as a tree, which OpenSpiel reads and solves in C++. A deck of five cards takes less than a
second, one of six some seconds; beyond seven the tree becomes too large.
"""

import argparse
from typing import Any

import pyspiel
from open_spiel.python.algorithms import gambit

from suitors.envs.openspiel import load
from suitors.notation import CARD_NAMES

MOST_CARDS = 7


def small_deck(base: str, cards: str) -> dict[str, Any]:
    """An edition of one's own for two, with these cards and none of them face up."""
    parts = dict(part.partition("=")[::2] for part in cards.split(","))
    if not all(count.isdigit() for count in parts.values()):
        raise ValueError(f"A deck is given as guard=2,priest=1 and so on, not as {cards!r:.60}.")
    return {"base": base, "cards": {name: int(count) for name, count in parts.items()}, "face_up": {"2": 0}}


def solve(tree: Any, iterations: int) -> Any:
    """The average policy of CFR+ after so many iterations; it prints how far from an equilibrium it is on the way."""
    solver = pyspiel.CFRPlusSolver(tree)
    for k in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if k == iterations or k & (k - 1) == 0:
            print(f"after {k:>4} iterations: NashConv {pyspiel.nash_conv(tree, solver.average_policy()):.5f}")
    return solver.tabular_average_policy()


def openings(game: Any, tree: Any, policy: Any) -> dict[str, dict[str, float]]:
    """For each pair of cards that seat 0 may hold at first, the chances of its moves."""
    found, pairs = dict[str, dict[str, float]](), [(game.new_initial_state(), tree.new_initial_state())]
    while pairs:
        state, node = pairs.pop()
        same = {
            node.action_to_string(action): action for action in node.legal_actions()
        }  # the tree has its own numbers
        if state.is_chance_node():
            pairs += [(state.child(k), node.child(same[state.action_to_string(k)])) for k in state.legal_actions()]
            continue
        table, chances = state.progress.single.table, policy.action_probabilities(node)
        hand = " and ".join(CARD_NAMES[card] for card in sorted((table.hand[0], table.drawn)))
        found[hand] = {move: chances[action] for move, action in same.items()}
    return found


def main() -> None:
    """Solve the deck, and print what the round is worth and how it is opened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--cards", default="guard=2,priest=1,baron=1,princess=1", help="the deck")
    parser.add_argument("--edition", default="classic", help="the published edition whose rules hold")
    given = parser.parse_args()
    try:
        deck = small_deck(given.edition, given.cards)
        game = load(deck)
    except ValueError as error:
        parser.error(str(error))
    if sum(deck["cards"].values()) > MOST_CARDS:
        parser.error(f"A deck of more than {MOST_CARDS} cards has too large a tree.")
    tree = pyspiel.load_efg_game(gambit.export_gambit(game))
    policy = solve(tree, given.iterations)
    worth = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, True)
    print(f"to the one who starts it is worth {worth[0]:+.3f}")
    for hand, moves in sorted(openings(game, tree, policy).items()):
        shown = (f"{move} {chance:.0%}" for move, chance in moves.items() if chance > 0.005)
        print(f"{hand:<22}{', '.join(shown)}")


if __name__ == "__main__":
    main()
