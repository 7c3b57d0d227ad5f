"""Take the README's picture of the table: a round of four by candlelight, a Guard about to name a card.

python tools/table_picture.py [docs/table.png]
"""

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.browser import FLAGS, Visitor, chromium
from support.servers import running
from support.stored_tables import Stage

ROOT = Path(__file__).parent.parent
RECORD = Path(__file__).with_suffix(".json")
"""A match of four, up to the decision that the picture shows."""


def main(target: Path) -> None:
    """Stage the round, choose the Guard and its target, take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        record = json.loads(RECORD.read_text("utf-8"))
        me, *others = record["players"]
        stage = Stage(Path(folder) / "data", record["edition"], [me], [f"novice={name}" for name in others])
        for round_ in record["rounds"]:
            stage.deal(*round_["deck"], first=round_["first"]).play(*round_["moves"])
        stage.write()
        with running(Path(folder)) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            visitor = Visitor(browser, server, viewport={"width": 1440, "height": 980}, device_scale_factor=1)
            visitor.be(stage.key)
            visitor.context.add_cookies(
                [{"name": "suitors-reader", "value": "look=dark&know=on", "url": server.address}]
            )
            visitor.page.goto(f"/tables/{stage.table}")
            visitor.page.click("#hand-guard")
            visitor.page.wait_for_selector(".items.name")
            visitor.page.mouse.move(0, 0)
            visitor.page.screenshot(path=target)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "table.png")
