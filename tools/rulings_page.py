"""Writes docs/rulings.md from the rulings that players read (src/suitors/words/rulings.toml).

    python tools/rulings_page.py

Run it when a ruling has changed; a test holds the page against it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from suitors.rules import BOXES, SWITCHES
from suitors.words import THEMES, load_theme
from suitors.words.rulebook import Text, ruling_sections, rulings, with_alike
from suitors.words.vocabulary import Vocabulary

PAGE = Path(__file__).parent.parent / "docs" / "rulings.md"

OPENING = """\
# Rulings

What holds where a rulebook is silent, can be read in two ways, or contradicts itself. Code and tests cite the rulings
by number (R1–R{last}). Players read the same texts, in English and French: `suitors rules EDITION` prints those of one
edition, the page and the printed leaflets have them too. A sentence about a card that an edition does not have is left
out there; what is said otherwise on paper is marked.

The editions, themes and switches are those of [contract.md](contract.md). A ruling with a switch states the default
first and the other setting last.

This page is made by `python tools/rulings_page.py` from `src/suitors/words/rulings.toml`: edit that file, not this one.
"""

MEDIA = {"other": "", "table": "on the page", "paper": "on paper", "program": "in the terminal"}
"""What stands before a text that is for one medium only."""


def page() -> str:
    """The whole page."""
    return OPENING.format(last=len(rulings())) + "".join(f"{line}\n" for line in _tables())


def _tables() -> Iterator[str]:
    """A heading and a table for each section."""
    sections = ruling_sections()
    for number, ruling in rulings().items():
        if number in sections:
            yield from ("", f"## {sections[number]}", "", "| | ruling | editions |", "| --- | --- | --- |")
        yield f'| <a id="{number.lower()}"></a>{number} | {" ".join(_sentences(ruling))} | {_belongs(ruling)} |'


def _sentences(ruling: Mapping[str, Any]) -> Iterator[str]:
    """What a ruling says in all editions and media, and the switch that changes it."""
    slug, *others = ruling["scope"]
    theme, *_ = ruling.get("themes", THEMES)
    words = Vocabulary(load_theme(theme), None if others else slug, "en")
    for sentence in ruling["en"]:
        yield from (words.fill(text) for text in _texts(sentence))
    if "switch" in ruling:
        default, *values = (f"`{str(value).lower()}`" for value in SWITCHES[ruling["switch"]])
        yield f"Switch: `{ruling['switch']}`, {default} by default, or {', '.join(values)}."


def _texts(sentence: Text) -> Iterator[str]:
    """A sentence, or the texts that stand for it, each with its editions and its medium."""
    if isinstance(sentence, str):
        yield sentence
        return
    slugs = [f"`{slug}`" for slug in with_alike(sentence.get("editions", ()))]
    for medium, place in MEDIA.items():
        if text := sentence.get(medium):
            head = ", ".join(filter(None, [*slugs, place]))
            yield f"{head[:1].upper()}{head[1:]}: {text}" if head else text


def _belongs(ruling: Mapping[str, Any]) -> str:
    """The editions to which a ruling applies, and the themes where those are not all."""
    themes = "".join(f", theme `{theme}`" for theme in ruling.get("themes", ()))
    if ruling["scope"] == {slug: box.players for slug, box in BOXES.items()}:
        return f"all{themes}"
    return ", ".join(_edition(slug, players) for slug, players in ruling["scope"].items()) + themes


def _edition(slug: str, players: tuple[int, ...]) -> str:
    return f"`{slug}`" if players == BOXES[slug].players else f"`{slug}` {players[0]}–{players[-1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
