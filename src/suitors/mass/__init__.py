"""Whole matches of quick bots, compiled: a million rounds in seconds.

matches: how seats play and a match goes, in the same small subset of Python as the rules; compiled: the one kernel;
play: many matches at once in numpy arrays, and which bots can be played so.
"""
