"""Themes: complete in both languages, with their people, stories and names; and nothing of the court in the Mule's."""

import re
from collections import Counter

import pytest

from suitors import Card, art
from suitors.art.colours import contrast, parse
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.pages.board import Occupant, board
from suitors.pages.cards import CardRenderer
from suitors.pages.preferences import Preferences
from suitors.rules import BLANK, BOXES, Event, edition, pack
from suitors.view.match import seen
from suitors.view.memory import Entry
from suitors.words import LANGUAGES, THEMES, WordsError, load_theme
from suitors.words.bots import load_characters
from suitors.words.copies import Copies, laid_card, round_copies
from suitors.words.languages import known_sentences
from suitors.words.story import Narrator
from suitors.words.theme_check import MAX_STORY, MAX_TEXT
from suitors.words.vocabulary import fields
from support.matches import chance_match
from support.scenes import scene
from support.vocabularies import words_of

WRITTEN = [(theme, slug) for theme in THEMES for slug in BOXES if slug in load_theme(theme).editions]
FORMS = {"en": {"", "a", "name", "s", "value"}, "fr": {"", "un", "à", "de", "name", "s", "value"}}


def cards_of(slug: str) -> set[str]:
    """The names of the cards that an edition plays with."""
    return {CARD_NAMES[card] for deck in BOXES[slug].decks.values() for card in deck}


# Words


def test_the_court_has_words_for_every_edition_and_every_card() -> None:
    court = load_theme("court")
    assert set(CARD_NAMES) - set(court.cards) == set(), "add the card to words/themes/court.toml"
    assert set(BOXES) - set(court.editions) == set(), "words/themes/court.toml is for every edition"
    assert len(court.editions) == len(BOXES)
    assert len(court.cards) == len(CARD_NAMES)
    assert load_theme("tempest").editions == ("premium",)
    assert load_theme("mule").editions == ("house",)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "slug"), WRITTEN)
def test_a_theme_is_complete_for_its_editions(theme: str, slug: str, lang: str) -> None:
    words = load_theme(theme)
    names = set()
    for name in cards_of(slug):
        card = CARD_OF[name]
        assert words.name(card, lang).strip()
        assert words.text(card, lang).endswith(".")
        assert words.find(words.name(card, lang)) == card
        names.add(words.name(card, lang))
    assert len(names) == len(cards_of(slug))
    assert words.title(lang)
    assert words.about(lang).endswith(".")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "slug"), WRITTEN)
def test_a_theme_tells_its_story(theme: str, slug: str, lang: str) -> None:
    words = words_of(slug, lang, theme)
    assert re.search(r"[.!?…]$", words.victory)
    assert 40 <= len(words.victory) <= MAX_TEXT
    assert 100 <= len(words.premise(BOXES[slug].solo)) <= MAX_STORY
    assert "{" not in words.premise(BOXES[slug].solo) + words.victory


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_card_and_every_person_has_a_line(theme: str, lang: str) -> None:
    words = load_theme(theme)
    lines = []
    for name in words.cards:
        people = words.persons(CARD_OF[name], lang)
        own = [person.line for person in people] or [words.portrait(CARD_OF[name], lang).line]
        lines += own
        assert all(20 <= len(line) <= MAX_TEXT for line in own), f"{name} needs a line of 20 to {MAX_TEXT} characters"
        assert all(re.search(r"[.!?…»”]$", line) for line in own), f"the line of {name} has no end"
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("theme", THEMES)
def test_every_french_card_has_its_article_and_gender(theme: str) -> None:
    for name, words in load_theme(theme).data["cards"].items():
        assert words["fr"].get("article") in ("le", "la", "l’"), name
        assert words["fr"].get("gender") in ("m", "f"), name


@pytest.mark.parametrize("theme", THEMES)
def test_what_a_theme_says_instead_is_said_by_the_program_and_has_the_same_in_braces(theme: str) -> None:
    for sentence, texts in load_theme(theme).data.get("sentences", {}).items():
        assert sentence in known_sentences(), sentence
        assert set(texts) == set(LANGUAGES)
        for lang in LANGUAGES:
            assert fields(texts[lang]) == fields(sentence), sentence


@pytest.mark.parametrize("theme", THEMES)
def test_braces_ask_for_forms_that_the_language_has(theme: str) -> None:
    asked = Counter(
        (lang, form.removeprefix("^"))
        for lang, text in texts_of(load_theme(theme).data)
        for form in re.findall(r"{[\w-]+:([^}]*)}", text)
    )
    assert [(lang, form) for lang, form in asked if form not in FORMS[lang]] == []


def texts_of(data: object, lang: str = "") -> list[tuple[str, str]]:
    """Every text below a language."""
    if isinstance(data, str):
        return [(lang, data)] if lang else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [found for key, value in items for found in texts_of(value, str(key) if key in LANGUAGES else lang)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_guard_that_names_a_number_says_so(lang: str) -> None:
    for theme in ("court", "tempest"):
        words = load_theme(theme)
        by_number = words.text(Card.GUARD, lang, by_number=True)
        assert ("number" if lang == "en" else "nombre") in by_number
    assert words.text(Card.PRIEST, lang, by_number=True) == words.text(Card.PRIEST, lang)
    assert load_theme("court").text(Card.GUARD, lang) != load_theme("court").text(Card.GUARD, lang, by_number=True)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_bot_is_somebody_in_every_theme(theme: str, lang: str) -> None:
    people = load_characters(theme)
    assert len({person.name(lang).split()[0] for person in people.values()}) == len(people)
    assert all(person.character(lang).endswith(".") for person in people.values())


# Tokens


@pytest.mark.parametrize(
    ("slug", "theme", "lang", "one", "many"),
    [
        ("premium", "court", "en", "a token of affection", "tokens of affection"),
        ("premium", "tempest", "fr", "un gage d’affection", "gages d’affection"),
        ("modern", "court", "en", "a favour token", "favour tokens"),
        ("classic", "court", "fr", "un pion Faveur", "pions Faveur"),
        ("demo", "court", "fr", "un pion Faveur", "pions Faveur"),
        ("house", "court", "en", "a token of affection", "tokens of affection"),
        ("house", "mule", "en", "a devotion token", "devotion tokens"),
        ("house", "mule", "fr", "un jeton de dévotion", "jetons de dévotion"),
    ],
)
def test_each_edition_and_theme_has_its_own_word_for_tokens(
    slug: str, theme: str, lang: str, one: str, many: str
) -> None:
    assert words_of(slug, lang, theme).fill("{token:a}" if lang == "en" else "{token:un}") == one
    assert words_of(slug, lang, theme).fill("{token:s}") == many


# Names


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("Viceroy", Card.KING),
        ("the viceroy", Card.KING),
        (" Mayor Indbur ", Card.KING),
        ("Vice-roi", Card.KING),
        ("PRITCHER", Card.PRIEST),
        ("Bail Channis", Card.PRIEST),
        ("magnifico", Card.BARON),
        ("Ebling Mis", Card.BARON),
        ("Les Darell", Card.PRINCE),
        ("Bayta", Card.PRINCE),
        ("Le Mulet", Card.PRINCESS),
        ("mule", Card.PRINCESS),
        ("Esprit protégé", Card.HANDMAID),
        ("Premier Orateur", Card.COUNTESS),
        ("First Speaker", Card.COUNTESS),
        ("Informateur", Card.GUARD),
        ("Guard", Card.GUARD),
        ("", None),
        ("Seldon", None),
    ],
)
def test_R102_the_mule_finds_its_cards_by_every_alias(name: str, card: Card | None) -> None:
    assert load_theme("mule").find(name) == card


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("guard 1 king", "guard 1 king"),
        ("Informant 1 The Viceroy", "guard 1 king"),
        ("INFORMATEUR  1  maire indbur", "guard 1 king"),
        ("Han Pritcher 2", "priest 2"),
        ("informant 0 Bail Channis", "guard 0 priest"),
        ("l’informateur 1 le premier orateur", "guard 1 countess"),
        ("hello", "hello"),
        ("", ""),
    ],
)
def test_R101_R102_a_move_may_be_typed_with_any_name(typed: str, move: str) -> None:
    assert load_theme("mule").read_move(typed) == move


@pytest.mark.parametrize("theme", THEMES)
def test_no_name_or_alias_means_two_cards(theme: str) -> None:
    words = load_theme(theme)
    for slug, card in words.data["cards"].items():
        people = [person.name for lang in LANGUAGES for person in words.persons(CARD_OF[slug], lang)]
        for name in (*people, *card.get("aliases", ())):
            assert words.find(name) == CARD_OF[slug], name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_R101_R102_a_guard_may_name_either_person_and_either_title(lang: str) -> None:
    renderer = CardRenderer(edition("house", 2), words_of("house", lang, "mule"))
    named = {card: [name for name, _ in renderer.named_faces(card)] for card in (Card.KING, Card.PRIEST, Card.GUARD)}
    assert named[Card.PRIEST] == ["Han Pritcher", "Bail Channis"]
    titles = {"en": ["Mayor Indbur", "The Viceroy"], "fr": ["Maire Indbur", "Le Vice-roi"]}
    assert named[Card.KING] == titles[lang]
    assert len(named[Card.GUARD]) == 1
    faces = [face for _, face in renderer.named_faces(Card.PRIEST)]
    assert [face.emblem for face in faces] == ["priest-pritcher", "priest-channis"]


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(WordsError, match="no theme 'space'"):
        load_theme("space")


# People


@pytest.mark.parametrize(("theme", "slug"), WRITTEN)
def test_persons_are_for_all_copies_of_a_card_or_for_none(theme: str, slug: str) -> None:
    deck = BOXES[slug].decks[BOXES[slug].players[-1]]
    for card, copies in deck.items():
        assert sum(person.copies for person in load_theme(theme).persons(card, "en")) in (0, copies), card


def test_R30_five_guards_are_odette_and_three_are_dougaul() -> None:
    tempest = load_theme("tempest")
    shown = [tempest.portrait(Card.GUARD, "en", copy) for copy in range(8)]
    assert [portrait.subtitle for portrait in shown] == ["Odette"] * 5 + ["Dougaul"] * 3
    assert {portrait.title for portrait in shown} == {"Guard"}
    drawings = tempest.drawings()
    assert len({drawings[portrait.emblem] for portrait in shown}) == 2


def test_R101_R102_each_person_of_the_mule_is_on_one_copy() -> None:
    mule = load_theme("mule")
    shown = [mule.portrait(Card.PRINCE, "en", copy) for copy in range(2)]
    assert [portrait.title for portrait in shown] == ["Bayta Darell", "Toran Darell"]
    assert (mule.portrait(Card.KING, "en", 0).title, mule.portrait(Card.KING, "en", 0).subtitle) == (
        "Mayor Indbur",
        "The Viceroy",
    )


@pytest.mark.parametrize("theme", THEMES)
def test_every_emblem_of_a_theme_is_drawn(theme: str) -> None:
    words, drawn = load_theme(theme), load_theme(theme).drawings()
    people = [person for card in words.cards for person in words.persons(CARD_OF[card], "en")]
    assert all(person.emblem in drawn for person in people)
    assert {words.ornament(use) for use in ("back", "seal", "broken", "token")} <= set(art.names("ornaments"))


# Copies


@pytest.mark.parametrize(("slug", "players"), [("premium", 6), ("premium", 2), ("house", 4)])
def test_every_card_that_comes_to_light_in_a_round_is_another_copy(slug: str, players: int) -> None:
    match = chance_match(slug, players, 3)
    for r in match.rounds:
        entries = seen(r.rows, None)
        copies = Copies(match.rules)
        laid = [(laid_card(entry), copies.add(entry)) for entry in entries]
        found = [(card, copy) for card, copy in laid if card is not None and copy is not None]
        assert len(set(found)) == len(found)
        assert all(copy < match.rules.copies[card] for card, copy in found)


def test_all_persons_of_a_card_come_early() -> None:
    rules, tempest = edition("premium", 8), load_theme("tempest")
    for start in range(8):
        copies = Copies(rules, start=start)
        played = [copies.add(Entry(Event.MOVED, 0, 0, pack(Card.GUARD, 1, BLANK, 5))) for _ in range(8)]
        people = [tempest.person(Card.GUARD, copy, "en") for copy in played if copy is not None]
        assert len({person.name for person in people[:3] if person is not None}) == 2


def test_copies_lie_in_the_piles_in_which_the_view_has_their_cards() -> None:
    match = chance_match("premium", 2, 5, decisions=12)
    view = match.view(None)
    piles, face_up = round_copies(view.log[view.round], match.rules)
    assert [len(pile) for pile in piles] == [len(pile) for pile in view.piles]
    assert len(face_up) == len(view.face_up) == 3


def test_R102_a_card_that_only_some_have_seen_shows_no_person() -> None:
    match = scene("house", ["priest guard", "baron", "baron"])
    match.play("priest 1")
    people = [Occupant(name) for name in match.players]
    shown = board(match.view(0), people, Preferences(theme="mule"), "", match.why_not)
    assert [face.name for face in shown.seats[1].hand if face] == ["Mis & Magnifico"]
    assert shown.seats[0].pile[0].name in ("Han Pritcher", "Bail Channis")
    told = [line.text for _, lines in shown.log for line in lines]
    assert "You see that Ben holds Mis & Magnifico." in told


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Ada plays Han Pritcher and looks at your hand."),
        ("fr", "Ada joue Han Pritcher et regarde votre carte."),
    ],
)
def test_R102_the_log_names_the_person_who_was_played(lang: str, told: str) -> None:
    match = scene("house", ["priest guard", "priest", "baron"])
    match.play("priest 1")
    narrator = Narrator(match.rules, ("Ada", "Ben", "Cleo"), 1, words_of("house", lang, "mule"))
    assert narrator.tell(match.step_log(-1, -1, 1))[0].text == told


# Colours


@pytest.mark.parametrize("theme", THEMES)
def test_ink_and_wax_can_be_read_on_parchment(theme: str) -> None:
    colours = load_theme(theme).data["colours"]
    assert set(colours) == {"ink", "parchment", "wax", "gold", "ribbon", "fog"}
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours.values())
    assert contrast(parse(colours["ink"]), parse(colours["parchment"])) >= 7
    assert contrast(parse(colours["wax"]), parse(colours["parchment"])) >= 4.5
