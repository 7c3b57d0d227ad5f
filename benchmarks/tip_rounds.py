"""Rounds for the tips: all seats play by the bots' quick policy, and one decision of each round is left to a coin.

Every decision is written down as a row (ROW), and so is what every seat ended with. A comparison of rows in which the
coin decided is an experiment: the rounds differ in nothing else but chance.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from suitors.bots.arrays import floats, ints, policy_buffers, zeros
from suitors.bots.engine.compiling import register_engine
from suitors.bots.engine.odds import SPOKEN, weigh_hands
from suitors.bots.engine.policy import exposed, kept_beside, pick, score_moves
from suitors.bots.engine.reply import over
from suitors.bots.weights import weights
from suitors.fast.compiler import kernel, patience
from suitors.fast.games import STATE, below, random_deal, seed_chance
from suitors.fast.layout import wide_edition, wide_type
from suitors.knowledge.notes import NOTES, SEATS, fresh_notes, step
from suitors.rules import Edition
from suitors.rules.choices import must_play_countess, nth_name
from suitors.rules.names import BLANK, NO_CARD, NOBODY, Aim, Card, End, Phase, first_of, second_of, third_of
from suitors.rules.seats import has, size
from suitors.rules.table import clear

register_engine()

BLOCK = 20_000
"""Rounds that are played and looked at together."""

ROOM = 50
"""Rows of a round, on average at most."""

BY_CARD, BY_GROUP = 1, 2
"""What the coin decided: which of two cards was played, or in which of two ways (`group`)."""

ROW = np.dtype(
    [
        ("round", "i4"),
        ("phase", "i1"),  # what was decided (Phase); DEAL: no decision, but what a seat ended with
        ("seat", "i1"),
        ("turn", "i1"),  # which of the seat's own turns, from 0
        ("left", "i1"),  # cards in the deck
        ("standing", "i1"),  # players in the round
        ("coin", "i1"),  # what the coin decided, or 0
        ("group", "i1"),  # in which of two ways: see `group_of`
        ("card", "i1"),  # the card played
        ("kept", "i1"),  # the card kept; at the end the one that was left, NO_CARD for those who were out
        ("forced", "i1"),  # 1: the Countess had to be played
        ("kept_seen", "i1"),  # 1: another player knows the card kept
        ("card_seen", "i1"),  # 1: another player knew the card played
        ("before", "i1"),  # the card that the seat played before, or NO_CARD
        ("target", "i1"),  # the player chosen, or NOBODY
        ("held", "i1"),  # the card that the chosen player held
        ("known", "i1"),  # 1: the active player knew that card
        ("last", "i1"),  # the card that the chosen player played before, or NO_CARD
        ("hit", "i1"),  # 1: what a Guard named was right
        ("counted", "i1"),  # 1: so would have been the likeliest name by counting
        ("highest", "i1"),  # 1: so would have been the last name in the edition's order that was possible
        ("target_out", "i1"),  # 1: the chosen player was knocked out by the card
        ("out_next", "i1"),  # 1: the seat was knocked out by another before its next turn
        ("won", "i1"),  # 1: the seat won the round
        ("tokens", "i1"),  # what it gained in the round
        ("showdown", "i1"),  # 1: the round ended with the deck
    ]
)

Rows = NDArray[np.void]


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the kernel call a function."""
    registered: Callable[..., Any] = register_jitable(error_model="numpy")(function)
    return registered


@helper
def group_of(t: Any, ed: Any, notes: Any, move: int) -> Any:
    """1 for a move that chooses oneself, or two players, or one who knows the card kept, or keeps the highest card."""
    card = move & 31
    first = first_of(move)
    second = second_of(move)
    if t.phase == Phase.KEEP:
        lower = ed.value[first] >= ed.value[second]
        return int(lower and (third_of(move) == BLANK or ed.value[first] >= ed.value[third_of(move)]))
    if t.phase != Phase.PLAY or first == BLANK:
        return 0
    if ed.aim[card] == Aim.OTHERS:
        return int(second != BLANK)
    if ed.aim[card] == Aim.OTHER:
        return int(notes[first * SEATS + t.active] == kept_beside(t, card))
    return int(t.active in (first, second))


@helper
def restrict(t: Any, ed: Any, notes: Any, buffers: Any, n: int, card: int, group: int) -> None:
    """Leave chances only to moves with this card and of this group (-1: any)."""
    moves, chances = buffers.moves, buffers.chances
    total = 0.0
    for k in range(n):
        fits = moves[k] & 31 == card and (group == -1 or group_of(t, ed, notes, moves[k]) == group)
        chances[k] = chances[k] + 1e-9 if fits else 0.0
        total += chances[k]
    for k in range(n):
        chances[k] /= total


@helper
def has_both_groups(t: Any, ed: Any, notes: Any, buffers: Any, n: int, card: int) -> bool:
    """Whether the moves with a card are of both groups."""
    found = 0
    for k in range(n):
        if buffers.moves[k] & 31 == card:
            found |= 1 << group_of(t, ed, notes, buffers.moves[k])
    return found == 3


@helper
def toss(t: Any, ed: Any, notes: Any, buffers: Any, n: int, rng: Any) -> Any:
    """Let a coin decide on the card, or on the group of the card that the policy chose; what it has decided, or 0."""
    moves = buffers.moves
    if below(rng, 2) == 0:
        card, other = moves[0] & 31, moves[n - 1] & 31
        if t.phase != Phase.PLAY or card == other:
            return 0
        for held in (card, other):
            if held == Card.PRINCESS:
                return 0
        restrict(t, ed, notes, buffers, n, card if below(rng, 2) == 0 else other, -1)
        return BY_CARD
    card = moves[pick(buffers.chances, n, rng)] & 31
    if not has_both_groups(t, ed, notes, buffers, n, card):
        return 0
    restrict(t, ed, notes, buffers, n, card, below(rng, 2))
    return BY_GROUP


@helper
def note_guess(t: Any, ed: Any, notes: Any, buffers: Any, foe: int, name: int, row: Any) -> None:
    """Whether a Guard's name is right, and whether two other ways of naming would have been."""
    weigh_hands(t, ed, notes, buffers.odds, buffers.rows)
    start = buffers.rows[foe] + SPOKEN
    likeliest = -1
    highest = -1
    for k in range(ed.name_count[Card.GUARD]):
        word = nth_name(ed, Card.GUARD, k)
        if likeliest == -1 or buffers.odds[start + word] > buffers.odds[start + likeliest] + 1e-9:
            likeliest = word
        if buffers.odds[start + word] > 0:
            highest = word
    truth = ed.spoken[t.hand[foe]]
    row.hit = int(truth == name)
    row.counted = int(truth == likeliest)
    row.highest = int(truth == highest)


@helper
def describe(t: Any, ed: Any, notes: Any, buffers: Any, move: int, last: Any, row: Any) -> None:
    """Write down a decision that is about to be carried out."""
    card = move & 31
    foe = first_of(move)
    row.group = group_of(t, ed, notes, move)
    if t.phase == Phase.KEEP:
        row.kept = foe
    if t.phase != Phase.PLAY:
        return
    row.card = card
    row.kept = kept_beside(t, card)
    row.forced = int(must_play_countess(t))
    row.kept_seen = int(exposed(t, ed, notes, row.kept))
    row.card_seen = int(exposed(t, ed, notes, card))
    row.before = last[t.active]
    if foe == BLANK:
        return
    row.target = foe
    row.held = row.kept if foe == t.active else t.hand[foe]
    row.known = int(notes[t.active * SEATS + foe] != NO_CARD)
    row.last = last[foe]
    if card == Card.GUARD:
        note_guess(t, ed, notes, buffers, foe, third_of(move), row)


@helper
def begin_row(t: Any, row: Any, game: int, seat: int, turn: int) -> None:
    """What every row holds; the rest is blank."""
    row.round, row.seat, row.turn = game, seat, turn
    row.phase = t.phase
    row.left = t.bottom - t.top
    row.standing = size(t.standing)
    row.coin = row.forced = row.kept_seen = row.card_seen = row.known = 0
    row.group = row.hit = row.counted = row.highest = row.target_out = row.out_next = 0
    row.card = row.kept = row.before = row.held = row.last = NO_CARD
    row.target = NOBODY


@helper
def finish(t: Any, ed: Any, out: Any, start: int, used: int, game: int) -> Any:
    """Write down what every seat ended with, and the result in every row; how many rows there are now."""
    for seat in range(ed.players):
        begin_row(t, out[used], game, seat, 0)
        out[used].phase = Phase.DEAL
        out[used].kept = t.hand[seat] if has(t.standing, seat) else NO_CARD
        used += 1
    for k in range(start, used):
        out[k].won = int(has(t.winners, out[k].seat))
        out[k].tokens = t.tokens[out[k].seat]
        out[k].showdown = int(t.ending == End.SHOWDOWN)
    return used


@kernel
def play_rounds(
    tables: Any, eds: Any, theta: Any, order: Any, notes: Any, buffers: Any, seats: Any, rng: Any, rounds: int, out: Any
) -> Any:
    """Play the first round of so many matches; how many rows were written. `seats` is room for two rows of seats."""
    t, ed = tables[0], eds[0]
    last, latest = seats[0], seats[1]  # by seat: the card that it played last, and the row of that turn
    turns = ed.cards - ed.aside - ed.face_up - ed.players
    used = 0
    for game in range(rounds):
        clear(t, ed)
        random_deal(t, ed, order, rng)
        fresh_notes(notes, t, ed)
        seats[:] = NO_CARD
        start = used
        tossed = start + below(rng, turns)
        while not over(t):
            n = score_moves(t, ed, notes, theta, buffers)
            coin = toss(t, ed, notes, buffers, n, rng) if used == tossed else 0
            move = buffers.moves[pick(buffers.chances, n, rng)]
            me = t.decider
            row = out[used]
            begin_row(t, row, game, me, 0 if latest[me] == NO_CARD else out[latest[me]].turn + 1)
            row.coin = coin
            describe(t, ed, notes, buffers, move, last, row)
            if t.phase == Phase.PLAY:
                last[me] = move & 31
                latest[me] = used
            standing = t.standing
            step(t, ed, notes, move)
            for seat in range(ed.players):
                if has(standing, seat) and not has(t.standing, seat):
                    row.target_out |= int(seat == row.target and seat != me)
                    if seat != me and latest[seat] != NO_CARD:
                        out[latest[seat]].out_next = 1
            used += 1
        used = finish(t, ed, out, start, used, game)
    return used


def sample(ed: Edition, rounds: int, seed: int) -> Iterator[Rows]:
    """The rows of so many rounds in blocks; the same for the same seed."""
    out = np.zeros(BLOCK * ROOM, ROW)
    table, theta, buffers = np.zeros(1, wide_type()), floats(weights(ed)), policy_buffers()
    order, notes, seats = zeros(ed.cards), zeros(NOTES), np.zeros((2, SEATS), np.int64)

    def play(block: int, count: int) -> Rows:
        rng = [0] * STATE
        seed_chance(rng, seed, block)
        return out[: play_rounds(table, wide_edition(ed), theta, order, notes, buffers, seats, ints(rng), count, out)]

    with patience("the rounds"):
        play(0, 1)
    for block, first in enumerate(range(0, rounds, BLOCK)):
        yield play(block, min(BLOCK, rounds - first))
