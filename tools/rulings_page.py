"""Writes docs/rulings.md from the rulings that players read (src/suitors/words/rulings.toml).

    python tools/rulings_page.py

Run it when a ruling has changed; a test holds the page against it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from suitors.rules import BOXES, SWITCHES
from suitors.words.rulebook import ruling_sections, rulings

PAGE = Path(__file__).parent.parent / "docs" / "rulings.md"

OPENING = """\
# Rulings

What the program does where a rulebook is silent, can be read in two ways, or contradicts itself. Code and tests cite
the rulings by number (R1–R{last}). Players read the same texts, in English and French: `suitors rules EDITION` prints
those of one edition.

The editions and the switches are those of [contract.md](contract.md). A ruling with a switch states the default first
and the other setting last.

This page is made by `python tools/rulings_page.py` from `src/suitors/words/rulings.toml`: edit that file, not this one.
"""


def page() -> str:
    """The whole page."""
    return OPENING.format(last=len(rulings())) + "".join(f"{line}\n" for line in _tables())


def _tables() -> Iterator[str]:
    """A heading and a table for each section."""
    sections = ruling_sections()
    for number, ruling in rulings().items():
        if number in sections:
            yield from ("", f"## {sections[number]}", "", "| | ruling | editions |", "| --- | --- | --- |")
        yield f'| <a id="{number.lower()}"></a>{number} | {_text(ruling)} | {_editions(ruling["scope"])} |'


def _text(ruling: dict[str, Any]) -> str:
    """The text of a ruling, and the switch that changes it."""
    if "switch" not in ruling:
        return str(ruling["en"])
    default, *others = (f"`{str(value).lower()}`" for value in SWITCHES[ruling["switch"]])
    return f"{ruling['en']} Switch: `{ruling['switch']}`, {default} by default, or {', '.join(others)}."


def _editions(scope: dict[str, tuple[int, ...]]) -> str:
    """The editions to which a ruling applies, with the numbers of players where those are not all."""
    if scope == {slug: box.players for slug, box in BOXES.items()}:
        return "all"
    return ", ".join(_edition(slug, players) for slug, players in scope.items())


def _edition(slug: str, players: tuple[int, ...]) -> str:
    return f"`{slug}`" if players == BOXES[slug].players else f"`{slug}` {players[0]}–{players[-1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
