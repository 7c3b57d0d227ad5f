"""Matches of the quick bots played by compiled code: the same matches as the bots play by themselves, only sooner."""

import time
from collections.abc import Mapping, Sequence

from ..bots import Choose, beginner, find_bot, novice, uniform
from ..chance import seed_number
from ..fast import available
from ..mass.matches import BEGINNER, CHAMPIONS, NOVICE, UNIFORM
from ..rules import edition, find_box
from .runner import Fixture, MatchRunner, Outcome
from .tally import WHOLE

KINDS: Mapping[Choose, int] = {uniform.choose: UNIFORM, beginner.choose: BEGINNER, novice.choose: NOVICE}
"""How compiled code plays as these bots."""

FEWEST = 1000
"""With fewer matches it is not worth while to load compiled code, or to compile it."""


def worth_compiling(runner: MatchRunner, matches: int) -> bool:
    """Whether so many matches should be played by compiled code where the bots allow it."""
    return matches >= FEWEST and not runner.recording and available()


def all_quick(runner: MatchRunner, group: Sequence[Fixture]) -> bool:
    """Whether compiled code can play as all of the bots, in matches such as these."""
    bots = [find_bot(name, runner.programs) for name in runner.names]
    return all(bot in KINDS for bot in bots) and not any(find_box(fixture.edition).solo for fixture in group)


def playable(bots: Sequence[Choose], group: Sequence[Fixture]) -> bool:
    """Whether compiled code can play these matches of the bots."""
    return all(
        not find_box(fixture.edition).solo and all(bots[bot] in KINDS for bot in fixture.seating) for fixture in group
    )


def play_quickly(bots: Sequence[Choose], fixtures: Sequence[Fixture], threads: int) -> list[Outcome]:
    """What comes of matches that are `playable`."""
    found: dict[int, Outcome] = {}
    tables: dict[tuple[object, ...], list[int]] = {}
    for number, fixture in enumerate(fixtures):
        tables.setdefault((fixture.edition, fixture.options, len(fixture.seating)), []).append(number)
    for numbers in tables.values():
        outcomes = _play_table(bots, [fixtures[number] for number in numbers], threads)
        found.update(zip(numbers, outcomes, strict=True))
    return [found[number] for number in range(len(fixtures))]


def _play_table(bots: Sequence[Choose], fixtures: Sequence[Fixture], threads: int) -> list[Outcome]:
    """Matches at tables of one kind."""
    from ..mass.play import new_start, play  # noqa: PLC0415 - only where numpy is installed

    box, like = find_box(fixtures[0].edition), fixtures[0]
    start = new_start(
        [[KINDS[bots[bot]] for bot in fixture.seating] for fixture in fixtures],
        [seed_number(fixture.deal) for fixture in fixtures],
        [seed_number(fixture.chance) for fixture in fixtures],
        box.seating,
    )
    began = time.perf_counter()
    rules = edition(like.edition, len(like.seating), dict(like.options))
    played = play(rules, start, parts=WHOLE, threads=threads)
    pace = (time.perf_counter() - began) / max(1, int(played.decided.sum()))
    rows = zip(fixtures, played.rows[:, CHAMPIONS].tolist(), played.won.tolist(), played.decided.tolist(), strict=True)
    return [_outcome(len(bots), *row, pace) for row in rows]


def _outcome(bots: int, fixture: Fixture, champions: int, won: list[int], decided: list[int], pace: float) -> Outcome:
    """A match in figures; every decision counts as long as the others."""
    parts, rounds, decisions = [0] * bots, [0] * bots, [0] * bots
    for seat, bot in enumerate(fixture.seating):
        parts[bot] += WHOLE // champions.bit_count() if champions >> seat & 1 else 0
        rounds[bot] += won[seat]
        decisions[bot] += decided[seat]
    return Outcome(parts, rounds, decisions, [n * pace for n in decisions], overruns=[0] * bots)
