"""One learner against house bots, as a Gymnasium environment."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..bots import BOTS, warm_up
from ..drawing import draw_match
from ..errors import SuitorsError, brief, edition_name
from ..game import Match
from ..history import EditionLike
from ..lab.acting import action_of, move_of
from ..lab.checks import as_int, check_number, check_rules
from ..rules import Option
from .single import RENDER_MODES, Episode, Numbers, SingleTable, check_render_mode
from .spaces import numbers_space

DEALS = 10_000
"""How often an episode is dealt in which the learner has nothing to decide, before that is a mistake."""

LOST = -1.0
"""What an action that is not legal is worth: as much as a round, or a match, that all others have won."""


class Learner(gymnasium.Env[Numbers, np.int64]):
    """A seat among house bots, whose turns pass by themselves. An episode has at least one decision of the learner.

    The learner sits in a seat by chance, or always in `seat`; bots sit clockwise behind it. They decide from their own
    views, as at every table; `budget_ms` is how long each may think.

    Examples:
        >>> env = Learner(["novice", "random"], "modern")
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, env.action_masks().shape
        ((197,), (55,))
        >>> observation, reward, terminated, truncated, info = env.step(env.action_masks().argmax())
    """

    metadata = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012 - Gymnasium's name and form

    def __init__(
        self,
        bots: Sequence[str] = ("novice",),
        edition: EditionLike = "modern",
        *,
        episode: Episode = "round",
        full: bool = False,
        options: Mapping[str, Option] | None = None,
        seat: int | None = None,
        budget_ms: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.bots = check_bots(bots)
        self.slug, rules = check_rules(edition, len(self.bots) + 1, options)
        fixed = as_int(seat)
        if seat is not None and fixed not in range(rules.players):
            raise SuitorsError("bad-seat", f"The learner's seat is 0 to {rules.players - 1}, not {brief(seat)}.")
        self.options, self.fixed_seat, self.budget_ms = dict(options or {}), fixed, budget_ms
        self.render_mode = check_render_mode(render_mode)
        self.single = SingleTable(rules, episode=episode, full=full)
        self._sit(fixed or 0)
        self.observation_space = numbers_space(self.single.space.size)
        self.action_space = spaces.Discrete(self.single.space.actions)
        if budget_ms is not None:
            warm_up(self.bots, rules)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal until the learner has to decide; with the same seed, the same episodes follow."""
        super().reset(seed=seed)
        for _ in range(DEALS):
            self._begin()
            self._pass_turns()
            if not self.single.over:
                return self._seen()
        raise RuntimeError("The learner never has anything to decide.")

    def _begin(self) -> None:
        """Begin an episode whose chance comes from the environment's generator."""
        players = self.single.rules.players
        drawn = [int(word) for word in self.np_random.integers(1 << 62, size=3)]
        self._sit(drawn[0] % players if self.fixed_seat is None else self.fixed_seat)
        self.chance = random.Random(drawn[1])
        self.single.seed(drawn[2])
        self.single.begin()
        self.match = Match(self.slug, self.names, self.options, rng=self.chance, dealt=False)
        self._deal()

    def _sit(self, seat: int) -> None:
        """Let the learner take a seat, and the bots those behind it."""
        self.seat, players = seat, self.single.rules.players
        self.names = ["learner" if k == seat else self._bot(k) for k in range(players)]

    def _bot(self, seat: int) -> str:
        """The bot of a seat."""
        return self.bots[(seat - self.seat - 1) % self.single.rules.players]

    def _deal(self) -> None:
        """Deal to the match what the table has dealt."""
        t = self.single.table
        self.match.start(tuple(t.deck[: self.single.rules.cards]), t.active)

    def _pass_turns(self) -> None:
        """Let the bots decide until it is the learner's turn, or the episode is over."""
        while not self.single.over and self.single.table.decider != self.seat:
            seat, single = self.single.table.decider, self.single
            text = BOTS[self._bot(seat)](self.match.view(seat), self.chance, self.budget_ms)
            self._act(action_of(single.table, single.rules, single.space, self.match.parse(text)))

    def _act(self, action: int) -> None:
        """Take an action at the table and in the match from which the bots see."""
        move, rounds = move_of(self.single.table, self.single.space, action), self.single.rounds
        self.single.act(action)
        self.match.push(move)
        if self.single.rounds > rounds:
            self._deal()

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the bots play until its next one; one that is not legal loses."""
        chosen = check_number(action, self.single.space.actions)
        if not self.single.mask()[chosen]:
            numbers, info = self._seen()
            return numbers, LOST, True, False, {**info, "illegal": True}
        self._act(chosen)
        self._pass_turns()
        numbers, info = self._seen()
        return numbers, self.single.rewards[self.seat] if self.single.over else 0.0, self.single.over, False, info

    def _seen(self) -> tuple[Numbers, dict[str, Any]]:
        return self.single.observe(self.seat), {"action_mask": self.single.mask()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        return self.single.mask().astype(np.bool_)

    def render(self) -> str | None:
        """The table in plain letters, with all cards open."""
        if self.render_mode is None:
            return None
        single = self.single
        return draw_match(single.table, single.rules, edition_name(self.slug), self.names, single.rounds)


def check_bots(bots: object) -> tuple[str, ...]:
    """The names of house bots."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise SuitorsError("unknown-bot", f"The bots are a list of names, such as ['novice'], not {brief(bots)}.")
    for name in bots:
        if not isinstance(name, str) or name not in BOTS:
            raise SuitorsError("unknown-bot", f"There is no bot {brief(name)}; there are {', '.join(BOTS)}.")
    return tuple(bots)
