"""The computed value against real games: the best moves win as often as the solver says."""

from suitors.rules import edition
from suitors.solve.solver import simulate

GAMES = 40_000


def test_the_best_moves_win_as_often_as_computed() -> None:
    value, won = simulate(edition("solitaire", 1), GAMES, seed=11)
    error = (value * (1 - value) / GAMES) ** 0.5
    assert abs(won - value) < 4 * error
    assert f"{value:.10f}" == "0.6486462656"
