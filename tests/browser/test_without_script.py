"""Pages without a script: every form and every link works by itself."""

import random
import re
from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from support.browser import TIMEOUT_MS, Visitor
from support.page_players import CHOICES, compile_coach, duel, staged, won_rounds
from support.servers import Running
from support.stored_tables import Stage


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The tables of this module."""
    folder = tmp_path_factory.mktemp("server") / "data"
    return {
        "round": duel(Stage(folder, "modern", ["Ada"], ["random"]), "guard", "baron", "priest"),
        "princess": duel(Stage(folder, "classic", ["Ada"], ["random"]), "princess", "baron", "priest"),
        "over": won_rounds(Stage(folder, "classic", ["Ada"], ["random"]), "000000"),
        "pass": duel(Stage(folder, "classic", ["Ada", "Ben"]), "handmaid", "guard", "priest", "king"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["round"].folder.parent, stages) as server:
        yield server


@pytest.fixture
def plain(browser: Browser, server: Running) -> Iterator[Visitor]:
    """Somebody whose browser runs no scripts."""
    visitor = Visitor(browser, server, java_script_enabled=False)
    yield visitor
    visitor.leave()


def sit_at(visitor: Visitor, stage: Stage) -> Page:
    """Come to a staged table."""
    visitor.be(stage.key)
    visitor.page.goto(f"/tables/{stage.table}")
    return visitor.page


def press(button: Locator) -> None:
    """Press a button that leads to another page."""
    with button.page.expect_navigation():
        button.click()


def look_for(page: Page, selector: str) -> None:
    """Look again until something is there: nothing is pushed to such a page."""
    until = monotonic() + TIMEOUT_MS / 1000
    while page.locator(selector).count() == 0:
        assert monotonic() < until, "nothing happens"
        page.reload()


def await_turn(page: Page) -> bool:
    """Look again until there is something to choose, or (False) all is over."""
    look_for(page, "#table .ask, #verdict")
    return page.locator("#verdict").count() == 0


def play(page: Page, rng: random.Random) -> None:
    """Choose by chance until the round, or the game, is over."""
    while await_turn(page):
        choices = page.locator(CHOICES)
        if page.locator("#prompt .danger").count() and rng.random() < 0.7:
            press(page.locator("#prompt button[value='']"))
        else:
            press(choices.nth(rng.randrange(choices.count())))


def test_a_round_is_played_by_forms(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["round"])
    press(page.locator("#hand button", has_text="Guard"))
    expect(page.locator("#prompt .ask")).to_contain_text("Which card does Random 1 hold?")
    press(page.locator("#prompt .back-step"))
    expect(page.locator("#prompt .ask")).to_have_text("Your turn: choose a card to play.")
    press(page.locator("#hand button", has_text="Priest"))
    expect(page.locator("#log-lines")).to_contain_text("You see that Random 1 holds the Baron")
    play(page, random.Random(1))
    expect(page.locator("#verdict h2")).to_be_visible()
    press(page.locator("#deal button"))
    expect(page.locator("#where")).to_contain_text("Round 2")


def test_the_princess_asks_on_a_page_of_her_own(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["princess"])
    press(page.locator("#hand button", has_text="Princess"))
    expect(page.locator("#prompt .ask")).to_contain_text("Play it all the same?")
    press(page.locator("text=No, choose again"))
    press(page.locator("#hand button", has_text="Princess"))
    press(page.locator("text=Yes, play it"))
    expect(page.locator("#verdict h2")).to_contain_text("Random 1")


def test_a_device_is_passed_on_by_forms(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["pass"])
    expect(page.locator("#hand")).to_have_count(0)
    press(page.locator("text=I am Ada: show my hand"))
    expect(page.locator("#hand .held")).to_have_count(2)
    press(page.locator("#hand button", has_text="Handmaid"))
    press(page.locator("#uncover button", has_text="Ben"))
    expect(page.locator("#hand")).to_have_count(0)
    press(page.locator("text=I am Ben: show my hand"))
    expect(page.locator("#hand .held")).to_have_count(2)


def test_a_lobby_fills_and_starts_by_forms(browser: Browser, plain: Visitor) -> None:
    page = plain.page
    page.goto("/")
    page.fill("#start input[name=name]", "Ada")
    page.select_option("#start select[name=players]", "3")
    page.select_option("#start select[name=bot]", "novice")
    page.check("#way-friends")
    press(page.locator("#start button.main"))
    link = page.input_value("#invite-link")
    friend = Visitor(browser, plain.server, java_script_enabled=False)
    friend.page.goto(link)
    friend.page.fill("#place-1 input[name=name]", "Ben")
    press(friend.page.locator("#place-1 button", has_text="Join"))
    expect(friend.page.locator("#place-1")).to_contain_text("Ben")
    page.reload()
    expect(page.locator("#place-1")).to_contain_text("Ben")
    press(page.locator("#fill button"))
    expect(page.locator("#place-2")).to_contain_text("bot")
    press(page.locator("#begin button"))
    look_for(page, "#others")
    assert "Ben" in page.locator("#others h2").all_inner_texts()
    friend.leave()


def test_solitaire_is_played_by_forms_with_hints_and_a_review(plain: Visitor) -> None:
    page = plain.page
    page.goto("/")
    page.check("#way-solo")
    press(page.locator("#start button.main"))
    assert await_turn(page)
    compile_coach()
    press(page.locator("#hints button"))
    expect(page.locator("#hints table, #hints .note")).to_be_visible()
    play(page, random.Random(3))
    expect(page.locator("#verdict h2")).to_have_text(
        re.compile(r"The letter has reached the Princess: you win\.|The letter is lost\.")
    )
    press(page.locator("#verdict button"))
    assert await_turn(page)


def test_settings_are_applied_by_a_button(plain: Visitor) -> None:
    page = plain.page
    page.goto("/rules/modern")
    page.click("#settings summary")
    page.select_option("#settings select[name=lang]", "fr")
    page.select_option("#settings select[name=look]", "dark")
    page.select_option("#settings select[name=size]", "large")
    press(page.locator("#settings button"))
    assert page.url.endswith("/rules/modern")
    root = page.locator("html")
    expect(root).to_have_attribute("lang", "fr")
    expect(root).to_have_attribute("data-look", "dark")
    expect(root).to_have_attribute("data-size", "large")


def test_what_i_know_is_switched_by_a_form(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["princess"])
    press(page.locator("#know-switch button"))
    expect(page.locator("#know-switch button")).to_have_text("Hide the chances")


def test_a_replay_is_turned_by_links_and_shared_by_a_form(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["over"])
    page.click("#verdict >> text=Replay the match")
    where = page.locator("#replay-bar .where")
    expect(where).to_have_text("Step 1 of 12")
    page.click("#replay-bar >> text=Next")
    expect(where).to_have_text("Step 2 of 12")
    page.click("#replay-bar >> text=Last")
    expect(where).to_have_text("Step 12 of 12")
    page.click("#replay-bar >> text=Previous")
    expect(where).to_have_text("Step 11 of 12")
    page.select_option("#eyes select", "Random 1")
    press(page.locator("#eyes button"))
    expect(page.locator("#mine h2")).to_contain_text("Random 1")
    expect(where).to_have_text("Step 11 of 12")
    press(page.locator("text=Share by link"))
    expect(page.locator("#share-link")).to_have_value(re.compile("/games/"))


def test_a_record_is_pasted_and_replayed(plain: Visitor, stages: dict[str, Stage]) -> None:
    page = sit_at(plain, stages["over"])
    record = page.request.get(f"/tables/{stages['over'].table}/record").text()
    page.goto("/replay")
    page.fill("textarea", record)
    press(page.locator(".drop button"))
    expect(page.locator("#replay-bar .where")).to_have_text("Step 1 of 12")


def test_the_first_game_is_learnt_by_forms_and_links(plain: Visitor) -> None:
    page = plain.page
    page.goto("/learn")
    press(page.locator("text=Start the first game"))
    progress = page.locator(".progress")
    expect(progress).to_contain_text("Step 1 of")
    press(page.locator("#hand button", has_text="Guard"))
    press(page.locator(CHOICES).first)
    press(page.locator(CHOICES).first)
    expect(page.locator(".lesson .answer")).to_be_visible()
    press(page.locator("#hand button", has_text="Priest"))
    press(page.locator(CHOICES, has_text="Ben"))
    expect(progress).to_contain_text("Step 2 of")
    press(page.locator("text=Continue"))
    expect(progress).to_contain_text("Step 3 of")
    press(page.locator("text=Skip this step"))
    expect(progress).to_contain_text("Step 4 of")
    press(page.locator(".lesson a[rel=prev]"))
    expect(progress).to_contain_text("Step 3 of")
