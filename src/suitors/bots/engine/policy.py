"""A quick way to play that was trained by self-play: each legal move gets a score, chances grow with the scores.

A score is a sum of features times `theta`, the trained weights (tools/train_policy.py). A player sees only what the
notes allow: the own cards, the cards in sight, and what is known of the others' hands.
"""

from math import exp

from ...fast.games import next_word
from ...knowledge.notes import SEATS, Notes
from ...rules.choices import count_moves, count_plays, must_play_countess, nth_move, nth_name, nth_play
from ...rules.editions import Edition
from ...rules.names import BLANK, CARDS, NO_CARD, Card, Phase, Verb, first_of, third_of
from ...rules.seats import has, size
from ...rules.table import Table
from .buffers import Floats, Ints, PolicyBuffers
from .odds import LOGS, SPOKEN, lower, mean_number, weigh_hands

STAGES = 3
PLAYS = 0  # by duel or not, stage, card played, card kept
NAMES = PLAYS + 2 * STAGES * CARDS * CARDS  # by the place of what a Guard says
EXPOSED = NAMES + CARDS  # by card kept, if somebody knows it
OWN_PRINCE = EXPOSED + CARDS  # by card kept, if a Prince makes oneself discard it
KEPT = OWN_PRINCE + CARDS  # by stage and card kept from a Chancellor
REDRAWN = KEPT + STAGES * CARDS  # by card, if a Bishop's hit lets one discard it
GUARD_LOG = REDRAWN + CARDS  # the logarithm of a Guard's chance
GUARD_SURE = GUARD_LOG + 1
BARON_WIN = GUARD_SURE + 1
BARON_LOSE = BARON_WIN + 1
PRINCE_PRINCESS = BARON_LOSE + 1
PRINCE_VALUE = PRINCE_PRINCESS + 1
KING_GAIN = PRINCE_VALUE + 1
PEEK_KNOWN = KING_GAIN + 1  # looking at a hand that one knows
TARGET_TOKENS = PEEK_KNOWN + 1
TARGET_NEXT = TARGET_TOKENS + 1
BISHOP_CHANCE = TARGET_NEXT + 1
DOWAGER_WIN = BISHOP_CHANCE + 1
DOWAGER_LOSE = DOWAGER_WIN + 1
TRADE_SELF = DOWAGER_LOSE + 1  # a Cardinal that trades the own hand
LOOK_SELF = TRADE_SELF + 1
LOOK_NONE = LOOK_SELF + 1
RETURN_LAST = LOOK_NONE + 1  # the value of the card a Chancellor's player puts lowest
WEIGHTS = RETURN_LAST + 1

WORTH = 3 * 2 * (SEATS - 1) * STAGES * CARDS
"""Behind the weights lie appraisals of hands: by Spies, protection, players standing, stage and card."""

MOST_FEATURES = 12


def stage_of(t: Table) -> int:
    """How far the round is from its end: 0 in the last turns, 2 early."""
    turns = (t.bottom - t.top) // size(t.standing)
    return turns if turns < STAGES else STAGES - 1


def worth_cell(t: Table, seat: int) -> int:
    """Where a seat's hand is appraised, once its turn is over."""
    row = (spies(t, seat) * 2 + int(has(t.shielded, seat))) * (SEATS - 1) + size(t.standing) - 2
    return (row * STAGES + stage_of(t)) * CARDS + t.hand[seat]


def spies(t: Table, seat: int) -> int:
    """0: no Spy was played by those still in; 1: by the seat alone; 2: by another one."""
    found = 0
    for k in range(t.discards):
        if t.piles[k] == Card.SPY and has(t.standing, t.owners[k]):
            if t.owners[k] != seat:
                return 2
            found = 1
    return found


def kept_beside(t: Table, card: int) -> int:
    """The card that stays if the active player plays this one."""
    return t.drawn if t.hand[t.active] == card else t.hand[t.active]


def exposed(t: Table, ed: Edition, notes: Notes, card: int) -> bool:
    """Whether some other standing player knows that the active one holds this card."""
    for seat in range(ed.players):
        if seat != t.active and has(t.standing, seat) and notes[seat * SEATS + t.active] == card:
            return True
    return False


def features(
    t: Table, ed: Edition, notes: Notes, odds: Floats, rows: Ints, move: int, index: Ints, value: Floats
) -> int:
    """Write the features of a legal move, each as the index of its weight and a value; how many they are."""
    if t.phase == Phase.KEEP:
        return keep_features(t, ed, move, index, value)
    value[0] = 1.0
    if t.phase == Phase.LOOK:
        index[0] = LOOK_NONE
        value[0] = 1.0 if first_of(move) == BLANK else 0.0
        index[1] = LOOK_SELF
        value[1] = 1.0 if first_of(move) == t.active else 0.0
        return 2
    if t.phase == Phase.ANSWER:
        index[0] = REDRAWN + t.hand[t.decider]
        value[0] = 1.0 if move & 31 == Verb.REDRAW else 0.0
        return 1
    n = card_features(t, ed, notes, move & 31, index, value)
    return choice_features(t, ed, notes, odds, rows, move, index, value, n)


def keep_features(t: Table, ed: Edition, move: int, index: Ints, value: Floats) -> int:
    """What is kept matters; the better of two returned cards may come back if it is not the lowest."""
    index[0] = KEPT + stage_of(t) * CARDS + first_of(move)
    value[0] = 1.0
    if third_of(move) == BLANK:
        return 1
    index[1] = RETURN_LAST
    value[1] = ed.value[third_of(move)] * 0.1
    return 2


def card_features(t: Table, ed: Edition, notes: Notes, card: int, index: Ints, value: Floats) -> int:
    """The card played and what is kept."""
    kept = kept_beside(t, card)
    row = (int(size(t.standing) == 2) * STAGES + stage_of(t)) * CARDS
    index[0] = PLAYS + (row + card) * CARDS + kept
    value[0] = 1.0
    if not exposed(t, ed, notes, kept):
        return 1
    index[1] = EXPOSED + kept
    value[1] = 1.0
    return 2


def choice_features(
    t: Table, ed: Edition, notes: Notes, odds: Floats, rows: Ints, move: int, index: Ints, value: Floats, n: int
) -> int:
    """Whom a card chooses, and what it may achieve there; they follow the first n features."""
    card = move & 31
    foe = first_of(move)
    if foe == BLANK:
        return n
    if foe == t.active:
        index[n] = OWN_PRINCE + kept_beside(t, card) if card == Card.PRINCE else TRADE_SELF
        value[n] = 1.0
        return n + 1
    index[n] = TARGET_TOKENS
    value[n] = t.tokens[foe] * 0.2
    index[n + 1] = TARGET_NEXT
    value[n + 1] = 1.0 if foe == (t.active + 1 if t.active + 1 < ed.players else 0) else 0.0
    return effect_features(t, ed, notes, odds, rows[foe], move, kept_beside(t, card), index, value, n + 2)


def list_moves(t: Table, ed: Edition, moves: Ints) -> int:
    """List the legal moves in the order of the rules; how many they are."""
    if t.phase != Phase.PLAY or must_play_countess(t):
        n = count_moves(t, ed)
        for k in range(n):
            moves[k] = nth_move(t, ed, k)
        return n
    n = count_plays(t, ed, t.drawn)
    for k in range(n):
        moves[k] = nth_play(t, ed, t.drawn, k)
    hand = t.hand[t.active]
    if hand == t.drawn:
        return n
    more = count_plays(t, ed, hand)
    for k in range(more):
        moves[n + k] = nth_play(t, ed, hand, k)
    return n + more


def effect_features(
    t: Table,
    ed: Edition,
    notes: Notes,
    odds: Floats,
    row: int,
    move: int,
    kept: int,
    index: Ints,
    value: Floats,
    n: int,
) -> int:
    """What the card may achieve on another player, whose chances are in a row of the odds."""
    match move & 31:
        case Card.GUARD:
            chance = odds[row + SPOKEN + third_of(move)]
            index[n] = GUARD_LOG
            value[n] = odds[row + LOGS + third_of(move)]
            index[n + 1] = GUARD_SURE
            value[n + 1] = 1.0 if chance > 0.999 else 0.0
            index[n + 2] = NAMES + name_place(ed, third_of(move))
            value[n + 2] = 1.0
            return n + 3
        case Card.BARON:
            index[n] = BARON_WIN
            value[n] = lower(odds, row, ed.value[kept])
            index[n + 1] = BARON_LOSE
            value[n + 1] = 1 - lower(odds, row, ed.value[kept] + 1)
            return n + 2
        case Card.DOWAGER_QUEEN:
            index[n] = DOWAGER_WIN
            value[n] = 1 - lower(odds, row, ed.value[kept] + 1)
            index[n + 1] = DOWAGER_LOSE
            value[n + 1] = lower(odds, row, ed.value[kept])
            return n + 2
        case Card.PRINCE:
            index[n] = PRINCE_PRINCESS
            value[n] = odds[row + Card.PRINCESS]
            index[n + 1] = PRINCE_VALUE
            value[n + 1] = mean_number(odds, row) * 0.1
            return n + 2
        case Card.KING:
            index[n] = KING_GAIN
            value[n] = (mean_number(odds, row) - ed.value[kept]) * 0.1
            return n + 1
        case Card.PRIEST | Card.BARONESS:
            index[n] = PEEK_KNOWN
            value[n] = 1.0 if notes[t.active * SEATS + first_of(move)] != NO_CARD else 0.0
            return n + 1
        case Card.BISHOP:
            index[n] = BISHOP_CHANCE
            value[n] = lower(odds, row, third_of(move) + 1) - lower(odds, row, third_of(move))
            return n + 1
        case _:
            return n


def name_place(ed: Edition, name: int) -> int:
    """Which of the things that a Guard may say this is."""
    for k in range(ed.name_count[Card.GUARD]):
        if nth_name(ed, Card.GUARD, k) == name:
            return k
    return 0


def dot(theta: Floats, index: Ints, value: Floats, n: int) -> float:
    """The score of so many features."""
    score = 0.0
    for k in range(n):
        score += theta[index[k]] * value[k]
    return score


def score_moves(t: Table, ed: Edition, notes: Notes, theta: Floats, buffers: PolicyBuffers) -> int:
    """List the legal moves of the decision with the chance of each; how many they are."""
    odds, rows, index, value, moves, chances = buffers
    n = list_moves(t, ed, moves)
    if n == 1:
        chances[0] = 1.0
        return 1
    weigh_hands(t, ed, notes, odds, rows)
    most = -1e9
    last = NO_CARD
    shared = 0.0
    for k in range(n):
        move = moves[k]
        if t.phase == Phase.PLAY:
            if move & 31 != last:
                last = move & 31
                shared = dot(theta, index, value, card_features(t, ed, notes, last, index, value))
            used = choice_features(t, ed, notes, odds, rows, move, index, value, 0)
            score = shared + dot(theta, index, value, used)
        else:
            score = dot(theta, index, value, features(t, ed, notes, odds, rows, move, index, value))
        chances[k] = score
        most = max(most, score)
    total = 0.0
    for k in range(n):
        chances[k] = exp(chances[k] - most)
        total += chances[k]
    for k in range(n):
        chances[k] /= total
    return n


def pick(chances: Floats, n: int, rng: Ints) -> int:
    """One of n places by their chances, which sum to 1."""
    left = next_word(rng) / 4294967296.0
    for k in range(n - 1):
        left -= chances[k]
        if left < 0:
            return k
    return n - 1


def play_chances(
    t: Table, ed: Edition, notes: Notes, theta: Floats, buffers: PolicyBuffers, move: int, found: Floats
) -> None:
    """The chance that the active player makes this play, for each card that may be held beside the one played."""
    moves, chances = buffers.moves, buffers.chances
    t.drawn = move & 31
    for other in range(CARDS):
        found[other] = 0.0
        if ed.copies[other] > 0:
            t.hand[t.active] = other
            n = score_moves(t, ed, notes, theta, buffers)
            for k in range(n):
                if moves[k] == move:
                    found[other] = chances[k]
