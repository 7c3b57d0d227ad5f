"""The benchmarks come to an end even where what they wait for never happens."""

from math import inf, nan

import pytest

from support.repository import ROOT, load_script


@pytest.mark.parametrize("seconds", [3.0, 1e300, inf, nan])
def test_the_number_of_matches_is_not_doubled_for_ever(seconds: float) -> None:
    rules, asked = load_script("benchmarks/rules.py"), list[int]()

    def play(matches: int) -> int:
        asked.append(matches)
        return matches

    play.seconds = 1e-9  # type: ignore[attr-defined]
    assert rules.rate(play, 5, seconds) == pytest.approx(max(asked) / 1e-9)
    assert max(asked) <= 5 << rules.DOUBLINGS


@pytest.mark.parametrize("seconds", [1e300, inf, nan])
def test_compiled_matches_are_not_doubled_for_ever(seconds: float) -> None:
    mass, asked = load_script("benchmarks/mass_play.py"), list[int]()
    assert mass.rate(asked.append, seconds, 3) > 0
    assert max(asked) <= 3 << mass.DOUBLINGS


@pytest.mark.parametrize("seconds", [1e300, inf, nan])
def test_ten_billion_matches_are_not_played(seconds: float) -> None:
    benchmark, asked = load_script("benchmarks/ten_billion.py"), list[int]()

    def play(matches: int) -> int:
        asked.append(matches)
        return matches

    assert benchmark.doubled(play, 3, seconds) > 0
    assert asked == [3 << k for k in range(benchmark.DOUBLINGS)]


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
    benchmark, page = load_script("benchmarks/page.py"), EndlessPage()
    with pytest.raises(SystemExit, match="No card asked for more"):
        benchmark.reach_choice(page)
    assert page.clicks == benchmark.PRESSES


def test_two_versions_of_the_library_are_measured_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    library = load_script("benchmarks/library.py")
    own = library.measure("classic", 2, 0.0005)
    other = library.measure_beside(str(ROOT / "src"), "classic", 2, 0.0005)
    library.show("classic 2", own, other)
    assert len(own) == len(other) == capsys.readouterr().out.count("×") == 4
    assert min(*own, *other) > 0
