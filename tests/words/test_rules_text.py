"""What the rules state of decks, goals and people, and what `suitors rules` prints of them."""

import re
from collections import Counter

import pytest

from suitors.notation import CARD_OF
from suitors.rules import BOXES, Card, edition
from suitors.words import load_theme, rules_text
from suitors.words.nouns import NUMERALS, in_words
from suitors.words.rulebook import Medium
from support.rulebooks import SEVERAL, book, everywhere, in_both_languages, names, paragraphs

# Decks and numbers


def counted(text: str, theme: str, lang: str) -> Counter[Card]:
    """The cards of a list in words."""
    numbers = {word: number for number, word in enumerate(NUMERALS[lang]) if word}
    numbers |= dict.fromkeys(("a", "an", "the", "un", "une", "le", "la", "l"), 1)
    words = load_theme(theme)
    plurals = {name: card for name in words.cards for card in [CARD_OF[name]] for name in names(theme, card, lang)}
    found: Counter[Card] = Counter()
    for item in re.split(r", | and | et ", text):
        number, _, name = item.replace("l’", "l ").partition(" ")
        card = plurals[name] if number in numbers else words.find(item)
        assert card is not None, item
        found[card] += numbers.get(number, 1)
    return found


def listed(slug: str, theme: str, lang: str, placeholder: str) -> str:
    """A list of cards as it stands in the rules."""
    found = book(theme, slug, lang, Medium.PAPER)
    text = found.words.fill(placeholder)
    assert any(text in paragraph for paragraph in paragraphs(found)), text
    return text


@in_both_languages
@everywhere
def test_the_rules_list_the_cards_of_the_deck(theme: str, slug: str, lang: str) -> None:
    decks = BOXES[slug].decks
    small, large = Counter(decks[min(decks)]), Counter(decks[max(decks)])
    assert counted(listed(slug, theme, lang, "{deck}"), theme, lang) == small
    if large != small:
        assert counted(listed(slug, theme, lang, "{added}"), theme, lang) == large - small
    setup = " ".join(book(theme, slug, lang, Medium.PAPER).sections[0][1]).lower()
    sizes = {"sixteen": 16, "seize": 16}
    stated = re.findall(r"\b(\d\d|sixteen|seize) (?:cards|cartes)\b(?! in the deck| dans le paquet)", setup)
    found = {sizes.get(word) or int(word) for word in stated}
    assert found == {small.total(), large.total()}, f"the setup of {slug} in words/editions.toml says {found}"


@in_both_languages
@pytest.mark.parametrize("slug", [slug for slug in SEVERAL if not BOXES[slug].by_number])
def test_the_rules_state_how_many_characters_a_guard_may_name(slug: str, lang: str) -> None:
    words = {"en": r"any of the (\w+) other characters", "fr": r"l’un des (\w+) autres personnages"}[lang]
    (stated,) = re.findall(words, " ".join(paragraphs(book("court", slug, lang, Medium.PAPER))))
    rules = edition(slug, BOXES[slug].players[0])
    assert stated == in_words(rules.name_count[Card.GUARD], lang), f"use {{others}} for {slug} in words/editions.toml"


def test_small_numbers_are_written_in_words() -> None:
    assert [in_words(number, "en") for number in (1, 9, 12, 13)] == ["one", "nine", "twelve", "13"]
    assert [in_words(number, "fr") for number in (1, 9, 12, 13)] == ["un", "neuf", "douze", "13"]


@in_both_languages
@pytest.mark.parametrize(
    ("slug", "large", "small"),
    [
        ("modern", "modern", "classic"),
        ("classic", "modern", "classic"),
        ("demo", "modern", "demo"),
        ("solitaire-2019", "modern", "solitaire-2019"),
    ],
)
def test_the_rules_list_what_a_smaller_edition_leaves_out(slug: str, large: str, small: str, lang: str) -> None:
    more, fewer = (Counter(BOXES[found].decks[BOXES[found].players[0]]) for found in (large, small))
    assert counted(listed(slug, "court", lang, "{left_out}"), "court", lang) == more - fewer
    assert more - fewer == {Card.SPY: 2, Card.GUARD: 1, Card.CHANCELLOR: 2}


def paragraph(texts: list[str], words: str) -> str:
    """The paragraph that has these words."""
    (found,) = (text for text in texts if words in text)
    return found


@in_both_languages
@pytest.mark.parametrize("slug", SEVERAL)
def test_the_rules_state_how_many_cards_are_left_in_the_deck(slug: str, lang: str) -> None:
    box = BOXES[slug]
    text = paragraph(book("court", slug, lang, Medium.PAPER).sections[0][1], {"en": "leaves", "fr": "Il reste"}[lang])
    stated = []
    for deck in {id(deck): deck for deck in box.decks.values()}.values():
        players = [n for n in box.players if box.decks[n] is deck]
        stated += [sum(deck.values()) - box.aside[n] - box.face_up.get(n, 0) - n for n in players] + players
    assert [int(number) for number in re.findall(r"\d+", text)] == stated


@in_both_languages
@pytest.mark.parametrize("slug", SEVERAL)
def test_the_rules_state_the_goal(slug: str, lang: str) -> None:
    text = paragraph(
        book("court", slug, lang, Medium.PAPER).sections[3][1], {"en": "goal is", "fr": "objectif est"}[lang]
    )
    goals: dict[int, int] = {}
    for goal, low, high in re.findall(r"(\d+)\D+(\d+)(?:(?:–| or | ou )(\d+))?", text):
        goals |= dict.fromkeys(range(int(low), int(high or low) + 1), int(goal))
    assert goals == BOXES[slug].goals


# The terminal


def on_one_line(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


@in_both_languages
@everywhere
def test_the_terminal_opens_with_title_story_and_what_is_special(theme: str, slug: str, lang: str) -> None:
    found = book(theme, slug, lang, Medium.PROGRAM)
    opening = " ".join((found.title, "=" * len(found.title), found.premise, found.about))
    assert on_one_line(rules_text(slug, lang, theme)).startswith(on_one_line(opening))


def test_people_stand_below_their_cards_once_for_each_deck_that_adds_some() -> None:
    small, large = rules_text("premium", "en", "tempest").split("Cards with 5–8 players")
    assert re.search(r"^1  Guard ×5:.*\n(?:   .*\n)*   Odette: ", small, re.MULTILINE)
    assert re.search(r"^1  Guard ×8:.*\n(?:   .*\n)*   Odette ×5: .*\n(?:   .*\n)*   Dougaul ×3: ", large, re.MULTILINE)
    assert "\n   Annette: " in small
    assert "\n   Annette: " not in large
    assert "\n   Vinizio: " in large


def test_in_the_mule_each_person_has_a_copy_and_indbur_a_subtitle() -> None:
    text = rules_text("house", "en", "mule")
    assert re.search(r"^6  Mayor Indbur ×1:.*\n(?:   .*\n)*   The Viceroy: ", text, re.MULTILINE)
    for person in (
        "Bayta Darell",
        "Toran Darell",
        "Ebling Mis",
        "Magnifico Giganticus",
        "Han Pritcher",
        "Bail Channis",
    ):
        assert text.count(f"\n   {person} ×1: ") == 1


def test_the_editions_are_listed_in_the_theme_where_it_has_them() -> None:
    text = on_one_line(rules_text(None, "fr", "mule"))
    for slug in BOXES:
        theme = "mule" if slug == "house" else "court"
        assert on_one_line(book(theme, slug, "fr", Medium.PROGRAM).about) in text
