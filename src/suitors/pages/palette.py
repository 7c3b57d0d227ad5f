"""The colours of pages: every shade is derived from the six colours of a theme, with enough contrast for every text."""

from collections.abc import Mapping

from ..art.colours import BLACK, WHITE, mix, parse, readable, write
from ..notation import CARD_OF
from ..words import known_themes, load_theme

LINE_CONTRAST = 3.1
"""The least contrast of a line that carries meaning, such as the border of a button."""

TEXTS: tuple[tuple[str, str], ...] = (
    *(
        (text, background)
        for text in ("text", "muted", "link", "safe")
        for background in ("page", "panel", "page-edge", "page-glow")
    ),
    ("text", "highlight"),
    ("on-wax", "wax"),
    ("on-ribbon", "ribbon"),
    ("on-gold", "gold"),
    ("card-text", "card"),
    ("card-muted", "card"),
    ("card-link", "card"),
)
"""Text shades, each with a background that it is used on."""


def stylesheet() -> str:
    """The shades of all themes, in light and in dark, and the tints of their cards, as CSS variables."""
    rules = []
    for slug in known_themes():
        light, dark = (declarations(shades(load_theme(slug).colours, dark=dark)) for dark in (False, True))
        page = f':root[data-theme="{slug}"]'
        rules.append(f"{page} {{ color-scheme: light; {light} }}")
        rules.append(f'{page}[data-look="dark"] {{ color-scheme: dark; {dark} }}')
        rules.append(
            f'@media (prefers-color-scheme: dark) {{ {page}[data-look="auto"] {{ color-scheme: dark; {dark} }} }}'
        )
        rules += tints(slug)
    return "\n".join(rules) + "\n"


def tints(slug: str) -> list[str]:
    """The second ink of every card of a theme, as CSS: cards are light by day and by night, so one tint is enough."""
    theme = load_theme(slug)
    return [f".{tint_class(slug, name)} {{ --tint: {theme.tint(CARD_OF[name])}; }}" for name in theme.cards]


def tint_class(theme: str, card: str) -> str:
    """The class of drawings in the second ink of a card."""
    return f"tint-{theme}-{card}"


def declarations(found: Mapping[str, str]) -> str:
    """Shades as CSS."""
    return " ".join(f"--{name}: {colour};" for name, colour in found.items())


def shades(colours: Mapping[str, str], *, dark: bool) -> dict[str, str]:
    """All shades that the pages use; cards stay light on dark pages."""
    ink, parchment, wax, gold, ribbon, fog = (
        parse(colours[name]) for name in ("ink", "parchment", "wax", "gold", "ribbon", "fog")
    )
    text, page = (parchment, mix(ink, BLACK, 0.25)) if dark else (ink, parchment)
    panel = mix(ink, parchment, 0.07) if dark else mix(parchment, WHITE, 0.55)
    highlight = mix(panel, gold, 0.25)
    card = mix(parchment, WHITE, 0.35)
    edge = mix(page, BLACK, 0.35) if dark else mix(page, gold, 0.24)
    glow = mix(page, gold, 0.22) if dark else mix(page, WHITE, 0.6)
    backgrounds = (page, panel, edge, glow)
    found = {
        "page": page,
        "page-edge": edge,
        "page-glow": glow,
        "panel": panel,
        "highlight": highlight,
        "text": text,
        "muted": readable(mix(text, fog, 0.55), backgrounds, text),
        "line": mix(panel, text, 0.22),
        "edge": readable(mix(panel, text, 0.4), backgrounds, text, LINE_CONTRAST),
        "link": readable(mix(wax, parchment, 0.3) if dark else wax, backgrounds, text),
        "safe": readable(mix(ribbon, parchment, 0.2) if dark else ribbon, backgrounds, text),
        "focus": readable(gold if dark else wax, backgrounds, text, LINE_CONTRAST),
        "wax": wax,
        "on-wax": readable(parchment, (wax,), WHITE),
        "gold": gold,
        "on-gold": readable(ink, (gold,), BLACK),
        "ribbon": ribbon,
        "on-ribbon": readable(parchment, (ribbon,), WHITE),
        "card": card,
        "card-text": ink,
        "card-muted": readable(mix(ink, fog, 0.5), (card,), ink),
        "card-link": readable(wax, (card,), ink),
        "card-line": mix(card, gold, 0.7),
        "envelope": mix(parchment, gold, 0.28),
    }
    return {name: write(colour) for name, colour in found.items()}
