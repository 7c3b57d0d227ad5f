"""Exact solutions: the solo game."""

from .solver import Solution, over_all, solve, solve_from_start

__all__ = ["Solution", "over_all", "solve", "solve_from_start"]
