"""Analyses in a browser: by click and by key, as they are computed, on a phone, without scripts; and hints."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from suitors import Match
from suitors.coach import BUDGET_MS, BestReplyValuer
from suitors.coach.decisions import Settings, find_due
from suitors.coach.judgement import ERRORS
from suitors.coach.kept import Judged, analysis_key, judge_line, read_line
from suitors.notation import CARD_NAMES
from suitors.pages import Preferences
from suitors.pages.analysis import GLYPHS
from suitors.pages.cards import CardRenderer
from suitors.server.domain.replay import at_step, count_steps
from suitors.server.storage.store import Store
from support.browser import Visitor
from support.matches import chance_match
from support.page_players import TOO_LOW, accessibility_problems, arrive, compile_coach, duel, phone, staged, won_rounds
from support.servers import Running
from support.stored_tables import Stage

MATCHES = {"two": chance_match("modern", 2, 46), "four": chance_match("premium", 5, 3)}
"""Finished matches whose analyses are kept."""

SIGNS = "all => all.map((a) => a.querySelector('.mark [aria-hidden]')?.textContent ?? '')"
IN_SIGHT = """() => {
  const list = document.getElementById("round-lists").getBoundingClientRect();
  const current = document.querySelector("#round-lists [aria-current]").getBoundingClientRect();
  return list.top <= current.top && current.bottom <= list.bottom;
}"""
"""Whether the list shows the present move."""

TITLES = "all => all.map((card) => card.title)"

LINES: dict[str, list[str]] = {}
"""What is kept of them, judged quickly."""


def lines_of(name: str) -> list[str]:
    """The lines of an analysis."""
    if name not in LINES:
        match, due = find_due(MATCHES[name].record())
        LINES[name] = [judge_line(match, each, Settings(30, 0, BestReplyValuer())) or "" for each in due]
    return LINES[name]


def judged(name: str) -> list[Judged]:
    """The decisions of a match."""
    return [read_line(line) for line in lines_of(name)]


def steps(name: str) -> list[int]:
    """The step of each decision."""
    starts, found = 0, list[int]()
    for played in MATCHES[name].rounds:
        found += range(starts, starts + len(played.moves))
        starts += 1 + len(played.moves)
    return found


def mistakes(name: str) -> list[int]:
    """The steps of all decisions that lost something."""
    return [step for step, each in zip(steps(name), judged(name), strict=True) if each.decision.mark in ERRORS]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    folder = tmp_path_factory.mktemp("analyses") / "data"
    found = {}
    for name, match in MATCHES.items():
        found[name] = Stage(folder, match.edition, list(match.players))
        for dealt in match.record()["rounds"]:
            found[name].deal(*dealt["deck"], first=dealt["first"]).play(*dealt["moves"])
    found["fresh"] = won_rounds(Stage(folder, "classic", ["Ada"], ["random"]), "01011111")
    found["hint"] = duel(
        Stage(folder, "classic", ["Ada"], ["random"], hints=True, pace_ms=10**7), "guard", "priest", "baron"
    )
    return found


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    folder = stages["two"].folder
    for stage in stages.values():
        stage.write()

    async def keep() -> None:
        with closing(Store(folder, sync=False)) as store:
            for name, match in MATCHES.items():
                text = "".join(f"{line}\n" for line in lines_of(name))
                await store.analyses.keep(analysis_key(match.record(), BUDGET_MS, 0), text, int(time.time()))

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, keep()).result()
    with staged(folder.parent, {}) as server:
        yield server


def open_analysis(visitor: Visitor, stage: Stage, query: str = "") -> Page:
    """The analysis of a table, for one who sat there."""
    visitor.be(stage.key)
    visitor.page.goto(f"/tables/{stage.table}/analysis{query}")
    return visitor.page


def at(page: Page, step: int, name: str = "two") -> None:
    """Wait until the page shows a step."""
    expect(page.locator("#steps .where")).to_have_text(f"Step {step + 1} of {count_steps(MATCHES[name])}")


# Going through


def test_a_match_is_gone_through_by_links_and_by_keys(visitor: Visitor, stages: dict[str, Stage]) -> None:
    there = [step for step in mistakes("two") if step > 0]
    assert len(there) > 2
    page = open_analysis(visitor, stages["two"])
    page.evaluate("window.same = true")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.keyboard.press("Shift+ArrowRight")
    at(page, there[0])
    page.click("#steps a:text-is('Next mistake')")
    at(page, there[1])
    page.keyboard.press("Shift+ArrowLeft")
    at(page, there[0])
    move = page.locator("#round-lists li a").nth(9)
    move.click()
    expect(move).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")  # the focus is in the list
    expect(page.locator("#round-lists li a").nth(10)).to_have_attribute("aria-current", "step")
    box = page.locator("svg.lines").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(rf"step=({'|'.join(map(str, middle(count_steps(MATCHES['two']))))})$"))
    assert page.evaluate(IN_SIGHT)
    page.go_back()
    expect(page.locator("#round-lists li a").nth(10)).to_have_attribute("aria-current", "step")
    assert page.evaluate("window.same === true")  # nothing was loaded anew


def middle(count: int) -> range:
    """The steps in the middle of so many."""
    return range(count // 2 - 2, count // 2 + 2)


def test_a_match_plays_through_by_itself_until_it_is_stopped(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = open_analysis(visitor, stages["two"], "?step=2")
    page.evaluate("document.addEventListener('click', (event) => window.clicks = (window.clicks ?? 0) + 1)")
    page.clock.install()
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Stop")
    page.clock.run_for(2600)
    at(page, 3)
    page.clock.run_for(2600)
    at(page, 4)
    page.keyboard.press("Escape")
    expect(page.locator("#play")).to_have_text("Play through")
    page.clock.run_for(6000)
    at(page, 4)
    page.goto(f"{page.url.partition('?')[0]}?step={count_steps(MATCHES['two']) - 2}&play=1")
    page.clock.run_for(2600)
    at(page, count_steps(MATCHES["two"]) - 1)
    expect(page.locator("#steps a[data-play]")).to_have_count(0)  # there is nothing more


# What is shown


def test_the_page_shows_what_was_found(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = open_analysis(visitor, stages["two"], "?step=3")
    found = judged("two")
    rows = page.locator("#round-lists li a:has(.move-chance)")
    signs = ["" if each.decision.forced else GLYPHS[each.decision.mark] for each in found]
    assert (
        rows.evaluate_all("all => all.map((a) => a.querySelector('.mark [aria-hidden]')?.textContent ?? '')") == signs
    )
    expect(page.locator("#accounts article")).to_have_count(2)
    decision = found[steps("two").index(3)].decision
    shown = page.locator("#decision .move-values tbody tr").count()
    assert shown == len(decision.moves)
    assert page.locator("#decision .is-played").count() == 1
    wrong = next(k for k, each in enumerate(found) if each.decision.reason is not None)
    page.goto(f"{page.url.partition('?')[0]}?step={steps('two')[wrong]}")
    loss = found[wrong].decision.loss
    expect(page.locator("#decision")).to_contain_text(f"by {100 * loss:.1f} points")
    expect(page.locator("#decision .reason")).to_be_visible()


@pytest.mark.parametrize("name", MATCHES)
def test_what_a_seat_knew_shows_its_cards_and_no_others(name: str, visitor: Visitor, stages: dict[str, Stage]) -> None:
    for step in steps(name)[:24:5]:
        page = open_analysis(visitor, stages[name], f"?step={step}")
        match = at_step(MATCHES[name], step)
        assert isinstance(match, Match)
        view = match.view(match.turn)
        hands = [sorted(CARD_NAMES[card] for card in view.known[seat]) for seat in range(len(match.players))]
        names = {face: slug for slug, face in page_names(match).items()}
        for part, told in (("known", hands), ("truth", None)):
            seats = page.locator(f"#{part} .seat-lines li")
            for seat in range(len(match.players)):
                cards = (
                    seats.nth(seat).locator(".holds .card:not(.back)").evaluate_all("all => all.map((c) => c.title)")
                )
                found = sorted(names[card] for card in cards)
                assert found == (hands[seat] if told else sorted(CARD_NAMES[c] for c in match.view(seat).hand))
        assert page.locator("#known .stock-line .card:not(.back)").count() == len(view.face_up)


def page_names(match: Match) -> dict[str, str]:
    """The titles of all cards, as the page writes them."""
    renderer = CardRenderer(match.rules, Preferences().words_for(match.edition))
    return {face.slug: face.name for face in renderer.deck()}


def test_an_analysis_appears_as_it_is_computed(visitor: Visitor, stages: dict[str, Stage]) -> None:
    compile_coach()
    page = open_analysis(visitor, stages["fresh"])
    page.evaluate("window.same = true")
    expect(page.locator("#progress")).to_be_visible()
    expect(page.locator("#accounts")).to_be_visible(timeout=120_000)
    assert page.evaluate("window.same === true")
    assert page.locator("#progress").count() == 0
    assert page.locator("#round-lists .mark-blunder").count() > 2  # the Princess was played


# For everybody


@pytest.mark.parametrize(("name", "lang", "look"), [("two", "en", "light"), ("four", "fr", "dark")])
def test_an_analysis_fits_a_phone_and_is_accessible(
    name: str, lang: str, look: str, browser: Browser, server: Running, stages: dict[str, Stage]
) -> None:
    visitor = phone(browser, server)
    visitor.prefer(lang=lang, look=look)
    wrong = next(k for k, each in enumerate(judged(name)) if each.decision.reason is not None)
    for step in (steps(name)[wrong], count_steps(MATCHES[name]) - 1):
        page = open_analysis(visitor, stages[name], f"?step={step}&seat=1")
        assert visitor.fits()
        assert page.evaluate(TOO_LOW) == []
        assert accessibility_problems(page) == []
    visitor.leave()


def test_an_analysis_works_without_scripts(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = Visitor(browser, server, java_script_enabled=False)
    page = open_analysis(visitor, stages["two"])
    page.click("#steps a:text-is('Next')")
    at(page, 1)
    page.click("#steps a:text-is('Next mistake')")
    at(page, next(step for step in mistakes("two") if step > 1))
    page.select_option("#whose select", "1")
    page.click("#whose button")
    expect(page.locator("#whose option:checked")).to_have_text(MATCHES["two"].players[1])
    page.click("#play")
    refresh = page.locator("noscript meta[http-equiv=refresh], meta[http-equiv=refresh]").first.get_attribute("content")
    assert refresh is not None
    assert "play=1" in refresh
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Play through")
    visitor.leave()


def test_a_shared_record_has_the_same_analysis(
    visitor: Visitor, browser: Browser, server: Running, stages: dict[str, Stage]
) -> None:
    page = open_analysis(visitor, stages["two"], "?step=5")
    page.click("text=Share by link")
    page.wait_for_url("**/games/*")
    stranger = Visitor(browser, server)
    stranger.page.goto(f"{page.url}/analysis")
    expect(stranger.page.locator("#accounts")).to_be_visible()
    assert stranger.page.input_value("#share-link") == stranger.page.url
    stranger.leave()


# Hints


def test_a_hint_is_given_when_asked_for(visitor: Visitor, stages: dict[str, Stage]) -> None:
    compile_coach()
    page = arrive(visitor, stages["hint"])
    expect(page.locator("#hints .hint")).to_have_count(0)
    page.click("#hints button")
    expect(page.locator("#hints .hint")).to_contain_text("Best: ", timeout=60_000)
    assert accessibility_problems(page) == []
    page.reload()
    expect(page.locator("#hints .hint")).to_contain_text("Best: ")


def test_a_record_that_stops_anywhere_and_has_long_names_is_analysed(visitor: Visitor) -> None:
    compile_coach()
    record = chance_match("classic", 2, 3, 4).record() | {"players": ["W" * 100, "<b>" + "é" * 97]}
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    visitor.page.goto("/replay")
    visitor.page.fill(".drop textarea", json.dumps(record))
    visitor.page.click(".drop button")
    visitor.page.wait_for_url("**/games/*")
    assert visitor.fits()
    visitor.page.click("#replay-bar >> text=Analysis")
    expect(visitor.page.locator("#accounts")).to_be_visible(timeout=60_000)
    expect(visitor.page.locator(".move-values").first).to_be_visible()
    assert visitor.fits()
    visitor.page.click("#round-lists li a >> nth=-1")
    expect(visitor.page.locator("#decision h2")).to_have_text("The record ends here.")
