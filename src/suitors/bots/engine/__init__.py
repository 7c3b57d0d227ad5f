"""What the stronger bots think with, in the same small subset of Python as the rules, so that it can be compiled.

notes: what players know of each other in a simulated round; policy: a quick, trained way to play; deals: hidden cards
drawn from a belief; tree: information-set search; reply: the best reply to modelled opponents.
"""
