"""One step at one table: an action, what it earned, and the next episode when one is over."""

from collections.abc import MutableSequence
from typing import Any

from ..fast.games import random_deal, random_move
from ..knowledge.notes import Notes, fresh_notes, step
from ..rules.editions import Edition
from ..rules.names import BLANK, Phase, Verb, first_of, is_card, second_of, third_of, verb_of
from ..rules.seats import has, lowest, size
from ..rules.table import Table, clear
from .acting import action_of, move_of
from .memory import Memories, forget_all, remember
from .observing import observe, set_to_zero
from .space import HISTORY, Space

Numbers = MutableSequence[int]
Rewards = MutableSequence[float]

BEGIN, SKIP = -1, -2
"""In place of an action: begin a new episode, or only look."""


def step_table(
    t: Any,
    ed: Edition,
    s: Space,
    order: Numbers,
    rng: Numbers,
    action: int,
    whole: bool,
    into: Numbers,
    won: Rewards,
) -> bool:
    """Take a legal action at a compiled table, begin anew where an episode is over, and observe what is to be decided.

    Whether an episode is over. It is one function, for it takes long to compile: BEGIN and SKIP are actions, too.
    """
    over = False
    if action >= 0:
        take_action(t, ed, t.notes, t.memories, t.past, s, action)
        over = episode_over(t, whole)
    for seat in range(ed.players):
        won[seat] = 0.0
    if over:
        write_rewards(t, ed, whole, won)
    if over or action == BEGIN:
        clear(t, ed)
    if t.phase == Phase.DEAL:
        begin_round(t, ed, t.notes, t.memories, t.past, order, rng)
    set_to_zero(s, into)
    observe(t, ed, t.notes, t.memories, t.past, s, t.decider, into)
    return over


def is_legal(mask: Numbers, actions: int, action: int) -> bool:
    """Whether an action is one of so many and the mask allows it."""
    return action >= 0 and action < actions and mask[action] == 1


def random_action(t: Table, ed: Edition, s: Space, rng: Numbers) -> int:
    """One of the legal actions, each as likely as the others."""
    return action_of(t, ed, s, random_move(t, ed, rng))


def begin_round(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, order: Numbers, rng: Numbers) -> None:
    """Deal a round, of which nothing is known yet."""
    forget_all(m, ed)
    random_deal(t, ed, order, rng)
    learn_deal(t, ed, notes, m, past)


def learn_deal(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers) -> None:
    """Forget what was before and note what everybody has seen of a deal."""
    fresh_notes(notes, t, ed)
    recall(m, t, ed)
    for k in range(HISTORY):
        past[k] = 0


def recall(m: Memories, t: Table, ed: Edition) -> None:
    """Learn from what was told; compiled tables without rows have done so at once (`memory.learn_at_once`)."""
    remember(m, t, ed)


def take_action(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, action: int) -> None:
    """Play a legal action, and note what is learnt from it."""
    take_move(t, ed, notes, m, past, s, move_of(t, s, action))


def take_move(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, move: int) -> None:
    """Play a legal move, and note what is learnt from it."""
    who = t.decider
    standing = t.standing
    discards = t.discards + is_card(verb_of(move))
    step(t, ed, notes, move)
    recall(m, t, ed)
    if s.size > s.history_at:
        keep_in_mind(t, past, who, move, discards, standing & ~t.standing)


def keep_in_mind(t: Table, past: Numbers, who: int, move: int, discards: int, out: int) -> None:
    """Put a decision before the earlier ones: what everybody saw of it."""
    for k in range(HISTORY - 1, 0, -1):
        past[k] = past[k - 1]
    discarded = t.piles[discards] + 1 if t.discards > discards else 0
    past[0] = packed_decision(who, move) | discarded << 22 | (lowest(out) + 1) << 27


def packed_decision(who: int, move: int) -> int:
    """Who decided what as one number: the actor, the verb, two seats and the name, all counted from 1; 0 is nothing."""
    known = who + 1 | (verb_of(move) + 1) << 4
    if verb_of(move) == Verb.KEEP:
        return known
    first = 0 if first_of(move) == BLANK else first_of(move) + 1
    second = 0 if second_of(move) == BLANK else second_of(move) + 1
    name = 0 if third_of(move) == BLANK else third_of(move) + 1
    return known | first << 9 | second << 13 | name << 17


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
