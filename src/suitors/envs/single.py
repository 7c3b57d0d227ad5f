"""One table of the laboratory, interpreted: what every environment for several players stands on.

With the same seed it deals what table 0 of `suitors.lab.vector.VectorEnv` deals, and says the same of it.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import SuitorsError, brief
from ..fast.games import STATE, seed_chance
from ..knowledge.notes import NOTES
from ..lab.acting import mask_plays, relative, write_mask
from ..lab.checks import check_seed
from ..lab.memory import memory_size
from ..lab.observing import observe
from ..lab.space import HISTORY, SLOT, space
from ..lab.stepping import begin_round, episode_over, learn_deal, take_action, write_rewards
from ..rules import NOBODY, Edition, Phase, copy_table, deal, new_table
from ..rules.choices import bound, choosable, must_play_countess
from ..rules.table import clear

Episode = Literal["round", "match"]
Numbers = NDArray[np.int8]
RENDER_MODES = ("ansi",)

WAYS_KEPT = 1024
"""For how many cards and sets of seats a table keeps the ways of playing for the next time."""


class Ways(NamedTuple):
    """The ways of playing a card, as a mask and as numbers."""

    mask: Numbers
    actions: list[int]


def check_render_mode(mode: str | None) -> str | None:
    """How the table is shown, if it is."""
    if mode is not None and mode not in RENDER_MODES:
        raise SuitorsError("bad-render-mode", f"The only render mode is 'ansi', not {brief(mode)}.")
    return mode


class SingleTable:
    """A table with what each seat remembers; it plays one episode after another."""

    def __init__(self, rules: Edition, *, episode: Episode = "round", full: bool = False) -> None:
        if episode not in ("round", "match"):
            raise SuitorsError("bad-episode", f"An episode is a round or a match, not {brief(episode)}.")
        self.rules = rules
        self.space = space(rules, full)
        self.whole = episode == "match"
        self.table = new_table(rules)
        self.notes = [0] * NOTES
        self.memories = [0] * memory_size(rules.players)
        self.past = [0] * (HISTORY * SLOT)
        self.chance = [0] * STATE
        self._kept: dict[tuple[int, int, int], Ways] = {}
        self.rounds = 0  # how many have been dealt in this episode
        self.over = False
        self.rewards = [0.0] * rules.players  # what the episode was worth, once it is over

    def seed(self, seed: int) -> None:
        """Take the chance of all episodes to come from a seed."""
        seed_chance(self.chance, check_seed(seed), 0)

    def begin(self) -> None:
        """Begin an episode."""
        clear(self.table, self.rules)
        self.rounds, self.over = 0, False
        self._deal()

    def _deal(self) -> None:
        order = [0] * self.rules.cards
        begin_round(self.table, self.rules, self.notes, self.memories, self.past, order, self.chance)
        self.rounds += 1

    def deal(self, order: Sequence[int], first: int) -> None:
        """Begin an episode with the deck in this order; `first` is the seat that starts."""
        clear(self.table, self.rules)
        self.rounds, self.over = 1, False
        deal(self.table, self.rules, order, first)
        learn_deal(self.table, self.rules, self.notes, self.memories, self.past)

    def act(self, action: int) -> None:
        """Take a legal action, and deal the next round where the episode has one."""
        t = self.table
        take_action(t, self.rules, self.notes, self.memories, self.past, self.space, action)
        if episode_over(t, self.whole):
            self.over = True
            write_rewards(t, self.rules, self.whole, self.rewards)
        elif t.phase == Phase.DEAL:
            self._deal()

    def observe(self, seat: int) -> Numbers:
        """What a seat knows."""
        numbers = bytearray(self.space.size)
        observe(self.table, self.rules, self.notes, self.memories, self.past, self.space, seat, numbers)
        return np.frombuffer(numbers, np.int8)

    def mask(self) -> Numbers:
        """1 for each action that is legal for the seat which decides."""
        t = self.table
        if t.phase == Phase.PLAY and not must_play_countess(t):
            return self._ways(t.drawn).mask | self._ways(t.hand[t.active]).mask
        numbers = bytearray(self.space.actions)
        write_mask(t, self.rules, self.space, numbers)
        return np.frombuffer(numbers, np.int8)

    def legal(self) -> list[int]:
        """The actions that are legal for the seat which decides, ascending."""
        t = self.table
        if t.phase == Phase.PLAY and not must_play_countess(t):
            low, high = min(t.drawn, t.hand[t.active]), max(t.drawn, t.hand[t.active])
            return self._ways(low).actions + self._ways(high).actions if low != high else self._ways(low).actions[:]
        found: list[int] = np.flatnonzero(self.mask()).tolist()
        return found

    def _ways(self, card: int) -> Ways:
        """The ways of playing a card: the same wherever it may choose the same seats, counted from the actor."""
        t, ed = self.table, self.rules
        seats, must = choosable(t, ed, card), bound(t, ed, card)
        turned = (seats << ed.players | seats) >> t.active & (1 << ed.players) - 1
        key = (card, turned, must if must == NOBODY else relative(must, t.active, ed.players))
        found = self._kept.get(key)
        if found is None:
            numbers = bytearray(self.space.actions)
            mask_plays(t, ed, self.space, card, numbers)
            if len(self._kept) >= WAYS_KEPT:
                self._kept.clear()
            found = self._kept[key] = Ways(np.frombuffer(numbers, np.int8), [k for k, bit in enumerate(numbers) if bit])
        return found

    def state(self) -> Numbers:
        """All that is true: what each seat knows, the cards of the deck from the top, and those that lie aside.

        Cards of the deck and aside are their places among those of the deck, counted from 1; 0 is none.
        """
        t, kind = self.table, self.space.kind
        deck = np.zeros(len(t.deck) + self.rules.aside, np.int8)
        left = [kind[card] + 1 for card in t.deck[t.top : t.bottom]]
        deck[: len(left)] = left
        deck[len(t.deck) :] = [kind[card] + 1 for card in t.deck[: self.rules.aside]]
        return np.concatenate([*(self.observe(seat) for seat in range(self.rules.players)), deck])

    @property
    def state_size(self) -> int:
        """How many numbers the state has."""
        return self.rules.players * self.space.size + len(self.table.deck) + self.rules.aside

    def copy(self) -> "SingleTable":
        """A second table in the same state."""
        twin = object.__new__(SingleTable)
        vars(twin).update(vars(self))
        twin.table = copy_table(self.table)
        twin.notes, twin.memories, twin.past = self.notes[:], self.memories[:], self.past[:]
        twin.chance, twin.rewards = self.chance[:], self.rewards[:]
        return twin
