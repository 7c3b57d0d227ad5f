"""A real browser for the tests of pages: the system's Chromium, driven by Playwright, and visitors who use it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

import run
from support.servers import Running

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--renderer-process-limit=1",
    "--num-raster-threads=1",
    "--force-gpu-mem-available-mb=1",  # no room to draw in, for nobody looks: a fifth of its time
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TIMEOUT_MS = 150_000
"""How long a test waits for what must come: machines may be slow, and a server itself waits two minutes for a bot."""

expect.set_options(timeout=TIMEOUT_MS)

NOTICE_SOCKET = """(() => {
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", () => (window.connected = true), { once: true });
    }
  };
})()"""
"""Lets a page say when its socket is connected, and the page shows what came first through it.

Before that its forms work as they do without a script, and it may show the table as it was a while ago."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """An option that finds tests which only pass when the page is quicker than they are."""
    parser.addoption("--far-pages", type=int, default=0, metavar="MS", help="every answer comes so late to a page")


def pytest_configure(config: pytest.Config) -> None:
    """Keep how far away pages are."""
    global _latency_ms  # noqa: PLW0603 - visitors are not only made by fixtures
    _latency_ms = config.getoption("--far-pages")


_latency_ms = 0


def move_away(page: Page) -> None:
    """Let answers come to a page as late as it is wanted."""
    if _latency_ms:
        far = {"offline": False, "latency": _latency_ms, "downloadThroughput": -1, "uploadThroughput": -1}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", far)


def chromium() -> str:
    """The browser on this machine: run.py has seen to it that there is one."""
    found = run.find_browser()
    assert found, "The browser tests need Chromium on the PATH, or its path in SUITORS_BROWSER."
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of this worker; windows that visitors have left are closed with their module's server."""
    yield _launched()
    for windows in _windows.values():
        for window in windows:
            window.context.close()
    _windows.clear()


@cache
def _launched() -> Browser:
    """Start the browser; it runs on until a test comes that needs none, see below."""
    playwright = _open.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS), timeout=TIMEOUT_MS)
    _open.callback(browser.close)
    return browser


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before tests that need none: its driver keeps an event loop running in this thread."""
    if item.path.parent.name != "browser":
        close_browser()


def pytest_sessionfinish() -> None:
    """Close the browser at the end."""
    close_browser()


def close_browser() -> None:
    """Close the browser if it runs; the next test that needs one starts another."""
    _launched.cache_clear()
    _open.close()


@dataclass
class Window:
    """A browser window with cookies of its own, used by one visitor after the other."""

    context: BrowserContext
    page: Page

    def clean(self, size: ViewportSize) -> None:
        """Leave the site and forget everything."""
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self.context.set_offline(False)
        self.page.set_viewport_size(size)


_open = ExitStack()
_windows: dict[str, list[Window]] = defaultdict(list)
"""Windows without a visitor, by server and settings. A new one costs as much as loading several pages."""


KEY_COOKIES = re.compile("^suitors(-[0-9a-f]{8})?$")


class Visitor:
    """Somebody with a browser window of their own, whose pages must not fail anywhere."""

    def __init__(self, browser: Browser, server: Running, *, fresh: bool = False, **settings: Any) -> None:
        """Take a window with these settings; `fresh` for tests that change the window itself or need an empty cache."""
        self.server = server
        self.size: ViewportSize = settings.get("viewport", {"width": 1280, "height": 900})
        self.key = "" if fresh else f"{server.address} {sorted(settings.items())}"
        free = _windows[self.key] if self.key else []
        self.window = free.pop() if free else self._open(browser, settings)
        self.context, self.page = self.window.context, self.window.page
        self.faults: list[str] = []
        self.page.on("pageerror", self._note_error)
        self.page.on("console", self._note_message)
        self.expect_refusals = False

    def _open(self, browser: Browser, settings: Mapping[str, Any]) -> Window:
        options: dict[str, Any] = {"viewport": self.size, "reduced_motion": "reduce"}
        context = browser.new_context(base_url=self.server.address, **{**options, **settings})
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(NOTICE_SOCKET)
        context.on("page", move_away)
        return Window(context, context.new_page())

    def _note_error(self, error: Error) -> None:
        self.faults.append(f"script: {error}")

    def _note_message(self, message: ConsoleMessage) -> None:
        text = message.text
        network = "WebSocket" in text or "Failed to load resource" in text or "ERR_" in text
        if message.type == "error" and not (self.expect_refusals and network):
            self.faults.append(f"console: {text}")

    def be(self, key: str) -> None:
        """Be the person with this key, and nobody else."""
        self.context.clear_cookies(name=KEY_COOKIES)
        self.context.add_cookies([{"name": "suitors", "value": key, "url": self.server.address}])

    def prefer(self, **values: str) -> None:
        """Have chosen these settings at an earlier visit."""
        cookie = "&".join(f"{key}={value}" for key, value in values.items())
        self.context.add_cookies([{"name": "suitors-reader", "value": cookie, "url": self.server.address}])

    def fits(self) -> bool:
        """Whether the page needs no scrolling to the side."""
        size = self.page.viewport_size
        assert size is not None
        # on a phone innerWidth grows with what does not fit
        return int(self.page.evaluate("document.documentElement.scrollWidth")) <= size["width"]

    @property
    def table(self) -> str:
        """The id of the table that the page shows."""
        found = re.search("/tables/([A-Za-z0-9_-]+)", self.page.url)
        assert found, self.page.url
        return found[1]

    def leave(self) -> None:
        """Leave the window to others; nothing may have gone wrong in it."""
        self.page.wait_for_load_state()  # a window that is closed while it goes elsewhere may never be closed
        if self.key:
            self.window.clean(self.size)
            _windows[self.key].append(self.window)
        else:
            self.context.close()
        self.page.remove_listener("pageerror", self._note_error)
        self.page.remove_listener("console", self._note_message)
        assert self.faults == []


@pytest.fixture
def visitor(browser: Browser, server: Running) -> Iterator[Visitor]:
    """One visitor of the module's server."""
    visitor = Visitor(browser, server)
    yield visitor
    visitor.leave()


@pytest.fixture
def fresh_visitor(browser: Browser, server: Running) -> Iterator[Visitor]:
    """One visitor whose window nobody has used, nor will."""
    visitor = Visitor(browser, server, fresh=True)
    yield visitor
    visitor.leave()
