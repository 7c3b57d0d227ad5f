"""The `random` bot: any legal move, each as likely as the others."""

import random

from ..view.match import View
from ..view.solo import SoloView


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """A legal move by chance; there is nothing to think about."""
    return rng.choice(view.legal)
