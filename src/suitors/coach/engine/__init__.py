"""What moves of solved endings are worth, in the same small subset of Python as the rules: it can be compiled."""
