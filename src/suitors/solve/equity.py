"""What tokens are worth: about how likely a seat is to win the match. In the compilable subset of Python."""

from math import exp

from ..rules.editions import Edition
from ..rules.names import Phase
from ..rules.seats import has, size
from ..rules.table import Table

TOKEN = 0.9162907318741551
"""One token more makes it two and a half times likelier to win the match; this is its logarithm."""


def equity(t: Table, ed: Edition, seat: int) -> float:
    """The seat's chance to win the match, about, as the tokens stand after a round."""
    if t.phase == Phase.OVER:
        return 1.0 / size(t.champions) if has(t.champions, seat) else 0.0
    if t.tied != 0:
        return 1.0 / size(t.tied) if has(t.tied, seat) else 0.0
    total = 0.0
    for other in range(ed.players):
        total += exp((t.tokens[other] - t.tokens[seat]) * TOKEN)
    return 1.0 / total


def stakes(t: Table, ed: Edition, seat: int, winner: int) -> float:
    """The seat's equity if somebody were to win a token now."""
    total = 0.0
    mine = t.tokens[seat] + int(seat == winner)
    for other in range(ed.players):
        total += exp((t.tokens[other] + int(other == winner) - mine) * TOKEN)
    return 1.0 / total
