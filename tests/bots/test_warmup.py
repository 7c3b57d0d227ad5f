"""After warming up, all the code that bots compile is loaded before their time to think starts."""

import random
from threading import Event

import pytest

import suitors
from suitors.bots import loaded
from suitors.bots.engine import compiling
from suitors.bots.loaded import is_loaded
from suitors.bots.warmup import COMPILED_BOTS, compiles, plays_at_once, warm_up
from suitors.envs import Learner
from suitors.rules import edition, own_slug
from suitors.solve import endings_compiled

KERNELS = (
    compiling.replies,
    compiling.try_moves,
    compiling.play_chances,
    endings_compiled.grow,
    endings_compiled.improve,
)


def test_after_warming_up_nothing_is_left_to_compile() -> None:
    warm_up(["random", *COMPILED_BOTS], edition("classic", 2))
    assert is_loaded()
    assert all(kernel.signatures for kernel in KERNELS)  # type: ignore[attr-defined]


def test_the_expert_runs_compiled_code_but_waits_for_it_only_in_games_that_it_has_not_learnt() -> None:
    for players in (2, 3):
        assert compiles("expert", edition("modern", players))
        assert plays_at_once("expert", edition("modern", players))
    assert not plays_at_once("search", edition("modern", 3))
    assert compiles("search", edition("modern", 2))
    own = own_slug({"base": "classic", "cards": {"guard": 4, "priest": 2, "baron": 2, "princess": 1}})
    assert compiles("expert", edition(own, 2))
    assert not plays_at_once("expert", edition(own, 2))


def test_without_a_compiler_the_expert_compiles_nothing_where_it_has_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suitors.bots.expert.available", lambda: False)
    assert not compiles("expert", edition("modern", 2))
    assert not compiles("expert", edition("modern", 3))


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been loaded yet."""
    monkeypatch.setattr(loaded, "_loaded", Event())


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("name", ["search", "expert"])
def test_a_bot_asked_by_name_with_a_budget_loads_what_it_compiles(name: str) -> None:
    match = suitors.Match("classic", ["Ada", "Ben"], seed=1)
    assert suitors.bots[name].choose(match.view(match.turn), random.Random(1), 1) in match.legal()
    assert is_loaded()


@pytest.mark.usefixtures("unloaded")
def test_an_environment_whose_bots_have_a_budget_loads_what_they_compile() -> None:
    Learner(["expert"], "classic", budget_ms=1)
    assert is_loaded()
