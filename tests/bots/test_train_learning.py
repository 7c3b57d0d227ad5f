"""Policies measured against each other (PyTorch, which the project does not install: skipped where it is missing)."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def tables() -> Callable[..., Any]:
    """Tables on the CPU."""
    pytest.importorskip("torch", reason="training needs PyTorch, which is in none of the extras")
    from tools.train.tables import TorchTables  # noqa: PLC0415 - only where PyTorch is installed

    return lambda slug, players, size, score: TorchTables(slug, players, size, score=score, seed=1, device="cpu")


class First:
    """Always takes the first legal action."""

    def act(self, asked: Any, masks: Any, **_: object) -> tuple[Any, Any]:
        return masks.argmax(1), masks.argmax(1)


@pytest.mark.parametrize(("slug", "players", "score"), [("classic", [2], False), ("modern", [3, 4], True)])
def test_a_policy_is_measured_the_same_again_at_tables_that_have_been_played_at(
    slug: str, players: list[int], score: bool, tables: Callable[..., Any]
) -> None:
    there = tables(slug, players, 24, score)
    from tools.train.learning import play_off  # noqa: PLC0415 - only where PyTorch is installed

    first = play_off(there, First(), First(), 48)
    assert play_off(there, First(), First(), 48) == first
    assert first[2] == 48


def test_every_table_plays_equally_many_matches(tables: Callable[..., Any]) -> None:
    there = tables("classic", [3, 4], 24, True)
    from tools.train.score import share  # noqa: PLC0415 - only where PyTorch is installed

    found = share(there, lambda asked, masks: masks.argmax(1), lambda asked, masks: masks.argmax(1), 40)
    assert {players: count for players, (_, _, count) in found.items()} == {3: 24, 4: 24}
    assert all(0 <= rate <= 1 for rate, _, _ in found.values())
