"""A position of the solo game as one number. Whatever lies face down is exchangeable: only its multiset counts.

A position is packed into an int, from the lowest bit:

- the retinue, three bits a place from the left: 0 for a face-down card, else its kind (1 Guard … 7 Countess);
- how many places it has (three bits), and whether the Princess stands behind it (one bit);
- the hand (four bits: 1 to 8, the Princess being 8) and the agent (four bits: 0 none, 1 to 8 face up, 9 face down);
- one bit of protection: of the queue before the player's turn, of the player before the opponent's;
- how many cards of each kind are unseen (13 bits);
- one bit that tells the player's turns from the opponent's.

The length is part of it, so that queues that differ only in length differ as numbers. The size of the draw pile follows
from the rest: it is what is unseen and lies neither in the queue nor with the agent.

These functions keep to the subset of Python that suitors.fast compiles.
"""

NONE = 0
GUARD = 1
PRIEST = 2
BARON = 3
HANDMAID = 4
PRINCE = 5
KING = 6
COUNTESS = 7
PRINCESS = 8
HIDDEN = 9
"""Kinds of cards, in the order of their values, which both solo editions share; and a face-down agent."""

LENGTH, BEHIND, HAND, AGENT, SHIELD, UNSEEN, OPPONENT = 18, 21, 22, 26, 30, 31, 44
"""Where each part begins."""


def pack_position(queue: int, length: int, behind: int, hand: int, agent: int, shield: int, unseen: int) -> int:
    """A position before the player's turn."""
    return (
        queue
        | length << LENGTH
        | behind << BEHIND
        | hand << HAND
        | agent << AGENT
        | shield << SHIELD
        | unseen << UNSEEN
    )


def unseen_bits(kind: int) -> int:
    """Where the number of unseen cards of a kind begins within `unseen`: Guards have three bits, singles one."""
    if kind == GUARD:
        return 0
    return 3 + 2 * (kind - 2) if kind < KING else 11 + kind - KING


def unseen_of(unseen: int, kind: int) -> int:
    """How many cards of a kind are unseen."""
    width = 7 if kind == GUARD else 3 if kind < KING else 1
    return unseen >> unseen_bits(kind) & width


def seen(unseen: int, kind: int) -> int:
    """What is unseen once a card of that kind has been seen."""
    return unseen - (1 << unseen_bits(kind))


def total(unseen: int) -> int:
    """How many cards are unseen: the sum of the fields, the four pairs added side by side."""
    pairs = unseen >> 3
    pairs = (pairs & 0x33) + (pairs >> 2 & 0x33)
    return (unseen & 7) + (pairs & 15) + (pairs >> 4 & 15) + (unseen >> 11 & 1) + (unseen >> 12 & 1)


def at(queue: int, place: int) -> int:
    """The card in a place of the retinue, 0 if it lies face down."""
    return queue >> 3 * place & 7


def put(queue: int, place: int, kind: int) -> int:
    """The retinue with another card, or a face-down one, in a place."""
    return queue & ~(7 << 3 * place) | kind << 3 * place


def drop(queue: int, place: int) -> int:
    """The retinue without a place; those to its right move up."""
    low = queue & (1 << 3 * place) - 1
    return low | queue >> 3 * (place + 1) << 3 * place


def hidden(queue: int, length: int) -> int:
    """How many cards of the retinue lie face down."""
    n = 0
    for place in range(length):
        if at(queue, place) == NONE:
            n += 1
    return n
