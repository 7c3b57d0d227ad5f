"""A network and its file: a line that says for which game it was made, then the weights, a byte each."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...lab.sizes import actions_at, common_inputs, inputs_at
from ...lab.space import space
from ...rules.editions import Edition
from ...rules.own import edition
from .digests import game_digest, rules_digest

FORMAT = 4
"""Which form of file this program reads and writes."""

KINDS = {
    "edition": str,
    "players": list,
    "figures": dict,
    "games": dict,
    "rules": dict,
    "score": bool,
    "sizes": list,
    "sha256": str,
}
"""What the first line of a file says: the edition and the sizes of table it is for, what was measured of it, digests
by size of table, and its layers."""

LEAST_SIZES = 3
"""A network has inputs, a layer and answers at least."""

BLOCK = 32
"""Columns of a product of matrices that are made at once: larger products numpy makes in several threads, which wait
for each other where cores are busy."""

DATA = Path(__file__).parent / "data"
SUFFIX = ".net"

Matrix = NDArray[np.float32]


class BadNetwork(ValueError):
    """A file of weights that does not fit this program or game."""


@dataclass(frozen=True)
class Layers:
    """Weights (from inputs to answers) and biases of layers of one width."""

    weights: list[Matrix]
    biases: list[Matrix]

    @cached_property
    def blocks(self) -> list[list[Matrix]]:
        """The weights of all layers but the first, some columns at a time."""
        return [
            [np.ascontiguousarray(weights[:, k : k + BLOCK]) for k in range(0, weights.shape[1], BLOCK)]
            for weights in self.weights[1:]
        ]


@dataclass(frozen=True)
class Network:
    """Layers, each added to the one before, for one game: how good each action is, as logarithms of chances."""

    columns: NDArray[np.int64]
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    actions: NDArray[np.int64]  # the number of each action of the game among the answers
    layers: Layers

    def answers(self, observation: NDArray[np.int8]) -> Matrix:
        """What it says of every action."""
        first, *others = zip(self.layers.weights, self.layers.biases, strict=True)
        asked = observation[self.columns]
        yes = np.flatnonzero((asked >= self.low) & (asked <= self.high))
        found: Matrix = np.maximum(first[0][yes].sum(0) + first[1], 0)
        for weights, biases in others[:-1]:
            found = found + np.maximum(found @ weights + biases, 0)
        weights, biases = others[-1]
        answers: Matrix = found @ weights + biases
        return answers[self.actions]

    def answers_to_all(self, observations: NDArray[np.int8]) -> Matrix:
        """What it says of every action, for observations that are alike but for a few numbers: a row for each."""
        asked = observations[:, self.columns]
        yes = (asked >= self.low) & (asked <= self.high)
        inputs, blocks, biases = self.layers.weights[0], self.layers.blocks, self.layers.biases
        first = inputs[np.flatnonzero(yes[0])].sum(0) + biases[0]
        rows = []
        for row in yes:
            changed = np.flatnonzero(row != yes[0])
            rows.append(first + np.where(row[changed], 1, -1).astype(np.float32) @ inputs[changed])
        found = np.maximum(np.array(rows), 0)
        for layer, bias in zip(blocks[:-1], biases[1:-1], strict=True):
            found = found + np.maximum(_product(found, layer) + bias, 0)
        answers: Matrix = _product(found, blocks[-1]) + biases[-1]
        return answers[:, self.actions]


def _product(rows: Matrix, blocks: list[Matrix]) -> Matrix:
    """Rows times a matrix that is given in blocks of columns."""
    return np.concatenate([rows @ block for block in blocks], 1)


def find_network(ed: Edition) -> Path | None:
    """The file for a game: one of the very same rules, else one to which all numbers mean the same."""
    n = str(ed.players)
    found = [path for path, head in heads().items() if head["games"].get(n) == game_digest(ed, head["score"])]
    exact = [path for path in found if heads()[path]["rules"].get(n) == rules_digest(ed)]
    return next(iter(exact or found), None)


@lru_cache
def network_for(ed: Edition) -> Network:
    """The network for a game that has one."""
    path = find_network(ed)
    if path is None:
        raise BadNetwork("No network was trained for this game.")
    return _fitted(heads()[path], _shipped_layers(path), ed)


@cache
def _shipped_layers(path: Path) -> Layers:
    """The layers in a file that comes with the program, which all games that it is for share."""
    return read_layers(path, heads()[path])


@lru_cache
def heads() -> dict[Path, dict[str, Any]]:
    """The first lines of all files that come with the program."""
    return {path: read_head(path) for path in sorted(DATA.glob(f"*{SUFFIX}"))}


def read_head(path: Path) -> dict[str, Any]:
    """The first line of a file; BadNetwork where it has none of this form."""
    with path.open("rb") as file:
        line = file.readline(1 << 16)
    try:
        head = json.loads(line)
        if head["format"] != FORMAT:
            raise BadNetwork(f"{path.name} has the form {head['format']!r:.20}, not {FORMAT}.")
        for name, kind in KINDS.items():
            if not isinstance(head[name], kind):
                raise TypeError(name)
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        if isinstance(wrong, BadNetwork):
            raise
        raise BadNetwork(f"{path.name} does not begin with a line that says what it was made for.") from None
    found: dict[str, Any] = head
    return found


def load_network(path: Path, ed: Edition) -> Network:
    """Read a network for a game; BadNetwork where the file was made for another one, or is damaged."""
    head = read_head(path)
    if head["games"].get(str(ed.players)) != game_digest(ed, head["score"]):
        raise BadNetwork(f"{path.name} was made for other cards, observations or actions: train it anew (tools/train).")
    return _fitted(head, read_layers(path, head), ed)


def read_layers(path: Path, head: Mapping[str, Any]) -> Layers:
    """The layers in a file with such a first line; BadNetwork where they are damaged."""
    body = read_body(path)
    if hashlib.sha256(body).hexdigest() != head["sha256"]:
        raise BadNetwork(f"The weights of {path.name} are not those it was made with.")
    eds, sizes = editions(head["edition"], head["players"]), head["sizes"]
    ends = [len(common_inputs(eds, head["score"])), space(eds[-1]).actions]
    whole = len(sizes) >= LEAST_SIZES and all(isinstance(size, int) and size > 0 for size in sizes)
    if not whole or [sizes[0], sizes[-1]] != ends or len(body) != _bytes(sizes):
        raise BadNetwork(f"{path.name} holds {len(body)} bytes of weights, which are not layers of {sizes!r:.100}.")
    weights, biases, start = [], [], 0
    for rows, columns in pairwise(sizes):
        layer = np.frombuffer(body, np.int8, rows * columns, start + 8 * columns).reshape(rows, columns)
        steps, bias = np.frombuffer(body, "<f4", 2 * columns, start).reshape(2, columns).astype(np.float32)
        weights.append(layer * steps)
        biases.append(bias)
        start += (rows + 8) * columns
    return Layers(weights, biases)


def read_body(path: Path) -> bytes:
    """The weights in a file, as bytes."""
    return path.read_bytes().partition(b"\n")[2]


def _fitted(head: Mapping[str, Any], layers: Layers, ed: Edition) -> Network:
    """Layers for one of the games that they are for."""
    eds = editions(head["edition"], head["players"])
    asked, actions = np.array(inputs_at(ed, eds, head["score"])), np.array(actions_at(ed, eds[-1]))
    return Network(asked[:, 0], asked[:, 1].astype(np.int8), asked[:, 2].astype(np.int8), actions, layers)


def editions(slug: str, players: Sequence[int]) -> list[Edition]:
    """The games of one network, the widest last."""
    return [edition(slug, number) for number in players]


def write_network(
    path: Path, slug: str, players: Sequence[int], score: bool, layers: list[tuple[Matrix, Matrix]], **more: Any
) -> None:
    """Write a network: weights (from inputs to answers) and biases of each layer, and what is to be said of it."""
    sizes = [*(len(weights) for weights, _ in layers), layers[-1][0].shape[1]]
    body = b"".join(_layer_bytes(*layer) for layer in layers)
    game = {"edition": slug, "players": list(players), "score": score}
    write_file(path, {**game, "figures": {}, **more, "sizes": sizes}, body)


def write_file(path: Path, head: Mapping[str, Any], body: bytes) -> None:
    """Write the file of a network whose weights are these bytes, with the digests of its games as they are now."""
    eds = editions(head["edition"], head["players"])
    made_for = {
        "games": {str(ed.players): game_digest(ed, head["score"]) for ed in eds},
        "rules": {str(ed.players): rules_digest(ed) for ed in eds},
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(json.dumps({"format": FORMAT, **head, **made_for}).encode() + b"\n" + body)
    part.replace(path)


def _layer_bytes(weights: Matrix, biases: Matrix) -> bytes:
    """The step between two weights of each column, the biases, and the weights counted in these steps."""
    steps = (np.abs(weights).max(0) / 127).astype("<f4")
    counted = np.rint(weights / np.where(steps > 0, steps, 1)).astype(np.int8)
    return b"".join(part.tobytes() for part in (steps, biases.astype("<f4"), counted))


def _bytes(sizes: list[int]) -> int:
    return sum((rows + 8) * columns for rows, columns in pairwise(sizes))
