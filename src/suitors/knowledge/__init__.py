"""What follows from a view: the exact chance of every hidden card.

public      the round as everybody sees it, with hidden cards left blank
notes       the same for simulated rounds, in the compilable subset of Python
evidence    what a log says about the cards that its reader cannot see
likelihood  how likely an opponent's choice is for each card they may hold
belief      the sum over all deals that fit the evidence
"""

from .belief import Belief, Chances, Deal
from .likelihood import ByPolicy, Likelihood, Uniform, uniform

__all__ = ["Belief", "ByPolicy", "Chances", "Deal", "Likelihood", "Uniform", "uniform"]
