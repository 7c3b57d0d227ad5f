"""The chance to win a match from the tokens between two rounds: an exact race over rounds that all seats play alike.

Each round is won by its starter with a chance that was measured, by each of the others with the same share of the
rest; the winner starts the next one. A second token goes to the winner, or one to somebody else, as often as was
measured with this deck. A won match counts 1, a shared one is shared alike, and so is a tie-break round to come.

Races with very many scores, which only editions of one's own have, are taken as if every token went to any seat alike.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, exp, prod, sqrt
from typing import NamedTuple

from ..rules import Edition
from ..view.match import seats

MOST_STATES = 50_000
"""States of a race, about, that are worked out exactly: more would take more than some seconds."""

STEPS = 400
"""Moments at which a long race is looked at."""

Racer = tuple[int, bool]
"""A seat's tokens, and whether it starts the next round."""


class RoundOdds(NamedTuple):
    """What a round brings."""

    starter: float  # the chance that its starter wins
    second: float  # that the winner gains a second token
    elsewhere: float  # that one goes to somebody else


ODDS: Mapping[tuple[int, int], RoundOdds] = {
    (16, 2): RoundOdds(0.544, 0.000, 0.000),
    (16, 3): RoundOdds(0.342, 0.000, 0.000),
    (16, 4): RoundOdds(0.247, 0.000, 0.000),
    (21, 2): RoundOdds(0.530, 0.307, 0.014),
    (21, 3): RoundOdds(0.339, 0.410, 0.065),
    (21, 4): RoundOdds(0.248, 0.302, 0.196),
    (21, 5): RoundOdds(0.201, 0.183, 0.305),
    (21, 6): RoundOdds(0.179, 0.101, 0.359),
    (32, 5): RoundOdds(0.201, 0.071, 0.690),
    (32, 6): RoundOdds(0.170, 0.065, 0.666),
    (32, 7): RoundOdds(0.150, 0.053, 0.599),
    (32, 8): RoundOdds(0.132, 0.042, 0.538),
}
"""By the cards of the deck and the players: 40,000 rounds each by the quick policy (tools/race_odds.py)."""


def match_chances(rules: Edition, tokens: Sequence[int], starters: int = 0) -> tuple[float, ...]:
    """Each seat's chance to win the match before a round that one of a set of seats starts (0: any).

    Examples:
        >>> from suitors.rules import edition
        >>> [round(chance, 3) for chance in match_chances(edition("classic", 2), (6, 6), 1)]
        [0.544, 0.456]
    """
    return tuple(match_chance(rules, tokens, seat, starters) for seat in range(rules.players))


def match_chance(rules: Edition, tokens: Sequence[int], seat: int, starters: int = 0) -> float:
    """One seat's chance to win the match before such a round."""
    if is_long(rules) and not at_goal(rules, tokens):
        return long_race(tuple(rules.goal - count for count in tokens))[seat]
    finish, first = finish_of(rules), seats(starters) or range(rules.players)
    found = 0.0
    for starter in first:
        racers = [(count, other == starter) for other, count in enumerate(tokens)]
        me = racers.pop(seat)
        found += finish.chance(me, tuple(sorted(racers)))
    return found / len(first)


@lru_cache
def is_long(rules: Edition) -> bool:
    """Whether an exact race would take too long."""
    return count_states(rules) > MOST_STATES


def count_states(rules: Edition) -> int:
    """How many states an exact race may pass through: a seat's tokens, those of the others in any order, a starter."""
    others = rules.players - 1
    return rules.goal * comb(rules.goal + others - 1, others) * rules.players


@lru_cache(maxsize=1 << 12)
def long_race(missing: tuple[int, ...]) -> tuple[float, ...]:
    """Each seat's chance to be the first with all its missing tokens, if each token goes to any seat alike.

    Then tokens may as well come to every seat by itself, at moments by chance: the first of independent waiting times.
    """
    end = max(missing) + 10 * sqrt(max(missing)) + 20
    totals = [0.0] * len(missing)
    for k in range(STEPS):
        t = end * (k + 0.5) / STEPS
        arrivals = [exp(-t)]
        for count in range(1, max(missing)):
            arrivals.append(arrivals[-1] * t / count)
        waiting = [sum(arrivals[:needed]) for needed in missing]
        alive = prod(waiting)
        for seat, needed in enumerate(missing):
            totals[seat] += arrivals[needed - 1] * alive / waiting[seat]
    return tuple(total / sum(totals) for total in totals)


def round_odds(rules: Edition) -> RoundOdds:
    """What a round brings with this deck, or with the nearest that was measured for as many players, or nearly."""
    return ODDS[min(ODDS, key=lambda key: (abs(key[1] - rules.players), abs(key[0] - rules.cards)))]


class Finish(NamedTuple):
    """How a race is won."""

    goal: int
    most: bool  # of several at the goal, those with the most tokens win
    odds: RoundOdds

    def chance(self, me: Racer, others: tuple[Racer, ...]) -> float:
        """The chance of one racer to win the race."""
        return _chance(self, me, others)

    def decided(self, me: Racer, others: tuple[Racer, ...]) -> float | None:
        """The result of the race, if somebody is at the goal."""
        best = max(me, *others)[0]
        if best < self.goal:
            return None
        needed = best if self.most else self.goal
        return (me[0] >= needed) / sum(racer[0] >= needed for racer in (me, *others))


@lru_cache
def finish_of(rules: Edition) -> Finish:
    """How a race of a game is won."""
    return Finish(rules.goal, bool(rules.tie_breaks), round_odds(rules))


def at_goal(rules: Edition, tokens: Sequence[int]) -> int:
    """The set of seats that win the match with these tokens, or have to play a tie-break round."""
    needed = max(rules.goal, *tokens) if rules.tie_breaks else rules.goal
    return sum(1 << seat for seat, count in enumerate(tokens) if count >= needed)


@lru_cache(maxsize=1 << 17)
def _chance(finish: Finish, me: Racer, others: tuple[Racer, ...]) -> float:
    decided = finish.decided(me, others)
    if decided is not None:
        return decided
    return sum(
        chance * finish.chance(racers[0], tuple(sorted(racers[1:])))
        for chance, racers in _rounds(finish.odds, (me, *others))
    )


def _rounds(odds: RoundOdds, racers: tuple[Racer, ...]) -> Iterator[tuple[float, tuple[Racer, ...]]]:
    """All that a round may bring: the chance, and how the race stands then. Racers alike but me are taken together."""
    n = len(racers)
    for winner, alike in _kinds(racers, ()):
        won = alike * (odds.starter if racers[winner][1] else (1 - odds.starter) / (n - 1))
        after = [(tokens + (seat == winner), seat == winner) for seat, (tokens, _) in enumerate(racers)]
        yield won * (1 - odds.second - odds.elsewhere), tuple(after)
        yield won * odds.second, _with_token(after, winner)
        if odds.elsewhere:
            for taker, takers in _kinds(racers, (winner,)):
                yield won * odds.elsewhere * takers / (n - 1), _with_token(after, taker)


def _kinds(racers: Sequence[Racer], without: Sequence[int]) -> Iterator[tuple[int, int]]:
    """One racer of each kind, me apart, and how many there are of it."""
    seen = Counter((seat == 0, racer) for seat, racer in enumerate(racers) if seat not in without)
    for seat, racer in enumerate(racers):
        if seat not in without and (alike := seen.pop((seat == 0, racer), 0)):
            yield seat, alike


def _with_token(racers: Sequence[Racer], taker: int) -> tuple[Racer, ...]:
    """The racers when one of them has a token more."""
    return tuple((tokens + (seat == taker), starts) for seat, (tokens, starts) in enumerate(racers))
