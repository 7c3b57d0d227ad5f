"""The first page: what the game is, and a form that follows the choice of how to play."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from suitors.rules import BOXES
from support.browser import Visitor
from support.page_players import phone
from support.servers import Running

FIELDS = {
    "bots": {"name", "edition", "players", "bot", "open"},
    "friends": {"hints", "name", "edition", "players", "open"},
    "pass": {"hints", "names", "edition", "players"},
    "solo": {"solo"},
}
"""What is asked for, by the way to play."""

LABELS = {"bots": "Play now", "friends": "Invite friends", "pass": "Pass and play", "solo": "Play solitaire"}

VISIBLE = """() => [...new Set([...document.querySelectorAll("#start :is(input, select)")]
  .filter((field) => field.checkVisibility() && field.name !== "way").map((field) => field.name))]"""
"""The names of the fields that can be seen; nobody has opened the variants."""


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request: pytest.FixtureRequest, browser: Browser, server: Running) -> Iterator[Page]:
    """The first page for somebody who has never been here, with and without JavaScript."""
    visitor = Visitor(browser, server, java_script_enabled=request.param)
    visitor.page.goto("/")
    yield visitor.page
    visitor.leave()


@pytest.mark.parametrize("way", FIELDS)
def test_the_form_follows_the_choice(page: Page, way: str) -> None:
    page.check(f"#way-{way}")
    assert set(page.evaluate(VISIBLE)) == FIELDS[way]
    assert page.inner_text("#start button.main").strip() == LABELS[way]


def test_only_the_variants_of_the_chosen_edition_are_offered_and_they_are_closed(page: Page) -> None:
    for slug in ("premium", "modern", "house"):
        page.check(f"#start input[name=edition][value={slug}]")
        shown = page.locator("#start details:visible")
        expect(shown).to_have_count(1 if BOXES[slug].switches else 0)
        assert not any(shown.nth(k).get_attribute("open") for k in range(shown.count()))
    shown.locator("summary").click()
    expect(page.locator("#start select[name=switch-house_full_tie]")).to_be_visible()


def test_enter_plays_the_way_that_is_chosen(page: Page) -> None:
    page.check("#way-friends")
    page.fill("#start input[name=name]", "Ada")
    page.press("#start input[name=name]", "Enter")
    page.wait_for_selector(".lobby")
    page.goto("/")
    expect(page.locator("#way-friends")).to_be_checked()  # it is remembered


def test_the_edition_comes_before_the_players_and_decides_how_many_there_may_be(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    page.check("#way-bots")
    assert page.evaluate(VISIBLE).index("edition") < page.evaluate(VISIBLE).index("players")
    for slug in ("premium", "classic", "modern"):
        page.check(f"#start input[name=edition][value={slug}]")
        offered = page.locator("#start select[name=players] option:not([hidden])").all_inner_texts()
        assert offered == [str(number) for number in BOXES[slug].players]
        assert page.input_value("#start select[name=players]") in offered


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_phone_shows_what_the_game_is_a_turn_and_the_button_without_scrolling(
    browser: Browser, server: Running, lang: str
) -> None:
    visitor = phone(browser, server)
    visitor.prefer(lang=lang)
    page = visitor.page
    page.goto("/")
    expect(page.locator(".lead")).to_contain_text("Love Letter is" if lang == "en" else "Love Letter est")
    assert page.inner_text(".lead").count(".") == 1, "one sentence"
    expect(page.locator(".a-turn li")).to_have_count(3)
    for found in (".lead", ".a-turn", "#start .choice", "#start button.main"):
        box = page.locator(found).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= page.evaluate("innerHeight"), found
    visitor.leave()
