"""A letter that is played at somebody joins two seats by a thread, on a phone and on a desk, and covers nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support.browser import Visitor
from support.page_players import accessibility_problems, arrive, resize, staged
from support.servers import Running
from support.stored_tables import NEVER, Stage

ENDS = """() => [...document.querySelectorAll(".thread path")].map((path) => {
  const apart = ({ x, y }, seat) => {
    const point = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    const box = document.getElementById(`seat-${seat}`).getBoundingClientRect();
    return Math.max(box.left - point.x, point.x - box.right, box.top - point.y, point.y - box.bottom);
  };
  const [start, end] = [0, path.getTotalLength()].map((length) => path.getPointAtLength(length));
  return [apart(start, path.parentElement.dataset.from), apart(end, path.dataset.to)];
})"""
"""How far, in pixels, each end of a thread is from its seat; less than nothing inside."""

BEHIND = """() => [...document.querySelectorAll("#table .seat-name, #table .since li, #table .news .line, #hand .name")]
  .filter((found) => found.checkVisibility()).map((found) => {
    const box = found.getBoundingClientRect();
    return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest(".thread");
  }).filter((found) => found)"""
"""Texts that a thread lies upon."""

SIZES = [(360, 740), (768, 1024), (1440, 900), (2560, 1080)]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """A round of four in which the reader, one beside another, and then nobody is aimed at; and two at once."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def four(*moves: str) -> Stage:
        stage = Stage(folder, "classic", ["Ada"], ["random=Pip", "random=Oriana", "random=Aldous"], pace_ms=NEVER)
        cards = ("baron", "guard", "priest", "priest", "handmaid", "king", "guard", "guard", "prince")
        return stage.deal(*cards).play(*moves)

    five = Stage(folder, "premium", ["Ada"], ["random"] * 4, pace_ms=NEVER)
    five.deal("guard", "cardinal", "prince", "king", "guard", "baron", "handmaid", "guard")
    return {
        "me": four("guard 3 princess", "priest 0"),
        "others": four("guard 3 princess", "priest 2"),
        "nobody": four("guard 3 princess", "priest 0", "priest 3", "handmaid"),
        "two": five.play("cardinal 1 3"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["me"].folder.parent, stages) as server:
        yield server


@pytest.mark.parametrize(("name", "threads"), [("me", 1), ("others", 1), ("two", 2)])
def test_a_thread_joins_the_seats(visitor: Visitor, stages: dict[str, Stage], name: str, threads: int) -> None:
    page = arrive(visitor, stages[name])
    expect(page.locator(".seat.aims")).to_have_count(1)
    expect(page.locator(".seat.hit")).to_have_count(threads)
    for width, height in SIZES:
        resize(page, width, height)
        page.wait_for_function(f"() => ({ENDS})().flat().every((apart) => apart > 0 && apart < 8)")
        assert len(page.evaluate(ENDS)) == threads
        assert page.evaluate(BEHIND) == []
    assert accessibility_problems(page) == []


def test_the_thread_goes_with_the_move_that_is_shown(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["nobody"])
    expect(page.locator(".thread, .seat.aims, .seat.hit")).to_have_count(0)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".thread")).to_have_attribute("data-from", "2")
    expect(page.locator("#seat-3.hit")).to_have_count(1)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".thread")).to_have_attribute("data-from", "1")
    expect(page.locator("#seat-0.hit")).to_have_count(1)


def test_it_is_drawn_once_and_not_for_those_who_want_no_motion(
    browser: Browser, server: Running, stages: dict[str, Stage]
) -> None:
    motion = "() => document.querySelector('.thread path').getAnimations().map((a) => a.effect.getTiming().iterations)"
    for asked, found in (("no-preference", [1]), ("reduce", [])):
        visitor = Visitor(browser, server, reduced_motion=asked)
        page = arrive(visitor, stages["me"])
        assert page.evaluate(motion) == found
        visitor.leave()


def test_without_a_script_both_seats_are_marked(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = Visitor(browser, server, java_script_enabled=False)
    visitor.be(stages["me"].key)
    visitor.page.goto(f"/tables/{stages['me'].table}")
    expect(visitor.page.locator("#seat-1.aims")).to_be_visible()
    expect(visitor.page.locator("#seat-0.hit")).to_be_visible()
    visitor.leave()
