"""How pages look: language, theme, light and size are the visitor's choice; all fits, all is from our own server."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources

import pytest
from playwright.sync_api import Browser, Page, Request, Response, WebSocket, expect

from suitors.words import THEMES
from suitors.words.catalogue import read_catalogue
from suitors.words.languages import catalogue_files
from support.browser import Visitor
from support.page_players import (
    CONNECTED,
    Player,
    arrive,
    drawn_out,
    duel,
    led_on,
    resize,
    staged,
    watch,
    won_rounds,
)
from support.servers import Running
from support.stored_tables import NEVER, Stage

LONG = "Wolfeschlegelsteinhausenbergerdo"
"""As long as a name may be, and without a space."""

WIDTHS = (360, 768, 1440)

PAGES = (
    "start",
    "tables",
    "mine",
    "me",
    "drop",
    "lobby",
    "two",
    "eight",
    "watched",
    "solo",
    "over",
    "replay",
    "rules",
    "rulebook",
    "learn",
    "lesson",
)
"""The pages that must fit; `page_of` leads to them."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The tables of this module."""
    folder = tmp_path_factory.mktemp("server") / "data"
    bots = [f"random={LONG[:-1]}{seat}" for seat in range(7)]

    def stage(edition: str, bots: list[str]) -> Stage:
        return Stage(folder, edition, [LONG], bots, pace_ms=NEVER, open=True)

    aimed = Stage(folder, "classic", ["Ada"], ["random"] * 3, pace_ms=NEVER)
    aimed.deal("baron", "guard", "prince", "prince", "guard", "handmaid", "priest", "baron", "king", first=1)
    chancellor = Stage(folder, "modern", ["Ada"], ["random"], pace_ms=NEVER)
    return {
        "aimed": aimed.play("handmaid", "priest 0", "baron 2"),
        "chancellor": duel(chancellor, "chancellor", "guard", "priest", "baron", "king").play("chancellor"),
        "two": drawn_out(stage("classic", bots[:1])),
        "eight": drawn_out(stage("premium", bots)),
        "solo": stage("solitaire", []).deal(),
        "over": won_rounds(stage("classic", bots[:1]), "0101010100"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["two"].folder.parent, stages) as server:
        yield server


@pytest.fixture
def page_of(visitor: Visitor, stages: dict[str, Stage]) -> Callable[[str], Page]:
    """Leads the visitor to a page by the name it has here."""
    plain = {"start": "/", "tables": "/tables", "me": "/me", "drop": "/replay"}
    plain |= {"rules": "/rules", "rulebook": "/rules/premium", "learn": "/learn", "lesson": "/learn/1"}

    def go(name: str) -> Page:
        page = visitor.page
        if name in ("two", "eight", "solo", "over"):
            return arrive(visitor, stages[name])
        if name == "watched":
            watch(visitor, f"/tables/{stages['eight'].table}")
            expect(page.locator("#watching")).to_be_visible()
        elif name == "lobby":
            page.goto("/")
            page.check("#way-friends")
            page.fill("#start input[name=name]", LONG)
            page.select_option("#start select[name=players]", "6")
            page.click("#start button.main")
            page.wait_for_selector(".lobby")
            page.wait_for_function(CONNECTED)
            page.wait_for_load_state()
        else:
            visitor.be(stages["over"].key)
            page.goto(plain.get(name, f"/tables/{stages['over'].table}/replay?step=3" if name == "replay" else "/mine"))
        return page

    return go


def settle(page: Page, name: str, value: str) -> None:
    """Choose something in the settings menu and apply it."""
    if page.locator("#settings[open]").count() == 0:
        page.click("#settings summary")
    page.select_option(f"#settings select[name={name}]", value)
    page.click("#settings button")
    expect(page.locator(f'html[{"lang" if name == "lang" else f"data-{name}"}="{value}"]')).to_have_count(1)


# Language


def test_the_settings_menu_switches_the_language_and_back(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["two"])
    assert page.get_attribute("html", "lang") == "en"
    expect(page.locator("#log h2")).to_have_text("What happened")
    with led_on(page):
        settle(page, "lang", "fr")
    assert visitor.table == stages["two"].table, "the visitor stays where they are"
    assert page.get_attribute("html", "lang") == "fr"
    expect(page.locator("#log h2")).to_have_text("Ce qui s’est passé")
    expect(page.locator("#prompt .ask")).to_contain_text("À vous")
    with led_on(page):
        settle(page, "lang", "en")
    expect(page.locator("#log h2")).to_have_text("What happened")


def test_settings_change_nothing_until_they_are_applied_and_keep_focus_and_form(fresh_visitor: Visitor) -> None:
    page = fresh_visitor.page
    page.goto("/")
    page.check("#way-friends")
    page.fill("#start input[name=name]", "Ada")
    page.check("#start input[name=edition][value=classic]")
    page.select_option("#start select[name=players]", "4")
    page.evaluate("() => (window.stays = true)")
    page.click("#settings summary")
    page.focus("#settings select[name=lang]")
    page.keyboard.press("ArrowDown")
    assert page.input_value("#settings select[name=lang]") == "fr"
    assert page.get_attribute("html", "lang") == "en", "an arrow key only chooses"
    page.locator("#settings button").press("Enter")
    expect(page.locator("html[lang=fr]")).to_have_count(1)
    expect(page.locator("#settings button")).to_be_focused()
    expect(page.locator("#settings")).to_have_attribute("open", "")
    assert page.evaluate("() => window.stays"), "the page was not loaded anew"
    expect(page.locator("#way-friends")).to_be_checked()
    assert page.input_value("#start input[name=name]") == "Ada"
    assert page.input_value("#start select[name=players]") == "4"
    expect(page.locator("#start input[value=classic]")).to_be_checked()


def test_a_browser_that_prefers_french_is_answered_in_french(browser: Browser, server: Running) -> None:
    visitor = Visitor(browser, server, locale="fr-FR")
    visitor.page.goto("/")
    assert visitor.page.get_attribute("html", "lang") == "fr"
    expect(visitor.page.locator("#start .main")).to_contain_text("Jouer")
    visitor.leave()


def test_english_would_be_found_if_it_were_left(visitor: Visitor, page_of: Callable[[str], Page]) -> None:
    for name in ("start", "two", "replay"):
        assert len([text for text in page_of(name).evaluate(TEXTS) if english().fullmatch(text)]) > 20


@pytest.mark.parametrize("name", PAGES)
def test_no_english_is_left_on_a_french_page(visitor: Visitor, page_of: Callable[[str], Page], name: str) -> None:
    visitor.prefer(lang="fr", know="on")
    page = page_of(name)
    assert page.get_attribute("html", "lang") == "fr"
    told: list[str] = page.evaluate(TEXTS)
    assert [text for text in told if english().fullmatch(text)] == []


TEXTS = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.add(walker.currentNode.data);
  for (const label of ["aria-label", "title", "placeholder", "data-copied"]) {
    for (const element of document.querySelectorAll(`[${label}]`)) found.add(element.getAttribute(label));
  }
  return [document.title, ...found].map((text) => text.trim().split(/\\s+/).join(" ")).filter((text) => text);
}"""
"""All that a page says, seen or read aloud."""


@cache
def english() -> re.Pattern[str]:
    """Whatever the pages say in English and not the same in French."""
    french = {
        sentence: translation
        for name, text in catalogue_files("fr").items()
        for sentence, translation in read_catalogue(text, name).items()
    }
    said = set(french)
    for path in resources.files("suitors.pages").joinpath("templates").iterdir():
        said |= set(re.findall(r'_\("((?:[^"\\]|\\.)+)"\)', path.read_text("utf-8")))
    foreign = said - set(french.values()) - {sentence for sentence, text in french.items() if sentence == text}
    assert len(foreign) > 200
    telling = sorted(text for text in foreign if len(re.findall("[A-Za-z]", re.sub(r"\{\w+\}", "", text))) > 3)
    return re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for text in telling))


# Theme, light and size


def test_every_theme_has_its_colours_by_day_and_by_night(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/me")
    grounds = set()
    for theme in THEMES:
        settle(page, "theme", theme)
        assert page.get_attribute("html", "data-theme") == theme
        for light in ("light", "dark"):
            settle(page, "look", light)
            grounds.add(ground(page))
    assert len(grounds) == 2 * len(THEMES)


def test_a_theme_has_its_own_names_where_it_has_an_edition(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/rules/house")
    names = page.locator(".rule-cards .name")
    expect(names.first).to_contain_text("Princess")
    settle(page, "theme", "mule")
    expect(names.first).not_to_contain_text("Princess")
    page.goto("/rules/modern")
    expect(names.first).to_contain_text("Princess")
    page.goto("/rules/premium")
    plain = page.locator(".rule-cards .text").all_inner_texts()
    settle(page, "theme", "tempest")
    assert len({*plain, *page.locator(".rule-cards .text").all_inner_texts()}) > len(set(plain))


def ground(page: Page) -> str:
    """The colour behind everything."""
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_the_light_is_that_of_the_device_unless_the_visitor_says_otherwise(fresh_visitor: Visitor) -> None:
    page = fresh_visitor.page
    page.goto("/")
    shown = {}
    for light in ("auto", "light", "dark"):
        settle(page, "look", light)
        for device in ("light", "dark"):
            page.emulate_media(color_scheme="light" if device == "light" else "dark")
            shown[light, device] = ground(page)
    day, night = shown["light", "light"], shown["dark", "dark"]
    assert day != night
    assert shown["light", "dark"] == day
    assert shown["dark", "light"] == night
    assert (shown["auto", "light"], shown["auto", "dark"]) == (day, night)


def test_large_text_is_larger_and_the_whole_look_is_remembered_at_the_next_visit(
    browser: Browser, server: Running
) -> None:
    visitor = Visitor(browser, server)
    page = visitor.page
    page.goto("/rules")
    usual = font_size(page)
    for name, value in (("size", "large"), ("theme", "tempest"), ("look", "dark"), ("lang", "fr")):
        settle(page, name, value)
        assert page.url.endswith("/rules")
    assert font_size(page) == usual * 1.25
    kept = [cookie for cookie in visitor.context.cookies() if cookie["name"] == "suitors-reader"]
    assert kept[0]["expires"] > 0, "it outlasts the browser"
    again = Visitor(browser, server, storage_state=visitor.context.storage_state())
    again.page.goto("/")
    chosen = again.page.evaluate("({ lang: document.documentElement.lang, ...document.documentElement.dataset })")
    assert chosen == {"lang": "fr", "theme": "tempest", "look": "dark", "size": "large"}
    assert font_size(again.page) == usual * 1.25
    visitor.leave()
    again.leave()


def font_size(page: Page) -> float:
    """The size of the text, in pixels."""
    return float(page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)"))


# Everything fits


@pytest.mark.parametrize("name", PAGES)
def test_a_page_needs_no_scrolling_to_the_side(visitor: Visitor, page_of: Callable[[str], Page], name: str) -> None:
    visitor.prefer(know="on")
    page = page_of(name)
    for width in WIDTHS:
        resize(page, width)
        assert wide(page) == [], width
    visitor.prefer(know="on", size="large", lang="fr")
    page.goto(page.url)
    resize(page, 360)
    assert wide(page) == []


WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")].filter((found) => found.getBoundingClientRect().right > innerWidth + 1)
    .map((found) => found.outerHTML.slice(0, 120))"""


def wide(page: Page) -> list[str]:
    """What sticks out of a page that has to be scrolled to the side."""
    found: list[str] = page.evaluate(WIDE)
    return found


@pytest.mark.parametrize(("name", "label"), [("aimed", "Guard"), ("chancellor", "Priest")])
def test_nothing_lies_on_what_can_be_pressed(visitor: Visitor, stages: dict[str, Stage], name: str, label: str) -> None:
    for size in ("plain", "large"):
        visitor.prefer(size=size)
        page = arrive(visitor, stages[name])
        found = {(width, 0): wrong(page, width) for width in ALL_WIDTHS}
        Player(visitor).choose(label)
        found |= {(width, 1): wrong(page, width) for width in ALL_WIDTHS}
        faults = {key: told for key, told in found.items() if told}
        assert not faults, (size, faults)


ALL_WIDTHS = (360, 768, 1100, 1280, 1440, 1920)

WRONG = """() => {
  const faults = [];
  for (const button of document.querySelectorAll("#table button")) {
    if (!button.checkVisibility()) continue;
    button.scrollIntoView({ block: "center" });
    const box = button.getBoundingClientRect();
    for (const [x, y] of [[0.5, 0.5], [0.05, 0.5], [0.95, 0.5]]) {
      const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (!button.contains(hit)) faults.push(`${button.value} is under ${hit?.outerHTML.slice(0, 60)}`);
    }
  }
  for (const seat of document.querySelectorAll(".seat")) {
    const cards = seat.querySelector(".cards").getBoundingClientRect();
    for (const state of seat.querySelectorAll(".state, .who")) {
      const range = document.createRange();
      range.selectNodeContents(state);
      const box = range.getBoundingClientRect();
      const beside = box.right <= cards.left + 1 || box.left >= cards.right - 1;
      const apart = beside || box.bottom <= cards.top + 1 || box.top >= cards.bottom - 1;
      if (!apart) faults.push(`${state.textContent} runs into cards`);
    }
  }
  const [one, ...more] = document.querySelectorAll("#hand .held");
  for (const held of more) if (held.offsetTop !== one.offsetTop) faults.push("the hand is not a row");
  return faults;
}"""
"""What of a table lies on something else."""


def wrong(page: Page, width: int) -> list[str]:
    """What is wrong at a width."""
    resize(page, width)
    found: list[str] = page.evaluate(WRONG)
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_card_holds_its_name_and_its_text(visitor: Visitor, theme: str, lang: str) -> None:
    visitor.prefer(theme=theme, lang=lang)
    for edition in ("premium", "modern", "solitaire"):
        visitor.page.goto(f"/rules/{edition}")
        for width in WIDTHS:
            resize(visitor.page, width)
            assert visitor.page.evaluate(CUT) == [], width


CUT = """() => [...document.querySelectorAll(".rule-cards .card")].filter((card) => {
  const [box, name, text] = [card, card.querySelector(".name"), card.querySelector(".text")].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return part === card ? card.getBoundingClientRect() : range.getBoundingClientRect();
  });
  const lines = document.createRange();
  lines.selectNodeContents(card.querySelector(".text"));
  const end = card.querySelector(".seal.end").getBoundingClientRect();
  const under = [...lines.getClientRects()].some((line) => line.right > end.left + 3 && line.bottom > end.top + 4);
  const wide = name.left < box.left || name.right > box.right;
  return under || wide || text.bottom > box.bottom - 2 || text.top < name.bottom - 2;
}).map((card) => card.textContent.trim().split(/\\s+/).join(" "))"""
"""Cards whose text is cut off or runs into the name, or into the number in the corner."""


# What is loaded


def test_the_first_page_is_light_and_nothing_comes_from_elsewhere(fresh_visitor: Visitor) -> None:
    answers: list[Response] = []
    fresh_visitor.page.on("response", lambda answer: answers.extend([answer]))
    fresh_visitor.page.goto("/", wait_until="networkidle")
    assert len(answers) >= 5
    size = 0
    for answer in answers:
        assert answer.url.startswith(fresh_visitor.server.address)
        if not answer.headers.get("content-type", "").startswith("image/"):
            sizes = answer.request.sizes()
            size += sizes["responseBodySize"] + sizes["responseHeadersSize"]
    assert 10_000 < size < 100_000


@pytest.mark.parametrize("name", ["two", "solo", "replay", "lobby", "rulebook", "lesson"])
def test_no_request_leaves_the_server(visitor: Visitor, page_of: Callable[[str], Page], name: str) -> None:
    asked: list[str] = []

    def note(request: Request | WebSocket) -> None:
        asked.append(request.url.replace("ws://", "http://"))

    visitor.page.on("request", note)
    visitor.page.on("websocket", note)
    page_of(name)
    visitor.page.remove_listener("request", note)
    visitor.page.remove_listener("websocket", note)
    assert asked
    assert {url for url in asked if not url.startswith((visitor.server.address, "data:"))} == set()
