"""The command line: `root` has the program itself, the other modules a group of commands each."""

from .root import main

__all__ = ["main"]
