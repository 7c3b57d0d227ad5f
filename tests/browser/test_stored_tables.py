"""Tables that tests write into a store are played on in a real browser."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser import Visitor
from support.page_players import arrive
from support.servers import running
from support.stored_tables import Stage


def test_a_staged_table_is_played_on(browser: Browser, tmp_path: Path) -> None:
    stage = Stage(tmp_path / "data", "classic", ["Ada", "Ben"])
    stage.deal("princess", "guard", "guard", "guard", "priest", "baron", "handmaid").write()
    with running(tmp_path) as server:
        visitor = Visitor(browser, server)
        page = arrive(visitor, stage)
        page.click("text=I am Ada: show my hand")
        page.click("#hand button:has-text('Priest')")
        expect(page.locator("#news")).to_contain_text("You see that Ben holds the Baron")
        visitor.leave()
