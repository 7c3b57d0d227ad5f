"""The networks: a policy over questions about an observation, and a critic that sees the hidden cards too."""

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from .tables import Game, rounded

ILLEGAL = -1e9
"""The logarithm of the chance of what is not legal."""


class Residual(nn.Module):
    """Layers of one width, each added to the one before; there are answers to spare, which are never used."""

    def __init__(self, questions: int, width: int, layers: int, answers: int) -> None:
        super().__init__()
        self.answers = answers
        self.first = nn.Linear(questions, width)
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers - 1))
        self.last = nn.Linear(width, rounded(answers))
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)

    def all_layers(self) -> list[nn.Linear]:
        """From the inputs to the answers."""
        return [self.first, *self.layers, self.last]

    def forward(self, asked: Tensor) -> Tensor:
        """The answers."""
        with torch.autocast(asked.device.type, torch.bfloat16):
            found = torch.relu(self.first(asked))
            for layer in self.layers:
                found = found + torch.relu(layer(found))
            answers: Tensor = self.last(found)
        return answers[:, : self.answers].float()


class Policy(nn.Module):
    """How likely each action is to be taken."""

    def __init__(self, game: Game, width: int, layers: int) -> None:
        super().__init__()
        self.width, self.depth = width, layers
        self.net = Residual(game.width, width, layers, game.actions)

    def forward(self, asked: Tensor, masks: Tensor) -> Tensor:
        """The logarithms of the chances of all actions."""
        return torch.log_softmax(self.net(asked).masked_fill(masks == 0, ILLEGAL), 1)

    @torch.no_grad()
    def act(self, asked: Tensor, masks: Tensor, *, cut: float = 0.0, greedy: bool = False) -> tuple[Tensor, Tensor]:
        """An action for each row, and the logarithm of its chance."""
        chances = self(asked, masks)
        if greedy:
            action = chances.argmax(1, keepdim=True)
        else:
            open_ = chances.masked_fill(chances.exp() < cut, ILLEGAL) if cut else chances
            action = (open_ - torch.empty_like(open_).exponential_().log()).argmax(1, keepdim=True)
        return action.squeeze(1), chances.gather(1, action).squeeze(1)


class RandomPolicy:
    """Random play in the place of a policy."""

    def act(self, asked: Tensor, masks: Tensor, **_: float) -> tuple[Tensor, Tensor]:
        """A legal action for each row, all equally likely."""
        action = (torch.rand(masks.shape, device=masks.device) * masks).argmax(1)
        return action, -masks.sum(1).float().log()


Player = Policy | RandomPolicy
"""Whoever plays in some seats while another learns."""


class Several:
    """Players of whom each plays at its part of the tables."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = list(players)

    def act(self, asked: Tensor, masks: Tensor, *, cut: float = 0.0) -> tuple[Tensor, Tensor]:
        """An action for each row, and the logarithm of its chance."""
        found = torch.empty(len(asked), dtype=torch.long, device=asked.device)
        chances = torch.empty(len(asked), device=asked.device)
        step = len(self.players)
        for k, player in enumerate(self.players):
            found[k::step], chances[k::step] = player.act(asked[k::step], masks[k::step], cut=cut)
        return found, chances


class Critic(nn.Module):
    """What each seat will get, counted clockwise from the one that decides, judged with all cards open."""

    def __init__(self, game: Game, width: int, layers: int) -> None:
        super().__init__()
        self.net = Residual(game.whole, width, layers, game.seats_most)

    def forward(self, asked: Tensor, count: Tensor) -> Tensor:
        """The values, which add up to 0, at tables of so many players each; 0 for seats that are not there."""
        found: Tensor = self.net(asked)
        there = torch.arange(found.shape[1], device=found.device) < count[:, None]
        found = found * there
        return (found - found.sum(1, keepdim=True) / count[:, None]) * there


class Average:
    """A policy whose weights are the exponential average of those of another one: the one that plays."""

    def __init__(self, policy: Policy, decay: float) -> None:
        self.policy = copy.deepcopy(policy).requires_grad_(False)
        self.decay = decay
        self.updates = 0

    @torch.no_grad()
    def update(self, policy: Policy) -> None:
        """Take in the weights as they are now."""
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 10))
        pairs = list(zip(self.policy.parameters(), policy.parameters(), strict=True))
        torch._foreach_lerp_([a for a, _ in pairs], [b for _, b in pairs], 1 - decay)
