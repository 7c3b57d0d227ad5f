"""A real browser for the tests of pages: the system's Chromium, driven by Playwright, and what people do with it."""

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from support.servers import Running

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 150_000
"""How long a test waits for what must come: machines may be slow, and a server itself waits two minutes for a bot."""

expect.set_options(timeout=PATIENCE_MS)

AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def chromium() -> str:
    """The browser on this machine: run.py has seen to it that there is one."""
    found = os.environ.get("SUITORS_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "The browser tests need Chromium on the PATH, or its path in SUITORS_BROWSER."
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module, as its driver keeps a loop running; each test has contexts of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS), timeout=PATIENCE_MS)
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser window of their own, whose pages must not fail anywhere."""

    def __init__(self, browser: Browser, server: Running, **settings: Any) -> None:
        self.server = server
        options: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        self.context: BrowserContext = browser.new_context(base_url=server.address, **(options | settings))
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("console", lambda said: self._hear(said.type, said.text))
        self.expect_refusals = False

    def _hear(self, kind: str, text: str) -> None:
        network = "WebSocket" in text or "Failed to load resource" in text or "ERR_" in text
        if kind == "error" and not (self.expect_refusals and network):
            self.faults.append(f"console: {text}")

    def be(self, key: str) -> None:
        """Be the person with this key."""
        self.context.add_cookies([{"name": "suitors", "value": key, "url": self.server.address}])

    def play_now(self, edition: str = "modern", players: int = 2, bot: str = "novice", name: str = "Ada") -> None:
        """Open a game against bots from the first page."""
        self.page.goto("/")
        self.page.fill("#start input[name=name]", name)
        self.page.check(f"#start input[value={edition}]")
        self.page.select_option("#start select[name=players]", str(players))
        self.page.select_option("#start select[name=bot]", bot)
        self.page.click("#start button[value=bots]")
        self.page.wait_for_selector("#table #hand")

    def look_for_barriers(self) -> None:
        """What axe finds on the page as it is now must be nothing."""
        found = Axe().run(self.page, options={"runOnly": {"type": "tag", "values": AXE_TAGS}})
        assert found.violations_count == 0, found.generate_report()

    def fits(self) -> bool:
        """Whether the page needs no scrolling to the side."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    @property
    def table(self) -> str:
        """The id of the table that the page shows."""
        found = re.search("/tables/([A-Za-z0-9_-]+)", self.page.url)
        assert found, self.page.url
        return found[1]

    def leave(self) -> None:
        """Close the window; nothing may have gone wrong in it."""
        self.page.wait_for_load_state()  # a window that is closed while it goes elsewhere may never be closed
        self.context.close()
        assert self.faults == []


@pytest.fixture
def visitor(browser: Browser, server: Running) -> Iterator[Visitor]:
    """One visitor of the module's server."""
    visitor = Visitor(browser, server)
    yield visitor
    visitor.leave()
