"""What a caller from Python gets wrong is answered with a sentence, not with an error from within."""

from collections.abc import Callable
from typing import Any

import pytest

import suitors
from suitors import Belief, Match, Solo, SuitorsError, actions, frames
from suitors.bots import Bot

MATCH: Any = Match("modern", ["Ada", "Ben"], seed=6)
VIEW = MATCH.view(0)
TABLE: Any = actions("modern", 2)
OTHERS = Match("premium", ["Ada"] * 8, seed=1)
ANY: Any = None

MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a seat as text": (lambda: MATCH.view("0"), "There is no seat '0': seats are 0 to 1, or None"),
    "a seat as float": (lambda: MATCH.view(1.0), "There is no seat 1.0"),
    "a seat as truth": (lambda: MATCH.view(True), "There is no seat True"),
    "a position of a seat as text": (lambda: MATCH.position("0"), "There is no seat '0'"),
    "a solo seat": (lambda: Solo(seed=1).view(1), "There is no seat 1: seats are 0 to 0, or None"),
    "actions of a match": (lambda: TABLE.legal(MATCH), "a view such as match.view"),
    "actions of nothing": (lambda: TABLE.id(ANY, "spy"), "a view such as match.view"),
    "actions of others": (
        lambda: TABLE.legal(OTHERS.view(OTHERS.turn)),
        "modern with 2 players, not for premium with 8",
    ),
    "a belief of a match": (lambda: Belief(MATCH), "such as match.view.0., not of a Match"),
    "a belief of a solo game": (lambda: Belief(Solo(seed=1).view(0)), "not of a SoloView"),  # type: ignore[arg-type]
    "frames of a match": (lambda: frames(MATCH), "frames takes several"),
    "frames of a text": (lambda: frames("{}"), "frames takes several"),
    "frames of a number": (lambda: frames(ANY), "frames takes several"),
    "a budget as text": (lambda: Bot("novice").choose(VIEW, budget_ms="5"), "budget_ms"),  # type: ignore[arg-type]
    "a budget below 0": (lambda: Bot("novice").choose(VIEW, budget_ms=-1), "budget_ms"),
    "chance as a number": (lambda: Bot("novice").choose(VIEW, 5), "random.Random"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_answered_with_a_sentence(mistake: str) -> None:
    call, words = MISTAKES[mistake]
    with pytest.raises((SuitorsError, TypeError), match=words) as caught:
        call()
    assert str(caught.value).endswith(".")


def test_both_solo_editions_have_the_same_actions() -> None:
    view = Solo("solitaire-2019", seed=1).view(0)
    assert actions("solitaire", 1).legal(view) == actions("solitaire-2019", 1).legal(view) != []


def test_what_there_is_can_be_listed() -> None:
    assert {"Match", "actions", "bots", "records", "solve"} <= set(dir(suitors))
    assert not {"import_module", "ModuleType", "LAZY"} & set(dir(suitors))
