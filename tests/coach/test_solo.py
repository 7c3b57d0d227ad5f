"""Solo games: every decision is judged by its exact values, hints list them all, and the terminal says the same."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from suitors import Solo, SuitorsError
from suitors.bots.solo import SMALL, unseen
from suitors.coach import analyse, hint
from suitors.rules import SWITCHES, Option
from suitors.solve import solve
from suitors.terminal.solitaire import SoloTerminal as Terminal
from support.engine_positions import uncompiled
from support.matches import SOLO_EDITIONS
from support.vocabularies import words_of

SETTINGS: list[dict[str, Option]] = [
    {"solo_prince": prince, "solo_last_card": last}
    for prince, last in product(SWITCHES["solo_prince"], SWITCHES["solo_last_card"])
]


def solo_game(seed: int, options: dict[str, Option] | None = None, slug: str = "solitaire") -> Iterator[Solo]:
    """A game in which any moves are made, at each decision and at its end."""
    rng = random.Random(f"review/{seed}")
    game = Solo(slug, options=options, rng=rng)
    while not game.over:
        yield game
        game.play(rng.choice(game.legal()))
    yield game


def finished(seed: int, options: dict[str, Option] | None = None, slug: str = "solitaire") -> Solo:
    """The same game at its end."""
    return list(solo_game(seed, options, slug))[-1]


# Hints


@pytest.mark.parametrize("slug", SOLO_EDITIONS)
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(map(str, options.values())))
def test_a_hint_has_the_exact_values_of_all_legal_moves(slug: str, options: dict[str, Option]) -> None:
    for game in solo_game(3, options, slug):
        if game.over:
            continue
        found = hint(game.view(0))
        assert found is not None
        values = dict(solve(game).moves)
        assert {value.move: value.match for value in found.moves} == pytest.approx(values)
        assert sorted(value.move for value in found.moves) == game.legal()
        assert [value.match for value in found.moves] == sorted((value.match for value in found.moves), reverse=True)
        assert found.match == found.moves[0].match == pytest.approx(max(values.values()))


def test_who_has_nothing_to_decide_gets_no_hint() -> None:
    for view in (Solo(rng=random.Random(1)).view(None), finished(1).view(0)):
        with pytest.raises(SuitorsError, match="has to decide"):
            hint(view)


def test_without_a_compiler_only_what_is_small_or_in_the_book_has_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)
    given = []
    for game in (game for seed in range(4) for game in solo_game(seed) if not game.over):
        view = game.view(0)
        found = hint(view)
        given.append(found is not None)
        if found is None:
            assert len(unseen(view)) > SMALL
            assert view.discards
        else:
            assert found.match == pytest.approx(solve(game).value)
    assert set(given) == {True, False}


# Analyses


@pytest.mark.parametrize("slug", SOLO_EDITIONS)
def test_each_move_is_held_against_the_best_one(slug: str) -> None:
    for seed in range(3):
        game = finished(seed, slug=slug)
        found = analyse(game.record())
        moves = game.record()["rounds"][0]["moves"]
        assert [(decision.ply, decision.move) for decision in found.decisions] == list(enumerate(moves))
        for decision, position in zip(found.decisions, solo_game(seed, slug=slug), strict=False):
            values = dict(solve(position).moves)
            assert decision.exact
            assert (decision.before, decision.after) == pytest.approx((max(values.values()), values[decision.move]))
            assert values[decision.best] == pytest.approx(decision.before, abs=1e-9)
            assert (decision.best == decision.move) == (decision.loss <= 1e-9)
            assert decision.interval == pytest.approx((decision.loss, decision.loss), abs=1e-9)
        account = found.accounts[0]
        assert account.start + account.skill + account.luck == pytest.approx(account.result)
        assert account.result == float(bool(game.winners))


def test_an_unfinished_game_is_judged_as_far_as_it_went() -> None:
    *_, game = (game.copy() for game in solo_game(3) if not game.over)
    assert len(analyse(game.record()).decisions) == len(game.rounds[0].moves)
    assert analyse(Solo(dealt=False).record()).decisions == ()


def test_the_terminal_says_the_same() -> None:
    for seed in range(3):
        terminal, shown = at_the_terminal(seed)
        losses = [decision.loss for decision in analyse(terminal.game.record()).decisions]
        assert losses == pytest.approx([loss.cost for loss in terminal.losses], abs=1e-9)
        assert sum(losses) > 0
        assert any(f"{100 * sum(losses):.1f} points" in line for line in shown)


def at_the_terminal(seed: int) -> tuple[Terminal, list[str]]:
    """The same game typed in, and what was shown."""
    typed, shown = iter(finished(seed).record()["rounds"][0]["moves"]), list[str]()
    game = next(solo_game(seed))
    terminal = Terminal(game, words_of(game.edition), lambda prompt: next(typed), shown.append)
    terminal.play()
    return terminal, shown


def test_without_a_compiler_an_analysis_has_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)
    counts = [
        (len(analyse(finished(seed).record()).decisions), len(finished(seed).rounds[0].moves)) for seed in range(3)
    ]
    assert all(1 <= judged <= moves for judged, moves in counts)
    assert any(judged < moves for judged, moves in counts)
