"""How quick the page feels: from a click to the changed page, in a real browser on the same machine.

    python benchmarks/page.py [--clicks 60]

The baseline, in the same run, is a page with one button whose handler changes the page by itself, without any server:
what is above it is our way to the server and back, rendering there, and morphing here. Also said: the size of what the
first page loads, pictures apart.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, Response, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.browser import FLAGS, chromium
from support.servers import Running, running

TIMED = """(press) => new Promise((done) => {
  const table = document.querySelector("#table");
  const start = performance.now();
  new MutationObserver((_, watcher) => {
    watcher.disconnect();
    requestAnimationFrame(() => done(performance.now() - start));
  }).observe(table, { subtree: true, childList: true, attributes: true, characterData: true });
  document.querySelector(press).click();
})"""
"""Milliseconds from a click until the change of the table is about to be painted."""

PLAIN = """<div id="table"><button id="b">0</button></div>
<script>b.onclick = () => setTimeout(() => (b.textContent = +b.textContent + 1))</script>"""

PRESSES = 100
"""Clicks until a card asks for more, at most."""


def main() -> None:
    """Measure, and print a small table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=60)
    clicks: int = parser.parse_args().clicks
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        context = browser.new_context(base_url=server.address, reduced_motion="reduce")
        print(f"first page: {first_page(context.new_page()) / 1000:.1f} kB without pictures, uncompressed")
        page = context.new_page()
        report("page without a server", baseline(page, clicks))
        report("choosing at a table", choosing(page, server, clicks))
        browser.close()


def first_page(page: Page) -> int:
    """The bytes that the first page loads, pictures apart."""
    answers: list[Response] = []

    def heard(answer: Response) -> None:
        answers.append(answer)

    page.on("response", heard)
    page.goto("/", wait_until="networkidle")
    return sum(len(answer.body()) for answer in answers if "svg" not in answer.url)


def baseline(page: Page, clicks: int) -> list[float]:
    """Clicks on a page that needs nobody."""
    page.goto("about:blank")
    page.set_content(PLAIN)
    return [page.evaluate(TIMED, "#b") for _ in range(clicks)]


def choosing(page: Page, server: Running, clicks: int) -> list[float]:
    """Choose a card and take the choice back, at a table of the solo game, where nothing else happens."""
    page.goto(f"{server.address}/")
    page.check("#way-solo")
    page.click("#start button.main")
    reach_choice(page)
    times = []
    for _ in range(clicks // 2):
        times.append(page.evaluate(TIMED, "#hand button[name=chosen]"))
        times.append(page.evaluate(TIMED, "button.back-step"))
    return times


def reach_choice(page: Page) -> None:
    """Play on until there is a card that asks for more."""
    for _ in range(PRESSES):
        if page.query_selector("#hand button[name=chosen]"):
            return
        press = "#prompt button.main" if page.query_selector("#prompt button.main") else "#hand button"
        page.click(press)
        page.wait_for_timeout(200)
    sys.exit(f"No card asked for more in {PRESSES} clicks.")


def report(what: str, times: list[float]) -> None:
    """The middle, the twentieth slowest and the slowest click."""
    ordered = sorted(times)
    print(
        f"{what}: p50 {statistics.median(times):.1f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms, "
        f"worst {ordered[-1]:.1f} ms of {len(times)} clicks"
    )


if __name__ == "__main__":
    main()
