"""The questions and the bots of studies by name."""

from ..mass.matches import NOVICE, POLICY, UNIFORM

ABOUT = {
    "first": "How often a seat wins by its turn",
    "cards": "How often a seat wins by its first card",
    "opening": "How often the first player wins by the first play",
    "guess": "How often the first player wins by the name of a first Guard",
    "length": "How many decisions rounds have",
    "ending": "How rounds end",
    "balance": "How often the first player wins, and how rounds go",
}
"""The questions."""

BOTS = {"random": UNIFORM, "novice": NOVICE, "policy": POLICY}
"""The bots that can be studied, weakest first; `policy` is how the stronger bots play rounds in their minds."""
