"""How the bots play the solo game: by rules of thumb, by playing on many deals, or exactly."""

import random
from collections import Counter
from collections.abc import Sequence

from ..fast import available
from ..notation import read_move, write_move
from ..rules import NO_CARD, Edition, Phase, SoloTable, copy_table, edition
from ..rules.solitaire import play_solo
from ..rules.solitaire_table import new_solo
from ..solve.book import KeyRecorder
from ..solve.solver import Solution, Solver, solver_for
from ..solve.tables import value_at
from ..view.solo import SoloView
from .solo_heuristics import SoloHeuristics

CANDIDATES, ROLLOUTS = 8, 160
"""How many moves are played on, the best by rule of thumb, and how many games that may take in all."""

SMALL = 7
"""With so many cards unseen or fewer, a position is solved within half a second even where nothing is compiled."""


def by_heuristics(view: SoloView, rng: random.Random, judge: type[SoloHeuristics] = SoloHeuristics) -> str:
    """The move that the rules of thumb like best; among equals, any."""
    rules = judge(table_of(view, unseen(view)), view.rules)
    liked = {move: rules.liking(move) for move in rules.moves()}
    most = max(liked.values())
    return write_move(view.rules, rng.choice([move for move, liking in liked.items() if liking == most]))


def by_counting(view: SoloView, rng: random.Random) -> str:
    """The move that wins the most deals that may be, played on by rule of thumb; of equals the one liked better."""
    hidden = unseen(view)
    rules = SoloHeuristics(table_of(view, hidden), view.rules)
    moves = sorted(rules.moves(), key=rules.liking, reverse=True)[:CANDIDATES]
    wins: Counter[int] = Counter()
    share = ROLLOUTS // max(1, (len(moves) - 1).bit_length())
    while len(moves) > 1:
        for _ in range(share // len(moves)):
            t = table_of(view, rng.sample(hidden, len(hidden)))
            wins.update({move: outcome(t, view.rules, move) for move in moves})
        moves = sorted(moves, key=lambda move: -wins[move])[: (len(moves) + 1) // 2]
    return write_move(view.rules, moves[0])


def best(view: SoloView, rng: random.Random) -> str:
    """The move with the best chance of winning; where nothing is compiled, large positions are only counted out."""
    solution = solved(view)
    return by_counting(view, rng) if solution is None else solution.moves[0][0]


def solved(view: SoloView) -> Solution | None:
    """The exact value of each legal move where a decision is due; None where working them out would take minutes."""
    solver = solver_for(edition("solitaire", 1, view.options))
    hidden = unseen(view)
    t = table_of(view, hidden)
    quick = available() or len(hidden) <= SMALL or in_book(solver, view, t)
    return solver.solve(t) if quick else None


def in_book(solver: Solver, view: SoloView, t: SoloTable) -> bool:
    """Whether all that the legal moves depend on stands in the opening book."""
    asked = KeyRecorder()
    for text in view.legal:
        value_at(asked, t, solver.switches, read_move(view.rules, text))
    return asked.keys_asked <= solver.book.keys()


def outcome(t: SoloTable, ed: Edition, move: int) -> int:
    """Whether the game is won on this deal after a move, if the rules of thumb go on: 1 or 0."""
    t = copy_table(t)
    play_solo(t, ed, move)
    while t.phase != Phase.OVER:
        rules = SoloHeuristics(t, ed)
        play_solo(t, ed, max(rules.moves(), key=rules.liking))
    return t.champions


def unseen(view: SoloView) -> list[int]:
    """The cards that lie face down, sorted: nobody knows which lies where."""
    left = Counter(view.rules.box)
    left.subtract(
        card for card in (*view.discards, *view.hand, *view.agent, *view.queue, view.calling) if card is not None
    )
    return sorted(left.elements())


def table_of(view: SoloView, hidden: Sequence[int]) -> SoloTable:
    """A table that looks like the view; the face-down cards of queue, agent and pile are these, in this order."""
    t, down = new_solo(view.rules), iter(hidden)
    t.phase = view.phase
    t.hand = view.hand[0]
    t.drawn = view.hand[1] if len(view.hand) > 1 else NO_CARD if view.calling is None else view.calling
    t.length = len(view.queue)
    for place, card in enumerate(view.queue):
        t.queue[place], t.up[place] = (next(down), 0) if card is None else (card, 1)
    for card in view.agent:
        t.agent, t.agent_up = (next(down), 0) if card is None else (card, 1)
    t.bottom = view.rules.cards
    t.top = t.bottom - view.pile
    t.deck[t.top : t.bottom] = list(down)
    t.discards = len(view.discards)
    t.piles[: t.discards] = view.discards
    t.shielded, t.guarded = int(view.protected), int(view.guarded)
    t.attacker = NO_CARD if view.attacker is None else view.attacker
    return t
