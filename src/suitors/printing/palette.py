"""The colours of a theme in print, and drawings in them."""

import re

from .. import art
from ..art.colours import BLACK, WHITE, mix, parse, readable, write
from .kit import Kit


def palette(kit: Kit) -> dict[str, str]:
    """The colours of the theme in print; to save ink, lines on white."""
    ink, parchment, wax, gold, ribbon, fog = (
        parse(kit.theme.colours[name]) for name in ("ink", "parchment", "wax", "gold", "ribbon", "fog")
    )
    card = WHITE if kit.save_ink else mix(parchment, WHITE, 0.45)
    found = {
        "ink": BLACK if kit.save_ink else ink,
        "card": card,
        "envelope": WHITE if kit.save_ink else mix(parchment, gold, 0.28),
        "envelope-line": mix(WHITE, BLACK, 0.5) if kit.save_ink else mix(ink, mix(parchment, gold, 0.28), 0.35),
        "wax": BLACK if kit.save_ink else wax,
        "wax-ground": mix(WHITE, BLACK, 0.12) if kit.save_ink else wax,
        "on-wax": BLACK if kit.save_ink else readable(parchment, (wax,), WHITE),
        "marker-ground": mix(WHITE, BLACK, 0.3) if kit.save_ink else ribbon,
        "on-marker": BLACK if kit.save_ink else readable(parchment, (ribbon,), WHITE),
        "gold": mix(WHITE, BLACK, 0.5) if kit.save_ink else gold,
        "muted": readable(mix(ink, fog, 0.6), (card, WHITE), ink),
        "mark": mix(WHITE, BLACK, 0.55),
    }
    return {name: write(colour) for name, colour in found.items()}


def ornament(name: str, colour: str) -> str:
    """An ornament in a colour."""
    return coloured(art.emblem("ornaments", name), colour)


def coloured(svg: str, colour: str, tint: str = "none") -> str:
    """A drawing in a colour and a second one, since a file on its own has no current colour and no tint."""
    return re.sub("currentColor", colour, svg, flags=re.IGNORECASE).replace(art.TINT, tint)
