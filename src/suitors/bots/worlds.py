"""Moves of one view tried in the same worlds: engine/sampling.py on the arrays of a search, compiled where numba is."""

from collections.abc import Sequence

from ..fast import available
from .arrays import ints, zeros
from .engine import sampling
from .tree_search import TREE, SearchWorker, TreeSearch


class Worlds:
    """The worlds of a seed. `at_random` is each seat's chance to play one of them at random."""

    def __init__(self, search: TreeSearch, at_random: Sequence[float], seed: int) -> None:
        self.moves, self.seed = search.moves, seed
        self.worker = SearchWorker(search, at_random, 0, TREE)

    def outcomes(self, moves: Sequence[str], first: int, count: int, learning: bool) -> list[list[int]]:
        """What came of each move in so many worlds from the first on; outcomes.py says what that is worth."""
        run = sampling.try_moves
        if available():
            from .engine.compiling import try_moves as run  # noqa: PLC0415 - only where numba is installed

        worker, found = self.worker, zeros(len(moves) * count)
        arrays = worker.tables, worker.rules, worker.position, worker.players, worker.tree, worker.buffers, worker.rng
        run(*arrays, self.seed, first, ints([self.moves[move] for move in moves]), found, learning)
        numbers: list[int] = found if isinstance(found, list) else found.tolist()
        return [numbers[k :: len(moves)] for k in range(len(moves))]
