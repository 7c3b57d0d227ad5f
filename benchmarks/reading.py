"""How well what others play is read: the chance that a belief gives to the cards that they really hold.

    python -m benchmarks.reading [--matches 40] [--budget-ms 4] [--cells classic-4,modern-4] [--bots expert,search]

Whole matches among bots of one kind. At each decision with a choice, the seat weighs the others' hands by four
beliefs: as if they played by chance, the baseline; by chance or by the quick policy; the same, with the weights that
were fitted to the best reply; and by the network, too. The figure is the mean logarithm of the chance of the true card:
greater is better, and 0 would be to see the cards.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from math import log

from benchmarks.contests import BEST_REPLY, MORE_BOTS
from benchmarks.options import cells, count, find, positive
from suitors import Belief, Card, Match
from suitors.bots import BOTS
from suitors.bots.learned.reading import by_fitted_policy, read_opponents
from suitors.bots.opponents import model
from suitors.bots.warmup import compile_bots
from suitors.knowledge.likelihood import Likelihood, uniform
from suitors.view.match import View

LIKELIHOODS: dict[str, Callable[[View], Likelihood]] = {
    "chance": lambda view: uniform,
    "quick policy": lambda view: model(view)[0],
    "fitted policy": lambda view: model(view, by_fitted_policy)[0],
    "or network": lambda view: read_opponents(view)[0],
}
PLAYERS = {**BOTS, **MORE_BOTS}
LEAST = 1e-6
"""A chance below this counts as this."""


def decisions(slug: str, players: int, bot: str, matches: int, budget_ms: float) -> Iterator[Match]:
    """Matches among bots of one kind at every decision that leaves a choice, the same object again and again."""
    choose = PLAYERS[bot]
    for number in range(matches):
        rng = random.Random(f"{slug}-{players} {number}")
        match = Match(slug, [""] * players, rng=rng)
        while not match.over:
            if match.to_deal:
                match.deal()
                continue
            view = match.view(match.turn)
            if len(view.legal) > 1:
                yield match
            match.play(choose(view, rng, budget_ms))
        print(f"{slug}-{players}, {bot}: {number + 1} of {matches} matches", file=sys.stderr, flush=True)


def measure(slug: str, players: int, bot: str, matches: int, budget_ms: float) -> str:
    """A row of the table: how many hands were weighed, and how well by each belief."""
    sums, hands_seen = dict.fromkeys(LIKELIHOODS, 0.0), 0
    for match in decisions(slug, players, bot, matches, budget_ms):
        view = match.view(match.turn)
        others = [seat for seat in view.standing if seat != view.seat and view.held[seat] == 1]
        hands_seen += len(others)
        for name, likelihood in LIKELIHOODS.items():
            hands = Belief(view, likelihood(view)).hands
            true = ((seat, Card(match.table.hand[seat])) for seat in others)
            sums[name] += sum(log(max(LEAST, hands[seat][0].get(card, 0.0))) for seat, card in true)
    figures = " | ".join(f"{total / max(1, hands_seen):.3f}" for total in sums.values())
    return f"| `{slug}`, {players} players | {bot} | {hands_seen:,} | {figures} |"


def bots(text: str) -> list[str]:
    """Read a list of bots."""
    return [find(word, {name: name for name in PLAYERS}) for word in text.split(",")]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=count, default=40, help="for each kind of bot at each table")
    parser.add_argument("--budget-ms", type=positive, default=4.0, help="for each decision")
    parser.add_argument("--cells", type=cells, default="classic-4,modern-4")
    parser.add_argument("--bots", type=bots, default=f"expert,{BEST_REPLY},search,counting")
    args = parser.parse_args()
    compile_bots()
    print(f"| table | all players | hands | {' | '.join(LIKELIHOODS)} |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for slug, players in args.cells:
        for bot in args.bots:
            print(measure(slug, players, bot, args.matches, args.budget_ms), flush=True)


if __name__ == "__main__":
    main()
