"""How people play on pages: they see what may be chosen and choose it, by click, by key or by touch."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, Route

from suitors import Match, Solo
from suitors.coach import get_ready
from suitors.notation import CARD_NAMES
from suitors.rules import edition
from suitors.solve import solve
from suitors.view.data import read_view
from suitors.view.match import View
from suitors.view.solo import SoloView
from support.browser import Visitor
from support.servers import API, Running, running
from support.stored_tables import Stage

CHOICES = "#table button[name=move]:not(.target), #table button[name=chosen]:not([value='']):not(.target)"
"""What may be chosen now, but for ways back; lit seats stand in the list of players as well."""

CONNECTED = "() => window.connected"
"""A function, as all that is waited for: the pages allow nobody to evaluate a text twice."""

FORGET_CONNECTION = "() => (window.connected = false)"
"""Lets a page wait for its next socket."""

KEEP_SOCKETS = """(() => {
  const Plain = WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      sockets.push(this);
      this.addEventListener("message", () => (this.heard = true));
    }
  };
})()"""
"""Lets a test get hold of the sockets of a page."""

SCENE = """() => {
  const table = document.getElementById("table");
  return table && [table.dataset.state, ...[...table.querySelectorAll("button[form]")].map((b) => b.value)].join("|");
}"""
"""The state of the table and what may be pressed in it."""

CHANGED = f"(before) => ({SCENE})() !== before"
"""Whether something has come of a press."""

WAITED = "() => document.querySelector(':root[data-nodding], #table .ask, #verdict, #cover') !== null"
"""Whether somebody has to choose or to nod, or a round is over."""

ANSWERED = f"(before) => ({SCENE})() !== before && ({WAITED})()"
"""Whether something has come of a press, and there is something to do."""

NODDING = "() => document.documentElement.dataset.nodding !== undefined"
"""Whether the page waits for a nod."""

NEXT_KEY = """(found) => {
  const here = document.activeElement;
  if (here === found) return "";
  return here.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""
"""Which key moves the focus towards something; none if it has it."""

FOCUS = """() => {
  const found = document.activeElement;
  if (!found || found === document.body) return "";
  return (found.matches("button, a, summary") ? "" : found.id) || found.textContent.trim().split(/\\s+/).join(" ");
}"""
"""What has the focus: the text on it, or its id; nothing where it is lost."""

TOO_LOW = """() => [...document.querySelectorAll("button, summary, select, a.main, a.plain")].filter((found) => {
  const box = found.getBoundingClientRect();
  return box.width && found.checkVisibility({ checkVisibilityCSS: true }) && box.height < 43.5;
}).map((found) => `${found.outerHTML.slice(0, 90)} ${found.getBoundingClientRect().height}`)"""
"""Controls that are too low for a finger."""


FLAT = """(background) => {
  const sheet = new CSSStyleSheet();
  const colour = background && `body, .table-surface { background-color: ${background} !important }`;
  sheet.replaceSync(`*, ::before, ::after { background-image: none !important } ${colour}`);
  document.adoptedStyleSheets = [sheet];
}"""
"""Removes gradients, since the contrast of a text on them cannot be computed; perhaps with another background."""

AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = resources.files("axe_playwright_python").joinpath("axe.min.js")

PROBLEMS = """async (options) => (await axe.run(document, options)).violations.flatMap(
  (rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
)"""


CONTRAST = "color-contrast"
"""The rule that takes longest: more than half of the time of all."""


def accessibility_problems(
    page: Page, background: str = "", rules: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> list[str]:
    """What axe finds wrong on the page as it is now, by all rules or by some; gradients are removed for it."""
    page.wait_for_load_state()  # colours come with it
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    page.evaluate(FLAT, background)
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": AXE_TAGS}
    off = {rule: {"enabled": False} for rule in without}
    asked = {"runOnly": only, "rules": off, "resultTypes": ["violations"], "preload": False}
    found: list[str] = page.evaluate(PROBLEMS, asked)
    page.evaluate("() => (document.adoptedStyleSheets = [])")
    return found


@cache
def compile_coach() -> None:
    """Compile here what hints and analyses run on: on a machine's first time that may take longer than servers wait."""
    get_ready()
    solve(Solo("solitaire", rng=random.Random(0)))


@contextmanager
def staged(folder: Path, stages: Mapping[str, Stage]) -> Iterator[Running]:
    """A server whose store holds these tables."""
    for stage in stages.values():
        stage.write()
    with running(folder) as server:
        yield server


def duel(stage: Stage, mine: str, theirs: str, *draws: str, first: int = 0) -> Stage:
    """A round for two in which the seats 0 and 1 are dealt these cards, and those are drawn."""
    cards = [*((mine, theirs) if first == 0 else (theirs, mine)), *draws]
    rules = edition(stage.edition, 2)
    rest = [CARD_NAMES[card] for card in rules.box]
    for card in cards:
        rest.remove(card)
    return stage.deal(*rest[: rules.aside + rules.face_up], *cards, first=first)


def won_rounds(stage: Stage, winners: str) -> Stage:
    """Rounds of the classic edition for two that are over at once: who won them, as digits; seat 0 starts the first."""
    first = 0
    for winner in map(int, winners):
        hands = ("guard", "princess") if first == winner else ("princess", "guard")
        duel(stage, *(hands if first == 0 else hands[::-1]), "countess", first=first)
        stage.play(f"guard {1 - first} princess" if first == winner else "princess")
        first = winner
    goal, won = edition(stage.edition, 2).goal, Counter(winners)
    assert won[winners[-1]] <= goal, "nothing is played when the match is over"
    assert won[winners[-1]] == goal or max(won.values()) < goal
    return stage


def ended(stage: Stage, seed: int = 0) -> Stage:
    """A round of random moves that is over."""
    rng = random.Random(seed)
    match = Match(stage.edition, [f"Player {seat}" for seat in range(stage.players)], stage.options, rng=rng)
    moves: list[str] = []
    while match.turn is not None:
        moves.append(rng.choice(match.legal()))
        match.play(moves[-1])
    dealt = match.rounds[0]
    return stage.deal(*(CARD_NAMES[card] for card in dealt.deck), first=dealt.first).play(*moves)


def drawn_out(stage: Stage, seed: int = 0) -> Stage:
    """A round in which all stay as long as they can, so that piles grow long; it is the turn of seat 0."""
    rng = random.Random(seed)
    match = Match(stage.edition, [f"Player {seat}" for seat in range(stage.players)], stage.options, rng=rng)
    moves: list[str] = []
    last = 0
    while match.turn is not None:
        if match.turn == 0:
            last = len(moves)
        kind = {move: len(_after(match, move).view(None).standing) for move in match.legal()}
        moves.append(rng.choice([move for move, left in kind.items() if left == max(kind.values())]))
        match.play(moves[-1])
    deck = [CARD_NAMES[card] for card in match.rounds[0].deck]
    return stage.deal(*deck, first=match.rounds[0].first).play(*moves[:last])


def alone(stage: Stage, wanted: Callable[[SoloView], bool]) -> Stage:
    """A solo game, played by chance, at a moment as it is wanted."""
    for seed in range(10_000):
        rng = random.Random(seed)
        match = Solo(stage.edition, options=stage.options, rng=rng)
        moves: list[str] = []
        while match.turn is not None:
            if wanted(match.view(0)):
                deck = [CARD_NAMES[card] for card in match.rounds[0].deck]
                return stage.deal(*deck).play(*moves)
            moves.append(rng.choice(match.legal()))
            match.play(moves[-1])
    raise AssertionError("no game comes to that")


def _after(match: Match, move: str) -> Match:
    twin = match.copy()
    twin.play(move)
    return twin


def arrive(visitor: Visitor, stage: Stage, query: str = "", key: str | None = None) -> Page:
    """Come to a staged table as the one who sits there (or with another key, or none), until it is connected."""
    if key is None or key:
        visitor.be(stage.key if key is None else key)
    return watch(visitor, f"/tables/{stage.table}{query}")


def watch(visitor: Visitor, path: str) -> Page:
    """Open the page of a table and wait until it is connected."""
    visitor.page.goto(path)
    visitor.page.wait_for_function(CONNECTED)
    return visitor.page


def resize(page: Page, width: int, height: int = 800) -> None:
    """Make the window as wide as that, and wait until the page has noticed."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width", arg=width)


@contextmanager
def led_on(page: Page) -> Iterator[None]:
    """What is done in here leads to another page of a table, or to the same one anew: wait until that is connected."""
    page.evaluate("() => (window.left = true)")
    yield
    page.wait_for_function("() => !window.left && window.connected")
    page.wait_for_load_state()


def hold(page: Page, addresses: re.Pattern[str]) -> list[Route]:
    """Hold back what the page asks for at such addresses."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(addresses, keep)
    return held


def view_of(visitor: Visitor, seat: int = 0) -> View:
    """What a seat of the visitor's knows, by the API."""
    answer = visitor.page.request.get(f"{API}/tables/{visitor.table}/view?seat={seat}")
    assert answer.ok, answer.text()
    view = read_view(answer.json()["view"])
    assert isinstance(view, View)
    return view


def move_by_api(visitor: Visitor, move: str, seat: int = 0) -> None:
    """Play a move as another device of the same person would."""
    state = visitor.page.request.get(f"{API}/tables/{visitor.table}").json()["state"]
    body = {"state": state, "seat": seat, "move": move}
    headers = {"origin": visitor.server.address}
    answer = visitor.page.request.post(f"{API}/tables/{visitor.table}/moves", data=body, headers=headers)
    assert answer.ok, answer.text()


class Player:
    """Somebody who plays at a table, by click."""

    def __init__(self, visitor: Visitor, seed: int = 0) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.rng = random.Random(seed)
        self.shunned: tuple[str, set[str]] = ("", set())  # in which state which cards are not to be played

    def press(self, button: Locator) -> None:
        """Press a button."""
        button.click()

    def go(self, button: Locator | str) -> None:
        """Press a button of the table and wait for what comes of it: a choice to make, or the end of a round."""
        before = self.page.evaluate(SCENE)
        self.press(self.page.locator(button) if isinstance(button, str) else button)
        self.page.wait_for_function(ANSWERED, arg=before)
        self.look()
        self.nod()

    def nod(self) -> None:
        """Go on after what was aimed at the player, as often as that is asked for."""
        while self.page.evaluate(NODDING):
            self.press(self.page.locator("#nod"))
            self.page.wait_for_function(WAITED)
            self.look()

    def look(self) -> None:
        """See whether the page is as it should be."""

    def choose(self, *labels: str) -> None:
        """Choose, one after the other, what these words are written on."""
        for label in labels:
            self.go(self.page.locator(CHOICES).filter(has_text=label).first)

    @property
    def asked(self) -> bool:
        """Whether this player has to choose."""
        return self.page.locator("#table .ask").count() > 0

    def come(self) -> None:
        """Wait until there is something to choose, or a round is over."""
        self.page.wait_for_function(WAITED)
        self.nod()

    def play_round(self) -> None:
        """Play by chance, though not to the own end where that can be helped, until the round is over."""
        self.come()
        while self.page.locator("#verdict").count() == 0:
            self.step()

    def step(self) -> None:
        """Choose something."""
        self.go(self._some())

    def begin(self) -> None:
        """Choose something, and wait for no more than that the page has taken it in."""
        before = self.page.evaluate(SCENE)
        self.press(self.page.locator(self._some()))
        self.page.wait_for_function(CHANGED, arg=before)

    def _some(self) -> str:
        """Any choice."""
        state = str(self.page.get_attribute("#table", "data-state"))
        if self.shunned[0] != state:
            self.shunned = (state, set())
        shunned = self.shunned[1]
        words: list[str] = self.page.eval_on_selector_all(CHOICES, "found => found.map((button) => button.value)")
        if self.page.locator("#prompt .danger").count():
            card = words[0].split()[0]
            if card not in shunned:
                shunned.add(card)
                return "#prompt button[value='']"
        good = [text for text in words if text.split()[0] not in shunned] or words
        return f":is({CHOICES})[value='{self.rng.choice(sorted(set(good)))}'] >> nth=0"

    def play_match(self) -> None:
        """Play until the match is over."""
        self.play_round()
        while self.page.locator("#deal").count():
            self.go("#deal button")
            self.play_round()


class KeyboardPlayer(Player):
    """Somebody without a pointer: Tab goes from one thing to the next, Enter or Space presses it."""

    farthest = 0

    def press(self, button: Locator) -> None:
        """Go there, forwards or back, and press it."""
        for steps in range(120):
            way = button.evaluate(NEXT_KEY)
            if not way:
                self.farthest = max(self.farthest, steps)
                link = button.evaluate("found => found.matches('a')")
                self.page.keyboard.press("Enter" if link else self.rng.choice(("Enter", "Space")))
                return
            self.page.keyboard.press(way)
        raise AssertionError(f"no way to {button} by Tab")

    def look(self) -> None:
        """Whoever has to choose must be somewhere."""
        assert self.focus != "", self.page.evaluate("document.activeElement.outerHTML")

    @property
    def focus(self) -> str:
        """What has the focus; nothing where it is lost."""
        return str(self.page.evaluate(FOCUS))


class TouchPlayer(Player):
    """Somebody with a phone."""

    def press(self, button: Locator) -> None:
        """Tap it."""
        button.tap()

    def look(self) -> None:
        """All fits on the screen, and fingers hit what they want."""
        assert self.visitor.fits(), self.page.url
        low = self.page.evaluate(TOO_LOW)
        assert low == [], low


def phone(browser: Browser, server: Running, **more: Any) -> Visitor:
    """A visitor with a small phone."""
    size = {"width": 360, "height": 740}
    return Visitor(browser, server, viewport=size, has_touch=True, is_mobile=True, **more)
