"""Proximal policy optimisation in self-play, or against policies that stay as they are."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from suitors.bots.learned.choosing import CUT
from suitors.bots.learned.network import SUFFIX, load_network, read_head

from .networks import Average, Critic, Player, Policy, Several
from .tables import Game, Step, TorchTables

CHUNK = 64
"""Steps between two looks at whether all tables are done."""


@dataclass(frozen=True)
class Plan:
    """How to learn. What changes does so geometrically from the first value to the second."""

    seconds: float = 180.0
    tables: int = 65_536
    steps: int = 16
    parts: int = 8  # of a batch, with an update of the weights each
    width: int = 512
    layers: int = 3
    rate: tuple[float, float] = (5e-4, 2e-5)
    entropy: tuple[float, float] = (0.1, 0.002)
    clip: float = 0.2
    trace: float = 0.9
    decay: float = 0.995
    critic_first: int = 0  # batches in which the critic alone learns, where the policy has learnt before
    seed: int = 1


def between(pair: tuple[float, float], done: float) -> float:
    """The value after this part of the time."""
    first, last = pair
    return float(first * (last / first) ** done)


@dataclass
class Batch:
    """What happened at all tables in some steps: arrays by table and step."""

    asked: Tensor
    masks: Tensor
    seats: Tensor
    actions: Tensor
    chances: Tensor  # logarithms
    rewards: Tensor
    ended: Tensor
    learns: Tensor  # whether the learner decided


class Learner:
    """A policy that learns at tables of its own; seats that are not `mine` are played by `others`."""

    def __init__(self, tables: TorchTables, plan: Plan) -> None:
        self.tables, self.plan = tables, plan
        torch.manual_seed(plan.seed)
        self.policy = Policy(tables, plan.width, plan.layers).to(tables.device)
        self.critic = Critic(tables, plan.width, plan.layers).to(tables.device)
        self.average = Average(self.policy, plan.decay)
        self.optimisers = [self._optimiser(net) for net in (self.policy, self.critic)]
        self.others: Player | Several | None = None
        self.mine = torch.ones(tables.size, tables.seats_most, dtype=torch.bool, device=tables.device)
        self.batches = 0
        self._batch = self._empty()

    def start_from(self, policy: Mapping[str, Tensor], critic: Mapping[str, Tensor] | None = None) -> None:
        """Go on from the weights of a policy, and of a critic if there is one."""
        for net in (self.policy, self.average.policy):
            net.load_state_dict(policy)
        if critic is not None:
            self.critic.load_state_dict(critic)

    def _optimiser(self, net: torch.nn.Module) -> torch.optim.Optimizer:
        return torch.optim.Adam(net.parameters(), lr=self.plan.rate[0], fused=self.tables.device.type == "cuda")

    def _empty(self) -> Batch:
        """Room for a batch; what is asked of a critic goes on to the next one's first step."""
        t, steps = self.tables, self.plan.steps

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(t.size, steps, *shape, dtype=dtype, device=t.device)

        return Batch(
            asked=torch.zeros(t.size, steps + 1, t.whole, dtype=torch.bfloat16, device=t.device),
            masks=room(t.actions, dtype=torch.int8),
            seats=room(dtype=torch.long),
            actions=room(dtype=torch.long),
            chances=room(),
            rewards=room(t.seats_most),
            ended=room(dtype=torch.bool),
            learns=room(dtype=torch.bool),
        )

    def learn(self, each: Callable[["Learner", float, dict[str, float]], None] | None = None) -> float:
        """Learn for the time of the plan; seconds it took. `each` is told of every batch."""
        began = time.perf_counter()
        done = 0.0
        while done < 1:
            found = self.update(self.play(), done)
            self.average.update(self.policy)
            self.batches += 1
            if each:
                each(self, time.perf_counter() - began, found)
            done = (time.perf_counter() - began) / self.plan.seconds
        return time.perf_counter() - began

    @torch.no_grad()
    def play(self) -> Batch:
        """Play some steps at all tables."""
        t, b = self.tables, self._batch
        for k in range(self.plan.steps):
            t.ask(b.asked[:, k])
            b.masks[:, k] = t.masks
            b.seats[:, k] = seats = t.seats
            asked = b.asked[:, k, : t.width]
            actions, b.chances[:, k] = self.policy.act(asked, t.masks)
            b.learns[:, k] = learns = self.mine.gather(1, seats[:, None]).squeeze(1)
            if self.others is not None:
                actions = torch.where(learns, actions, self.others.act(asked, t.masks, cut=CUT)[0])
            b.actions[:, k] = actions
            step = t.step(actions)
            b.rewards[:, k], b.ended[:, k] = step.rewards, step.ended
        t.ask(b.asked[:, self.plan.steps])
        return b

    def update(self, batch: Batch, done: float) -> dict[str, float]:
        """Learn from a batch once."""
        gains, returns = self._gains(batch)
        count = batch.learns.sum()
        mean = (gains * batch.learns).sum() / count
        gains = gains - mean
        gains = gains / (((gains * batch.learns).square().sum() / count).sqrt() + 1e-6)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = between(self.plan.rate, done)
        entropy = between(self.plan.entropy, done)
        found = [self._step(batch, gains, returns, of, entropy) for of in self._parts()]
        if self.batches % 50:
            return {}
        return dict(zip(("policy", "value", "entropy"), torch.stack(found).mean(0).tolist(), strict=True))

    def _parts(self) -> Iterator[slice]:
        """The tables in parts, with tables of all sizes in each."""
        return (slice(k, None, self.plan.parts) for k in torch.randperm(self.plan.parts).tolist())

    @torch.no_grad()
    def _gains(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """How much better each decision turned out than expected, and what every seat got (both by traces)."""
        t, steps = self.tables, self.plan.steps
        seats = torch.cat([batch.seats, t.seats[:, None]], 1)[:, :, None]
        relative = torch.empty(t.size, steps + 1, t.seats_most, device=t.device)
        for of in self._parts():
            count = t.count[of].repeat_interleave(steps + 1)
            relative[of] = self.critic(batch.asked[of].flatten(0, 1), count).view(-1, steps + 1, t.seats_most)
        values = relative.gather(2, self._counted(-seats))
        every, ahead = torch.empty_like(batch.rewards), torch.zeros_like(batch.rewards[:, 0])
        for k in range(steps - 1, -1, -1):
            goes_on = (~batch.ended[:, k])[:, None].float()
            ahead = batch.rewards[:, k] + goes_on * (values[:, k + 1] + self.plan.trace * ahead) - values[:, k]
            every[:, k] = ahead
        own = every.gather(2, batch.seats[:, :, None]).squeeze(2)
        return own, (every + values[:, :-1]).gather(2, self._counted(batch.seats[:, :, None]))

    def _counted(self, by: Tensor) -> Tensor:
        """The seats of every table, moved on so far; those that are not there stay where they are."""
        seats, count = torch.arange(self.tables.seats_most, device=by.device), self.tables.count[:, None, None]
        return torch.where(seats < count, (seats + by) % count, seats)

    def _step(self, batch: Batch, gains: Tensor, returns: Tensor, of: slice, entropy: float) -> Tensor:
        """One step down the gradient with some of the tables; the losses."""
        asked = batch.asked[of, :-1].flatten(0, 1)
        count = self.tables.count[of].repeat_interleave(self.plan.steps)
        value = (self.critic(asked, count) - returns[of].flatten(0, 1)).square().mean()
        columns = (asked, *(column[of].flatten(0, 1) for column in (batch.masks, batch.actions, batch.chances, gains)))
        if self.others is not None:
            learns = batch.learns[of].flatten().nonzero().squeeze(1)
            columns = tuple(column[learns] for column in columns)
        policy, spread = self._policy_loss(*columns, entropy=entropy)
        both = list(zip(self.optimisers, (policy, value), strict=True))
        for optimiser, loss in both[1:] if self.batches < self.plan.critic_first else both:
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(optimiser.param_groups[0]["params"], 1.0, foreach=True)
            optimiser.step()
        return torch.stack([policy.detach(), value.detach(), spread.detach()])

    def _policy_loss(
        self, asked: Tensor, masks: Tensor, actions: Tensor, before: Tensor, gains: Tensor, *, entropy: float
    ) -> tuple[Tensor, Tensor]:
        chances = self.policy(asked[:, : self.tables.width], masks)
        ratio = (chances.gather(1, actions[:, None]).squeeze(1) - before).exp()
        clipped = ratio.clamp(1 - self.plan.clip, 1 + self.plan.clip)
        spread = -(chances.exp() * chances.clamp(min=-30)).sum(1).mean()
        return -torch.min(ratio * gains, clipped * gains).mean() - entropy * spread, spread


@torch.no_grad()
def play_off(
    tables: TorchTables,
    one: Policy,
    others: Player,
    episodes: int,
    *,
    greedy: bool = False,
    cut: float = CUT,
) -> tuple[float, float, int]:
    """Play episodes of one policy in a seat against others in the rest: mean reward, its error, how many there were.

    An episode is a round, or where the score is known a match. The seat goes around from table to table.
    """
    gained = torch.zeros(tables.size, device=tables.device)

    def choose(asked: Tensor, mine: Tensor) -> Tensor:
        actions, _ = one.act(asked, tables.masks, greedy=greedy, cut=cut)
        replies, _ = others.act(asked, tables.masks, cut=CUT)
        return torch.where(mine, actions, replies)

    def counted(step: Step, seat: Tensor) -> tuple[Tensor, Tensor]:
        brought = gained + step.rewards.gather(1, seat[:, None]).squeeze(1)
        gained.copy_(torch.where(step.over, 0.0, brought))
        return step.over, brought

    tables.reset(12345)
    each = -(-episodes // tables.size)
    total, squares = (float(column.sum()) for column in play_equally(tables, choose, counted, each))
    count = each * tables.size
    mean = total / count
    return mean, ((squares / count - mean**2) / count) ** 0.5, count


@torch.no_grad()
def play_equally(
    tables: TorchTables,
    choose: Callable[[Tensor, Tensor], Tensor],
    counted: Callable[[Step, Tensor], tuple[Tensor, Tensor]],
    each: int,
) -> tuple[Tensor, Tensor]:
    """Play so many episodes at each table: by table, the sum and the sum of squares of what they brought one seat.

    `choose` is asked for actions, and told where that seat decides; `counted` says where an episode has ended, and what
    it brought the seat. A table that is done plays on, and is not counted, until all are: to stop at a number of
    episodes in all would leave out long ones.
    """
    seat = torch.arange(tables.size, device=tables.device) % tables.count
    left = torch.full((tables.size,), each, device=tables.device)
    sums = torch.zeros(2, tables.size, dtype=torch.float64, device=tables.device)
    while bool((left > 0).any()):
        for _ in range(CHUNK):
            step = tables.step(choose(tables.asked(), tables.seats == seat))
            ended, brought = counted(step, seat)
            counts = ended & (left > 0)
            got = torch.where(counts, brought.double(), 0.0)
            sums += torch.stack([got, got.square()])
            left -= counts.long()
    return sums[0], sums[1]


def save(net: torch.nn.Module, game: Game, plan: Plan, path: str, **figures: Any) -> None:
    """Write a network in half precision with all that is needed to make it again."""
    about = {"edition": game.edition, "players": game.players, "score": game.score, "plan": asdict(plan)}
    weights = {name: tensor.half() for name, tensor in net.state_dict().items()}
    torch.save({"about": about | figures, "weights": weights}, path)


def about_policy(path: str) -> dict[str, Any]:
    """The game and the sizes of a policy: a network as bots read it, or a file of `save`."""
    if path.endswith(SUFFIX):
        head = read_head(Path(path))
        sizes = {"width": head["sizes"][1], "layers": len(head["sizes"]) - 2}
    else:
        head = torch.load(path, map_location="cpu", weights_only=True)["about"]
        sizes = {name: head["plan"][name] for name in ("width", "layers")}
    return {name: head[name] for name in ("edition", "players", "score")} | sizes


def load(path: str, game: Game) -> Policy:
    """Read a policy of a game; its matrices may fit another one as well, so that is looked at first."""
    about = about_policy(path)
    wanted = {"edition": game.edition, "players": game.players, "score": game.score}
    if (found := {name: about[name] for name in wanted}) != wanted:
        raise SystemExit(f"{path} was trained for {found}, not for {wanted}.")
    policy = Policy(game, about["width"], about["layers"]).to(game.device)
    if path.endswith(SUFFIX):
        layers = load_network(Path(path), game.rules).layers
        for layer, matrix, biases in zip(policy.net.all_layers(), layers.weights, layers.biases, strict=True):
            put(layer, torch.from_numpy(matrix.T.copy()), torch.from_numpy(biases.copy()))
    else:
        policy.load_state_dict(weights(Path(path)))
    return policy.requires_grad_(False)


def weights(path: Path) -> dict[str, Tensor]:
    """The weights in a file of `save`."""
    found: dict[str, Tensor] = torch.load(path, map_location="cpu", weights_only=True)["weights"]
    return found


@torch.no_grad()
def put(layer: torch.nn.Linear, weights: Tensor, biases: Tensor) -> None:
    """Write weights into a layer that has room for more, which are 0."""
    layer.weight.zero_()
    layer.bias.zero_()
    layer.weight[: weights.shape[0], : weights.shape[1]] = weights
    layer.bias[: len(biases)] = biases
