"""One step at one table: an action, what it earned, and the next episode when one is over."""

from collections.abc import MutableSequence

from ..bots.engine.notes import Notes, fresh_notes, step
from ..fast.games import random_deal
from ..rules.editions import Edition
from ..rules.names import BLANK, Phase, Verb, first_of, is_card, second_of, third_of, verb_of
from ..rules.seats import has, lowest, size
from ..rules.table import Table
from .acting import move_of
from .memory import Memories, remember
from .space import HISTORY, SLOT, Space

Numbers = MutableSequence[int]
Rewards = MutableSequence[float]


def begin_round(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, order: Numbers, rng: Numbers) -> None:
    """Deal a round, of which nothing is known yet."""
    random_deal(t, ed, order, rng)
    learn_deal(t, ed, notes, m, past)


def learn_deal(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers) -> None:
    """Forget what was before and note what everybody has seen of a deal."""
    fresh_notes(notes, t, ed)
    remember(m, t, ed)
    for k in range(HISTORY * SLOT):
        past[k] = 0


def take_action(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, action: int) -> None:
    """Play a legal action, and note what is learnt from it."""
    take_move(t, ed, notes, m, past, s, move_of(t, s, action))


def take_move(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, move: int) -> None:
    """Play a legal move, and note what is learnt from it."""
    who = t.decider
    standing = t.standing
    discards = t.discards + is_card(verb_of(move))
    step(t, ed, notes, move)
    remember(m, t, ed)
    if s.size > s.history_at:
        keep_in_mind(t, past, who, move, discards, standing & ~t.standing)


def keep_in_mind(t: Table, past: Numbers, who: int, move: int, discards: int, out: int) -> None:
    """Put a decision before the earlier ones: what everybody saw of it."""
    for k in range(HISTORY * SLOT - 1, SLOT - 1, -1):
        past[k] = past[k - SLOT]
    secret = verb_of(move) == Verb.KEEP
    past[0] = who + 1
    past[1] = verb_of(move) + 1
    past[2] = 0 if secret or first_of(move) == BLANK else first_of(move) + 1
    past[3] = 0 if secret or second_of(move) == BLANK else second_of(move) + 1
    past[4] = 0 if secret or third_of(move) == BLANK else third_of(move) + 1
    past[5] = t.piles[discards] + 1 if t.discards > discards else 0
    past[6] = lowest(out) + 1


def episode_over(t: Table, whole: bool) -> bool:
    """Whether the match is over, or the round where that is all of the episode."""
    return t.phase == Phase.OVER or (t.phase == Phase.DEAL and not whole)


def write_rewards(t: Table, ed: Edition, whole: bool, rewards: Rewards) -> None:
    """What an episode that is over was worth to each seat: what it won less what the others did on average.

    An episode of one round wins its tokens, a whole match is won or shared. For two players that is 1, 0 or -1.
    """
    total = 0.0
    for seat in range(ed.players):
        rewards[seat] = share(t, seat) if whole else t.tokens[seat]
        total += rewards[seat]
    for seat in range(ed.players):
        rewards[seat] -= (total - rewards[seat]) / (ed.players - 1)


def share(t: Table, seat: int) -> float:
    """A seat's part of a match that was won."""
    return 1.0 / size(t.champions) if has(t.champions, seat) else 0.0
