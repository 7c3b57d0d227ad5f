"""How positions are sampled, in the same small subset of Python as the rules, so that it can be compiled."""
