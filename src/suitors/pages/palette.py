"""Colours: every shade of a page is made from the six colours of its theme; every text can be read on its ground."""

from collections.abc import Mapping

from ..words import THEMES, load_theme

Colour = tuple[int, int, int]

READABLE = 4.6
"""The least contrast of a text and its ground; AA asks for 4.5."""

SEEN = 3.1
"""The least contrast of a line that means something, as of a button's edge."""

TEXTS: tuple[tuple[str, str], ...] = (
    ("text", "desk"),
    ("text", "paper"),
    ("text", "lit"),
    ("muted", "desk"),
    ("muted", "paper"),
    ("link", "desk"),
    ("link", "paper"),
    ("safe", "desk"),
    ("safe", "paper"),
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
    for slug in THEMES:
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
    grounds = (desk, paper)
    found = {
        "desk": desk,
        "desk-edge": mix(desk, black, 0.35) if night else mix(desk, gold, 0.24),
        "glow": mix(desk, gold, 0.22) if night else mix(desk, white, 0.6),
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


def readable(colour: Colour, grounds: tuple[Colour, ...], towards: Colour, least: float = READABLE) -> Colour:
    """The colour, moved as little as needed so that it stands out from all grounds."""
    for step in range(21):
        tried = mix(colour, towards, step / 20)
        if min(contrast(tried, ground) for ground in grounds) >= least:
            return tried
    return towards


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours by WCAG: 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: Colour) -> float:
    """How bright a colour is to the eye: 0 to 1."""
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """One colour with a share of another."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def parse(text: str) -> Colour:
    """A colour written as #rrggbb."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def write(colour: Colour) -> str:
    """A colour as #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
