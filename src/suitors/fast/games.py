"""Random games: chance, a shuffle and uniformly random play, in the same subset of Python as the rules.

They are the driver of simulations, of the equivalence tests and of the benchmarks, and run interpreted, on a CPU and
on a GPU with the same result. The generator is Chris Doty-Humphrey's sfc32: four 32-bit words, quick everywhere.
"""

from collections.abc import MutableSequence

from ..rules.choices import count_moves, nth_move, why_not
from ..rules.editions import Edition
from ..rules.names import Phase, Refusal
from ..rules.scoring import starters
from ..rules.seats import has, nth, size
from ..rules.table import Table, clear
from ..rules.turn import deal, play

WORD = 0xFFFFFFFF
STATE = 4
"""How many words a generator holds."""


def seed_chance(rng: MutableSequence[int], seed: int, game: int) -> None:
    """Start the stream of one game of one seed."""
    rng[0] = seed & WORD
    rng[1] = (seed >> 32 & WORD) ^ (game >> 32 & WORD)
    rng[2] = game & WORD
    rng[3] = 1
    for _ in range(12):
        next_word(rng)


def next_word(rng: MutableSequence[int]) -> int:
    """The next 32 random bits."""
    a = rng[0] & WORD  # a GPU keeps the words in signed ints of 32 bits
    b = rng[1] & WORD
    c = rng[2] & WORD
    word = (a + b + rng[3]) & WORD
    rng[3] = (rng[3] + 1) & WORD
    rng[0] = b ^ b >> 9
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = ((c << 21 & WORD | c >> 11) + word) & WORD
    return word


def below(rng: MutableSequence[int], n: int) -> int:
    """A random number from 0 to n - 1 (n is small: the bias is below n in four thousand million)."""
    return next_word(rng) * n >> 32


def shuffle(order: MutableSequence[int], cards: int, rng: MutableSequence[int]) -> None:
    """Shuffle so many cards in place; a word is enough for two of them."""
    k = cards - 1
    while k > 0:
        product = next_word(rng) * (k + 1)
        swap(order, k, product >> 32)
        if k > 1:
            swap(order, k - 1, (product & WORD) * k >> 32)
        k -= 2


def swap(order: MutableSequence[int], k: int, j: int) -> None:
    """Let two cards change places."""
    order[k], order[j] = order[j], order[k]


def random_deal(t: Table, ed: Edition, order: MutableSequence[int], rng: MutableSequence[int]) -> None:
    """Start the next round with a shuffled deck and, among those who may start, a random one."""
    for k in range(ed.cards):
        order[k] = ed.box[k]
    shuffle(order, ed.cards, rng)
    seats = starters(t, ed)
    deal(t, ed, order, nth(seats, below(rng, size(seats))))


def random_move(t: Table, ed: Edition, rng: MutableSequence[int]) -> int:
    """One of the legal moves, each as likely as the others; a decision is due."""
    return nth_move(t, ed, below(rng, count_moves(t, ed)))


def random_step(t: Table, ed: Edition, order: MutableSequence[int], rng: MutableSequence[int]) -> int:
    """Start a round if one has to start (0), else play one random move (1); the match is not over."""
    if t.phase == Phase.DEAL:
        random_deal(t, ed, order, rng)
        return 0
    play(t, ed, random_move(t, ed, rng))
    return 1


def random_match(t: Table, ed: Edition, order: MutableSequence[int], rng: MutableSequence[int]) -> int:
    """Play a whole match at random; how many rounds and moves it took, as `rounds << 32 | moves`."""
    clear(t, ed)
    steps = 0
    moves = 0
    while t.phase != Phase.OVER:
        moves += random_step(t, ed, order, rng)
        steps += 1
    return steps - moves << 32 | moves


def deal_if_due(t: Table, ed: Edition, order: MutableSequence[int], first: int) -> bool:
    """Start a round if one has to start and that seat may start it; whether it was done."""
    due = t.phase == Phase.DEAL and 0 <= first < ed.players and has(starters(t, ed), first)
    if due:
        deal(t, ed, order, first)
    return due


def play_if_legal(t: Table, ed: Edition, move: int) -> int:
    """Play a move if it is legal; the refusal if not, and nothing has changed."""
    refusal = why_not(t, ed, move)
    if refusal == Refusal.FINE:
        play(t, ed, move)
    return refusal
