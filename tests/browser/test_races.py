"""Double clicks, closing sockets, and states that overtake each other: nothing is done twice, lost, or shown again."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from suitors import Card
from support.browser import Visitor
from support.page_players import KEEP_SOCKETS, Player, arrive, duel, hold, led_on, staged, view_of
from support.servers import Running
from support.stored_tables import NEVER, Stage

OVERTAKEN = """async (animated) => {
  const { show } = await import(document.querySelector("script[type=module]").src);
  const table = document.getElementById("table").outerHTML;
  const begin = document.startViewTransition.bind(document), begun = [];
  document.startViewTransition = (change) => {
    const transition = begin(change);
    begun.push(transition.updateCallbackDone);
    return transition;
  };
  animated.forEach((moves, k) => {
    const fresh = table.replace(/data-state="\\d+"/, `data-state="${900 + k}"`);
    show(fresh, moves ? [["deck", "hand-guard"]] : []);
  });
  await Promise.all(begun);
  return [begun.length, document.getElementById("table").dataset.state];
}"""
"""Several states of the table arrive at once, some animated: the number of transitions, and the state shown then."""


TURNED_ROUND = """async () => {
  const { show } = await import(document.querySelector("script[type=module]").src);
  const fresh = document.getElementById("table").cloneNode(true);
  const [first, second] = fresh.querySelectorAll("#hand button[form]");
  let hand = first.parentElement;
  while (!hand.contains(second)) hand = hand.parentElement;
  hand.append(...[...hand.children].reverse());
  show(fresh.outerHTML);
}"""
"""The cards in hand come in another order."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The tables of this module: a Handmaid and a Guard in hand, and a bot that never moves."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def stage() -> Stage:
        return duel(Stage(folder, "classic", ["Ada"], ["random"], pace_ms=NEVER), "handmaid", "king", "guard")

    return {name: stage() for name in ("overtaken", "clicked", "closing")}


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["clicked"].folder.parent, stages) as server:
        yield server


@pytest.mark.parametrize("card", ["handmaid", "guard"])
def test_a_card_that_is_laid_elsewhere_keeps_the_focus(visitor: Visitor, stages: dict[str, Stage], card: str) -> None:
    page = arrive(visitor, stages["overtaken"])
    page.focus(f"#hand-{card}")
    order = page.locator("#hand button[form]").evaluate_all("found => found.map((button) => button.id)")
    page.evaluate(TURNED_ROUND)
    turned = page.locator("#hand button[form]").evaluate_all("found => found.map((button) => button.id)")
    assert turned == order[::-1]
    expect(page.locator(f"#hand-{card}")).to_be_focused()


@pytest.mark.parametrize("animated", [(True, False), (True, True, True), (False, True, False, True)], ids=str)
def test_no_older_state_of_the_table_comes_back(
    browser: Browser, server: Running, stages: dict[str, Stage], animated: tuple[bool, ...]
) -> None:
    visitor = Visitor(browser, server, reduced_motion="no-preference")
    page = arrive(visitor, stages["overtaken"])
    assert page.evaluate(OVERTAKEN, list(animated)) == [1, str(899 + len(animated))]
    visitor.leave()


def test_a_card_that_is_clicked_twice_is_played_once(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["clicked"])
    held = hold(page, re.compile("/move$"))
    with page.expect_request(re.compile("/move$")):
        page.click("#hand button:has-text('Handmaid')")
    for _ in range(2):
        page.click("#hand button:has-text('Handmaid')")
    held[0].continue_()
    expect(page.locator("#news")).to_contain_text("You play the Handmaid")
    assert len(held) == 1
    assert page.locator("#toast").inner_text() == ""
    assert view_of(visitor).piles[0] == (Card.HANDMAID,)


def test_a_move_is_not_lost_while_the_answer_to_the_last_one_is_under_way(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    with led_on(page):
        page.check("#way-solo")
        page.click("#start button.main")
    late: list[tuple[Route, APIResponse]] = []
    page.route(re.compile("/move$"), lambda route: late.append((route, route.fetch())))
    player = Player(visitor)
    player.come()
    while len(late) < 2:  # the socket tells of a move before its answer comes
        player.step()
    for route, answer in late:
        route.fulfill(response=answer)
    assert page.locator("#toast").inner_text() == ""


def test_a_choice_on_a_line_that_is_being_closed_is_not_lost(fresh_visitor: Visitor, stages: dict[str, Stage]) -> None:
    fresh_visitor.page.add_init_script(KEEP_SOCKETS)
    page = arrive(fresh_visitor, stages["closing"])
    page.evaluate("() => { sockets[0].close(); document.querySelector('#hand-guard').click(); }")
    expect(page.locator("#items-name button, #prompt .pick").first).to_be_visible()
