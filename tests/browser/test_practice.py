"""Practice in a browser: a puzzle solved by clicks, by touch, by keys and without a script, on pages that axe likes."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from suitors.coach.puzzles import Puzzle, select
from support.browser import Visitor
from support.page_players import accessibility_problems, phone
from support.servers import Running

STEPS = 4
"""Choices that the longest move takes."""


NAMED = next(puzzle for puzzle in select("counting") if puzzle.players > 2)
ALONE = select("solitaire")[0]


@pytest.fixture(params=["script", "no script", "phone"])
def somebody(request: pytest.FixtureRequest, browser: Browser, server: Running) -> Iterator[Visitor]:
    if request.param == "phone":
        visitor = phone(browser, server)
    else:
        visitor = Visitor(browser, server, java_script_enabled=request.param == "script")
    yield visitor
    visitor.leave()


def next_choice(page: Page, move: str) -> Locator:
    """The button that leads on to a move: the one that chooses most of its words."""
    buttons = page.locator("button[form=choose], button[form=act]")
    values = [str(buttons.nth(k).get_attribute("value")) for k in range(buttons.count())]
    wanted = [value for value in values if value and f"{move} ".startswith(f"{value} ")]
    return page.locator(f'button[value="{max(wanted, key=len)}"]').last


def solve(page: Page, move: str, *, keys: bool = False) -> None:
    """Choose a move word by word, until it is answered."""
    for _ in range(STEPS):
        if page.locator(".answer").count():
            return
        button = next_choice(page, move)
        with page.expect_navigation():
            if keys:
                button.focus()
                page.keyboard.press("Enter")
            else:
                button.click()
    expect(page.locator(".answer")).to_be_visible()


@pytest.mark.parametrize("puzzle", [NAMED, ALONE], ids=["several", "alone"])
def test_a_puzzle_is_solved_as_at_the_table(somebody: Visitor, puzzle: Puzzle) -> None:
    page = somebody.page
    page.goto("/practice")
    assert somebody.fits()
    page.goto(f"/practice/{puzzle.id}")
    assert somebody.fits()
    solve(page, puzzle.exercise.best)
    expect(page.locator(".answer.right")).to_contain_text("Right!")
    expect(page.locator(".moves tr.best")).to_have_count(1)
    assert somebody.fits()
    page.click("text=Once more")
    with page.expect_navigation():
        page.click("text=Show the solution")
    expect(page.locator(".answer.wrong")).to_contain_text("The best move:")
    page.click("nav.answers >> text=Next")
    page.wait_for_url("**/practice/*")
    expect(page.locator("#table")).to_be_visible()


def test_keys_are_enough(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/practice")
    page.locator("text=Solve it").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/practice/[0-9a-f]{8}$"))
    page.goto(f"/practice/{NAMED.id}")
    solve(page, NAMED.exercise.best, keys=True)
    expect(page.locator(".answer.right")).to_be_visible()
    page.goto("/practice")
    expect(page.locator(".standing")).to_contain_text("Your rating")


def check_access(page: Page) -> None:
    """What axe finds in the light, and what it finds of contrast at night."""
    assert accessibility_problems(page) == []
    page.evaluate("document.documentElement.dataset.look = 'dark'")
    assert accessibility_problems(page, rules=("color-contrast",)) == []


def test_practice_is_accessible(visitor: Visitor) -> None:
    page = visitor.page
    visitor.prefer(look="light")
    page.goto("/")
    page.click(".ways >> text=All puzzles")
    page.wait_for_url("**/practice")
    check_access(page)
    page.select_option("main select[name=theme]", "counting")
    page.select_option("main select[name=edition]", NAMED.edition)
    page.click("text=Next puzzle")
    page.wait_for_url("**/practice/*theme=counting*")
    check_access(page)
    for puzzle in (NAMED, ALONE):
        page.goto(f"/practice/{puzzle.id}")
        solve(page, puzzle.exercise.moves[-1].move)
        check_access(page)
