"""Masks looked up in rows that are made beforehand, where there is room for these: on a CPU.

What a player holds cannot be predicted, so every question that `acting.write_mask` asks about a card takes longer than
a whole row of answers does. Rows are kept and written eight numbers at a time.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from ..rules.choices import must_play_countess
from ..rules.editions import NAMES, Edition
from ..rules.names import BLANK, CARDS, NOBODY, Aim, Phase, first_of, is_card, second_of, third_of, verb_of
from ..rules.seats import without
from ..rules.table import Table
from .acting import COUNTESS, write_mask
from .space import Space

WORD = 8
"""How many numbers are written at once; the last word of a row begins so early that it ends with the row."""


def mask_rows(ed: Edition, s: Space) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each card 1 for its actions, and for each set of seats 1 for the actions that choose among these.

    Seats are counted from the one who acts. With the empty set go the actions that choose nobody.
    """
    plays = np.zeros((CARDS, s.actions), np.int8)
    opens = np.zeros((1 << s.players, s.actions), np.int8)
    sets = np.arange(1 << s.players)
    for action, move in enumerate(s.move):
        if is_card(verb_of(move)):
            plays[verb_of(move), action] = _may_name(ed, verb_of(move), third_of(move))
            chosen = sum(1 << seat for seat in (first_of(move), second_of(move)) if seat != BLANK)
            opens[:, action] = sets & chosen == chosen if chosen else sets == 0
    return _in_words(plays), _in_words(opens)


def _may_name(ed: Edition, card: int, name: int) -> bool:
    return name == BLANK or name in ed.names[card * NAMES : card * NAMES + ed.name_count[card]]


def _in_words(rows: NDArray[np.int8]) -> NDArray[np.int64]:
    """The rows in words."""
    actions = rows.shape[1]
    starts = [max(0, min(start, actions - WORD)) for start in range(0, actions, WORD)]
    padded = np.pad(rows, ((0, 0), (0, WORD)))
    return np.stack([np.ascontiguousarray(padded[:, at : at + WORD]).view(np.int64)[:, 0] for at in starts], axis=1)


@intrinsic  # type: ignore[untyped-decorator]
def store_word(context: Any, array: Any, at: Any, word: Any) -> Any:
    """Write a word over eight small numbers of an array, wherever they begin."""

    def store(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(numbers.data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), store


def look_up_mask(t: Table, ed: Edition, s: Space, plays: Any, opens: Any, masks: Any, k: int) -> None:
    """Write what `write_mask` does."""
    if t.phase != Phase.PLAY or t.mark != NOBODY or s.actions < WORD:
        write_mask(t, ed, s, masks[k])
        return
    countess = must_play_countess(t)
    others = turned(without(t.standing & ~t.shielded, t.active), t.active, s.players)
    a = COUNTESS if countess else t.drawn
    b = COUNTESS if countess else t.hand[t.active]
    open_a, open_b = within_reach(ed.aim[a], others), within_reach(ed.aim[b], others)
    for j in range((s.actions + WORD - 1) // WORD):
        word = plays[a, j] & opens[open_a, j] | plays[b, j] & opens[open_b, j]
        store_word(masks, k * s.actions + min(j * WORD, s.actions - WORD), word)


def turned(seats: int, me: int, players: int) -> int:
    """A set of seats, counted from one of them."""
    return (seats >> me | seats << (players - me)) & ((1 << players) - 1)


def within_reach(aim: int, others: int) -> int:
    """The set of seats among which a card chooses while nobody is marked (`choices.choosable`)."""
    oneself = (aim == Aim.ANYONE) | (aim == Aim.PAIR) & (others != 0)
    return (others | oneself) * (aim != Aim.NOBODY)
