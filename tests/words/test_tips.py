"""Tips: every card and edition has them in both languages, and the figures show what the texts claim."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from suitors.notation import CARD_NAMES, CARD_OF
from suitors.rules import BOXES, Card
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.numbers import decimal, grouped, percent
from suitors.words.tips import (
    Figure,
    card_tip,
    edition_tips,
    figures_file,
    general_tips,
    is_left_out,
    tips_file,
    tips_source,
)
from suitors.words.vocabulary import Vocabulary, fields

COMMAND = "python -m benchmarks.tips"
LONGEST = 220
FEWEST = 500
WIDEST = 0.06
"""Of a filled tip in characters, of the observations of an estimate, and of its interval: three points either way."""

CLOSE = 0.03
"""What a text calls little is less than this."""

SHOWN = [
    (theme, slug, lang) for theme in THEMES for slug, lang in product(load_theme(theme).editions, LANGUAGES)
]  # fmt: skip
NOUNS = {*CARD_NAMES, "token"}
COURT = {
    "en": {"suitor", "letter", "court", "favour", "affection", "queen", "seal"},
    "fr": {"prétendant", "lettre", "cour", "faveur", "affection", "reine", "sceau"},
}
"""Words of the court besides its cards."""


def deck(slug: str) -> list[Card]:
    """Every card that an edition plays with."""
    return sorted({card for copies in BOXES[slug].decks.values() for card in copies})


def names(slug: str) -> list[tuple[str, str]]:
    """The tips of an edition, as kind and name."""
    kind = "solo" if BOXES[slug].solo else "cards"
    return [(kind, CARD_NAMES[card]) for card in deck(slug)] + [("general", name) for name in general_tips(slug)]


TIPS = [(slug, kind, name) for slug in BOXES for kind, name in names(slug)]


def figures(slug: str, kind: str, name: str) -> dict[str, Any]:
    """The figures of a tip in an edition."""
    found: dict[str, Any] = figures_file()[slug]["tips"][f"{kind}.{name}"]
    return found


def texts(kind: str, name: str) -> Iterator[str]:
    """Every text of a tip: in each language, and where cards are called by their numbers."""
    tip = tips_file()[kind][name]
    yield from (tip[lang] for lang in LANGUAGES)
    yield from (tip["number"][lang] for lang in LANGUAGES if "number" in tip)


def filled(theme: str, slug: str, lang: str) -> list[str]:
    """All that people read of an edition's tips."""
    words = Vocabulary(load_theme(theme), slug, lang)
    cards = [card_tip(words, card) for card in deck(slug)]
    return [*(tip for tip in cards if tip is not None), *edition_tips(words), tips_source(words)]


# Texts


@pytest.mark.parametrize(("theme", "slug", "lang"), SHOWN)
def test_every_card_has_a_tip_and_every_edition_one_to_three(theme: str, slug: str, lang: str) -> None:
    words = Vocabulary(load_theme(theme), slug, lang)
    tips = {CARD_NAMES[card]: card_tip(words, card) for card in deck(slug) if not is_left_out(slug, card)}
    missing = ", ".join(name for name, tip in tips.items() if tip is None)
    assert not missing, f"words/tips.toml needs a tip for {missing}; then run `{COMMAND} --editions {slug}`"
    assert len(set(tips.values())) == len(tips)
    assert 1 <= len(edition_tips(words)) <= 3, f"[editions] in words/tips.toml names one to three tips for {slug}"
    assert all(card_tip(words, card) is None for card in Card if card not in deck(slug))


@pytest.mark.parametrize(("theme", "slug", "lang"), SHOWN)
def test_tips_are_filled_short_and_end_with_a_full_stop(theme: str, slug: str, lang: str) -> None:
    for tip in filled(theme, slug, lang):
        assert not re.search(r"[{}]|  ", tip), tip
        assert len(tip) <= LONGEST, (len(tip), tip)
        assert tip.endswith("."), tip
        assert tip[0] == tip[0].upper(), tip


def test_without_an_edition_there_is_no_tip() -> None:
    words = Vocabulary(load_theme("court"), None, "en")
    assert card_tip(words, Card.GUARD) is None
    assert edition_tips(words) == ()


def test_the_solo_game_has_its_own_tips() -> None:
    several, alone = (Vocabulary(load_theme("court"), slug, "en") for slug in ("house", "solitaire"))
    assert all(card_tip(several, card) != card_tip(alone, card) for card in deck("solitaire"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tips_of_a_theme_name_its_own_cards_only(lang: str) -> None:
    mule, court = load_theme("mule"), load_theme("court")
    theirs = {court.name(card, lang) for card in deck("house")} - {mule.name(card, lang) for card in deck("house")}
    foreign = re.compile(rf"\b(?:{'|'.join(map(re.escape, theirs | COURT[lang]))})s?\b", re.IGNORECASE)
    assert foreign.search("the guards" if lang == "en" else "les gardes")
    tips = filled("mule", "house", lang)
    verbs = re.compile(r"\bGardez\b|\bgarde[rz]?\b")  # what is kept in French is no card
    assert [tip for tip in tips if foreign.search(verbs.sub("", tip))] == []
    assert any(mule.name(Card.PRINCESS, lang).removeprefix("The ") in tip for tip in tips)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_tip_has_a_pronoun_for_a_person(lang: str) -> None:
    pronoun = {"en": r"\b(?:he|she|him|her|his|hers)\b", "fr": r"\b(?:il|elle|lui)\b"}[lang]
    for slug in BOXES:
        assert [tip for tip in filled("court", slug, lang) if re.search(pronoun, tip, re.IGNORECASE)] == []


def test_french_tips_have_a_no_break_space_before_high_marks_and_percents() -> None:
    for theme, slug, lang in SHOWN:
        if lang == "fr":
            assert [tip for tip in filled(theme, slug, lang) if re.search(r"(?<!\u00a0)[:;!?%]|\d\.\d", tip)] == []


def test_quotes_and_apostrophes_are_those_of_print() -> None:
    for kind in ("cards", "solo", "general"):
        for name in tips_file()[kind]:
            assert [text for text in texts(kind, name) if re.search(r"['\"]|\.\.\.", text)] == []


def test_every_tip_of_the_file_is_read_somewhere() -> None:
    there = {(kind, name) for kind in ("cards", "solo", "general") for name in tips_file()[kind]}
    assert there == {(kind, name) for _, kind, name in TIPS}
    assert set(tips_file()["editions"]) == set(BOXES) == set(figures_file())


# Figures


@pytest.mark.parametrize(("slug", "kind", "name"), TIPS)
def test_the_texts_of_a_tip_hold_all_its_figures(slug: str, kind: str, name: str) -> None:
    measured = set(figures(slug, kind, name))
    assert measured
    assert not measured & NOUNS
    for text in texts(kind, name):
        assert fields(text) - NOUNS == measured, text


@pytest.mark.parametrize(("slug", "kind", "name"), TIPS)
def test_figures_are_exact_or_of_many_observations(slug: str, kind: str, name: str) -> None:
    for figure in figures(slug, kind, name).values():
        if set(figure) == {"value"}:
            assert BOXES[slug].solo
        else:
            assert figure["low"] <= figure["value"] <= figure["high"]
            assert figure["observations"] >= FEWEST
            assert figure["high"] - figure["low"] <= WIDEST


@pytest.mark.parametrize(("slug", "kind", "name"), TIPS)
def test_the_figures_show_what_a_tip_claims(slug: str, kind: str, name: str) -> None:
    claims, rows = tips_file()[kind][name]["holds"], figures(slug, kind, name)
    assert {word for claim in claims for word in claim.split()[::2]} == set(rows) - {"share"}
    untrue = [claim for claim in claims if not is_shown(claim, rows)]
    if kind != "general" and is_left_out(slug, CARD_OF[name]):
        assert untrue, f"the tip is true in {slug}: let words/tips.toml not leave it out"
    else:
        assert not untrue, f"not true in {slug}: leave the tip out there, in words/tips.toml"


def is_shown(claim: str, rows: dict[str, dict[str, float]]) -> bool:
    """Whether figures show what a tip claims, so that it can be seen in rounded percents, too."""
    left, relation, right = claim.split()
    if relation == "~":
        return abs(rows[left]["value"] - rows[right]["value"]) < CLOSE
    assert relation == ">"
    visible = round(rows[left]["value"], 2) > round(rows[right]["value"], 2)
    return visible and low(rows[left]) > high(rows[right])


def test_a_tip_can_be_left_out_of_an_edition_and_none_is_shown_where_nothing_was_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = Vocabulary(load_theme("court"), "classic", "en")
    monkeypatch.setitem(tips_file()["left_out"], "classic", ["guard"])
    assert card_tip(words, Card.GUARD) is None
    assert card_tip(words, Card.PRIEST) is not None
    monkeypatch.delitem(tips_file()["cards"], "baron")
    monkeypatch.delitem(figures_file()["classic"]["tips"], "cards.king")
    assert card_tip(words, Card.BARON) is None
    assert card_tip(words, Card.KING) is None
    monkeypatch.delitem(figures_file(), "classic")
    assert card_tip(words, Card.PRIEST) is None
    assert edition_tips(words) == ()
    assert tips_source(words) == ""


def low(figure: dict[str, float]) -> float:
    """The lower end of a figure's interval."""
    return figure.get("low", figure["value"])


def high(figure: dict[str, float]) -> float:
    """The upper end of a figure's interval."""
    return figure.get("high", figure["value"])


def test_the_file_says_how_its_figures_were_made() -> None:
    for slug, made in figures_file().items():
        assert made["players"] in BOXES[slug].players
        assert made["command"].startswith(COMMAND)
        assert isinstance(made["seed"], int)
        assert set(made["tips"]) == {f"{kind}.{name}" for kind, name in names(slug)}
        assert made["games" if BOXES[slug].solo else "rounds"] >= 10_000


# Numbers


def test_each_language_writes_numbers_in_its_own_way() -> None:
    assert (percent(0.254, "en"), percent(0.254, "fr")) == ("25%", "25\u00a0%")
    assert (percent(0.2549, "en", 1), percent(0.2549, "fr", 1)) == ("25.5%", "25,5\u00a0%")
    assert (decimal(0.625, "en", 1), decimal(1.5, "fr", 2)) == ("0.6", "1,50")
    assert (grouped(2_000_000, "en"), grouped(2_000_000, "fr")) == ("2,000,000", "2\u00a0000\u00a0000")


def test_a_figure_is_a_share_or_a_number() -> None:
    assert f"{Figure(0.5, 'en')} {Figure(0.5, 'fr'):number}" == "50% 0,50"
