"""Tables of the laboratory as PyTorch tensors, with what a critic may see besides, and what a round was worth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from suitors.lab.inputs import MOST, Input, inputs
from suitors.lab.vector import VectorEnv
from suitors.rules import NO_CARD

DRAWS = 10
"""How many cards of the deck a critic sees, from the top."""

ALIGN = 64
"""Matrices are as wide as multiples of this."""


@dataclass
class Step:
    """What a step did: the rewards of all seats, and where a round (or an episode) ended."""

    rewards: Tensor
    ended: Tensor


class TorchTables:
    """Tables of one game on a device. Rewards are for rounds; with `score` they are what a round did for the match."""

    def __init__(self, edition: str, players: int, size: int, *, score: bool, seed: int, device: str) -> None:
        self.edition, self.players, self.size, self.score = edition, players, size, score
        self.device = torch.device(device)
        made: dict[str, Any] = {"episode": "match" if score else "round", "full": True, "seed": seed}
        if device == "cpu":
            self.env: Any = VectorEnv(edition, players, size, **made)
        else:
            from suitors.lab.cuda import CudaVectorEnv  # noqa: PLC0415 - only where there is a GPU

            self.env = CudaVectorEnv(edition, players, size, **made)
        self.rules, self.space = self.env.rules, self.env.space
        self.observations, self.masks = self._tensor(self.env.observations), self._tensor(self.env.masks)
        self.seats, self.over = self._tensor(self.env.seats), self._tensor(self.env.over)
        self._rewards = self._tensor(self.env.rewards)
        self._hand, self._deck, self._top, self._bottom, self._tokens = (
            self._tensor(self.env.column(name)) for name in ("hand", "deck", "top", "bottom", "tokens")
        )
        self._kind = self._lookup(self.space.kind)
        self._equity = equities(self.rules.goal, players).to(self.device) if score else None
        self._before = self._tokens.clone()

    def _tensor(self, array: Any) -> Tensor:
        if isinstance(array, np.ndarray):
            return torch.from_numpy(array)
        return torch.as_tensor(array, device=self.device)

    def _lookup(self, kind: tuple[int, ...]) -> Tensor:
        """By a card and one: its place among those of the deck and one; 0 is none."""
        return torch.tensor([0, *(place + 1 for place in kind)], dtype=torch.int8, device=self.device)

    def step(self, actions: Tensor) -> Step:
        """Take an action at each table."""
        self.env.step(actions.numpy() if self.device.type == "cpu" else actions)
        if self._equity is None:
            return Step(self._rewards.clone(), self.over.clone())
        return self._step_of_match()

    def _step_of_match(self) -> Step:
        """The chance to win the match that the end of a round gave or took; what a win is worth is about 1."""
        assert self._equity is not None
        n = self.players
        share = (self._rewards * (n - 1) + 1) / n
        after = torch.where(self.over[:, None], share, self._standing(self._tokens))
        ended = self.over | (self._tokens != self._before).any(1)
        rewards = torch.where(ended[:, None], after - self._standing(self._before), 0.0)
        self._before.copy_(self._tokens)
        return Step(rewards * (n + self.rules.goal) / 2, ended)

    def _standing(self, tokens: Tensor) -> Tensor:
        """Each seat's chance to win the match with these tokens."""
        assert self._equity is not None
        side = self.rules.goal + 1
        place = torch.zeros(self.size, dtype=torch.long, device=self.device)
        for seat in range(self.players):
            place = place * side + tokens[:, seat].clamp(max=self.rules.goal).long()
        return self._equity[place]

    def hidden(self) -> Tensor:
        """What a critic sees besides: the others' cards by place clockwise, and the next cards of the deck, by kind."""
        n = self.players
        places = (self.seats.long()[:, None] + torch.arange(1, n, device=self.device)) % n
        hands = self._hand.long().gather(1, places)
        draws = self._top.long()[:, None] + torch.arange(DRAWS, device=self.device)
        left = draws < self._bottom.long()[:, None]
        cards = self._deck.long().gather(1, draws.clamp(max=self._deck.shape[1] - 1))
        cards = torch.where(left, cards, NO_CARD)
        return self._kind[torch.cat([hands, cards], 1) + 1]

    @property
    def hidden_size(self) -> int:
        """How many numbers `hidden` has."""
        return self.players - 1 + DRAWS


class Questions(torch.nn.Module):
    """The inputs of networks, asked of observations on a device; behind them, for critics, those about hidden cards.

    There are `ALIGN` times a whole number of each, those at the end always 0: a GPU multiplies such matrices faster.
    """

    columns: Tensor
    low: Tensor
    high: Tensor

    def __init__(self, tables: TorchTables) -> None:
        super().__init__()
        asked = inputs(tables.rules, tables.score)
        self.count = len(asked)
        asked += [Input(0, MOST, 0)] * (-len(asked) % ALIGN)
        numbers = torch.tensor(asked, device=tables.device)
        self.register_buffer("columns", numbers[:, 0].contiguous(), persistent=False)
        self.register_buffer("low", numbers[:, 1].to(torch.int8), persistent=False)
        self.register_buffer("high", numbers[:, 2].to(torch.int8), persistent=False)
        self.kinds, self.places = tables.space.kinds, tables.hidden_size
        self.width = len(asked)
        self.whole = self.width + rounded(self.places * self.kinds)

    def forward(self, observations: Tensor) -> Tensor:
        """1 for yes and 0 for no."""
        asked = observations[:, self.columns]
        return ((asked >= self.low) & (asked <= self.high)).to(torch.bfloat16)

    def write(self, observations: Tensor, hidden: Tensor, into: Tensor) -> None:
        """Write all inputs of a critic, of which a policy reads the first `width`."""
        kinds = torch.arange(1, self.kinds + 1, device=hidden.device, dtype=torch.int8)
        into[:, : self.width] = self(observations)
        into[:, self.width : self.width + self.places * self.kinds] = (hidden[:, :, None] == kinds).flatten(1)


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
