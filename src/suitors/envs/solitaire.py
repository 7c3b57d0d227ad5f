"""The solo game as a Gymnasium environment: an episode is a game, worth 1 if it is won and 0 if not."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..action_table import actions
from ..drawing import draw_solo
from ..errors import SuitorsError, brief, check_edition, check_options, edition_name
from ..lab.checks import check_number
from ..notation import read_move
from ..rules import ALONE, NO_CARD, Card, Option, Phase, find_box
from ..rules import edition as edition_rules
from ..rules.choices import MOST_MOVES
from ..rules.solitaire_table import PLACES, clear_solo
from .single import RENDER_MODES, Numbers, check_render_mode
from .spaces import numbers_space

PHASES = (Phase.START, Phase.PLAY, Phase.AGENT, Phase.OFFER)
CARDS = (Card.GUARD, Card.PRIEST, Card.BARON, Card.HANDMAID, Card.PRINCE, Card.KING, Card.COUNTESS, Card.PRINCESS)
PLACE = 2 + len(CARDS)
"""Numbers of a place of the queue, and of the agent: is there a card, does it lie face up, and which is it?"""


class SoloPart(NamedTuple):
    """A part of an observation: its name, and where it is."""

    name: str
    start: int
    length: int


def _parts() -> list[SoloPart]:
    lengths = {"phase": len(PHASES), "table": 3, "hand": len(CARDS), "calling": len(CARDS), "attacker": len(CARDS)}
    lengths |= {"discards": len(CARDS), "agent": PLACE} | {f"queue {place}": PLACE for place in range(PLACES)}
    found, start = list[SoloPart](), 0
    for name, length in lengths.items():
        found.append(SoloPart(name, start, length))
        start += length
    return found


PARTS = _parts()
"""The parts of an observation in order: `table` is the size of the pile, and whether player and queue are protected."""

AT = {part.name: part.start for part in PARTS}
SIZE = PARTS[-1].start + PARTS[-1].length


class Solitaire(gymnasium.Env[Numbers, np.int64]):
    """The solo game. Actions are the numbers of `suitors.actions("solitaire", 1)`.

    Examples:
        >>> env = Solitaire()
        >>> observation, info = env.reset(seed=4)
        >>> observation.shape, [int(action) for action in env.action_masks().nonzero()[0]]
        ((119,), [0, 1])
    """

    metadata = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012 - Gymnasium's name and form

    def __init__(
        self,
        edition: str = "solitaire",
        *,
        options: Mapping[str, Option] | None = None,
        render_mode: str | None = None,
    ) -> None:
        slug = check_edition(edition)
        if not find_box(slug).solo:
            raise SuitorsError("unknown-edition", f"{brief(edition)} is a game for several: use suitors.envs.aec.")
        self.title, self.render_mode = edition_name(slug), check_render_mode(render_mode)
        self.rules = edition_rules(slug, 1, check_options({} if options is None else options))
        self.table = ALONE.new_table(self.rules)
        self._moves = [read_move(self.rules, text) for text in actions(slug, 1).texts]
        self._ids = {move: number for number, move in enumerate(self._moves)}
        self._row = [0] * MOST_MOVES
        self.observation_space = numbers_space(SIZE)
        self.action_space = spaces.Discrete(len(self._moves))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a game; with the same seed, the same games follow."""
        super().reset(seed=seed)
        clear_solo(self.table)
        order = [int(card) for card in self.np_random.permutation(np.asarray(self.rules.box))]
        ALONE.deal(self.table, self.rules, order, 0)
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play a move; one that is not legal loses the game."""
        chosen, info = check_number(action, len(self._moves)), self._info()
        if not info["action_mask"][chosen]:
            return self._observe(), 0.0, True, False, {**info, "illegal": True}
        ALONE.play(self.table, self.rules, self._moves[chosen])
        over = self.table.phase == Phase.OVER
        return self._observe(), float(over and self.table.champions == 1), over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """The table in plain letters; a card in brackets lies face down."""
        return None if self.render_mode is None else draw_solo(self.table, self.title)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _mask(self) -> Numbers:
        mask = np.zeros(len(self._moves), np.int8)
        for move in self._row[: ALONE.list_moves(self.table, self.rules, self._row)]:
            mask[self._ids[move]] = 1
        return mask

    def _observe(self) -> Numbers:
        """What is known: every card that lies face up, and how many there are of those that do not."""
        t, found = self.table, np.zeros(SIZE, np.int8)
        if t.phase in PHASES:
            found[AT["phase"] + PHASES.index(Phase(t.phase))] = 1
        found[AT["table"] : AT["table"] + 3] = (t.bottom - t.top, t.shielded, t.guarded)
        calling = t.phase == Phase.AGENT
        for name, card in (("hand", t.hand), ("calling" if calling else "hand", t.drawn), ("attacker", t.attacker)):
            _count(found, name, card)
        for card in t.piles[: t.discards]:
            _count(found, "discards", card)
        if t.agent != NO_CARD:
            _lay(found, "agent", t.agent, t.agent_up)
        for place in range(t.length):
            _lay(found, f"queue {place}", t.queue[place], t.up[place])
        return found


def _count(found: Numbers, name: str, card: int) -> None:
    """Count a card that is known."""
    if card != NO_CARD:
        found[AT[name] + CARDS.index(Card(card))] += 1


def _lay(found: Numbers, name: str, card: int, up: int) -> None:
    """Write what is seen of a card in its place."""
    found[AT[name]] = 1
    if up:
        found[AT[name] + 1] = 1
        found[AT[name] + 2 + CARDS.index(Card(card))] = 1
