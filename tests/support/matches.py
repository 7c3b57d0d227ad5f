"""Matches by chance, and the program called from within, for tests of the text forms."""

import io
import json
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from hypothesis import settings

from suitors import Match
from suitors.cli.root import main
from suitors.rules import BOXES, Option, count_moves, nth_move
from suitors.rules.editions import SIXTEEN
from support.scenes import NAMES

UNTIMED = settings(deadline=None)
"""For properties: a slow machine is no failure."""

EDITIONS = tuple(slug for slug, box in BOXES.items() if not box.solo)
SOLO_EDITIONS = tuple(slug for slug, box in BOXES.items() if box.solo)
FOR_TWO = tuple(slug for slug in EDITIONS if 2 in BOXES[slug].players)
WITH_SIXTEEN = tuple(
    slug
    for slug in EDITIONS
    if all(deck.get(card, 0) >= copies for deck in BOXES[slug].decks.values() for card, copies in SIXTEEN.items())
)
"""The editions for several that have the sixteen cards of the oldest deck, and perhaps more."""

TABLES = [(slug, players) for slug in EDITIONS for players in BOXES[slug].players]
"""Every edition with every number of players."""


def chance_match(
    slug: str, players: int, seed: int, decisions: int = 10_000, options: Mapping[str, Option] | None = None
) -> Match:
    """A match played by chance, to its end or up to so many decisions."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], options, rng=rng)
    while decisions and not match.over:
        if match.to_deal:
            match.deal()
        else:
            match.push(nth_move(match.table, match.rules, rng.randrange(count_moves(match.table, match.rules))))
            decisions -= 1
    return match


def somewhere(match: Match, rng: random.Random, steps: int) -> Match:
    """The match after so many steps by chance, or at its end."""
    while not match.over and steps > 0:
        match.deal() if match.to_deal else match.push(rng.choice(match.moves()))
        steps -= 1
    return match


@dataclass
class Outcome:
    """What a call of the program gave."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Every line of standard output, as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


def call(*words: str, given: bytes = b"") -> Outcome:
    """Call the program in this process, with these arguments and this standard input."""
    streams = [io.TextIOWrapper(io.BytesIO(raw), "utf-8", write_through=True) for raw in (given, b"", b"")]
    status = 0
    with (
        patch.object(sys, "argv", ["suitors", *words]),
        patch.object(sys, "stdin", streams[0]),
        patch.object(sys, "stdout", streams[1]),
        patch.object(sys, "stderr", streams[2]),
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
    out, err = (stream.buffer.getvalue().decode() for stream in streams[1:])
    return Outcome(status, out, err)
