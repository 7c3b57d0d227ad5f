"""The solo game in a browser: from the first page to the end, with exact hints, warnings, and a review."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from suitors import Card, Solo
from suitors.bots.solo import solved
from suitors.coach import analyse
from suitors.pages import Preferences
from suitors.pages.hints import MOST_MOVES as HINTS
from suitors.solve import solve
from suitors.view.data import read_view
from suitors.view.solo import SoloView
from suitors.words.solo_moves import solo_move
from support.browser import Visitor
from support.page_players import (
    CHOICES,
    CONNECTED,
    SCENE,
    TouchPlayer,
    accessibility_problems,
    alone,
    arrive,
    compile_coach,
    phone,
    resize,
    staged,
)
from support.servers import API, Running
from support.stored_tables import Stage

CHANGED = f"(before) => ({SCENE})() !== before"
HINT = "text=Hint: what is each move worth?"


def by_chance(seed: int, moves: int) -> Solo:
    """A game after so many moves by chance."""
    rng = random.Random(f"solo/{seed}")
    match = Solo("solitaire", ["Ada"], rng=rng)
    for _ in range(moves):
        match.push(rng.choice(match.moves()))
    return match


GAMES = {"hints": (1, 3), "early hints": (2, 0), "princess": (2846, 5), "prince": (1577, 7), "won": (97, 8)}
"""Games by chance: their seeds, and how many moves have been made."""


def stage_of(folder: Path, match: Solo) -> Stage:
    """The table of a game."""
    (dealt,) = match.record()["rounds"]
    return Stage(folder, match.edition, ["Ada"]).deal(*dealt["deck"]).play(*dealt["moves"])


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    folder = tmp_path_factory.mktemp("solitaire") / "data"
    found = {name: stage_of(folder, by_chance(*game)) for name, game in GAMES.items()}
    guess = Stage(folder, "solitaire-2019", ["Ada"])
    found["guess"] = alone(guess, lambda view: view.hand.count(Card.GUARD) == 2 and "guard q3 king" in view.legal)
    for name in ("attack", "attack on the hand"):
        attack = Stage(folder, "solitaire", ["Ada"])
        found[name] = attack.deal(
            "guard", "baron", "guard", "handmaid", "prince", "king", "priest", "countess", "guard"
        )
    return found


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["won"].folder.parent, stages) as server:
        yield server


def click(page: Page, *buttons: str) -> None:
    """Click one button after the other, each when what the one before it has brought is there."""
    for button in buttons:
        scene = page.evaluate(SCENE)
        page.locator(button).first.click()
        page.wait_for_function(CHANGED, arg=scene)


def click_move(page: Page, move: str) -> None:
    """Play a move, click by click."""
    state, words = page.get_attribute("#table", "data-state"), move.split()
    while page.get_attribute("#table", "data-state") == state:
        whole = f"#table button[name=move][value='{move}']"
        if page.locator(whole).count() == 0:
            ways = page.eval_on_selector_all("#table button[name=chosen]", "found => found.map((b) => b.value)")
            way = next(" ".join(words[:k]) for k in range(len(words), 0, -1) if " ".join(words[:k]) in ways)
            whole = f"#table button[name=chosen][value='{way}']"
        click(page, whole)


def view_of(visitor: Visitor) -> SoloView:
    """What is known, by the API."""
    view = read_view(visitor.page.request.get(f"{API}/tables/{visitor.table}/view").json()["view"])
    assert isinstance(view, SoloView)
    return view


def label(match: Solo, move: str) -> str:
    """A move as the page says it."""
    return solo_move(move, Preferences().words_for(match.edition))


def hints_on(page: Page) -> list[tuple[str, str]]:
    """Ask for hints: the moves and their chances."""
    page.click(HINT)
    page.wait_for_selector("#hints .hints")
    cells = page.locator("#hints td").all_inner_texts()
    return list(zip(cells[::2], cells[1::2], strict=True))


# A whole game


def test_a_game_from_the_first_page_to_its_review_and_the_next_one(visitor: Visitor) -> None:
    page, rng = visitor.page, random.Random(1)
    page.goto("/")
    page.check("#way-solo")
    page.click("#start button.main")
    page.wait_for_function(CONNECTED)
    page.wait_for_selector("#table .ask")
    for _ in range(3):  # the best that can be done, as long as it is so
        if page.locator("#verdict").count() == 0:
            found = solved(view_of(visitor))
            assert found is not None
            hints = hints_on(page)
            assert [chance for _, chance in hints] == [f"{value:.1%}" for _, value in found.moves[:HINTS]]
            click_move(page, found.moves[0][0])
            expect(page.locator("#hints table")).to_have_count(0)  # they were for the position before
    while page.locator("#verdict").count() == 0:
        buttons = page.locator(CHOICES)
        values = sorted({buttons.nth(k).get_attribute("value") or "" for k in range(buttons.count())})
        click(page, f":is({CHOICES})[value='{rng.choice(values)}']")
    view = view_of(visitor)
    assert view.won is not None
    won = "The letter has reached the Princess: you win." if view.won else "The letter is lost."
    expect(page.locator("#verdict h2")).to_have_text(won)
    assert page.locator("#hints").count() == 0

    # The review
    played, table = visitor.table, page.url
    record = page.request.get(f"{API}/tables/{played}/record").json()
    judged = analyse(record)
    compile_coach()
    page.click("text=Analysis: what each move was worth")
    expect(page.locator("#accounts")).to_be_visible()
    shown = page.locator("#round-lists .move-chance").all_inner_texts()
    assert [text for text in shown if text] == [f"{decision.after:.0%}" for decision in judged.decisions]
    marks = page.locator("#round-lists li a:has(.move-chance) .mark").all_inner_texts()
    assert len(marks) == len(judged.decisions)
    assert page.inner_text("#accounts .accuracy strong") == f"{judged.accounts[0].accuracy:.0f}"

    # The next game
    page.goto(table)
    page.wait_for_function(CONNECTED)
    page.click("text=Play again")
    page.wait_for_function(f"() => !location.href.includes('{played}')")
    page.wait_for_selector("#table .ask")
    assert page.locator("#verdict").count() == 0
    page.goto(table)
    expect(page.locator("text=To the next game")).to_be_visible()


def test_a_won_game(visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = by_chance(97, 9)
    assert match.winners == (0,)
    page = arrive(visitor, stages["won"])
    click_move(page, match.record()["rounds"][0]["moves"][-1])
    expect(page.locator("#verdict h2")).to_have_text("The letter has reached the Princess: you win.")
    expect(page.locator("#log")).to_contain_text("You win the game!")


# Hints


@pytest.mark.parametrize("name", ["hints", "early hints"])
def test_hints_are_the_exact_solution(name: str, visitor: Visitor, stages: dict[str, Stage]) -> None:
    match = by_chance(*GAMES[name])
    solution = solve(match)
    page = arrive(visitor, stages[name])
    expected = [(label(match, move), f"{value:.1%}") for move, value in solution.moves[:HINTS]]
    assert hints_on(page) == expected


# A guess

QUEUE_WIDTHS = "() => new Set([...document.querySelectorAll('.queue .card')].map((card) => card.offsetWidth)).size"
"""How many different widths the cards of the queue have."""


@pytest.mark.parametrize("name", ["hints", "early hints", "guess", "princess"])
def test_a_phone_shows_the_decision_without_scrolling(
    browser: Browser, server: Running, stages: dict[str, Stage], name: str
) -> None:
    visitor = phone(browser, server)
    page = arrive(visitor, stages[name])
    TouchPlayer(visitor).look()
    for found in page.locator("#prompt .ask, #prompt button, #hand .card, #queue .card").all():
        expect(found).to_be_in_viewport(ratio=1)
    visitor.leave()


def test_rules_of_cards_open_beside_the_game(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["guess"])
    where = page.url
    page.locator("#hand .info").first.click()
    expect(page.locator("#about-guard")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#queue button.card").last.click()
    expect(page.locator("#about-princess")).to_be_visible()
    assert accessibility_problems(page) == []
    page.locator("#about-princess").get_by_role("button", name="Close").click()
    page.locator("#reference .row-name").first.click()
    expect(page.locator("#about-princess")).to_be_visible()
    assert page.url == where


def test_the_place_of_a_guess_stays_marked_and_names_come_by_number(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["guess"])
    resize(page, 360)
    click(page, "#hand button:has(.name:has-text('Guard')) >> nth=0")
    expect(page.locator("#table .picked")).to_have_count(0)
    click(page, "#queue li:nth-child(3) button")
    expect(page.locator("#table .picked")).to_have_count(1)
    expect(page.locator("#queue li:nth-child(3)")).to_have_class("picked")
    expect(page.locator("#queue li.picked .next")).to_contain_text("chosen")
    expect(page.locator("#hand .chosen")).to_have_count(1)  # of two Guards
    assert page.evaluate(QUEUE_WIDTHS) == 1
    expect(page.locator("#prompt .ask")).to_have_text("Card 3 of the queue: which character is it?")
    numbers = [int(text) for text in page.locator("#prompt .items .value").all_inner_texts()]
    assert numbers == sorted(numbers)
    assert len(numbers) >= 6


# Attacks


def attacked(visitor: Visitor, stage: Stage) -> Page:
    """Play until the Guard of the queue attacks."""
    page = arrive(visitor, stage)
    expect(page.locator("#prompt .ask")).to_have_text("Your turn: draw a card, or play your secret agent unseen?")
    click(page, "#prompt button:has-text('Draw a card')", "#hand button:has-text('Priest')")
    click(page, "#queue li:nth-child(2) button")
    expect(page.locator("#prompt .ask")).to_have_text("Guard attacks: your hand, or your agent?")
    expect(page.locator("#attacker")).to_contain_text("Guard")
    expect(page.locator("#queue li:nth-child(1)")).to_contain_text("Baron")  # which the Priest has turned up
    return page


def test_an_attack_is_met_with_the_agent(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = attacked(visitor, stages["attack"])
    assert view_of(visitor).agent == (None,)
    click(page, ".agent-place button:has-text('Choose')")
    expect(page.locator("#log")).to_contain_text("You offer your agent.")
    expect(page.locator(".agent-place .name")).to_contain_text("Countess")
    assert view_of(visitor).agent == (Card.COUNTESS,)
    assert view_of(visitor).won is None


def test_an_attack_is_met_with_the_hand(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = attacked(visitor, stages["attack on the hand"])
    page.click("#prompt button:has-text('Your hand')")
    expect(page.locator("#verdict h2")).to_have_text("The letter is lost.")
    expect(page.locator("#log")).to_contain_text("You offer your hand, and it is beaten.")


# Warnings


@pytest.mark.parametrize(("name", "button"), [("princess", "Princess"), ("prince", "Prince")])
def test_a_move_that_loses_for_certain_is_asked_about(
    name: str, button: str, visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages[name])
    state = page.get_attribute("#table", "data-state")
    click(page, f"#hand button:has(.name:has-text('{button}'))")
    for _ in range(2):
        if page.locator("#prompt .danger").count() == 0:
            click(page, "text=Your hand")
    question = f"{button}: this loses the game for certain. Play it all the same?"
    expect(page.locator("#prompt .ask")).to_have_text(question)
    click(page, "text=No, choose again")
    expect(page.locator("#prompt .ask")).to_have_text("Choose a card to play.")
    assert page.get_attribute("#table", "data-state") == state
    click_move(page, {"princess": "princess", "prince": "prince hand"}[name])
    expect(page.locator("#verdict h2")).to_have_text("The letter is lost.")
