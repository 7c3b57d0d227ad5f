"""The computed values against real games: whoever plays the best moves wins as often as the solver says."""

from statistics import fmean, pstdev

import pytest

from suitors.game import Solo
from suitors.rules import Card, Edition, Phase
from suitors.solve import over_all, solve
from suitors.solve.book import COPIES, read_book, start
from suitors.solve.memo import Memo
from suitors.solve.solo import evaluate
from suitors.solve.tables import best_move, kind_of, position_of, switches_of
from support.slow_solver import face_down, face_up, lay, possible

GAMES = 300
LATER = [
    ("replace", "win", "? ? ? princess", "handmaid", "guard guard guard priest prince prince king"),
    ("remove", "win", "? baron ? princess", "countess", "guard guard guard priest priest prince king"),
    ("replace", "strict", "guard ? ? princess", "priest", "guard guard baron baron prince prince countess"),
    ("remove", "strict", "? ? ?", "princess", "guard guard priest baron baron prince prince"),
]
"""Both switches, the queue and the hand of games with an unknown agent, and seven cards that are unseen."""


class BestMoves:
    """Plays the best moves, each worked out once for all tables that look alike."""

    def __init__(self, rules: Edition) -> None:
        self.rules, self.memo = rules, Memo(evaluate)
        self.known: dict[object, int] = {}

    def play(self, game: Solo) -> None:
        t = game.table
        looks = face_up(t), tuple(sorted(face_down(t)))
        if looks not in self.known:
            self.known[looks] = best_move(self.memo, t, self.rules, switches_of(self.rules))
        game.push(self.known[looks])


@pytest.mark.parametrize(("prince", "last", "queue", "hand", "unseen"), LATER)
def test_over_all_orders_of_the_unseen_cards_the_best_moves_win_just_as_often_as_computed(
    prince: str, last: str, queue: str, hand: str, unseen: str
) -> None:
    game, won = Solo(options={"solo_prince": prince, "solo_last_card": last}, seed=0), []
    best = BestMoves(game.rules)
    game.table = lay(game.rules, queue, hand, "?", unseen)
    for table in possible(game.table):
        played = game.copy()
        played.table = table
        while not played.over:
            best.play(played)
        won.append(played.table.champions)
    assert len(won) > 400
    assert fmean(won) == pytest.approx(solve(game).value, abs=1e-12)
    assert 0.0 < fmean(won) < 1.0


def test_the_best_moves_of_the_first_turn_lead_to_what_is_worth_as_much_as_computed() -> None:
    book, changes = read_book(0), []
    for seed in range(GAMES):
        game = Solo(seed=seed)
        before = book[position_of(game.table, game.table.hand)]
        game.play(solve(game).moves[0][0])
        while not game.over and game.table.phase != Phase.START:
            game.play(solve(game).moves[0][0])
        after = float(game.table.champions) if game.over else book[position_of(game.table, game.table.hand)]
        changes.append(after - before)
    assert abs(fmean(changes)) < 4 * pstdev(changes) / GAMES**0.5


def test_the_value_of_the_game() -> None:
    book = read_book(0)
    values: dict[Card, float] = {card: book[start(kind_of(card))] for card in Card if kind_of(card) in COPIES}
    assert f"{over_all(values):.10f}" == "0.6486462656"
