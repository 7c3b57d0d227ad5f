"""Tables of the laboratory as PyTorch tensors, with what a critic may see besides, and what a round was worth.

A network may play at tables of several sizes, so a learner has some of each; seats and actions that a table does not
have are left empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from suitors.lab.inputs import Input
from suitors.lab.sizes import NEVER, actions_at, common_inputs, inputs_at
from suitors.lab.space import space
from suitors.lab.vector import VectorEnv
from suitors.rules import NO_CARD, Edition, edition

DRAWS = 10
"""How many cards of the deck a critic sees, from the top."""

ALIGN = 64
"""Matrices are as wide as multiples of this."""


@dataclass
class Step:
    """What a step did: the rewards of all seats, where a round (or an episode) ended, and how matches ended."""

    rewards: Tensor
    ended: Tensor
    over: Tensor  # where an episode ended
    shares: Tensor  # of the win of the episode, by seat, where it did


class Game:
    """The game of a network, at tables of one size or more, and the sizes of what it reads and answers."""

    def __init__(self, slug: str, players: Sequence[int], *, score: bool, device: str) -> None:
        self.edition, self.players, self.score = slug, list(players), score
        self.device = torch.device(device)
        self.editions = [edition(slug, number) for number in players]
        self.rules, self.seats_most = self.editions[-1], players[-1]
        self.actions = space(self.rules).actions
        self.inputs = len(common_inputs(self.editions, score))
        self.width = rounded(self.inputs)
        self.hidden_at = (self.seats_most - 1 + DRAWS) * space(self.rules).kinds
        self.whole = self.width + rounded(self.hidden_at)


class TorchTables(Game):
    """Tables of one edition and one size or more. With `score`, rewards are what a round did for the match."""

    def __init__(self, slug: str, players: Sequence[int], size: int, *, score: bool, seed: int, device: str) -> None:
        super().__init__(slug, players, score=score, device=device)
        each = size // len(players)
        self.size = each * len(players)
        self.groups = [
            Group(self, ed, slice(k * each, (k + 1) * each), seed=seed + 1000 * k) for k, ed in enumerate(self.editions)
        ]
        self.count = self._room(dtype=torch.long)
        self.masks, self.seats = self._room(self.actions, dtype=torch.int8), self._room(dtype=torch.long)
        for group in self.groups:
            self.count[group.rows] = group.players
            group.show()

    def _room(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.zeros(self.size, *shape, dtype=dtype, device=self.device)

    def reset(self, seed: int) -> None:
        """Begin anew at all tables."""
        for k, group in enumerate(self.groups):
            group.reset(seed + 1000 * k)

    def step(self, actions: Tensor) -> Step:
        """Take an action at each table, numbered as at the widest."""
        most = self.seats_most
        step = Step(self._room(most), self._room(dtype=torch.bool), self._room(dtype=torch.bool), self._room(most))
        for group in self.groups:
            group.step(actions[group.rows], step)
            group.show()
        return step

    def ask(self, into: Tensor) -> None:
        """Write the inputs of all tables: those of a policy, and if there is room those of a critic behind them."""
        for group in self.groups:
            group.ask(into[group.rows])

    def asked(self) -> Tensor:
        """The inputs of a policy."""
        found = self._room(self.width, dtype=torch.bfloat16)
        self.ask(found)
        return found


class Group:
    """The tables of one size: rows of all of them."""

    def __init__(self, whole: TorchTables, ed: Edition, rows: slice, *, seed: int) -> None:
        self.whole, self.rules, self.rows, self.players = whole, ed, rows, ed.players
        self.device, self.size = whole.device, rows.stop - rows.start
        made: dict[str, Any] = {"episode": "match" if whole.score else "round", "full": True, "seed": seed}
        if self.device.type == "cpu":
            self.env: Any = VectorEnv(whole.edition, ed.players, self.size, **made)
        else:
            from suitors.lab.cuda import CudaVectorEnv  # noqa: PLC0415 - only where there is a GPU

            self.env = CudaVectorEnv(whole.edition, ed.players, self.size, **made)
        self._observations, self._masks = self._tensor(self.env.observations), self._tensor(self.env.masks)
        self._seats, self._over = self._tensor(self.env.seats), self._tensor(self.env.over)
        self._rewards = self._tensor(self.env.rewards)
        self._hand, self._deck, self._top, self._bottom, self._tokens = (
            self._tensor(self.env.column(name)) for name in ("hand", "deck", "top", "bottom", "tokens")
        )
        there = actions_at(ed, whole.rules)
        self._there = torch.tensor(there, device=self.device)
        self._here = torch.zeros(whole.actions, dtype=torch.int32, device=self.device)
        self._here[self._there] = torch.arange(len(there), dtype=torch.int32, device=self.device)
        kinds = space(ed).kind
        self._kind = torch.tensor([0, *(place + 1 for place in kinds)], dtype=torch.int8, device=self.device)
        self.questions = Questions(inputs_at(ed, whole.editions, whole.score), self.device)
        self._equity = equities(ed.goal, ed.players).to(self.device) if whole.score else None
        self._before = self._tokens.clone()

    def _tensor(self, array: Any) -> Tensor:
        if isinstance(array, np.ndarray):
            return torch.from_numpy(array)
        return torch.as_tensor(array, device=self.device)

    def reset(self, seed: int) -> None:
        """Begin anew at these tables."""
        self.env.reset(seed)
        self._before.copy_(self._tokens)
        self.show()

    def show(self) -> None:
        """Write what is legal, and who decides, among all tables."""
        self.whole.masks[self.rows, self._there] = self._masks
        self.whole.seats[self.rows] = self._seats.long()

    def step(self, actions: Tensor, into: Step) -> None:
        """Take actions at these tables; what came of them."""
        n, rows = self.players, self.rows
        local = self._here[actions.long()]
        self.env.step(local.numpy() if self.device.type == "cpu" else local)
        into.over[rows], into.shares[rows, :n] = self._over, (self._rewards * (n - 1) + 1) / n
        if self._equity is None:
            into.rewards[rows, :n], into.ended[rows] = self._rewards, self._over
            return
        after = torch.where(self._over[:, None], into.shares[rows, :n], self._standing(self._tokens))
        ended = self._over | (self._tokens != self._before).any(1)
        gained = torch.where(ended[:, None], after - self._standing(self._before), 0.0)
        self._before.copy_(self._tokens)
        # What a win of the round is worth is about 1.
        into.rewards[rows, :n], into.ended[rows] = gained * (n + self.rules.goal) / 2, ended

    def _standing(self, tokens: Tensor) -> Tensor:
        """Each seat's chance to win the match with these tokens."""
        assert self._equity is not None
        side = self.rules.goal + 1
        place = torch.zeros(self.size, dtype=torch.long, device=self.device)
        for seat in range(self.players):
            place = place * side + tokens[:, seat].clamp(max=self.rules.goal).long()
        return self._equity[place]

    def ask(self, into: Tensor) -> None:
        """Write the inputs of these tables."""
        width, kinds = self.questions.width, space(self.rules).kinds
        into[:, :width] = self.questions(self._observations)
        if into.shape[1] > width:
            cards = torch.arange(1, kinds + 1, device=self.device, dtype=torch.int8)
            into[:, width : width + self.whole.hidden_at] = (self._hidden()[:, :, None] == cards).flatten(1)

    def _hidden(self) -> Tensor:
        """What a critic sees besides: the next cards of the deck, and the others' by place clockwise, by kind."""
        places = torch.arange(1, self.whole.seats_most, device=self.device)
        seats = (self._seats.long()[:, None] + places) % self.players
        hands = torch.where(places < self.players, self._hand.long().gather(1, seats), NO_CARD)
        draws = self._top.long()[:, None] + torch.arange(DRAWS, device=self.device)
        left = draws < self._bottom.long()[:, None]
        cards = self._deck.long().gather(1, draws.clamp(max=self._deck.shape[1] - 1))
        return self._kind[torch.cat([hands, torch.where(left, cards, NO_CARD)], 1) + 1]


class Questions:
    """The inputs of networks, asked of observations on a device.

    There are `ALIGN` times a whole number, those at the end always 0: a GPU multiplies such matrices faster.
    """

    def __init__(self, asked: list[Input], device: torch.device) -> None:
        self.count = len(asked)
        numbers = torch.tensor([*asked, *[NEVER] * (-len(asked) % ALIGN)], device=device)
        self.width = len(numbers)
        self.columns = numbers[:, 0].contiguous()
        self.low, self.high = numbers[:, 1].to(torch.int8), numbers[:, 2].to(torch.int8)

    def __call__(self, observations: Tensor) -> Tensor:
        """1 for yes and 0 for no."""
        asked = observations[:, self.columns]
        return ((asked >= self.low) & (asked <= self.high)).to(torch.bfloat16)


def rounded(number: int) -> int:
    """The next multiple of `ALIGN`."""
    return -(-number // ALIGN) * ALIGN


def equities(goal: int, players: int) -> Tensor:
    """Each seat's chance to win the match, for all tokens that they may have, if every round is anybody's."""
    side = goal + 1
    held = np.stack(np.unravel_index(np.arange(side**players), (side,) * players), 1)
    best = held.max(1)
    found = (held == best[:, None]) / (held == best[:, None]).sum(1, keepdims=True)
    step = side ** np.arange(players - 1, -1, -1)
    for total in range(players * (goal - 1), -1, -1):
        open_ = np.flatnonzero((best < goal) & (held.sum(1) == total))
        found[open_] = np.mean([found[open_ + step[seat]] for seat in range(players)], axis=0)
    return torch.from_numpy(found.astype(np.float32))
