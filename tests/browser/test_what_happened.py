"""What happened stays on the table, waits for a nod where it concerns the player, and can be gone over."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from suitors.server.sockets.page_socket import PACES_MS
from suitors.server.web.new_table import PACE_MS
from support.browser import Visitor
from support.page_players import NODDING, Player, arrive, staged, won_rounds
from support.servers import Running
from support.stored_tables import NEVER, Stage

SHOW = """async (html) => {
  const { show } = await import(document.querySelector("script[type=module]").src);
  show(new DOMParser().parseFromString(html, "text/html").getElementById("table").outerHTML);
}"""
"""Shows a later state of a table, as if it had come through the socket."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The same round of three, one move further each; and some ends."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def stage(*moves: str) -> Stage:
        three = Stage(folder, "classic", ["Ada"], ["random=Pip", "random=Oriana"], pace_ms=NEVER)
        three.deal("baron", "guard", "priest", "handmaid", "king", "guard", "priest", "guard", "prince")
        return three.play(*moves)

    own, aimed, last = "guard 2 princess", "priest 0", "handmaid"
    shared = Stage(folder, "classic", ["Ada", "Ben"], pace_ms=NEVER)
    return {
        "before": stage(own),
        "aimed": stage(own, aimed),
        "after": stage(own, aimed, last),
        "out": stage(own, "guard 0 king"),
        "bots, quick": stage(own),
        "bots, calm": stage(own),
        "shared": won_rounds(shared, "0"),
        "won": won_rounds(Stage(folder, "classic", ["Ada"], ["random"], pace_ms=NEVER), "0101010100"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["before"].folder.parent, stages) as server:
        yield server


def html_of(visitor: Visitor, stage: Stage) -> str:
    """The page of a table as its player sees it."""
    visitor.be(stage.key)
    return visitor.page.request.get(f"/tables/{stage.table}").text()


def sentences(page: Page) -> list[str]:
    """What has happened since the player's last decision, move by move."""
    return [" ".join(text.split()) for text in page.locator("#since li").all_text_contents()]


def test_everything_since_the_last_decision_stays(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["after"])
    told = sentences(page)
    assert len(told) == 3
    for sentence, words in zip(
        told, ("You play the Guard", "Pip plays the Priest", "Oriana plays the Handmaid"), strict=True
    ):
        assert sentence.startswith(words)
    expect(page.locator("#since .aimed")).to_contain_text("looks at your hand")
    expect(page.locator("#letter-handmaid")).to_be_visible()


def test_what_is_aimed_at_a_player_waits_for_a_nod(visitor: Visitor, stages: dict[str, Stage]) -> None:
    aimed, after = html_of(visitor, stages["aimed"]), html_of(visitor, stages["after"])
    page = arrive(visitor, stages["before"])
    expect(page.locator("#nod")).to_have_count(0)
    page.evaluate(SHOW, aimed)
    expect(page.locator("#nod-box")).to_contain_text("looks at your hand")
    expect(page.locator("#nod")).to_be_visible()
    page.evaluate(SHOW, after)
    expect(page.locator("#nod")).to_be_visible()
    expect(page.locator("#table .ask")).to_have_count(0)
    page.click("#nod")
    expect(page.locator("#table .ask")).to_be_visible()
    assert not page.evaluate(NODDING)


def test_whoever_nods_by_key_keeps_the_focus_though_nothing_is_to_be_chosen_yet(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    aimed, after = html_of(visitor, stages["aimed"]), html_of(visitor, stages["after"])
    page = arrive(visitor, stages["before"])
    page.evaluate(SHOW, aimed)
    page.focus("#nod")
    page.keyboard.press("Enter")
    expect(page.locator("#nod")).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()
    page.evaluate(SHOW, after)
    expect(page.locator("#hand button").first).to_be_focused()


def test_nothing_waits_if_that_is_not_wanted(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="en", wait="off")
    aimed = html_of(visitor, stages["aimed"])
    page = arrive(visitor, stages["before"])
    page.evaluate(SHOW, aimed)
    expect(page.locator("#since .aimed")).to_have_count(1)
    expect(page.locator("#nod")).to_be_hidden()
    assert not page.evaluate(NODDING)


def test_what_is_aimed_at_a_player_may_wait_a_few_seconds_instead(
    fresh_visitor: Visitor, stages: dict[str, Stage]
) -> None:
    visitor = fresh_visitor
    visitor.prefer(lang="en", wait="seconds")
    aimed, after = html_of(visitor, stages["aimed"]), html_of(visitor, stages["after"])
    visitor.page.clock.install()
    page = arrive(visitor, stages["before"])
    page.evaluate(SHOW, aimed)
    expect(page.locator("#nod-box")).to_contain_text("looks at your hand")
    page.evaluate(SHOW, after)
    page.clock.run_for(4_000)
    expect(page.locator("#nod")).to_be_visible()
    page.clock.run_for(1_000)
    expect(page.locator("#table .ask")).to_be_visible()
    assert not page.evaluate(NODDING)


@pytest.mark.parametrize("pace", ["quick", "calm"])
def test_bots_play_as_fast_as_their_player_likes(visitor: Visitor, stages: dict[str, Stage], pace: str) -> None:
    visitor.prefer(lang="en", pace="brisk")
    page = arrive(visitor, stages[f"bots, {pace}"])
    expect(page.locator("#prompt")).to_contain_text("Pip is thinking")  # for as long as the table says
    page.click("#settings summary")
    page.select_option("#settings [name=pace]", pace)
    page.click("#settings .sheet button")
    expect(page.locator("#pile-1-0")).to_have_count(1)


def test_calm_bots_are_slower_than_others() -> None:
    calm, brisk, quick = (PACES_MS[pace] for pace in ("calm", "brisk", "quick"))
    assert brisk is None  # as the table says
    assert calm is not None
    assert quick is not None
    assert quick < PACE_MS < calm


def test_one_who_is_out_sees_the_end_of_the_round_at_once(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["out"])
    expect(page.locator("#prompt")).to_contain_text("You are out until the next round.")
    page.click("text=Skip to the end of the round")
    expect(page.locator("#verdict")).to_be_visible()


def test_the_last_moves_are_gone_over_at_the_table(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["after"])
    news = page.locator("#news")
    expect(news).to_contain_text("Oriana plays the Handmaid")
    page.get_by_role("button", name="One move back").click()
    expect(news).to_contain_text("looks at your hand")
    expect(page.locator("#letter-priest")).to_be_visible()
    page.get_by_role("button", name="One move on").click()
    expect(news).to_contain_text("Oriana plays the Handmaid")
    expect(page.locator("#table .ask")).to_be_visible()


def test_going_back_keeps_what_is_chosen(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["after"])
    Player(visitor).choose("Guard")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("#news")).to_contain_text("looks at your hand")
    expect(page.locator("#items-name")).to_be_visible()


def test_piles_and_rules_open_beside_the_table(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["after"])
    where = page.url
    page.click("#seat-1 .seat-name")
    expect(page.locator("#cards-1")).to_contain_text("Priest")
    expect(page.locator("#cards-1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#cards-1")).to_be_hidden()
    info = page.locator("#hand .info").first
    info.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".popup:popover-open h2")).to_have_count(1)
    page.locator(".popup:popover-open").get_by_role("button", name="Close").click()
    expect(page.locator(".popup:popover-open")).to_have_count(0)
    page.click("#reference .row-name >> nth=0")
    expect(page.locator("#about-princess")).to_be_visible()
    assert page.url == where


def test_a_new_round_is_covered_on_a_device_that_is_shared(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["shared"], "?seat=0")
    page.click("#deal button")
    expect(page.locator("#cover")).to_be_visible()
    expect(page.locator("#hand .held")).to_have_count(0)
    page.click("#uncover button")
    expect(page.locator("#hand .held").first).to_be_visible()


def test_winning_the_match_is_the_headline(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["won"])
    expect(page.locator("#verdict h2")).to_have_text("You win the match!")
    expect(page.locator("#verdict p").first).to_have_text("You win the round.")
    expect(page.locator("#verdict tbody tr").first).to_contain_text(re.compile("Ada"))
