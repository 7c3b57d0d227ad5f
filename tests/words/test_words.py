"""Words: themes and rules complete in both languages, the French catalogue, typography and colours."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from io import BytesIO, StringIO
from itertools import chain
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

import suitors
from suitors import Card
from suitors.errors import REASONS, IllegalMove
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.rules import BOXES, SWITCHES, Refusal
from suitors.words import LANGUAGES, THEMES, Theme, WordsError, gettext, load_theme, rulebook, rules_text
from suitors.words import editions as editions_module
from suitors.words.catalogue import read_catalogue
from suitors.words.editions import SECTIONS, edition_title, editions
from suitors.words.languages import catalogue_files
from suitors.words.rulebook import Medium, Rulebook, read_scope, ruling_sections, rulings
from suitors.words.speech import Speaker
from suitors.words.themes import read_toml
from suitors.words.vocabulary import Vocabulary
from support.vocabularies import words_of

SOURCE = Path(suitors.__file__).parent
FILES = [
    ("editions.toml",),
    ("own_editions.toml",),
    ("rulings.toml",),
    ("switches.toml",),
    *(("themes", f"{theme}.toml") for theme in THEMES),
]
WRITTEN = [(theme, slug) for theme in THEMES for slug in BOXES if slug in load_theme(theme).editions]


def strings(value: Any) -> Iterator[str]:
    """Every string in some plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def french(data: Any) -> Iterator[str]:
    """Every string below a key `fr`."""
    for key, value in data.items() if isinstance(data, dict) else ():
        yield from strings(value) if key == "fr" else french(value)


def spoken(sentences: list[Any]) -> list[Any]:
    """The texts of a ruling, without the editions that some of them are for."""
    return [
        text if isinstance(text, str) else {key: said for key, said in text.items() if key != "editions"}
        for text in sentences
    ]


def english(data: Any) -> Iterator[str]:
    """Every string below a key `en`."""
    for key, value in data.items() if isinstance(data, dict) else ():
        yield from strings(value) if key == "en" else english(value)


def cards_of(slug: str) -> set[str]:
    """The names of the cards that an edition plays with."""
    return {CARD_NAMES[card] for deck in BOXES[slug].decks.values() for card in deck}


# Rules and rulings


def test_there_are_133_rulings_in_both_languages() -> None:
    assert list(rulings()) == [f"R{number}" for number in range(1, max(133, len(rulings())) + 1)]
    for ruling in rulings().values():
        assert ruling["scope"]
        assert ruling.get("switch") in (None, *SWITCHES)
        assert all(text.endswith(".") for lang in LANGUAGES for text in strings(spoken(ruling[lang])) if text)


def test_a_ruling_applies_to_an_edition_or_to_some_numbers_of_its_players() -> None:
    assert read_scope("R1", "modern") == ("modern", (2, 3, 4, 5, 6))
    assert read_scope("R1", "premium 5-8") == ("premium", (5, 6, 7, 8))
    assert read_scope("R1", "solitaire 1-1") == ("solitaire", (1,))
    assert rulings()["R13"]["scope"] == {"premium": (5, 6, 7, 8)}
    assert {players for ruling in rulings().values() for players in ruling["scope"].values()} == {
        (2, 3, 4), (5, 6, 7, 8), tuple(range(2, 9)), tuple(range(2, 7)), (1,)
    }  # fmt: skip


@pytest.mark.parametrize("words", ["ancient", "Modern", "", "a", "modern 2", "modern 2-7", "modern 4-2", "modern x-y"])
def test_a_ruling_for_no_edition_is_refused(words: str) -> None:
    with pytest.raises(WordsError, match=f"R7 names '{words}'"):
        read_scope("R7", words)


def test_an_edition_needs_no_rulings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Rulings\n-------\nR1 " in rules_text("modern", "en")
    monkeypatch.setattr(rulebook, "rulings", dict)
    assert "Rulings" not in rules_text("modern", "en")


def test_sections_begin_with_rulings_in_their_order() -> None:
    assert [number for number in rulings() if number in ruling_sections()] == list(ruling_sections())
    assert next(iter(ruling_sections())) == "R1"


def test_every_switch_has_its_ruling() -> None:
    assert {ruling["switch"] for ruling in rulings().values() if "switch" in ruling} == set(SWITCHES)


def test_every_edition_is_told_in_both_languages() -> None:
    assert set(editions()) == set(BOXES), "each edition is a table in words/editions.toml"
    for words in editions().values():
        for lang in LANGUAGES:
            assert all(words[lang][key].strip() for key in ("title", "about"))
            assert all(words[lang][key] and all(words[lang][key]) for key in SECTIONS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_editions_have_the_same_title(lang: str) -> None:
    assert len({edition_title(slug, lang) for slug in BOXES}) == len(BOXES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_edition_that_is_like_another_has_the_texts_that_it_lacks_from_there(lang: str) -> None:
    found, own = editions(), read_toml("editions.toml")
    alike = {slug: words["like"] for slug, words in own.items() if "like" in words}
    assert alike
    for slug, model in alike.items():
        for key in SECTIONS:
            assert found[slug][lang][key] == own[slug].get(lang, {}).get(key, own[model][lang][key]), (slug, key)
    assert "turn" not in own["demo"][lang]
    assert found["demo"][lang]["turn"] == own["classic"][lang]["turn"]
    assert found["demo"][lang]["setup"] == own["demo"][lang]["setup"] != own["classic"][lang]["setup"]


@pytest.mark.parametrize(
    "path",
    [("archive",), ("modern", "fr"), ("modern", "fr", "about"), ("modern", "en", "ends"), ("house", "en", "token")],
)
def test_what_an_edition_lacks_is_named(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_toml("editions.toml")
    if path[0] in BOXES:
        table = reduce(getitem, path[:-1], found)
        del table[path[-1]]
    boxes = {**BOXES, "archive": BOXES["modern"]} if path == ("archive",) else BOXES
    monkeypatch.setattr(editions_module, "BOXES", boxes)
    monkeypatch.setattr(editions_module, "read_toml", lambda _: found)
    editions.cache_clear()
    try:
        with pytest.raises(WordsError, match=rf"^The edition '{path[0]}' has no \w+ in words/editions.toml") as error:
            editions()
    finally:
        editions.cache_clear()
    assert all(part in str(error.value) for part in path)


def test_a_card_without_words_is_named() -> None:
    with pytest.raises(WordsError, match="'mule' has no words for the card chancellor"):
        load_theme("mule").name(Card.CHANCELLOR, "en")


def test_a_card_without_a_tint_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(load_theme("court").data["cards"]["spy"], "tint")
    with pytest.raises(WordsError, match=r"no tint for a card: words/themes/court.toml, table \[cards.spy\]"):
        load_theme("mule").tint(Card.SPY)


@pytest.mark.parametrize(("lacking", "place"), [(("fr",), "fr.name"), (("fr", "text"), "fr.text")])
def test_a_card_without_words_in_a_language_is_named(lacking: tuple[str, ...], place: str) -> None:
    data = read_toml("themes", "court.toml")
    table = reduce(getitem, ("cards", "guard", *lacking[:-1]), data)
    del table[lacking[-1]]
    theme = Theme("court", data)
    for ask in (lambda: theme.name(Card.GUARD, "fr"), lambda: theme.find("Guard")):
        with pytest.raises(WordsError, match=rf"no {place} for a card: words/themes/court.toml, table \[cards.guard\]"):
            ask()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "slug"), WRITTEN)
def test_the_rules_hold_every_card_and_exactly_the_rulings_of_the_edition(theme: str, slug: str, lang: str) -> None:
    text = rules_text(slug, lang, theme)
    words = load_theme(theme)
    assert all(f"  {words.name(CARD_OF[name], lang)} ×" in text for name in cards_of(slug))
    told = re.findall(r"^(R\d+)\b", text, re.MULTILINE)
    assert told == [number for number, _ in Rulebook(Vocabulary(words, slug, lang), Medium.PROGRAM).rulings]
    assert told == [
        number
        for number, ruling in rulings().items()
        if _applies(ruling, slug) and theme in ruling.get("themes", [theme])
    ]


def _applies(ruling: dict[str, Any], slug: str) -> bool:
    """Whether a ruling names an edition, or the one that it is like, and is not about printed numbers."""
    named = {words.split()[0] for words in ruling["editions"]}
    return slug in named or (editions()[slug].get("like") in named and not ruling.get("printed"))


# The catalogue


def said() -> set[str]:
    """Every sentence in the source that is marked for translation: say("…"), _("…"), gettext(lang)("…")."""
    found = templates()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _says(node.func) and len(node.args) == 1:
                assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno} says what is no literal"
                found.add(str(node.args[0].value))
    return found


def _says(function: ast.expr) -> bool:
    if isinstance(function, ast.Call):
        return isinstance(function.func, ast.Name) and function.func.id == "gettext"
    if isinstance(function, ast.Attribute):
        return function.attr == "say"
    return isinstance(function, ast.Name) and function.id in ("say", "_")


def templates() -> set[str]:
    """Every sentence of the page: {{ _("…") }}, {{ tell("…") }} or {% trans %}…{% endtrans %} in its templates."""
    return set(chain.from_iterable(in_template(path.read_bytes()) for path in SOURCE.rglob("*.html")))


def in_template(text: bytes) -> set[str]:
    """The sentences of one template; none may have a plural, which gettext(lang)("…") could not say."""
    found = list(babel_extract(BytesIO(text), ["_", "tell", "gettext", "ngettext"], [], {"silent": "false"}))
    assert [message for _, function, message, _ in found if function == "ngettext"] == []
    return {str(message[0] if isinstance(message, tuple) else message) for _, _, message, _ in found}


def test_sentences_are_found_in_templates() -> None:
    page = b"""{{ _("Open a table") }} {% trans %}Good night.{% endtrans %}<p>{{ _("%(n)s won", n=name) }}</p>"""
    assert in_template(page) == {"Open a table", "Good night.", "%(n)s won"}


TRANSLATED = LANGUAGES[1:]
"""The languages but that of the source."""


def catalogue(lang: str) -> list[Message]:
    """The sentences of all catalogues of a language."""
    books = [read_po(StringIO(text), abort_invalid=True) for text in catalogue_files(lang).values()]
    assert not any(book.obsolete for book in books)
    return [message for book in books for message in book if message.id]


@pytest.mark.parametrize("lang", TRANSLATED)
def test_the_catalogues_of_a_language_have_exactly_the_sentences_of_the_source(lang: str) -> None:
    messages = [str(message.id) for message in catalogue(lang)]
    assert [text for text, times in Counter(messages).items() if times > 1] == []
    wanted = said() | set(REASONS.values())
    assert set(messages) - wanted == set()
    assert wanted - set(messages) == set()


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_translated_sentence_is_empty_or_uncertain(lang: str) -> None:
    places = re.compile(r"{(\w*)(?::\w+)?}|%\((\w+)\)s")
    for message in catalogue(lang):
        assert str(message.string).strip(), message.id
        assert not message.fuzzy, message.id
        assert sorted(places.findall(str(message.id))) == sorted(places.findall(str(message.string)))


TOKEN_WORDS = {"en": re.compile(r"\b(?:tokens?|seals?)\b"), "fr": re.compile(r"\b(?:jetons?|gages?|pions?|sceaux?)\b")}


@pytest.mark.parametrize("name", ["page.po", "story.po"])
def test_a_table_has_one_word_for_a_token_that_of_its_edition_and_theme(name: str) -> None:
    """What is said at a table names tokens in braces only, and calls nothing else by a word that some edition has."""
    for sentence, french in read_catalogue(catalogue_files("fr")[name], name).items():
        for lang, text in (("en", sentence), ("fr", french)):
            plain = re.sub(r"\{token(?::[^}]*)?\}", "", text)
            assert not TOKEN_WORDS[lang].search(plain.casefold()), text


def test_every_refusal_has_a_reason_for_programmers_and_one_for_readers() -> None:
    speaker = Speaker((), None, words_of(None, "fr"))
    for refusal in set(Refusal) - {Refusal.FINE}:
        assert "{" not in str(IllegalMove("guard 1 priest", refusal))
        assert "{" not in speaker.reason(refusal)
    assert str(IllegalMove("king 1", Refusal.COUNTESS_FIRST)).endswith(
        ": the Countess must be played while the King or the Prince is held too."
    )
    assert speaker.reason(Refusal.FINE) == ""


def test_reasons_name_the_cards_as_the_theme_does() -> None:
    for lang in LANGUAGES:
        speaker = Speaker((), None, words_of("house", lang, "mule"))
        names = [speaker.words.theme.name(card, lang) for card in (Card.COUNTESS, Card.KING, Card.PRINCE)]
        assert "Countess" not in names
        assert all(name.removeprefix("The ") in speaker.reason(Refusal.COUNTESS_FIRST) for name in names)


@pytest.mark.parametrize(
    ("card", "whose"),
    [(Card.JESTER, "du Bouffon"), (Card.PRINCESS, "de la Princesse"), (Card.BISHOP, "de l’Évêque")],
)
def test_french_nouns_contract_with_their_prepositions(card: Card, whose: str) -> None:
    assert f"{Speaker((), None, words_of(None, 'fr')).card(card):de}" == whose


def test_sentences_are_said_in_both_languages() -> None:
    assert gettext("en")("Matches") == "Matches"
    assert gettext("fr")("Matches") == "Parties"
    assert gettext("fr")("no such sentence") == "no such sentence"


# Typography

BARE_MARK = re.compile(r"(?<![\u00a0\u202f])[:;!?»](?!\^?\w*})|«(?![\u00a0\u202f])")


def test_the_bare_marks_are_found() -> None:
    assert BARE_MARK.findall("oui: non ; quoi\u00a0? « ah »") == [":", ";", "«", "»"]
    assert BARE_MARK.findall("{guard:^}, {king:de} et {guard:^un}: non") == [":"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path[-1])
def test_french_has_a_no_break_space_before_its_high_marks(path: tuple[str, ...]) -> None:
    texts = list(french(read_toml(*path)))
    assert texts
    assert [text for text in texts if BARE_MARK.search(text)] == []


def test_so_has_the_catalogue() -> None:
    texts = [str(message.string) for message in catalogue("fr")]
    assert [text for text in texts if BARE_MARK.search(text)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path[-1])
def test_quotes_apostrophes_and_spaces_are_those_of_print(path: tuple[str, ...]) -> None:
    data = read_toml(*path)
    for text in (*french(data), *english(data)):
        assert not re.search(r"['\"]|\.\.\.|  |\n|^ | $", text), text


@pytest.mark.parametrize("slug", BOXES)
def test_the_printed_rules_never_break_a_line_before_a_high_mark(slug: str) -> None:
    for line in rules_text(slug, "fr").splitlines():
        assert not re.match(r"\s*[:;!?»]", line), line
