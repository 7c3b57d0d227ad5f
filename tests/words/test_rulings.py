"""The rules of every edition, in every theme, language and medium: the right words in the right place."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from suitors.notation import CARD_NAMES, CARD_OF
from suitors.rules import BOXES, Card
from suitors.words import THEMES, load_theme, rules_text
from suitors.words.catalogue import read_catalogue
from suitors.words.editions import SECTIONS, editions
from suitors.words.languages import catalogue_files
from suitors.words.rulebook import Medium, Text, cards_of, rulings
from suitors.words.switches import load_switches
from suitors.words.vocabulary import DECKS, Vocabulary, cards_named
from support.rulebooks import (
    SEVERAL,
    SOLO,
    WRITTEN,
    all_texts,
    book,
    everywhere,
    in_both_languages,
    in_every_medium,
    names,
    paragraphs,
)


def by_number(theme: str, slug: str, lang: str, medium: Medium) -> dict[str, str]:
    """The rulings that a reader sees."""
    return dict(book(theme, slug, lang, medium).rulings)


# The files


def forms(text: Text) -> dict[str, str]:
    """A paragraph or sentence of the files by the media that it is for."""
    return {"other": text} if isinstance(text, str) else {key: said for key, said in text.items() if key != "editions"}


def written() -> Iterator[tuple[str, Text, Text]]:
    """Every paragraph and sentence with its place, in English and in French."""
    for slug, words in editions().items():
        for key in SECTIONS:
            pairs = zip(words["en"][key], words["fr"][key], strict=True)
            yield from ((f"{slug}.{key}", english, french) for english, french in pairs)
    for number, ruling in rulings().items():
        pairs = zip(ruling["en"], ruling["fr"], strict=True)
        yield from ((number, english, french) for english, french in pairs)


def test_both_languages_say_as_much_in_the_same_media_about_the_same_cards() -> None:
    for place, english, french in written():
        assert list(forms(english)) == list(forms(french)), place
        for medium, text in forms(english).items():
            other = forms(french)[medium]
            assert cards_named(text) == cards_named(other), (place, text)
            assert [name for name in DECKS if f"{{{name}}}" in text] == [
                name for name in DECKS if f"{{{name}}}" in other
            ]
        if isinstance(english, dict):
            assert isinstance(french, dict)
            assert english.get("editions") == french.get("editions"), place


def test_only_known_media_and_editions_of_the_ruling_are_named() -> None:
    for place, english, _ in written():
        assert set(forms(english)) <= {"other", *Medium}, place
        if not isinstance(english, str):
            assert set(english.get("editions", ())) <= set(rulings().get(place, {}).get("scope", ())), place


def test_a_text_with_several_media_says_something_else_in_each() -> None:
    for place, *texts in written():
        for text in texts:
            assert len(set(forms(text).values())) == len(forms(text)), place
            assert any(forms(text).values()), place


def test_a_ruling_names_themes_that_are_there_and_cards_that_no_deck_of_its_editions_has() -> None:
    for number, ruling in rulings().items():
        assert set(ruling.get("themes", ())) <= set(THEMES), number
        for name in ruling.get("absent", ()):
            assert all(name not in cards_of(slug) for slug in ruling["scope"]), number
            assert all(name in cards_named(text) for text in forms(ruling["en"][0]).values()), number


# What is read


@in_every_medium
@in_both_languages
@everywhere
def test_every_placeholder_is_resolved(theme: str, slug: str, lang: str, medium: Medium) -> None:
    texts = all_texts(book(theme, slug, lang, medium))
    assert all(text and not set("{}") & set(text) and "  " not in text for text in texts)
    assert book(theme, slug, lang, medium).premise.strip()
    assert not set("{}") & set(rules_text(slug, lang, theme))


@in_both_languages
@everywhere
def test_switches_are_told_in_the_words_of_the_theme(theme: str, slug: str, lang: str) -> None:
    words = Vocabulary(load_theme(theme), slug, lang)
    found = load_switches(words)
    assert {switch.key for switch in found} == BOXES[slug].switches
    for switch in found:
        assert rulings()[switch.ruling]["switch"] == switch.key
        assert not set("{}") & set("".join((switch.title, *switch.values.values())))


def test_a_switch_names_the_cards_as_the_theme_does() -> None:
    titles = [switch.title for switch in load_switches(Vocabulary(load_theme("court"), "premium", "en"))]
    assert titles[:2] == [
        "May a Bishop name the number 1?",
        "A Sycophant has marked the very player who now plays a card for another player",
    ]
    assert load_switches(Vocabulary(load_theme("court"), None, "en")) == []


def strangers(theme: str, slug: str, lang: str) -> re.Pattern[str]:
    """Finds the names of the cards that are in no deck of the edition."""
    outside = [CARD_OF[name] for name in load_theme(theme).cards if name not in cards_of(slug)]
    outside += [CARD_OF[name] for name in CARD_NAMES if name not in load_theme(theme).cards]
    found = {name for card in outside for name in names(theme if card_in(theme, card) else "court", card, lang)}
    return re.compile(rf"\b(?:{'|'.join(sorted(found))})\b" if found else r"(?!)")


def card_in(theme: str, card: Card) -> bool:
    """Whether a theme has words for a card."""
    return CARD_NAMES[card] in load_theme(theme).cards


def test_the_names_of_other_cards_are_found() -> None:
    assert strangers("court", "modern", "en").findall("a Bishop, two Counts, a Countess, a Guard") == [
        "Bishop",
        "Counts",
    ]
    assert strangers("mule", "house", "fr").findall("le Comte, la Comtesse, l’Informateur") == ["Comte"]
    assert strangers("court", "premium", "fr").findall("une Espionne et un Évêque") == ["Espionne"]


@in_every_medium
@in_both_languages
@everywhere
def test_no_text_is_about_a_card_outside_the_deck(theme: str, slug: str, lang: str, medium: Medium) -> None:
    """Only a list of what is left out, and a ruling that says so, may name other cards."""
    found, pattern = book(theme, slug, lang, medium), strangers(theme, slug, lang)
    left_out = found.words.fill("{left_out}") if {"larger", "smaller"} & set(editions()[slug]) else ""
    for text in paragraphs(found):
        assert not pattern.search(text.replace(left_out, "") if left_out else text), text
    for number, text in found.rulings:
        absent = {found.words.card(CARD_OF[name]).forms["name"] for name in rulings()[number].get("absent", ())}
        assert set(pattern.findall(text)) == absent, number


def test_the_rulings_of_the_demo_name_no_card_of_the_large_games_but_one() -> None:
    assert by_number("court", "demo", "en", Medium.PAPER)["R86"] == (
        "A Guard cannot name the Chancellor or the Spy, because the demo deck does not contain them."
    )
    assert by_number("court", "demo", "en", Medium.PAPER)["R2"] == (
        "If all the others are protected, a Prince must be turned on the player who plays it, "
        "while cards for another player have no effect."
    )
    assert by_number("court", "premium", "en", Medium.PAPER)["R2"].endswith(
        "The Cardinal needs two players who can be chosen."
    )


COURT = {
    "en": "suitors? letters? courts? courtiers? seals? sealed princess retinue affection favours? tempest",
    "fr": "prétendante?s? lettres? cour courtisan(?:e?s)? sceaux? scellée?s? princesse affection faveurs? gages?",
}
"""What belongs to the court and to no other world."""


def court(lang: str) -> re.Pattern[str]:
    """Finds the words of the court, its cards among them."""
    cards = (re.escape(name) for card in Card for name in names("court", card, lang))
    return re.compile(rf"\b(?:(?i:{'|'.join(COURT[lang].split())})|{'|'.join(cards)})\b")


@in_both_languages
@pytest.mark.parametrize("slug", load_theme("mule").editions)
def test_the_mule_speaks_no_word_of_the_court(slug: str, lang: str) -> None:
    texts = chain.from_iterable(all_texts(book("mule", slug, lang, medium)) for medium in Medium)
    for text in (*texts, *rules_text(slug, lang, "mule").splitlines()):
        assert not court(lang).search(text), text


def test_the_words_of_the_court_are_found() -> None:
    assert court("en").findall("The Informant sealed Two Princes’ Letter.") == ["sealed", "Princes", "Letter"]
    assert court("fr").findall("Au cours du tour, le Garde de la cour tient un gage.") == ["Garde", "cour", "gage"]


PROGRAM = {
    "en": r"(?i)\b(?:programs?|settings?|logs?|recap|in time|confirm|hosts?|warns?|click|servers?|screens?|bots?)\b",
    "fr": r"(?i)\b(?:programmes?|réglages?|journal|récapitulatif|à temps|confirm\w*|hôtes?|avertit|clic|robots?)\b",
}
"""What a program does and paper cannot."""


@in_both_languages
@everywhere
def test_paper_gives_advice_to_people_and_knows_no_program(theme: str, slug: str, lang: str) -> None:
    for text in all_texts(book(theme, slug, lang, Medium.PAPER)):
        assert not re.search(PROGRAM[lang], text), text
    assert any(re.search(PROGRAM[lang], text) for text in all_texts(book(theme, slug, lang, Medium.TABLE)))


@pytest.mark.parametrize("slug", SEVERAL)
def test_paper_says_who_starts_and_what_to_agree_on(slug: str) -> None:
    match = " ".join(dict(book("court", slug, "en", Medium.PAPER).sections)["Winning the match"])
    assert re.search(r"most recently starts the match|Choose the first player as you like", match)
    if slug in rulings()["R15"]["scope"]:
        assert (
            "If a mistake comes to light, agree on it together" in by_number("court", slug, "en", Medium.PAPER)["R15"]
        )
    switched = {number for number, ruling in rulings().items() if "switch" in ruling and slug in ruling["scope"]}
    assert len(switched) == len(BOXES[slug].switches)
    for number in switched:
        assert "You may agree before the match" in by_number("court", slug, "en", Medium.PAPER)[number]
        assert "With the other setting" in by_number("court", slug, "en", Medium.TABLE)[number]


OTHER_FRENCH = re.compile(
    r"\b(?:(?:la|une) pioche|pioches|vis(?:er|ez|ent|ée?s?)|écart(?:er|ez|ée?s?)|aides? de jeu|élimin\w+)\b"
    r"|\bvise (?:un|une|les|qui|que)\b|\b[Aa]nnonce[rz]? un personnage\b|^Pioche$"
)
"""Not the words of the French rulebook: paquet, cibler, mettre de côté, carte Référence, quitter la manche."""


def test_the_other_french_words_are_found() -> None:
    assert OTHER_FRENCH.findall("Il pioche. Sous la pioche, visez la carte écartée.") == [
        "la pioche",
        "visez",
        "écartée",
    ]
    assert not OTHER_FRENCH.search("Piochez une carte du paquet, mise de côté ; on pioche et il joue.")


@in_every_medium
@everywhere
def test_all_french_rules_have_the_words_of_the_french_rulebook(theme: str, slug: str, medium: Medium) -> None:
    found = book(theme, slug, "fr", medium)
    switches = load_switches(found.words)
    said = [*all_texts(found), *(text for switch in switches for text in (switch.title, *switch.values.values()))]
    assert [text for text in said if OTHER_FRENCH.search(text)] == []


def test_so_have_the_french_catalogues() -> None:
    """But for two words with which people speak at the table: one aims at a player (viser), who is out (éliminé)."""
    said = chain.from_iterable(read_catalogue(text, name).values() for name, text in catalogue_files("fr").items())
    plain = [re.sub(r"\b(?:[Vv]iser|éliminés?)\b", "", text) for text in said]
    assert [text for text in plain if OTHER_FRENCH.search(text)] == []


# Which rulings


@in_every_medium
@in_both_languages
@pytest.mark.parametrize("slug", SOLO)
def test_solitaire_has_no_ruling_for_several_players(slug: str, lang: str, medium: Medium) -> None:
    found = by_number("court", slug, lang, medium)
    assert not {"R3", "R6", "R8", "R11", "R16", "R17", "R20", "R22"} & set(found)
    assert {"R7", "R12", "R14", "R21"} | {f"R{n}" for n in range(106, 134)} == set(found)
    headings = [heading for heading, _ in book("court", slug, lang, medium).sections]
    for text in (*found.values(), *headings):
        assert not re.search(r"(?i)\b(?:players?|rounds?|match|everybody|joueurs?|manches?)\b", text), text


def seen() -> dict[str, set[str]]:
    """The editions in which each ruling is read, in some theme and medium."""
    found: dict[str, set[str]] = {}
    for theme, slug in WRITTEN:
        for medium in Medium:
            for number in by_number(theme, slug, "en", medium):
                found.setdefault(number, set()).add(slug)
    return found


def test_every_ruling_is_read_in_each_of_its_editions() -> None:
    assert seen() == {number: set(ruling["scope"]) for number, ruling in rulings().items()}


@pytest.mark.parametrize(
    ("numbers", "theme", "slug"),
    [(["R30"], "tempest", "premium"), (["R101", "R102", "R103", "R104", "R105"], "mule", "house")],
)
def test_rulings_of_a_theme_are_read_in_that_theme_only(numbers: list[str], theme: str, slug: str) -> None:
    for medium in Medium:
        assert set(numbers) <= set(by_number(theme, slug, "en", medium))
        assert not set(numbers) & set(by_number("court", slug, "en", medium))


def test_R88_is_for_the_terminal() -> None:
    assert [medium for medium in Medium if "R88" in by_number("court", "demo", "fr", medium)] == [Medium.PROGRAM]


@in_both_languages
def test_the_leaflet_of_premium_has_all_its_rulings(lang: str) -> None:
    found = by_number("tempest", "premium", lang, Medium.PAPER)
    assert list(found) == [number for number, ruling in rulings().items() if "premium" in ruling["scope"]]
