"""Cards that are read on small screens: no text too small, none cut off, in any edition and language."""

import pytest
from playwright.sync_api import Browser

from browsing import Visitor
from serving import Running
from suitors.rules import BOXES
from suitors.words import LANGUAGES

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

THIRD = "const hand = document.querySelector('#hand'); hand.append(hand.lastElementChild.cloneNode(true))"


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_texts_of_all_cards_can_be_read(browser: Browser, server: Running, lang: str, width: int) -> None:
    visitor = Visitor(browser, server, viewport={"width": width, "height": 800})
    for size in ("normal", "large"):
        chosen = {"name": "suitors-reader", "value": f"lang={lang}&size={size}", "url": server.address}
        visitor.context.add_cookies([chosen])
        for edition in BOXES:
            visitor.page.goto(f"/rules/{edition}")
            assert visitor.page.locator(".card.big .text").count() >= 8
            assert visitor.page.evaluate(UNREADABLE) == []
            assert visitor.page.evaluate(COVERED) == []
    visitor.leave()


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_the_cards_in_a_hand_can_be_read(browser: Browser, server: Running, width: int) -> None:
    visitor = Visitor(browser, server, viewport={"width": width, "height": 800})
    visitor.play_now()
    visitor.page.wait_for_selector("#hand button.card.big")
    for cards in (2, 3):  # as a Chancellor has
        assert visitor.page.locator("#hand .card.big .text").count() == cards
        assert visitor.page.evaluate(UNREADABLE) == []
        assert visitor.page.evaluate(COVERED) == []
        assert visitor.fits()
        visitor.page.evaluate(THIRD)
    visitor.leave()
