"""Taking back one's last move on the page: where the setting is on and all others are bots, also without a script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browser import Visitor
from support.page_players import TouchPlayer, accessibility_problems, alone, arrive, duel, phone, staged
from support.servers import Running
from support.stored_tables import NEVER, Stage

BUTTON = "#table .take-back"


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """Rounds of three after the moves of all, of two that are over, of two people, and a solo game."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def three(*moves: str) -> Stage:
        stage = Stage(folder, "classic", ["Ada"], ["random=Pip", "random=Oriana"], pace_ms=NEVER)
        stage.deal("baron", "guard", "priest", "handmaid", "king", "guard", "priest", "guard", "prince")
        return stage.play(*moves)

    def won() -> Stage:
        two = Stage(folder, "classic", ["Ada"], ["random=Pip"], pace_ms=NEVER)
        return duel(two, "guard", "princess", "countess").play("guard 1 princess")

    line = ("guard 2 princess", "priest 0", "handmaid")
    shared = duel(Stage(folder, "classic", ["Ada", "Ben"], pace_ms=NEVER), "handmaid", "guard", "priest", "king")
    eight = Stage(folder, "premium", ["Ada"], [f"random=Bot {k}" for k in range(7)], pace_ms=NEVER)
    drawn = alone(Stage(folder, "solitaire", ["Ada"]), lambda view: len(view.log[-1]) > 8 and bool(view.legal))
    return {
        "own turn": three(*line),
        "plain": three(*line),
        "off": three(*line),
        "over": won(),
        "shared": shared.play("handmaid"),
        "eight": eight.deal("guard", "handmaid", "guard", "priest").play("handmaid"),
        "alone": drawn,
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["over"].folder.parent, stages) as server:
        yield server


def taking_back(visitor: Visitor, stage: Stage) -> Page:
    """Come to a table as somebody who wants to take moves back."""
    visitor.prefer(lang="en", undo="on")
    return arrive(visitor, stage)


def test_the_table_is_as_before_ones_last_move(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = taking_back(visitor, stages["own turn"])
    expect(page.locator("#since li")).to_have_count(3)
    page.click(BUTTON)
    expect(page.locator("#pile-0-0")).to_have_count(0)
    expect(page.locator("#seat-1 .pile li, #seat-2 .pile li")).to_have_count(0)
    expect(page.locator("#since li")).to_have_count(1)
    expect(page.locator("#hand button.card")).to_have_count(2)
    expect(page.locator(BUTTON)).to_have_count(0)  # nothing is left to take back
    page.click("#hand-guard")
    page.click("#items-seat button >> nth=0")
    page.click("#items-name button >> nth=0")
    expect(page.locator("#pile-0-0")).to_have_count(1)


def test_a_round_that_is_over_can_be_reopened(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = taking_back(visitor, stages["over"])
    expect(page.locator("#verdict")).to_be_visible()
    page.click(BUTTON)
    expect(page.locator("#verdict")).to_have_count(0)
    expect(page.locator("#token-0-0.won")).to_have_count(0)
    expect(page.locator("#table .ask")).to_be_visible()


def test_a_solo_game_goes_back(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = taking_back(visitor, stages["alone"])
    lines = page.locator("#log-lines li").count()
    page.click(BUTTON)
    page.wait_for_function("(before) => document.querySelectorAll('#log-lines li').length < before", arg=lines)
    expect(page.locator("#table .ask")).to_be_visible()


def test_it_is_offered_only_where_it_is_wanted(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="en", undo="off")
    page = arrive(visitor, stages["off"])
    expect(page.locator(BUTTON)).to_have_count(0)
    page.click("#settings summary")
    page.select_option("#settings [name=undo]", "on")
    page.click("#settings .sheet button")
    expect(page.locator(BUTTON)).to_be_visible()


def test_it_is_not_offered_among_people(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="en", undo="on")
    page = arrive(visitor, stages["shared"], "?seat=0")
    expect(page.locator("#table .mine")).to_be_visible()
    expect(page.locator(BUTTON)).to_have_count(0)


def test_it_fits_a_phone_with_eight_seats(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = phone(browser, server)
    page = taking_back(visitor, stages["eight"])
    TouchPlayer(visitor).look()
    expect(page.locator(BUTTON)).to_be_in_viewport(ratio=1)
    expect(page.locator("#hand .card").first).to_be_in_viewport(ratio=1)
    assert accessibility_problems(page) == []
    page.tap(BUTTON)
    expect(page.locator("#table .ask")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0
    visitor.leave()


def test_without_a_script_it_is_a_form(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = Visitor(browser, server, java_script_enabled=False)
    visitor.prefer(lang="en", undo="on")
    visitor.be(stages["plain"].key)
    page = visitor.page
    page.goto(f"/tables/{stages['plain'].table}")
    with page.expect_navigation():
        page.click(BUTTON)
    expect(page.locator("#since li")).to_have_count(1)
    expect(page.locator("#hand button.card")).to_have_count(2)
    visitor.leave()
