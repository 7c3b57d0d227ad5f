"""Matches by touch on a small phone: nobody scrolls to decide or to understand, and nothing scrolls by itself."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from suitors import Match
from support.page_players import TouchPlayer, arrive, duel, phone, resize, staged
from support.servers import Running
from support.stored_tables import NEVER, Stage

OUT_OF_SIGHT = """() => {
  const faults = [];
  const outside = (box) => box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
  const buttons = "#prompt button, #hand .card, #prompt .ask, #nod-box, #deal button, #verdict-title, #rematch button";
  for (const found of document.querySelectorAll(buttons)) {
    if (!found.checkVisibility()) continue;
    const box = found.getBoundingClientRect();
    if (outside(box)) faults.push(`out of sight: ${found.outerHTML.slice(0, 100)} ${JSON.stringify(box)}`);
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!outside(box) && hit && !found.contains(hit) && !hit.contains(found)) faults.push(`covered: ${found.value}`);
  }
  return faults;
}"""
"""What has to be seen to decide, and is not on the screen."""

LEAVES_CARD = """() => [...document.querySelectorAll(".card.big .text, .card.big .name")].filter((text) => {
  const card = text.closest(".card").getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].some((line) =>
    line.bottom > card.bottom || line.top < card.top || line.left < card.left || line.right > card.right);
}).map((text) => text.textContent.trim())"""
"""Texts that do not stay inside their card."""

BROKEN = """() => {
  const faults = [], range = document.createRange();
  const unseen = ({ parentElement: up }) => up && (up.clientWidth === 1 || unseen(up)); // it is read aloud
  const walker = document.createTreeWalker(document.getElementById("table"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".text") || unseen(text)) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top / 4)));
      if (lines.size > 1) faults.push(`${word[0]} in ${text.parentElement.outerHTML.slice(0, 120)}`);
    }
  }
  return faults;
}"""
"""Words that stand on two lines; the texts of cards are hyphenated."""

WATCH_SCROLLING = "() => addEventListener('scroll', () => (window.scrolled = scrollY))"


class PhonePlayer(TouchPlayer):
    """Somebody who does not scroll, and looks at everything before each decision."""

    def look(self) -> None:
        super().look()
        found = self.page.evaluate(f"() => [{OUT_OF_SIGHT}, {LEAVES_CARD}, {BROKEN}].flatMap((check) => check())")
        assert found == [], found
        assert self.page.evaluate("() => window.scrolled") is None, "the page has scrolled by itself"


def advanced(stage: Stage, seed: int, missing: int = 1) -> Stage:
    """A match, played by chance until somebody needs but so many tokens to win it; the next round is dealt."""
    match = Match(stage.edition, [f"Player {seat}" for seat in range(stage.players)], rng=random.Random(seed))
    rng = random.Random(seed)
    while max(match.view(None).tokens) < match.rules.goal - missing or not match.to_deal:
        if match.to_deal:
            match.deal()
        else:
            match.play(rng.choice(match.legal()))
    for dealt in match.record()["rounds"]:
        stage.deal(*dealt["deck"], first=dealt["first"]).play(*dealt["moves"])
    return stage


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Stage]:
    """The tables of this module; matches have come near to their end, unless they are to be played as a whole."""
    folder = tmp_path_factory.mktemp("server") / "data"
    names = ["Aldous", "Rosamund", "Pip", "Oriana", "Ambrose", "Bertil", "Cleo"]

    def stage(edition: str, bots: int, pace_ms: int = 0) -> Stage:
        return Stage(folder, edition, ["Ada"], [f"novice={name}" for name in names[:bots]], pace_ms=pace_ms)

    chancellor = stage("modern", 1, NEVER)
    two, four, eight = stage("modern", 1), stage("classic", 3), stage("premium", 7)
    whole = request.config.getoption("--whole")
    return {
        "modern": two.deal() if whole else advanced(two, seed=4, missing=2),
        "classic": four.deal() if whole else advanced(four, seed=4, missing=2),
        "premium": eight.deal() if whole else advanced(eight, seed=4),
        "chancellor": duel(chancellor, "chancellor", "guard", "prince", "guard", "baron").play("chancellor"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["modern"].folder.parent, stages) as server:
        yield server


@pytest.mark.parametrize("name", ["modern", "classic", "premium"])
def test_a_match_needs_no_scrolling_to_its_end(
    browser: Browser, server: Running, stages: dict[str, Stage], name: str
) -> None:
    visitor = phone(browser, server)
    page = arrive(visitor, stages[name])
    page.evaluate(WATCH_SCROLLING)
    player = PhonePlayer(visitor, seed=1)
    player.look()
    player.play_match()
    player.look()
    assert page.locator("#verdict h2").inner_text().endswith("match!")
    visitor.leave()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_order_under_the_deck_is_chosen_without_scrolling(
    browser: Browser, server: Running, stages: dict[str, Stage], lang: str
) -> None:
    visitor = phone(browser, server)
    visitor.prefer(lang=lang)
    page = arrive(visitor, stages["chancellor"])
    player = PhonePlayer(visitor)
    player.look()
    player.go("#hand button[value='keep baron']")
    for width in (320, 360, 600):
        resize(page, width)
        assert page.evaluate(LEAVES_CARD) == []
    visitor.leave()
