"""Colours: every text of every theme has enough contrast, in light and dark."""

import math
import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.art.colours import READABLE, Colour, contrast, mix, parse, readable, write
from suitors.notation import CARD_OF
from suitors.pages.palette import LINE_CONTRAST, TEXTS, shades, stylesheet, tint_class
from suitors.rules import BOXES
from suitors.words import THEMES, Theme, load_theme

AA = 4.5
AA_SHAPES = 3.0
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
COLOURS = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
NAMES = ("ink", "parchment", "wax", "gold", "ribbon", "fog")
LOOKS = [(slug, dark) for slug in THEMES for dark in (False, True)]


@pytest.mark.parametrize(("slug", "dark"), LOOKS)
@pytest.mark.parametrize(("text", "background"), TEXTS)
def test_every_text_can_be_read(slug: str, dark: bool, text: str, background: str) -> None:
    found = shades(load_theme(slug).colours, dark=dark)
    assert contrast(parse(found[text]), parse(found[background])) >= AA


@pytest.mark.parametrize(("slug", "dark"), LOOKS)
@pytest.mark.parametrize("line", ["edge", "focus"])
@pytest.mark.parametrize("background", ["page", "panel"])
def test_lines_that_mean_something_can_be_seen(slug: str, dark: bool, line: str, background: str) -> None:
    found = shades(load_theme(slug).colours, dark=dark)
    assert contrast(parse(found[line]), parse(found[background])) >= AA_SHAPES


@given(
    COLOURS,
    st.lists(COLOURS, min_size=1, max_size=2),
    st.sampled_from([BLACK, WHITE]),
    st.sampled_from([READABLE, LINE_CONTRAST]),
)
def test_a_text_becomes_readable_wherever_black_or_white_would_be(
    colour: Colour, backgrounds: list[Colour], towards: Colour, least: float
) -> None:
    found = readable(colour, tuple(backgrounds), towards, least)
    if min(contrast(towards, background) for background in backgrounds) >= least:
        assert min(contrast(found, background) for background in backgrounds) >= least
    else:  # nothing better is promised than where it was to go, unless something on the way will do
        assert found == towards or min(contrast(found, background) for background in backgrounds) >= least


@given(COLOURS, COLOURS, COLOURS)
def test_a_colour_that_can_be_read_stays_as_it_is(colour: Colour, background: Colour, towards: Colour) -> None:
    moved = readable(colour, (background,), towards)
    assert (moved == colour) or contrast(colour, background) < READABLE


@given(st.lists(COLOURS, min_size=6, max_size=6), st.booleans())
def test_any_six_colours_give_all_shades_and_texts_as_readable_as_the_ink_itself(six: list[Colour], dark: bool) -> None:
    colours = dict(zip(NAMES, map(write, six), strict=True))
    found = shades(colours, dark=dark)
    assert {name for pair in TEXTS for name in pair} <= found.keys()
    base = {"on-wax": "#ffffff", "on-ribbon": "#ffffff", "on-gold": "#000000"}
    base |= dict.fromkeys(("card-muted", "card-link"), found["card-text"])
    for text in ("muted", "link", "safe", *base):
        backgrounds = [parse(found[background]) for name, background in TEXTS if name == text]
        best = min(contrast(parse(base.get(text, found["text"])), background) for background in backgrounds)
        assert min(contrast(parse(found[text]), background) for background in backgrounds) >= min(best, READABLE)


@given(COLOURS, COLOURS)
def test_contrast_is_that_of_wcag(one: Colour, other: Colour) -> None:
    assert 1 <= contrast(one, other) == contrast(other, one) <= 21
    assert mix(one, other, 0) == one
    assert mix(one, other, 1) == other
    assert parse(write(one)) == one


def test_contrasts_that_others_have_worked_out() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast(parse("#777777"), WHITE) == pytest.approx(4.48, abs=0.005)
    assert contrast(parse("#0000ff"), WHITE) == pytest.approx(8.59, abs=0.005)


def test_the_style_sheet_has_every_theme_in_light_and_dark() -> None:
    text = stylesheet()
    for slug in THEMES:
        rules = re.findall(rf'\[data-theme="{slug}"\](\[data-look="\w+"\])? {{ color-scheme: (\w+);', text)
        assert rules == [("", "light"), ('[data-look="dark"]', "dark"), ('[data-look="auto"]', "dark")]


# The second ink of the drawings


DECKS = [(theme, slug) for theme in THEMES for slug in BOXES if slug in load_theme(theme).editions]
APART = 15
"""The least distance of two tints in one deck, in CIELAB; 2 can just be told apart side by side."""


def lab(colour: Colour) -> tuple[float, float, float]:
    """A colour in CIELAB, where the distance of two colours is how different they look."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    a, b, c = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


@pytest.mark.parametrize(("theme", "slug"), DECKS)
def test_the_characters_of_a_deck_have_tints_that_are_told_apart(theme: str, slug: str) -> None:
    cards = {card for deck in BOXES[slug].decks.values() for card in deck}
    tints = {card: lab(parse(load_theme(theme).tint(card))) for card in cards}
    for one, other in combinations(cards, 2):
        assert math.dist(tints[one], tints[other]) > APART, (one, other)


@pytest.mark.parametrize("slug", THEMES)
def test_lines_stand_out_from_every_tint_and_the_page_has_all_of_them(slug: str) -> None:
    theme, text = load_theme(slug), stylesheet()
    lines = parse(shades(theme.colours, dark=False)["card-text"])
    for name in theme.cards:
        tint = theme.tint(CARD_OF[name])
        assert contrast(lines, parse(tint)) >= AA, name
        assert f".{tint_class(slug, name)} {{ --tint: {tint}; }}" in text


def test_a_tint_that_is_too_dark_for_the_lines_becomes_lighter() -> None:
    data = load_theme("court").data
    cards = {**data["cards"], "guard": {**data["cards"]["guard"], "tint": "#202020"}}
    tint = parse(Theme("mine", {**data, "cards": cards}).tint(CARD_OF["guard"]))
    assert contrast(tint, parse(data["colours"]["ink"])) >= READABLE
