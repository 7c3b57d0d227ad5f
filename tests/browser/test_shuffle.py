"""The shuffle on the page: words that the browser gives, digits to copy, and the check after the match."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from suitors.fair import MADE, verify
from suitors.notation import CARD_NAMES
from suitors.rules import edition
from support.browser import Visitor
from support.page_players import CONNECTED, Player, accessibility_problems, arrive, led_on, phone, staged, won_rounds
from support.servers import API, Running
from support.shuffle_protocol import dealt_match, other_digit, starters_by_hand
from support.stored_tables import Stage

VERIFY = "async ([record, known, noted]) => (await import('/static/fair.js')).verify(record, known, noted)"

HASHES = """async () => {
  const { sha256, sha256Here } = await import("/static/sha256.js");
  const text = (length) => Uint8Array.from({ length }, (_, k) => (k * 7 + length) & 255);
  const texts = Array.from({ length: 200 }, (_, length) => text(length));
  const same = await Promise.all(texts.map(async (text) => String(await sha256(text)) === String(sha256Here(text))));
  return same.filter((each) => each).length;
}"""
"""How many texts have the same hash by WebCrypto and by the page's own computation."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """A match whose decks the test chose: no secret gives them."""
    folder = tmp_path_factory.mktemp("server") / "data"
    return {"forged": won_rounds(Stage(folder, "classic", ["Ada"], ["random"]), "000000")}


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["forged"].folder.parent, stages) as server:
        yield server


def ask(visitor: Visitor, path: str) -> Any:
    """What the API says of the visitor's table."""
    return visitor.page.request.get(f"{API}/tables/{visitor.table}{path}").json()


def play_solitaire(visitor: Visitor) -> Page:
    """Play a short match, from the first page to its end."""
    visitor.page.goto("/")
    with led_on(visitor.page):
        visitor.page.check("#way-solo")
        visitor.page.click("#start button.main")
    player = Player(visitor)
    player.play_round()
    return visitor.page


def check(page: Page) -> list[str]:
    """Run the check; the sentences it shows."""
    if page.locator("#more-details[open]").count() == 0:
        page.click("#more-details > summary")
    page.click("#check-shuffle")
    expect(page.locator("#check-result .right, #check-result .wrong").first).to_be_visible()
    return page.locator("#check-result p").all_inner_texts()


def serve_changed(page: Page, change: Callable[[Any], None]) -> None:
    """Let the page get another record than the server gives."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/record", answer)


def test_the_browser_gives_a_word_before_the_first_deal_and_checks_the_match(visitor: Visitor) -> None:
    page = play_solitaire(visitor)
    record = ask(visitor, "/record")
    (word,) = record["rounds"][0]["words"]
    assert len(word) == 16
    assert not word.startswith(MADE)
    events = [event["kind"] for event in ask(visitor, "/events?seat=none")["events"]]
    assert events.index("word") < events.index("started") < events.index("dealt")
    assert check(page) == [
        "The shuffle is fair: the secret and the words give exactly these deals.",
        "Round 1 – the deck, the starting player and the fingerprint are right.",
    ]
    assert verify(record).honest


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (
            lambda record: record["rounds"][0]["deck"].reverse(),
            ["The shuffle is NOT fair:", r"Round 1 – The deck differs from card \d+ onwards."],
        ),
        (
            lambda record: other_digit(record, "rounds", 0, "seal"),
            [
                "The shuffle is NOT fair:",
                "Round 1 – The fingerprint does not match the deck. "
                "The fingerprint is not the one that this browser was shown.",
            ],
        ),
        (
            lambda record: other_digit(record, "shuffle", "commitment"),
            [
                "The shuffle is NOT fair:",
                "The secret does not open the commitment.",
                "The commitment is not the one that this browser was shown before.",
                "Round 1 – the deck, the starting player and the fingerprint are right.",
            ],
        ),
        (
            lambda record: record["shuffle"].clear(),
            ["The record could not be read: nothing was checked."],
        ),
    ],
)
def test_a_changed_record_does_not_hold(visitor: Visitor, change: Callable[[Any], None], sentences: list[str]) -> None:
    page = play_solitaire(visitor)
    serve_changed(page, change)
    found = check(page)
    assert len(found) == len(sentences)
    assert [text for text, wanted in zip(found, sentences, strict=True) if not re.fullmatch(wanted, text)] == []


def test_a_forged_match_is_told_in_french(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="fr")
    found = check(arrive(visitor, stages["forged"]))
    assert found[0] == "Le mélange n’est PAS honnête\u00a0:"
    assert len(found) == 1 + 6
    assert all(text.startswith(f"Manche {number} – ") for number, text in enumerate(found[1:], 1))
    assert all("L’empreinte ne correspond pas au paquet." in text for text in found[1:])


def test_the_page_computes_what_the_protocol_says(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    assert page.evaluate(HASHES) == 200
    for slug, players, seed in (("modern", 6, 0), ("premium", 5, 28), ("premium", 8, 88), ("classic", 2, 3)):
        record = dealt_match(slug, players, seed)
        deck = [CARD_NAMES[card] for card in edition(slug, players).box]
        starters = [starters_by_hand(record, index) for index in range(len(record["rounds"]))]
        known = {"deck": deck, "starters": starters}
        due = [{"first": row["first"], "deck": row["deck"], "seal": row["seal"]} for row in record["rounds"]]
        found = page.evaluate(VERIFY, [record, known, {}])
        assert (found["holds"], found["faults"], [row["due"] for row in found["rounds"]]) == (True, [], due)
        record["rounds"][-1]["words"][0] += "x"
        found = page.evaluate(VERIFY, [record, known, {}])
        assert found["holds"] is False
        assert [index for index, row in enumerate(found["rounds"]) if row["faults"]] == [len(due) - 1]


def test_the_digits_are_whole_and_fit_a_phone(browser: Browser, server: Running) -> None:
    visitor = phone(browser, server, permissions=["clipboard-read", "clipboard-write"])
    page = play_solitaire(visitor)
    check(page)
    table = ask(visitor, "")
    assert page.inner_text("#commitment") == table["commitment"]
    page.click("[data-copy=commitment]")
    expect(page.locator("#toast")).to_have_text("Copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == table["commitment"]
    page.click("#seals > summary")
    assert page.inner_text("#seal-digits-1") == ask(visitor, "/record")["rounds"][0]["seal"]
    page.click("#check-elsewhere > summary")
    assert visitor.fits()
    assert accessibility_problems(page) == []
    visitor.leave()


def test_a_word_that_the_server_made_is_replaced_and_may_be_changed(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    with led_on(page):
        page.check("#way-friends")
        page.click("#start button.main")
    page.wait_for_function("(made) => !document.querySelector('#word-0').dataset.word.startsWith(made)", arg=MADE)
    page.click("#more-details > summary")
    page.fill("#word-0 input[name=word]", "rose")
    page.click("#word-0 button")
    page.wait_for_function("() => document.querySelector('#word-0').dataset.word === 'rose'")
    page.reload()
    page.wait_for_function(CONNECTED)
    assert ask(visitor, "")["seats"][0]["word"] == "rose"


def test_without_a_script_the_server_makes_the_word_and_the_page_says_so(browser: Browser, server: Running) -> None:
    visitor = Visitor(browser, server, java_script_enabled=False)
    page = visitor.page
    page.goto("/")
    page.check("#way-friends")
    page.click("#start button.main")
    page.click("#more-details > summary")
    expect(page.locator("#word-0 .without-script")).to_contain_text("The server chose this word")
    assert page.input_value("#word-0 input[name=word]").startswith(MADE)
    expect(page.locator("[data-copy=commitment]")).to_be_hidden()
    page.fill("#word-0 input[name=word]", "rose")
    page.click("#word-0 button")
    assert page.locator("#word-0 .without-script").count() == 0
    visitor.leave()


def test_without_a_script_the_page_says_how_to_check(
    browser: Browser, server: Running, stages: dict[str, Stage]
) -> None:
    visitor = Visitor(browser, server, java_script_enabled=False)
    visitor.be(stages["forged"].key)
    page = visitor.page
    page.goto(f"/tables/{stages['forged'].table}")
    page.click("#more-details > summary")
    expect(page.locator("#check-shuffle")).to_be_hidden()
    expect(page.locator("#shuffle .note.without-script")).to_contain_text("JavaScript is off")
    page.click("#check-elsewhere > summary")
    expect(page.locator("#verify-command")).to_contain_text("suitors verify record.json --table=")
    visitor.leave()
