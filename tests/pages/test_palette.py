"""Colours: every text of every theme has enough contrast, in light and dark."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.art.colours import READABLE, Colour, contrast, mix, parse, readable, write
from suitors.pages.palette import LINE_CONTRAST, TEXTS, shades, stylesheet
from suitors.words import THEMES, load_theme

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
