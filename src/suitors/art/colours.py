"""Colours as numbers: mixing them, and whether one can be read on another (WCAG 2)."""

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

READABLE = 4.6
"""The least contrast of a text and its background; AA asks for 4.5."""


def readable(colour: Colour, backgrounds: tuple[Colour, ...], towards: Colour, least: float = READABLE) -> Colour:
    """The colour, mixed with as little of another as gives it enough contrast to all backgrounds."""
    for step in range(21):
        tried = mix(colour, towards, step / 20)
        if min(contrast(tried, background) for background in backgrounds) >= least:
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
