"""The page of an analysis: what a seat knew holds nothing of what it could not know, and its parts fit together."""

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from suitors import Match
from suitors.coach import BestReplyValuer
from suitors.coach.decisions import Settings, find_due
from suitors.coach.judgement import ERRORS, TO_PRACTISE, Mark
from suitors.coach.kept import Judged, judge_line, read_line
from suitors.pages import Preferences, render
from suitors.pages.analysis import AnalysisPage, AnalysisRequest
from suitors.pages.analysis_chart import WIDTH, columns_of
from suitors.server.domain.replay import at_step, count_steps
from support.matches import EDITIONS, TABLES, chance_match
from support.other_worlds import other_world, same_moves
from support.random_play import position
from support.witness import witness

SETTINGS = Settings(0.5, 0, BestReplyValuer())


def judged(match: Match, seats: set[int] | None = None) -> list[Judged | None]:
    """All decisions of a match, or of some seats."""
    _, due = find_due(match.record())
    lines = [judge_line(match, each, SETTINGS) if seats is None or each.view.seat in seats else None for each in due]
    return [None if line is None else read_line(line) for line in lines]


def page_of(match: Match, step: int, found: list[Judged | None], seat: int | None = None) -> AnalysisPage:
    """The page of a step."""
    asked = AnalysisRequest("/games/x", step, seat)
    return AnalysisPage(match, at_step(match, step), asked, "done", found, Preferences())


def html_of(page: AnalysisPage) -> str:
    return render("analysis.html", Preferences(), me=None, back="", here="", announcement="", **page.context())


def part(html: str, name: str) -> str:
    """A section of a page."""
    found = re.search(rf'<section [^>]*id="{name}".*?</section>', html, re.DOTALL)
    assert found is not None, name
    return found[0]


@pytest.mark.parametrize("slug", EDITIONS)
def test_what_a_seat_knew_is_the_same_in_worlds_that_it_cannot_tell_apart(slug: str) -> None:
    rng, compared = random.Random(f"analysis page/{slug}"), 0
    while not compared:
        players = rng.choice([n for table, n in TABLES if table == slug])
        real = position((slug, players, {}), rng, rng.randrange(8, 20))
        record, seat = other_world(real, rng), rng.randrange(players)
        there = same_moves(record, seat)
        if there is None or there[1] != witness(real.record(), seat)[1]:
            continue
        steps = [step for step, _ in own_steps(real, seat)]
        sides = [(world, judged(world, {seat})) for world in (real, there[0])]
        for step in steps:
            ours, theirs = (html_of(page_of(world, step, found)) for world, found in sides)
            for name in ("decision", "known", "chances"):
                assert part(ours, name) == part(theirs, name)
            compared += part(ours, "truth") != part(theirs, "truth")  # the worlds differ, and only there


def own_steps(match: Match, seat: int) -> list[tuple[int, int]]:
    """The steps at which a seat decides, and the numbers of its decisions."""
    found, step, number = list[tuple[int, int]](), 0, 0
    for index, played in enumerate(match.rounds):
        own = [ply for ply in range(len(played.moves)) if match.step_log(index, ply + 1, None)[0].actor == seat]
        found += [(step + ply, number + ply) for ply in own]
        step, number = step + 1 + len(played.moves), number + len(played.moves)
    return found


@pytest.mark.parametrize("mark", Mark)
def test_practice_is_offered_where_the_visitor_erred(mark: Mark) -> None:
    match = chance_match("modern", 2, 46)
    step, number = own_steps(match, 1)[2]
    found: list[Judged | None] = [None] * len(find_due(match.record())[1])
    judged_ = judged(match, {1})[number]
    assert judged_ is not None
    found[number] = replace(judged_, decision=replace(judged_.decision, mark=mark))
    for me in (None, 0, 1):
        asked = AnalysisRequest("/games/x", step, None, me=me)
        html = html_of(AnalysisPage(match, at_step(match, step), asked, "done", found, Preferences()))
        assert ("/practice/mistakes" in html) == (me == 1 and mark in TO_PRACTISE)


def test_links_lead_to_the_mistakes_of_the_chosen_player() -> None:
    match = chance_match("modern", 2, 46)
    found = judged(match)
    own = own_steps(match, 1)
    wrong = [step for step, number in own if (each := found[number]) and each.decision.mark in ERRORS]
    assert wrong
    page = page_of(match, 0, found, seat=1)
    assert page.mistake(1) == next(step for step in wrong if step > 0)
    assert page.mistake(-1) is None
    last = page_of(match, count_steps(match) - 1, found, seat=1)
    assert last.mistake(-1) == wrong[-1]
    assert last.mistake(1) is None
    assert page.link(5) == "/games/x/analysis?step=5&seat=1"
    assert page_of(match, 0, found, seat=7).link(5) == "/games/x/analysis?step=5"


def test_the_lines_go_from_the_start_to_the_result() -> None:
    match = chance_match("modern", 3, 85)
    chart = page_of(match, 3, judged(match)).chart()
    assert sorted(line.seat for line in chart.lines) == [0, 1, 2]
    ends = {line.seat: [float(y) for y in re.findall(r",([\d.]+)", line.points)] for line in chart.lines}
    heights = {line.seat: ends[line.seat][-1] for line in chart.lines}
    assert len({heights[seat] for seat in match.winners}) == 1
    assert min(heights.values()) == heights[match.winners[0]], "the winner's line ends at the top"
    assert len({ends[seat][0] for seat in range(3)}) == 1
    assert len(chart.rounds) == len(match.rounds) - 1


@pytest.mark.parametrize("steps", [1, 2, 60, 1000])
def test_the_columns_of_a_chart_cover_it_side_by_side(steps: int) -> None:
    columns = columns_of(steps)
    assert [column.step for column in columns] == list(range(steps))
    assert columns[0].x == 0
    assert columns[-1].x + columns[-1].width == pytest.approx(WIDTH)
    for one, other in pairwise(columns):
        assert one.width > 0
        assert one.x + one.width == pytest.approx(other.x)
