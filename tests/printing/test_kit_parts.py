"""The parts of kits, counted against the rulebooks: cards copy by copy, reference cards, tokens and marks."""

import re
from collections import Counter
from dataclasses import replace
from math import ceil
from typing import Any

import pytest

from suitors import Card
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.printing import Kit, print_cards
from suitors.printing import parts as parts_module
from suitors.printing.output import kit_data
from suitors.rules import BOXES
from suitors.words import LANGUAGES, Theme, WordsError, load_theme
from suitors.words.editions import editions
from support.kits import WRITTEN, data, deck, kit, parts, printed, side, squeezed

MM = 72 / 25.4
SHEETS = {"a4": (210, 297), "letter": (215.9, 279.4)}

# What is in a kit, counted against the rulebooks

COMPONENTS = {
    # cards, reference cards, tokens, markers
    "premium": (32, 8, 25, 1),  # the Premium rulebook's components; its 40 sleeves fit our cards
    "modern": (21, 6, 13, 0),  # the contents of the rulebook of 2019; its cloth bag is no paper
    "classic": (16, 4, 13, 0),  # the same box without 1 Guard, 2 Chancellors and 2 Spies, for four
    "demo": (16, 4, 13, 0),  # sheets with 16 cards and 4 reference cards; 13 markers to be found at home
    "house": (16, 4, 13, 0),  # 16 cards, tokens and reference cards, both without a number
    "solitaire": (16, 1, 0, 0),  # the cards of the base game; our texts of the solo game on one reference card
    "solitaire-2019": (16, 1, 0, 0),
}


def test_every_edition_has_a_list_of_components() -> None:
    missing = ", ".join(slug for slug in BOXES if slug not in COMPONENTS)
    assert not missing, f"COMPONENTS in tests/printing/test_kit_parts.py does not count the parts of {missing}"
    assert set(COMPONENTS) == set(BOXES)


def test_an_edition_without_parts_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_module, "BOXES", {**BOXES, "new": BOXES["modern"]})
    with pytest.raises(WordsError, match="The edition 'new' has no text of"):
        parts_module.parts.__wrapped__()


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_the_parts_of_a_kit_are_those_of_its_rulebook(slug: str, lang: str, theme: str) -> None:
    cards, references, tokens, markers = COMPONENTS[slug]
    found, shown = parts(slug, lang, theme), data(slug, lang, theme)
    assert sum(found.lines[title] for title in {face["title"] for face in shown["faces"]}) == cards
    assert found.lines[shown["reference"][0]["title"]] == references
    assert found.lines[shown["reference"][1]["title"]] == references
    assert found.tokens == tokens + markers
    assert found.leaflet_pages >= 1
    assert f"{cards} " in shown["leaflet"]["contents"]


@pytest.mark.parametrize(
    ("slug", "paper", "duplex"),
    [
        *(("premium", paper, duplex) for paper in SHEETS for duplex in (False, True)),
        *(("modern", "a4", True), ("modern", "letter", False)),
        *(("solitaire", "a4", False), ("solitaire", "letter", True)),
    ],
)
def test_the_sheets_are_as_many_and_as_large_as_they_must_be(slug: str, paper: Any, duplex: bool) -> None:
    pages = printed(kit(slug, paper=paper, duplex=duplex)).pages
    cards, references, tokens, _ = COMPONENTS[slug]
    sheets = 2 * ceil((cards + references) / (9 if paper == "a4" else 8)) if duplex else ceil((cards + references) / 4)
    assert len(pages) - sheets - (tokens > 0) in (2, 3)  # the leaflet
    width, height = SHEETS[paper]
    for number, page in enumerate(pages):
        wide = number < sheets and (paper == "letter" or not duplex)
        size = (height, width) if wide else (width, height)
        assert (float(page.mediabox.width) / MM, float(page.mediabox.height) / MM) == pytest.approx(size, abs=0.1)


def test_the_jester_has_a_token_of_another_colour() -> None:
    ribbon = load_theme("tempest").colours["ribbon"]
    colour = tuple(int(ribbon[k : k + 2], 16) / 255 for k in (1, 3, 5))
    assert _near(colour, parts("premium", "en", "tempest").token_colours)
    assert not _near(colour, parts("house", "en", "mule").token_colours)
    assert data("premium")["notes"]["tokens"] == (
        "Cut the discs out: they are the tokens of affection. "
        "The one of another colour is the marker for the Jester: lay it in front of the chosen player."
    )


@pytest.mark.parametrize(
    ("slug", "lang", "theme", "tokens"),
    [
        ("modern", "en", "court", "favour tokens"),
        ("demo", "fr", "court", "pions Faveur"),
        ("premium", "fr", "tempest", "gages d’affection"),
        ("house", "en", "mule", "devotion tokens"),
    ],
)
def test_tokens_are_called_as_the_edition_or_the_theme_does(slug: str, lang: str, theme: str, tokens: str) -> None:
    shown = data(slug, lang, theme)
    assert tokens in shown["notes"]["tokens"]
    assert tokens in shown["leaflet"]["contents"]


# Cards, copy by copy


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_each_copy_shows_its_person(slug: str, lang: str, theme: str) -> None:
    words, lines = load_theme(theme), parts(slug, lang, theme).lines
    copies = [words.portrait(card, lang, copy) for card, count in deck(slug).items() for copy in range(count)]
    for title, count in Counter(portrait.title for portrait in copies).items():
        assert lines[title] == count, title
    for subtitle, count in Counter(portrait.subtitle for portrait in copies if portrait.subtitle).items():
        assert lines[subtitle] == count, subtitle
    drawings = {face["slug"]: face["emblem"] for face in data(slug, lang, theme)["faces"]}
    assert len(set(drawings.values())) == len({portrait.emblem for portrait in copies})


def test_R30_five_guards_are_odette_and_three_are_dougaul() -> None:
    lines = parts("premium", "en", "tempest").lines
    assert (lines["Guard"], lines["Odette"], lines["Dougaul"], lines["Annette"], lines["Vesper"]) == (8, 5, 3, 1, 2)


def test_R101_R102_the_mule_has_one_copy_of_each_person() -> None:
    lines = parts("house", "en", "mule").lines
    for name in ("Han Pritcher", "Bail Channis", "Ebling Mis", "Magnifico Giganticus", "Bayta Darell", "Toran Darell"):
        assert lines[name] == 1, name
    assert (lines["Mayor Indbur"], lines["The Viceroy"], lines["Informant"]) == (1, 1, 5)


def test_single_cards_are_pictures_of_their_size() -> None:
    pictures = print_cards(kit("classic", "fr"), ppi=150)
    assert set(pictures) == {CARD_NAMES[card] for card in deck("classic")} | {"back"}
    for picture in pictures.values():
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(picture[16:20]) == pytest.approx(63 / 25.4 * 150, abs=1)
        assert int.from_bytes(picture[20:24]) == pytest.approx(88 / 25.4 * 150, abs=1)


def test_each_face_of_a_card_is_a_picture_of_its_own() -> None:
    tempest = print_cards(kit("premium", "en", "tempest"), ppi=40)
    assert {name for name in tempest if name.startswith("guard")} == {"guard-odette", "guard-dougaul"}
    assert tempest["guard-odette"] != tempest["guard-dougaul"]
    modern = print_cards(kit("modern"), ppi=40)
    assert {name for name in modern if name.startswith(("guard", "spy"))} == {"guard", "guard-marked", "spy"}
    assert modern["guard"] != modern["guard-marked"]


def test_pictures_of_persons_whose_names_say_nothing_are_numbered() -> None:
    persons = [{"name": name, "copies": 1, "line": ""} for name in ("Ödön", "Ödön", "ダリウス")]
    cards = load_theme("court").data["cards"]
    cards = {**cards, "guard": {**cards["guard"], "persons": [*persons[:1], {**persons[1], "line": "."}, persons[2]]}}
    theme = Theme("mine", {**load_theme("court").data, "cards": cards})
    names = [face["slug"] for face in kit_data(Kit("classic", "en", theme))["faces"]]
    assert [name for name in names if name.startswith("guard")] == ["guard-1", "guard-2", "guard-3"]


# Copies that leave for a smaller deck


@pytest.mark.parametrize(
    ("slug", "leaving"),
    [
        ("modern", {"guard": 1, "chancellor": 2, "spy": 2}),
        ("classic", {}),
        ("demo", {}),
        ("house", {}),
        ("solitaire", {}),
        ("premium", {"guard": 3, "cardinal": 2, "baroness": 2, "sycophant": 2, "count": 2}
         | dict.fromkeys(("jester", "assassin", "constable", "dowager-queen", "bishop"), 1)),
    ],
)  # fmt: skip
def test_the_copies_that_leave_are_marked(slug: str, leaving: dict[str, int]) -> None:
    faces = data(slug)["faces"]
    marked = Counter[str]()
    for face in faces:
        marked[face["card"]] += face["count"] * face["leaves"]
        assert face["leave"] == leaving.get(face["card"], 0)
        assert face["stay"] + face["leave"] == deck(slug)[CARD_OF[face["card"]]]
    assert +marked == leaving
    assert parts(slug).rings == sum(leaving.values())


def test_the_leaflet_says_what_the_marks_mean() -> None:
    title = editions()["classic"]["en"]["title"]
    assert f"copies that leave the deck for {title}." in data("modern")["leaflet"]["marks"]
    assert "only 5–8 players use" in data("premium")["leaflet"]["marks"]
    assert data("classic")["leaflet"]["marks"] == "The dots on a card count its copies."


# Reference cards


def copies_on(shown: dict[str, Any]) -> dict[str, str]:
    return {row["title"]: row["copies"] for row in shown["rows"]}


def test_premium_lists_the_small_deck_on_one_side_and_what_is_added_on_the_other() -> None:
    small, added = side("premium", 0), side("premium", 1)
    assert (small["title"], added["title"]) == ("Cards with 2–4 players", "Added with 5–8 players")
    assert copies_on(small) == {
        "Princess": "×1", "Countess": "×1", "King": "×1", "Prince": "×2", "Handmaid": "×2", "Baron": "×2",
        "Priest": "×2", "Guard": "×5",
    }  # fmt: skip
    assert copies_on(added) == {
        "Bishop": "×1", "Dowager Queen": "×1", "Constable": "×1", "Count": "×2", "Sycophant": "×2", "Baroness": "×2",
        "Cardinal": "×2", "Guard": "×3 more", "Jester": "×1", "Assassin": "×1",
    }  # fmt: skip
    assert all(row["text"] for row in small["rows"])
    assert [row["title"] for row in added["rows"] if not row["text"]] == ["Guard"]


def test_the_sides_name_the_guards_that_are_on_their_cards() -> None:
    assert side("premium", 0, "en", "tempest")["rows"][-1]["subtitle"] == "Odette"
    assert {row["title"]: row["subtitle"] for row in side("premium", 1, "en", "tempest")["rows"]}["Guard"] == "Dougaul"


@pytest.mark.parametrize("slug", ["modern", "classic", "demo"])
def test_reference_cards_of_2019_turn_to_a_broken_seal(slug: str) -> None:
    assert not side(slug, 0)["broken"]
    assert side(slug, 1)["broken"]
    assert side(slug, 1)["title"] == "Out of the round"
    assert parts(slug).lines["Out of the round"] == BOXES[slug].players[-1]
    assert "broken" not in {key for key, on in side("house", 1).items() if on}


def test_the_demo_lists_every_value_and_what_only_the_full_edition_has() -> None:
    rows = side("demo", 0, "fr")["rows"]
    assert [row["value"] for row in rows] == [str(value) for value in range(9, -1, -1)]
    assert [row["title"] for row in rows if not row["copies"]] == ["Chancelier", "Espionne"]
    assert {row["text"] for row in rows if not row["copies"]} == {"Seulement dans l’édition complète."}
    assert copies_on(side("demo", 0, "fr"))["Garde"] == "×5"
    assert "Chancelier" not in copies_on(side("classic", 0, "fr"))


def test_the_demo_lists_no_card_that_has_a_number_in_the_full_edition_and_no_copy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = BOXES["modern"]
    numbered = replace(full, values={**full.values, Card.CARDINAL: 2})
    monkeypatch.setattr(parts_module, "BOXES", {**BOXES, "modern": numbered})
    listed = [row.title for row in parts_module.reference(kit("demo"))[0].rows]
    assert "Chancellor" in listed
    assert "Cardinal" not in listed


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", BOXES)
def test_the_game_in_short_is_in_every_leaflet(slug: str, lang: str) -> None:
    short = data(slug, lang)["leaflet"]["short"]
    assert len(short["texts"]) == 4
    assert squeezed(short["texts"][0]) in squeezed(parts(slug, lang).leaflet)
    if slug in ("house", "solitaire", "solitaire-2019"):
        assert side(slug, 1, lang)["texts"] == short["texts"]


def test_the_game_in_short_is_written_as_in_print() -> None:
    for told in parts_module.parts()["short"].values():
        for lang in LANGUAGES:
            for text in told[lang]:
                plain = re.sub("{.*?}", "x", text)
                assert not re.search(r"['\"]|\.\.\.|  |\n|^ | $", plain), text
                assert lang != "fr" or not re.search(r"(?<!\u00a0)[:;!?]", plain), text


def test_backs_lie_behind_their_fronts_on_duplex_sheets() -> None:
    pages = printed(kit("modern", duplex=True)).pages
    fronts, backs = pages[4].extract_text(), pages[5].extract_text()
    assert fronts.count("Characters") == 6  # behind the last three cards
    assert backs.count("Out of the round") == 6


def _near(colour: tuple[float, ...], found: frozenset[tuple[float, float, float]]) -> bool:
    return any(all(abs(a - b) < 0.01 for a, b in zip(colour, other, strict=True)) for other in found)
