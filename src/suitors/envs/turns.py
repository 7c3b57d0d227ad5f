"""The PettingZoo environment: agents that take their turns one after another (AEC)."""

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..action_table import VERSION
from ..drawing import draw_match
from ..errors import SuitorsError, edition_name
from ..history import EditionLike
from ..lab.checks import check_number, check_rules
from ..rules import Option, find_box
from .single import RENDER_MODES, Episode, Numbers, SingleTable, check_render_mode
from .spaces import numbers_space

Observation = Any
"""A row of numbers, or a dict of it and the mask."""


def aec(
    edition: EditionLike,
    players: int,
    *,
    episode: Episode = "round",
    full: bool = False,
    options: Mapping[str, Option] | None = None,
    as_dict: bool = False,
    state: bool = False,
    render_mode: str | None = None,
) -> "TurnsEnv":
    """A PettingZoo environment of an edition with so many players; an episode is a round or a whole match.

    An observation is a row of small numbers (`suitors.lab.space.parts` names them; `full` adds the last decisions), and
    the mask of legal actions is in `info["action_mask"]`; with `as_dict` both are in the observation. `state=True`
    gives the environment a `state()` with all cards, for critics.

    Examples:
        >>> env = aec("modern", players=4)
        >>> env.reset(seed=1)
        >>> observation, reward, termination, truncation, info = env.last()
        >>> env.agent_selection, observation.shape, int(info["action_mask"].sum())
        ('player_0', (247,), 30)
        >>> env.step(57)
        >>> env.agent_selection
        'player_1'
    """
    return TurnsEnv(
        edition,
        players,
        episode=episode,
        full=full,
        options=options,
        as_dict=as_dict,
        state=state,
        render_mode=render_mode,
    )


class TurnsEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is untyped
    """One table. All agents stay until the end of the episode, for a seat that is out may still win tokens."""

    def __init__(
        self,
        edition: EditionLike,
        players: int,
        *,
        episode: Episode = "round",
        full: bool = False,
        options: Mapping[str, Option] | None = None,
        as_dict: bool = False,
        state: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        slug, rules = check_rules(edition, players, options)
        self.title, self.render_mode, self.as_dict = edition_name(slug), check_render_mode(render_mode), as_dict
        self.single = SingleTable(rules, episode=episode, full=full)
        self.single.seed(secrets.randbits(64))
        name = f"suitors_{find_box(slug).model}_v{VERSION}"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.agents: list[str] = []
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces(state)

    def _make_spaces(self, state: bool) -> None:
        """Make the spaces, one for each agent, as each has a chance of its own."""
        actions = self.single.space.actions
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._nothing = np.zeros(actions, np.int8)
        self._nothing.setflags(write=False)
        if state:
            self.state_space = numbers_space(self.single.state_size)

    def _space(self) -> spaces.Space[Any]:
        s = self.single.space
        masks = spaces.Box(0, 1, (s.actions,), np.int8)
        both: dict[str, spaces.Space[Any]] = {"observation": numbers_space(s.size), "action_mask": masks}
        return spaces.Dict(both) if self.as_dict else numbers_space(s.size)

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions: the numbers of `suitors.actions`, seats counted from the agent's."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; with the same seed, the same episodes follow."""
        if seed is not None:
            self.single.seed(seed)
        self.single.begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._nothing} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Let the agent decide whose turn it is."""
        agent = self.agent_selection = self.possible_agents[self.single.table.decider]
        self._legal = self.single.mask()
        self.infos[agent] = {"action_mask": self._legal.copy()}  # a caller may write in what it is given

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is; None where the episode is over for it."""
        if not self.agents:
            raise SuitorsError("no-episode", "There is no episode: reset() begins one.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        chosen = check_number(action, self.single.space.actions)
        if not self._legal[chosen]:
            raise SuitorsError("illegal-move", f"The action {chosen} is not legal now; the mask has those that are.")
        self.infos[agent] = {"action_mask": self._nothing}
        self.single.act(chosen)
        if self.single.over:
            self._end()
        else:
            self._select()

    def _end(self) -> None:
        """The episode is over for all."""
        self.rewards = dict(zip(self.agents, self.single.rewards, strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent knows now."""
        numbers = self.single.observe(self.seats[agent])
        return {"observation": numbers, "action_mask": self.infos[agent]["action_mask"]} if self.as_dict else numbers

    def state(self) -> Numbers:
        """All that is true at the table, for critics; only where it was asked for."""
        if not hasattr(self, "state_space"):
            raise NotImplementedError("state() shows every card; ask for it with suitors.envs.aec(…, state=True).")
        return self.single.state()

    def render(self) -> str | None:
        """The table in plain letters, with all cards open."""
        if self.render_mode is None:
            return None
        single = self.single
        return draw_match(single.table, single.rules, self.title, self.possible_agents, single.rounds)

    def close(self) -> None:
        """There is nothing to close."""
