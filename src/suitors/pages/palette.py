"""Colours: every shade of a page is made from the six colours of its theme; every text can be read on its ground."""

from collections.abc import Mapping

from ..art.colours import mix, parse, readable, write
from ..words import known_themes, load_theme

SEEN = 3.1
"""The least contrast of a line that means something, as of a button's edge."""

TEXTS: tuple[tuple[str, str], ...] = (
    *(
        (text, ground)
        for text in ("text", "muted", "link", "safe")
        for ground in ("desk", "paper", "desk-edge", "glow")
    ),
    ("text", "lit"),
    ("on-wax", "wax"),
    ("on-ribbon", "ribbon"),
    ("on-gold", "gold"),
    ("card-text", "card"),
    ("card-muted", "card"),
    ("card-link", "card"),
)
"""Which shades are used as texts on which."""


def stylesheet() -> str:
    """The shades of all themes, in light and in dark, as CSS variables."""
    rules = []
    for slug in known_themes():
        light, dark = (declarations(shades(load_theme(slug).colours, night)) for night in (False, True))
        page = f':root[data-theme="{slug}"]'
        rules.append(f"{page} {{ color-scheme: light; {light} }}")
        rules.append(f'{page}[data-look="dark"] {{ color-scheme: dark; {dark} }}')
        rules.append(
            f'@media (prefers-color-scheme: dark) {{ {page}[data-look="auto"] {{ color-scheme: dark; {dark} }} }}'
        )
    return "\n".join(rules) + "\n"


def declarations(found: Mapping[str, str]) -> str:
    """Shades as CSS."""
    return " ".join(f"--{name}: {colour};" for name, colour in found.items())


def shades(colours: Mapping[str, str], night: bool) -> dict[str, str]:
    """All shades that the pages use; a letter stays light at night, the desk does not."""
    ink, parchment, wax, gold, ribbon, fog = (
        parse(colours[name]) for name in ("ink", "parchment", "wax", "gold", "ribbon", "fog")
    )
    white, black = (255, 255, 255), (0, 0, 0)
    text, desk = (parchment, mix(ink, black, 0.25)) if night else (ink, parchment)
    paper = mix(ink, parchment, 0.07) if night else mix(parchment, white, 0.55)
    lit = mix(paper, gold, 0.25)
    card = mix(parchment, white, 0.35)
    edge = mix(desk, black, 0.35) if night else mix(desk, gold, 0.24)
    glow = mix(desk, gold, 0.22) if night else mix(desk, white, 0.6)
    grounds = (desk, paper, edge, glow)
    found = {
        "desk": desk,
        "desk-edge": edge,
        "glow": glow,
        "paper": paper,
        "lit": lit,
        "text": text,
        "muted": readable(mix(text, fog, 0.55), grounds, text),
        "line": mix(paper, text, 0.22),
        "edge": readable(mix(paper, text, 0.4), grounds, text, SEEN),
        "link": readable(mix(wax, parchment, 0.3) if night else wax, grounds, text),
        "safe": readable(mix(ribbon, parchment, 0.2) if night else ribbon, grounds, text),
        "focus": readable(gold if night else wax, grounds, text, SEEN),
        "wax": wax,
        "on-wax": readable(parchment, (wax,), white),
        "gold": gold,
        "on-gold": readable(ink, (gold,), black),
        "ribbon": ribbon,
        "on-ribbon": readable(parchment, (ribbon,), white),
        "card": card,
        "card-text": ink,
        "card-muted": readable(mix(ink, fog, 0.5), (card,), ink),
        "card-link": readable(wax, (card,), ink),
        "card-line": mix(card, gold, 0.7),
        "envelope": mix(parchment, gold, 0.28),
    }
    return {name: write(colour) for name, colour in found.items()}
