"""The benchmarks come to an end even where what they wait for never happens."""

from importlib.util import module_from_spec, spec_from_file_location
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest


def load(name: str) -> Any:
    """A benchmark as a module."""
    spec = spec_from_file_location(name, Path(__file__).parent.parent / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seconds", [3.0, 1e300, inf, nan])
def test_the_number_of_matches_is_not_doubled_for_ever(seconds: float) -> None:
    rules, asked = load("rules"), list[int]()

    def play(matches: int) -> int:
        asked.append(matches)
        return matches

    play.seconds = 1e-9  # type: ignore[attr-defined]
    assert rules.rate(play, 5, seconds) == pytest.approx(max(asked) / 1e-9)
    assert max(asked) <= 5 << rules.DOUBLINGS


class EndlessPage:
    """A page on which no card ever asks for more."""

    clicks = 0

    def query_selector(self, selector: str) -> bool:
        return selector == "#prompt button.main"

    def click(self, selector: str) -> None:
        self.clicks += 1

    def wait_for_timeout(self, milliseconds: float) -> None:
        pass


def test_a_page_on_which_no_card_asks_for_more_is_given_up() -> None:
    page = EndlessPage()
    with pytest.raises(SystemExit, match="No card asked for more"):
        load("page").reach_choice(page)
    assert page.clicks == load("page").PRESSES
