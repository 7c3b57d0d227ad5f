"""Replays in a browser: step by step, as any seat saw it, shared, downloaded, and dropped on a page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from suitors import Match
from suitors.notation import CARD_NAMES
from suitors.records.record import load
from suitors.server.domain.replay import at_step, count_steps
from suitors.view.match import View
from support.browser import Visitor
from support.matches import chance_match
from support.page_players import hold, staged
from support.servers import Running
from support.stored_tables import Stage

MATCHES = {"two": ("modern", 2, 46), "three": ("modern", 3, 85)}
"""Finished matches: edition, players and seed."""

CARDS = "found => found.map((card) => card.dataset.card).sort()"


def match_of(name: str) -> Match:
    """One of the matches of this module."""
    slug, players, seed = MATCHES[name]
    return chance_match(slug, players, seed)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    folder = tmp_path_factory.mktemp("replays") / "data"
    found = {}
    for name in MATCHES:
        match = match_of(name)
        found[name] = Stage(folder, match.edition, list(match.players))
        for dealt in match.record()["rounds"]:
            found[name].deal(*dealt["deck"], first=dealt["first"]).play(*dealt["moves"])
    return found


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["two"].folder.parent, stages) as server:
        yield server


def open_replay(visitor: Visitor, stage: Stage, query: str = "") -> Page:
    """The replay of a table, for one who sat there."""
    visitor.be(stage.key)
    visitor.page.goto(f"/tables/{stage.table}/replay{query}")
    return visitor.page


def at(page: Page, step: int, match: Match) -> None:
    """Wait until the page shows a step (0: the first deal)."""
    expect(page.locator("#replay-bar .where")).to_have_text(f"Step {step + 1} of {count_steps(match)}")


def twin_at(match: Match, step: int) -> Match:
    """The match as it was after a step."""
    twin = at_step(match, step)
    assert isinstance(twin, Match)
    return twin


def names(cards: tuple[int, ...]) -> list[str]:
    """Cards by name, sorted."""
    return sorted(CARD_NAMES[card] for card in cards)


def own_hand(page: Page) -> list[str]:
    """The cards in the hand of the one through whose eyes the page looks."""
    found: list[str] = page.eval_on_selector_all("#hand .held", "found => found.map((held) => held.id)")
    return sorted(held.removeprefix("hand-").removesuffix("-place").rstrip("-23") for held in found)


def shows(page: Page, view: View, known: tuple[tuple[int, ...], ...]) -> None:
    """The page shows the cards that a view has, and no other card anywhere on the table."""
    assert own_hand(page) == names(view.hand)
    lying: list[int] = [*view.face_up, *(card for pile in view.piles for card in pile)]
    for seat, cards in enumerate(known):
        if seat != view.seat:
            assert page.eval_on_selector_all(f"#seat-{seat}-hand [data-card]", CARDS) == names(cards)
            assert page.locator(f"#seat-{seat}-hand .back").count() == view.held[seat] - len(cards)
            lying += cards
    assert page.eval_on_selector_all("#table-surface [data-card]", CARDS) == names(tuple(lying))


# Step by step


def test_a_match_is_replayed_by_buttons_and_by_keys(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of("two")
    last = count_steps(match) - 1
    page = open_replay(visitor, stages["two"])
    at(page, 0, match)
    expect(page.locator("#eyes option:checked")).to_have_text("Ada")  # one's own eyes
    assert page.locator("#replay-bar a:text-is('Back')").count() == 0
    page.evaluate("window.same = true")
    page.click("#replay-bar a:text-is('Next')")
    at(page, 1, match)
    page.keyboard.press("ArrowRight")
    at(page, 2, match)
    shows(page, twin_at(match, 2).view(0), twin_at(match, 2).view(0).known)
    page.keyboard.press("ArrowLeft")
    at(page, 1, match)
    page.click("#replay-bar a:text-is('Previous')")
    at(page, 0, match)
    page.keyboard.press("ArrowLeft")  # there is nothing before
    for _ in range(4):  # however fast they come
        page.keyboard.press("ArrowRight")
    at(page, 4, match)
    page.click("#replay-bar a:text-is('Last')")
    at(page, last, match)
    assert page.locator("#replay-bar a:text-is('On')").count() == 0
    expect(page.locator("#verdict")).to_be_visible()
    page.go_back()
    at(page, 4, match)
    page.go_forward()
    at(page, last, match)
    page.click("#replay-bar a:text-is('First')")
    at(page, 0, match)
    assert page.evaluate("window.same === true")  # leaves were turned, nothing was loaded anew
    expect(page).to_have_url(re.compile(r"\?step=0&eyes=0$"))


def test_leaves_that_are_turned_back_fast_end_at_the_last_one(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of("two")
    page = open_replay(visitor, stages["two"])
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at(page, step, match)
    held = hold(page, re.compile(r"\?step=2&"))
    page.evaluate("() => history.back()")
    expect(page).to_have_url(re.compile(r"\?step=2&"))
    page.evaluate("() => history.back()")
    expect(page).to_have_url(re.compile(r"\?step=1&"))
    for route in held:
        route.continue_()
    assert len(held) == 1
    page.wait_for_load_state("networkidle")
    at(page, 1, match)


@pytest.mark.parametrize("name", MATCHES)
def test_no_eyes_see_more_than_they_saw(name: str, visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of(name)
    steps = [step for step in range(count_steps(match)) if twin_at(match, step).turn is not None][1::7][:3]
    for seat in (*range(len(match.players)), None):
        page = open_replay(visitor, stages[name])
        page.select_option("#eyes select", "none" if seat is None else str(seat))
        page.click("#eyes button")
        page.wait_for_url(f"**eyes={'none' if seat is None else seat}")
        for step in steps:
            page.goto(f"/tables/{stages[name].table}/replay?step={step}&eyes={'none' if seat is None else seat}")
            view = twin_at(match, step).view(seat)
            shows(page, view, view.known)
            secret = page.locator("#log .line.secret").count()
            assert seat is not None or secret == 0
            assert page.locator("#table button[form]").count() == 0  # nothing can be played in a replay


def test_the_chances_of_hidden_cards_can_be_seen_in_a_replay(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of("two")
    page = open_replay(visitor, stages["two"], "?step=1&eyes=0")
    page.click("text=Show the chances")
    page.wait_for_selector("#knowledge .bars")
    at(page, 1, match)
    expect(page.locator("#eyes option:checked")).to_have_text("Ada")


def test_all_cards_can_be_laid_open(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of("two")
    page = open_replay(visitor, stages["two"], "?eyes=all")
    for step in (0, 1, 5):
        page.goto(f"/tables/{stages['two'].table}/replay?step={step}&eyes=all")
        twin = twin_at(match, step)
        shows(page, twin.view(None), tuple(twin.view(seat).hand for seat in range(2)))


def test_a_replay_speaks_of_nobody_as_thinking(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = match_of("two")
    for step in range(1, 7):
        page = open_replay(visitor, stages["two"], f"?step={step}&eyes=0")
        at(page, step, match)
        assert "thinking" not in page.inner_text("main")


def test_no_two_hidden_cards_have_the_same_heading(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(know="on")
    counts = set()
    for step in range(1, 7):
        page = open_replay(visitor, stages["two"], f"?step={step}&eyes=0")
        headings = page.locator(".hidden-card h3").all_inner_texts()
        assert len(set(headings)) == len(headings)
        counts.add(len([heading for heading in headings if ", card " in heading]))
    assert counts >= {0, 2}, "somebody held two cards at some of these steps"


# Sharing and taking away


def test_a_replay_is_shared_by_a_link(
    visitor: Visitor, browser: Browser, server: Running, stages: dict[str, Stage]
) -> None:
    match = match_of("two")
    stranger = Visitor(browser, server)
    stranger.expect_refusals = True
    stranger.page.goto(f"/tables/{stages['two'].table}/replay")
    assert "Page not found" in stranger.page.inner_text("#main")
    page = open_replay(visitor, stages["two"])
    page.click("text=Share by link")
    page.wait_for_url("**/games/*")
    link = page.input_value("#share-link")
    assert link == page.url
    stranger.page.goto(link)
    at(stranger.page, 0, match)
    expect(stranger.page.locator("#eyes option:checked")).to_have_text("all cards face up")
    stranger.page.keyboard.press("ArrowRight")
    at(stranger.page, 1, match)
    twin = twin_at(match, 1)
    shows(stranger.page, twin.view(None), tuple(twin.view(seat).hand for seat in range(2)))
    with stranger.page.expect_download() as waiting:
        stranger.page.click("text=Download the record")
    assert load(Path(waiting.value.path()).read_text("utf-8")).record() == match.record()
    stranger.leave()


def test_a_record_is_taken_away_as_a_file(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = open_replay(visitor, stages["two"])
    with page.expect_download() as waiting:
        page.click("#replay-bar >> text=Download the record")
    assert waiting.value.suggested_filename == f"suitors-modern-{stages['two'].table[:8]}.json"
    again = load(Path(waiting.value.path()).read_text("utf-8"))
    assert again.record() == match_of("two").record()
    assert again.over


# Dropping


def test_a_record_file_is_chosen(visitor: Visitor, tmp_path: Path) -> None:
    match = match_of("three")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(match.record()), "utf-8")
    visitor.page.goto("/replay")
    visitor.page.set_input_files(".drop input[type=file]", file)
    visitor.page.wait_for_url("**/games/*")
    at(visitor.page, 0, match)


def test_a_record_file_is_dropped_on_the_page(visitor: Visitor) -> None:
    match = chance_match("classic", 2, 3, 5)  # it may stop anywhere
    assert isinstance(match, Match)
    visitor.page.goto("/replay")
    carried = visitor.page.evaluate_handle(
        "text => { const all = new DataTransfer();"
        " all.items.add(new File([text], 'game.json', { type: 'application/json' })); return all; }",
        json.dumps(match.record()),
    )
    visitor.page.dispatch_event("body", "dragover", {"dataTransfer": carried})
    expect(visitor.page.locator(".drop.over")).to_be_visible()
    visitor.page.dispatch_event("body", "drop", {"dataTransfer": carried})
    visitor.page.wait_for_url("**/games/*")
    at(visitor.page, 0, match)


def test_the_text_of_a_record_is_pasted(visitor: Visitor) -> None:
    match = match_of("two")
    visitor.page.goto("/replay")
    visitor.page.fill(".drop textarea", json.dumps(match.record(), indent=1))
    visitor.page.click(".drop button")
    visitor.page.wait_for_url("**/games/*")
    at(visitor.page, 0, match)


def test_a_broken_record_gets_a_clear_sentence(visitor: Visitor, tmp_path: Path) -> None:
    visitor.expect_refusals = True
    record = match_of("two").record()
    record["rounds"][0]["moves"][0] = "princess 1"
    file = tmp_path / "broken.json"
    for text, sentence in (
        ("{", "That file is not a Suitors record: This is not JSON"),
        (json.dumps(record), "That file is not a Suitors record: 'princess 1' is not legal now"),
    ):
        file.write_text(text, "utf-8")
        visitor.page.goto("/replay")
        visitor.page.set_input_files(".drop input[type=file]", file)
        expect(visitor.page.locator("h1")).to_have_text("That did not work")
        expect(visitor.page.locator("#main p").first).to_contain_text(sentence)
