"""Matches that take no time, for tests of what is done with their results."""

import random

from suitors.arena.runner import Fixture, MatchRunner, Outcome


def quick(runner: MatchRunner, fixture: Fixture) -> Outcome:
    """A match of two bots that is settled by its seeds alone."""
    rng = random.Random(fixture.chance)
    share = rng.choice((0, 280, 420, 840))
    one, other = sorted(set(fixture.seating))
    won, decisions, seconds = ([0] * len(runner.names) for _ in range(3))
    won[one], won[other] = share, 840 - share
    decisions[one], decisions[other] = rng.randrange(9), 5
    seconds[one], seconds[other] = 1, 2
    failed = (fixture.seating[0], f"failed é {share}") if share == 280 else None
    return Outcome(won, [0] * len(runner.names), decisions, [part / 4 for part in seconds], failed)
