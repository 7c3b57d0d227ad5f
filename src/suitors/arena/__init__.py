"""The arena: whole matches between bots, with honest figures."""

from .series import Score, Series, play_series

__all__ = ["Score", "Series", "play_series"]
