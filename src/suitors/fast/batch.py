"""Many tables at once on the CPU, in numpy arrays and on all cores."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..rules import BOXES, Option, edition
from . import kernels
from .compiler import patience
from .layout import edition_record, new_tables, quiet_type

Part = Callable[[slice], Any]


@dataclass(frozen=True)
class Results:
    """What came of random matches, one entry each; a set of seats has bit s for seat s."""

    winners: NDArray[np.int16]
    rounds: NDArray[np.int32]
    moves: NDArray[np.int32]

    def wins(self, players: int) -> NDArray[np.float64]:
        """Every seat's wins; a shared win counts in parts."""
        won = (self.winners[:, None] >> np.arange(players)) & 1
        return np.asarray((won / won.sum(axis=1, keepdims=True)).sum(axis=0))


def random_matches(
    slug: str,
    players: int,
    matches: int,
    seed: int = 0,
    options: Mapping[str, Option] | None = None,
    threads: int | None = None,
) -> Results:
    """Play whole matches with uniformly random legal moves; the same for any number of threads."""
    ed = edition(slug, players, options)
    results = Results(np.zeros(matches, np.int16), np.zeros(matches, np.int32), np.zeros(matches, np.int32))

    def part(of: slice) -> None:
        scratch = np.zeros(1, quiet_type(ed))
        columns = (results.winners[of], results.rounds[of], results.moves[of])
        kernels.play_random(scratch, edition_record(ed), seed, of.start, *columns)

    _spread(part, matches, threads, f"{slug} with {players} players")
    return results


class Batch:
    """Tables of one edition and number of players, stepped together.

    `tables` is an array of records with the fields of rules.Table. Moves are packed ints (rules.pack).
    """

    def __init__(
        self,
        slug: str,
        players: int,
        size: int,
        options: Mapping[str, Option] | None = None,
        threads: int | None = None,
    ) -> None:
        self.rules = edition(slug, players, options)
        self.size = size
        self.tables = new_tables(self.rules, size)
        self.edition = edition_record(self.rules)
        self.threads = threads
        self._what = f"{slug} with {players} players"

    def __len__(self) -> int:
        return self.size

    def deal(self, decks: ArrayLike, first: ArrayLike = 0) -> NDArray[np.bool_]:
        """Start a round where one has to start: a deck (cards, top first) and a first seat for each table.

        Says at which tables it was done; a table that waits for a move, or a seat that may not start, is left alone.
        """
        shape = (len(self), self.rules.cards)
        cards = np.broadcast_to(np.asarray(decks, np.int8), shape)
        if not np.array_equal(np.sort(cards, axis=1), np.broadcast_to(np.asarray(self.rules.box, np.int8), shape)):
            raise ValueError(f"Every deck must be exactly the {self.rules.cards} cards of the edition, in any order.")
        starts = np.broadcast_to(np.asarray(first, np.int64), (len(self),))
        done = np.zeros(len(self), np.bool_)
        self._run("deal_tables", cards.copy(), starts.copy(), done)
        return done

    def shuffle(self, seed: int) -> NDArray[np.int8]:
        """Random decks for `deal`, one a table."""
        generator = np.random.default_rng(seed)
        decks = np.tile(np.asarray(self.rules.box, np.int8), (len(self), 1))
        return np.asarray(generator.permuted(decks, axis=1))

    def step(self, moves: ArrayLike) -> NDArray[np.int8]:
        """Play a move at each table; gives each one's Refusal (0: it was played, else nothing changed)."""
        chosen = np.broadcast_to(np.asarray(moves, np.int64), (len(self),))
        refusals = np.zeros(len(self), np.int8)
        self._run("step_tables", chosen.copy(), refusals)
        return refusals

    def counts(self) -> NDArray[np.int32]:
        """How many moves are legal at each table; 0 where no decision is due."""
        counts = np.zeros(len(self), np.int32)
        self._run("count_tables", counts)
        return counts

    def legal(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The legal moves of each table, a row each padded with -1, and their counts."""
        counts = self.counts()
        moves = np.full((len(self), max(1, int(counts.max(initial=0)))), -1, np.int32)
        self._run("list_tables", counts, moves)
        return moves, counts

    def _run(self, kernel: str, *columns: NDArray[Any]) -> None:
        """Run a kernel over the tables and the columns beside them, in parts."""

        def part(of: slice) -> None:
            getattr(kernels, kernel)(self.tables[of], self.edition, *(column[of] for column in columns))

        _spread(part, len(self), self.threads, self._what)


def _spread(part: Part, n: int, threads: int | None, what: str) -> None:
    """Work on so many entries in equal parts, one a thread; the first entry goes ahead, as it may have to compile."""
    if n == 0:
        return
    workers = min(threads or os.cpu_count() or 1, n)
    with patience(what):
        part(slice(0, 1))
    edges = np.linspace(1, n, workers + 1).astype(int)
    parts = [slice(int(low), int(high)) for low, high in pairwise(edges) if low < high]
    if workers == 1:
        for of in parts:
            part(of)
        return
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(partial(part, of)) for of in parts]:
            done.result()


def all_games() -> list[tuple[str, int]]:
    """Every edition for several players, with every number of them."""
    return [(slug, players) for slug, box in BOXES.items() if not box.solo for players in box.players]
