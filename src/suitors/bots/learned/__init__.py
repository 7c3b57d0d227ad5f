"""A bot that learnt by self-play: a small network for each game, which reads what a seat knows and says how to play.

sight: an observation of the laboratory, made from a view alone; network: the weights, and what they answer;
choosing: the move; reading: what the plays of others say of them; comparing: moves tried in the same worlds; searching:
the move of network and worlds together. It needs numpy and nothing else, the search for its time numba, too.
tools/train/ makes the weights.
"""
