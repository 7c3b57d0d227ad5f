"""Matches of quick bots at one table: the same moves as the bots make by themselves from their views.

A bot that finds several moves as good as each other takes any of them. From a view these are sorted as text, and so
they are here: `text_order` numbers moves as the texts would be sorted.
"""

from collections.abc import MutableSequence
from typing import NamedTuple

from ..bots.engine.buffers import Floats, Ints, PolicyBuffers
from ..bots.engine.likings import WORDS, Glance, count_left, is_early, like_play, like_step
from ..bots.engine.odds import unseen
from ..bots.engine.policy import kept_beside, list_moves, pick, score_moves
from ..fast.games import below, seed_chance, shuffle
from ..knowledge.notes import Notes, fresh_notes, step
from ..lab.memory import Memories, pair_at, remember
from ..rules.editions import Edition
from ..rules.names import BLANK, CARD_NAMES, CARDS, NO_CARD, NOBODY, Naming, Phase, Verb, first_of, second_of, third_of
from ..rules.scoring import starters
from ..rules.seats import after, has, nth, size
from ..rules.table import Table, clear
from ..rules.turn import deal

UNIFORM, BEGINNER, NOVICE, POLICY = range(4)
"""How a seat plays: by chance, by rules of thumb (overlooking what is in sight, or not), by the quick policy."""

NO_MOVE = -1
"""In place of a first move: the seat that starts decides."""

FIRST, WINNERS, HANDS, OPENING, ENDING, LENGTH, ROUNDS, CHAMPIONS = range(8)
COLUMNS = 8
"""What is written of a match: its first round's starter, winners (a set), dealt cards, first move, end and decisions;
and how many rounds it had, and who won it."""

HAND = 5
"""How many bits each seat has in HANDS for the card that it was dealt, seat 0 lowest; CARDS where there is none."""

_TEXTS = [*CARD_NAMES, *(verb.name.lower() for verb in Verb)]
TEXT_RANKS = tuple(sorted(_TEXTS).index(text) for text in _TEXTS)
"""Where each card or verb stands among all of them sorted as text."""


class Work(NamedTuple):
    """What is written while a match is played; all of it belongs to one thread."""

    notes: Notes
    memories: Memories
    glance: Glance
    buffers: PolicyBuffers
    keys: Ints  # for each legal move, its place in the order of texts
    streams: MutableSequence[Ints]  # the chance of each seat
    rng: Ints  # the chance of the deal
    order: Ints  # the deck


class Start(NamedTuple):
    """How the matches of a run start; arrays have an entry for each match."""

    kinds: MutableSequence[Ints]  # how each seat plays
    deals: Ints  # the seeds of the deals
    chances: Ints  # the seeds of the seats' chance
    first: Ints  # who starts the first round, the hands staying with their seats; NOBODY: as it comes
    opening: Ints  # the first move, whose card the starter is dealt; NO_MOVE: as it comes
    seating: bool  # the order of seats, not chance, picks the starter among several winners
    whole: bool  # matches are played to their end; else only their first round is


def play_match(
    t: Table, ed: Edition, theta: Floats, work: Work, start: Start, k: int, row: Ints, won: Ints, decided: Ints
) -> None:
    """Play match k, and write what came of it: its row, and for each seat its rounds won and its decisions.

    Of a round that is shared each winner has so many parts of `won[players]`, which stands for a whole one.
    """
    clear(t, ed)
    for seat in range(ed.players):
        seed_chance(work.streams[seat], start.chances[k], seat)
        won[seat] = decided[seat] = 0
    row[ROUNDS] = row[LENGTH] = 0
    remembering = holds(start.kinds[k], NOVICE)
    while t.phase != Phase.OVER and (start.whole or t.phase != Phase.DEAL or row[ROUNDS] == 0):
        if t.phase == Phase.DEAL:
            next_deal(t, ed, work, start, k, row)
            row[ROUNDS] += 1
        else:
            who = t.decider
            decided[who] += 1
            move = next_move(t, ed, theta, work, start, k, row)
            step(t, ed, work.notes, move)
            count_round(t, ed, row, won)
        if remembering:
            remember(work.memories, t, ed)
    row[CHAMPIONS] = t.champions


def holds(numbers: Ints, number: int) -> bool:
    """Whether a number is among these."""
    for k in range(len(numbers)):
        if numbers[k] == number:
            return True
    return False


def next_deal(t: Table, ed: Edition, work: Work, start: Start, k: int, row: Ints) -> None:
    """Start the next round: its number and the seed settle the deck, whatever has happened before."""
    rng = work.rng
    order = work.order
    seed_chance(rng, start.deals[k], row[ROUNDS])
    for j in range(ed.cards):
        order[j] = ed.box[j]
    shuffle(order, ed.cards, rng)
    first = next_first(t, ed, start, k, row, rng)
    if row[ROUNDS] == 0 and start.first[k] != NOBODY:
        arrange(ed, order, work.keys, first, start.opening[k])
    deal(t, ed, order, first)
    fresh_notes(work.notes, t, ed)
    if row[ROUNDS] == 0:
        row[FIRST] = first
        row[HANDS] = pack_hands(t, ed)


def next_first(t: Table, ed: Edition, start: Start, k: int, row: Ints, rng: Ints) -> int:
    """Who starts the next round: among several winners chance decides, or the seats' order from the eldest on (R18)."""
    if row[ROUNDS] == 0 and start.first[k] != NOBODY:
        return start.first[k]
    seats = starters(t, ed)
    if start.seating and row[ROUNDS] > 0:
        return after(seats, (row[FIRST] + ed.players - 1) % ed.players)
    return nth(seats, below(rng, size(seats)))


def arrange(ed: Edition, order: Ints, hands: Ints, first: int, opening: int) -> None:
    """Let every seat have the card that it would have if seat 0 started, and the starter the one of the first move."""
    top = ed.aside + ed.face_up
    for seat in range(ed.players):
        hands[seat] = order[top + seat]
    for seat in range(ed.players):
        order[top + seat] = hands[(first + seat) % ed.players]
    if opening != NO_MOVE:
        place = 0
        while order[place] != opening & 31:
            place += 1
        order[top], order[place] = order[place], order[top]


def pack_hands(t: Table, ed: Edition) -> int:
    """The cards that were dealt as one number."""
    found = 0
    for seat in range(ed.players):
        found |= (t.hand[seat] if t.hand[seat] != NO_CARD else CARDS) << HAND * seat
    return found


def next_move(t: Table, ed: Edition, theta: Floats, work: Work, start: Start, k: int, row: Ints) -> int:
    """The move of the seat that decides; the first one of a match may be settled."""
    first = row[ROUNDS] == 1 and row[LENGTH] == 0
    if first and start.opening[k] != NO_MOVE:
        move = start.opening[k]
    else:
        who = t.decider
        move = choose(t, ed, theta, work, start.kinds[k][who], work.streams[who])
    if first:
        row[OPENING] = move
    if row[ROUNDS] == 1:
        row[LENGTH] += 1
    return move


def count_round(t: Table, ed: Edition, row: Ints, won: Ints) -> None:
    """Count a round that has just ended."""
    if t.phase != Phase.DEAL and t.phase != Phase.OVER:
        return
    for seat in range(ed.players):
        if has(t.winners, seat):
            won[seat] += won[ed.players] // size(t.winners)
    if row[ROUNDS] == 1:
        row[WINNERS] = t.winners
        row[ENDING] = t.ending


def choose(t: Table, ed: Edition, theta: Floats, work: Work, kind: int, rng: Ints) -> int:
    """The move of a seat that plays in this way."""
    moves, chances = work.buffers.moves, work.buffers.chances
    if kind == POLICY:
        n = score_moves(t, ed, work.notes, theta, work.buffers)
        return moves[pick(chances, n, rng)]
    n = list_moves(t, ed, moves)
    if kind != UNIFORM:
        n = keep_best(t, ed, work, kind == NOVICE, n)
    return nth_as_text(ed, moves, work.keys, n, below(rng, n))


def keep_best(t: Table, ed: Edition, work: Work, seeing: bool, n: int) -> int:
    """Keep those of the legal moves that the rules of thumb like best; how many they are."""
    moves = work.buffers.moves
    if n == 1:
        return 1
    if t.phase == Phase.PLAY:
        look_round(t, ed, work, seeing)
    best = 0
    most = -1e9
    for k in range(n):
        liked = like(t, ed, work.glance, moves[k])
        if liked > most:
            most = liked
            best = 0
        if liked == most:
            moves[best] = moves[k]
            best += 1
    return best


def like(t: Table, ed: Edition, glance: Glance, move: int) -> float:
    """How much the deciding player likes a move."""
    if t.phase == Phase.PLAY:
        return like_play(ed, glance, t.active, move, kept_beside(t, move & 31))
    return like_step(ed, t.decider, move, t.hand[t.decider], is_early(t.bottom - t.top, size(t.standing)))


def look_round(t: Table, ed: Edition, work: Work, seeing: bool) -> None:
    """See what the rules of thumb look at, or nothing of it."""
    known, left = work.glance.known, work.glance.left
    for seat in range(ed.players):
        known[seat] = work.memories[pair_at(ed.players, t.active, seat)] if seeing else NO_CARD
    for k in range(WORDS):
        left[k] = 0
    for card in range(CARDS):
        if seeing:
            count_left(ed, work.glance, card, unseen(t, work.notes, t.active, card))


def nth_as_text(ed: Edition, moves: Ints, keys: Ints, n: int, k: int) -> int:
    """The k-th of n moves in the order of their texts."""
    if n == 1:
        return moves[0]
    for i in range(n):
        keys[i] = text_order(ed, moves[i])
    for i in range(n):
        before = 0
        for j in range(n):
            before += keys[j] < keys[i]
        if before == k:
            return moves[i]
    return moves[0]


def text_order(ed: Edition, move: int) -> int:
    """A number that is less for a move whose text comes before another's; what a text lacks comes first."""
    verb = move & 31
    first, second, third = first_of(move), second_of(move), third_of(move)
    if verb == Verb.KEEP:
        first, second = TEXT_RANKS[first], TEXT_RANKS[second]
    if verb == Verb.LOOK and first == BLANK:
        first = BLANK - 1  # the text is `look none`
    if third != BLANK and (verb == Verb.KEEP or (ed.naming[verb] == Naming.CARD and ed.by_number == 0)):
        third = TEXT_RANKS[third]
    return (((TEXT_RANKS[verb] << 5 | first + 1 & 31) << 5 | second + 1 & 31) << 5) | third + 1 & 31
