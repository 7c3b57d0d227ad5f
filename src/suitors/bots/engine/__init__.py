"""How the stronger bots simulate rounds, in the same small subset of Python as the rules, so that it can be compiled.

buffers: the arrays that the policy writes; odds: the chances of hands as a player would count them; policy: a quick,
trained way to play; deals: hidden cards drawn from a belief; reply: search for the best reply to modelled opponents;
sampling: moves tried in the same worlds; compiling: all of it compiled.
"""
