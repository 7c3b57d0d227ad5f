"""Check that tables for training say and do what matches do, and that a bot's sight of a view is their observation.

    python -m tools.train.check --rounds 20000 [--games classic-2,modern-4]

Random play; every legal action, observation and result of compiled tables is compared with `Match`. It needs no GPU:
tests compare the tables of a GPU with these, step for step.
"""

import argparse
import random
import sys

import numpy as np

from suitors import Match
from suitors.bots.learned.sight import sight
from suitors.fast.batch import all_games
from suitors.lab.acting import action_of
from suitors.lab.vector import VectorEnv
from suitors.rules import Card

TABLES = 32
PAUSE = 2_000
"""Rounds between two lines of progress."""


class Difference(Exception):
    """A table and its match disagree."""


class Compared:
    """A table of a vector, and the match that follows it."""

    def __init__(self, env: VectorEnv, k: int, slug: str, seed: int) -> None:
        self.env, self.k, self.slug = env, k, slug
        self.rng = random.Random(f"{seed} {k}")
        self.rounds = 0
        self.begin()

    def begin(self) -> None:
        """Follow a new match."""
        self.match = Match(self.slug, [f"P{seat}" for seat in range(self.env.rules.players)], dealt=False)
        self.deal()

    def deal(self) -> None:
        """Deal what the table has dealt."""
        cards = self.env.column("deck")[self.k][: self.env.rules.cards].tolist()
        self.match.deal([Card(card) for card in cards], int(self.env.column("active")[self.k]))
        self.rounds += 1

    def choose(self) -> int:
        """Compare what is known and what is legal, and play a move of the match; its action."""
        view = self.match.view(self.match.turn)
        seen = sight(view)
        moves = {action_of(seen.table, view.rules, seen.space, move): move for move in self.match.moves()}
        self.expect("the seat that decides", view.seat, int(self.env.seats[self.k]))
        self.expect("the legal actions", sorted(moves), np.flatnonzero(self.env.masks[self.k]).tolist())
        self.expect("the observation", seen.numbers, self.env.observations[self.k].tolist())
        action = self.rng.choice(sorted(moves))
        self.match.push(moves[action])
        return action

    def follow(self) -> None:
        """After the table has taken the action, too."""
        self.expect("the end of the match", self.match.over, bool(self.env.over[self.k]))
        if self.match.over:
            best = self.env.rewards[self.k] > 0
            self.expect("the winners", list(self.match.winners), np.flatnonzero(best).tolist())
            self.begin()
        elif self.match.to_deal:
            self.expect("the tokens", list(self.match.tokens), self.env.column("tokens")[self.k].tolist())
            self.deal()

    def expect(self, what: str, wanted: object, found: object) -> None:
        """Stop where two things are not the same."""
        if wanted != found:
            raise Difference(f"{what}: {wanted} in the match, {found} at table {self.k}.\n{self.match.record()}")


def check(slug: str, players: int, rounds: int, seed: int = 1) -> int:
    """Compare so many rounds of a game; how many it were."""
    env = VectorEnv(slug, players, TABLES, episode="match", full=True, seed=seed)
    tables = [Compared(env, k, slug, seed) for k in range(TABLES)]
    told = 0
    while (done := sum(table.rounds for table in tables)) < rounds:
        env.step(np.array([table.choose() for table in tables]))
        for table in tables:
            table.follow()
        if done - told >= PAUSE:
            told = done
            print(f"{slug} {players}: {done} of {rounds} rounds", file=sys.stderr, flush=True)
    return done


def main() -> int:
    """Check the games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    there = {f"{slug}-{players}": (slug, players) for slug, players in all_games()}
    parser.add_argument("--rounds", type=int, default=20_000, help="for each game")
    parser.add_argument("--games", default=",".join(there), help="all if not given")
    given = parser.parse_args()
    for name in given.games.split(","):
        if name not in there:
            parser.error(f"there is no game {name!r}; there are {', '.join(there)}")
        try:
            print(f"{name}: {check(*there[name], given.rounds)} rounds, no difference", flush=True)
        except Difference as difference:
            print(f"{name}: {difference}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
