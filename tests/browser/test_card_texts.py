"""Cards and verdicts on small screens: no text too small, none cut off, in any edition and language."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from suitors.pages.preferences import CHOICES
from suitors.rules import BOXES
from suitors.words import LANGUAGES
from support.browser import Visitor
from support.page_players import arrive, duel, ended, resize, staged
from support.servers import Running
from support.stored_tables import NEVER, Stage

WIDTHS = (320, 360, 768, 1440)
SMALLEST = 11
"""No text on a card is smaller, in CSS pixels."""

UNREADABLE = f"""() => [...document.querySelectorAll(".card.big .text")].filter(text => {{
  const card = text.closest(".card").getBoundingClientRect(), box = document.createRange();
  box.selectNodeContents(text);
  const lines = box.getBoundingClientRect();
  const outside = lines.bottom > card.bottom || lines.left < card.left || lines.right > card.right;
  return outside || parseFloat(getComputedStyle(text).fontSize) < {SMALLEST};
}}).map(text => text.closest(".card").textContent.trim())"""

COVERED = """() => [...document.querySelectorAll(".card.big")].filter(card => {
  const [name, text] = [".name", ".text"].map(part => {
    const box = document.createRange();
    box.selectNodeContents(card.querySelector(part));
    return box.getBoundingClientRect();
  });
  return name.bottom > text.top;
}).map(card => card.textContent.trim())"""

CUT = """() => {
  const edge = document.querySelector(".verdict").getBoundingClientRect().right;
  const names = [...document.querySelectorAll(".verdict tbody th")].filter(name => name.scrollWidth > name.clientWidth);
  const cells = [...document.querySelectorAll(".verdict td")].filter(cell => cell.getBoundingClientRect().right > edge);
  return [...names, ...cells].map(cell => cell.textContent.trim());
}"""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """Hands of two and of three letters, with long texts."""
    folder = tmp_path_factory.mktemp("server") / "data"
    two = Stage(folder, "premium", ["Ada"], ["random"] * 4, pace_ms=NEVER)
    three = Stage(folder, "modern", ["Ada"], ["random"], pace_ms=NEVER)
    bots = [f"random={name}" for name in ("Aldous", "Rosamund", "Pip", "Oriana", "Ambrose", "Bertil", "Cleo")]
    return {
        "verdict": ended(Stage(folder, "premium", ["Ada"], bots, pace_ms=NEVER), 3),
        "two": two.deal("guard", "bishop", "guard", "guard", "guard", "guard", "assassin"),
        "three": duel(three, "chancellor", "guard", "prince", "guard", "baron").play("chancellor"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["two"].folder.parent, stages) as server:
        yield server


@pytest.mark.parametrize("size", CHOICES["size"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_texts_of_all_cards_can_be_read(visitor: Visitor, lang: str, size: str) -> None:
    page = visitor.page
    visitor.prefer(lang=lang, size=size)
    for edition in BOXES:
        page.goto(f"/rules/{edition}")
        assert page.get_attribute("html", "data-size") == size
        assert page.locator(".card.big .text").count() >= 8
        for width in WIDTHS:
            resize(page, width)
            assert page.evaluate(UNREADABLE) == []
            assert page.evaluate(COVERED) == []


@pytest.mark.parametrize(("name", "cards"), [("two", 2), ("three", 3)])
def test_the_cards_in_a_hand_can_be_read(visitor: Visitor, stages: dict[str, Stage], name: str, cards: int) -> None:
    page = arrive(visitor, stages[name])
    expect(page.locator("#hand .card.big .text")).to_have_count(cards)
    for width in WIDTHS:
        resize(page, width)
        assert page.evaluate(UNREADABLE) == []
        assert page.evaluate(COVERED) == []
        assert visitor.fits()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_names_in_a_verdict_are_whole(visitor: Visitor, stages: dict[str, Stage], lang: str) -> None:
    visitor.prefer(lang=lang)
    page = arrive(visitor, stages["verdict"])
    expect(page.locator(".verdict tbody th")).to_have_count(8)
    for width in (360, 768, 1440):
        resize(page, width)
        assert (width, page.evaluate(CUT)) == (width, [])
