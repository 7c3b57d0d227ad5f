"""The exact value of any position of the solo game."""

from typing import Any

from .memo import remember
from .opponent import opponent_card
from .player import player_choice
from .positions import AGENT, BEHIND, HAND, LENGTH, OPPONENT, SHIELD, UNSEEN


def evaluate(memo: Any, key: int, sw: int) -> float:
    """Work out a packed position and remember it."""
    q, n, p = key & 0x3FFFF, key >> LENGTH & 7, key >> BEHIND & 1
    hand, agent, shield, unseen = key >> HAND & 15, key >> AGENT & 15, key >> SHIELD & 1, key >> UNSEEN & 0x1FFF
    if key >> OPPONENT & 1 == 1:
        value = opponent_card(memo, q, n, p, hand, agent, shield, unseen, sw)
    else:
        value = player_choice(memo, q, n, p, hand, agent, shield, unseen, sw)
    remember(memo, key, value)
    return value
