"""Kits: every edition, theme and language as a PDF that can be cut, folded and played."""

import io
import re
from collections import Counter
from typing import Any

import pytest
from pypdf import PdfReader

from suitors.notation import CARD_OF
from suitors.printing import Kit, measure_texts, print_kit
from suitors.printing.output import kit_data
from suitors.words import LANGUAGES, Theme, load_theme
from suitors.words.editions import editions
from suitors.words.rulebook import Medium, Rulebook
from support.kits import WRITTEN, data, deck, drawn, fills, kit, parts, printed, squeezed

# The leaflet


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_the_leaflet_drops_nothing(slug: str, lang: str, theme: str) -> None:
    wanted = kit(slug, lang, theme)
    book, leaflet = Rulebook(wanted.words, Medium.PAPER), squeezed(parts(slug, lang, theme).leaflet)
    assert book.rulings
    for number, text in book.rulings:
        assert squeezed(f"{number} {text}") in leaflet, number
    for title, texts in book.sections:
        assert all(squeezed(text) in leaflet for text in (title, *texts)), title
    for text in (book.premise, book.about):
        assert squeezed(text) in leaflet, text
    assert leaflet.index(squeezed(book.premise)) < leaflet.index(squeezed(book.sections[0][0]))


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_the_leaflet_can_be_read_and_is_short_where_the_game_is(slug: str, lang: str, theme: str) -> None:
    assert 0.92 * data(slug, lang, theme)["leaflet_size"] >= 7  # the rulings are set a little smaller than the rest
    assert parts(slug, lang, theme).leaflet_pages <= (2 if len(deck(slug)) <= 10 else 3)


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_the_people_are_introduced(slug: str, lang: str, theme: str) -> None:
    words, leaflet = kit(slug, lang, theme).words, squeezed(parts(slug, lang, theme).leaflet)
    for card, count in deck(slug).items():
        for copy in range(count):
            line = words.theme.portrait(card, lang, copy).line
            assert line
            assert squeezed(words.fill(line)) in leaflet, line


@pytest.mark.parametrize(
    ("slug", "theme", "names"),
    [
        ("premium", "tempest", ["Seiji Kanai", "John Zinser", "Mark Wootton"]),
        ("solitaire", "court", ["Seiji Kanai", "Jan Van Regenmortel"]),
        ("house", "mule", ["Seiji Kanai", "Isaac Asimov"]),
    ],
)
def test_the_leaflet_ends_with_its_credits(slug: str, theme: str, names: list[str]) -> None:
    end = squeezed(parts(slug, "en", theme).leaflet)[-400:]
    assert all(squeezed(name) in end for name in names)
    assert squeezed("without a text or picture of the game’s publishers") in end


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_mules_kit_has_no_word_of_the_court(lang: str) -> None:
    whole = "\n".join(page.extract_text() for page in printed(kit("house", lang, "mule")).pages)
    court = load_theme("court")
    words = [court.name(card, lang) for card in deck("house")] + ["affection", "Faveur", "favour"]
    assert [word for word in words if re.search(rf"\b{word}s?\b", whole)] == []


# Setting and saving


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_every_text_fits_its_box_and_can_be_read(slug: str, lang: str, theme: str) -> None:
    found = measure_texts(kit(slug, lang, theme))
    faces = data(slug, lang, theme)["faces"]
    wanted = {(face["slug"], key) for face in faces for key in ("title", "subtitle", "text") if face[key]}
    assert {(fit["face"], fit["key"]) for fit in found} == wanted | {("reference", "side 1"), ("reference", "side 2")}
    for fit in found:
        assert fit["share"] <= 1, fit
        smallest = {"text": 9.5, "title": 9, "subtitle": 7}
        assert fit["size"] >= smallest.get(fit["key"], 5.5), fit


def test_a_card_has_its_number_in_two_corners() -> None:
    page = printed(kit("modern")).pages[0]
    numbers = [line for line in page.extract_text().splitlines() if line.strip().isdigit()]
    assert Counter(numbers) == {"9": 2, "8": 2, "7": 2, "6": 2}, "the four cards of the first sheet"
    turned = page.extract_text(orientations=180).split()
    assert {"9", "8", "7", "6"} <= set(turned), "one of the two stands on its head"


def test_a_line_about_the_person_is_on_the_card_only_beside_a_text_that_leaves_it_room() -> None:
    cards = load_theme("court").data["cards"]
    words = {**cards["guard"]["en"], "text": "Mmmm " * 32, "line": "Who goes there? " * 10}
    theme = Theme("mine", {**load_theme("court").data, "cards": {**cards, "guard": {**cards["guard"], "en": words}}})
    found = {fit["face"]: fit for fit in measure_texts(Kit("classic", "en", theme)) if fit["key"] == "text"}
    assert not found["guard"]["line"]
    assert found["guard"]["share"] <= 1
    assert found["priest"]["line"]


def test_fonts_are_embedded_and_texts_can_be_found_with_their_accents() -> None:
    reader = printed(kit("demo", "fr"))
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font.get_object() for part in resources for font in part.get("/Font", {}).values()]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"].get_object())
    whole = "\n".join(page.extract_text() for page in reader.pages)
    for word in ("Prêtre", "Comtesse", "Échangez", "Pliez la feuille", "Découpez", editions()["demo"]["fr"]["title"]):
        assert word in whole, word
    assert not [image for page in reader.pages for image in page.images]  # vectors throughout


@pytest.mark.parametrize("slug", ["premium", "house", "solitaire"])
def test_a_kit_is_tagged_and_says_nothing_that_a_reader_complains_about(slug: str) -> None:
    """Poppler takes `/Suspects false`, the default, for an error; a strict reader checks where every object lies."""
    made = print_kit(kit(slug))
    catalogue: Any = PdfReader(io.BytesIO(made), strict=True).trailer["/Root"]
    assert dict(catalogue["/MarkInfo"]) == {"/Marked": True}
    assert b"/Suspects" not in made
    assert catalogue["/StructTreeRoot"]["/K"]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert print_kit(kit("house", "fr", "mule")) == print_kit(kit("house", "fr", "mule"))
    assert print_kit(kit(save_ink=True)) != print_kit(kit())


@pytest.mark.parametrize(("slug", "theme"), [("premium", "tempest"), ("house", "mule")])
def test_emblems_have_the_tints_of_the_page_and_none_to_save_ink(slug: str, theme: str) -> None:
    words = load_theme(theme)
    for saving in (False, True):
        for face in kit_data(kit(slug, "en", theme, save_ink=saving))["faces"]:
            tint = "none" if saving else words.tint(CARD_OF[face["card"]])
            assert f'<path fill="{tint}"' in face["emblem"], face["slug"]
            assert "var(" not in face["emblem"]


def test_saving_ink_fills_nothing_with_the_themes_colours() -> None:
    inked, saved = (drawn(printed(kit(save_ink=saving)).pages[0]) for saving in (False, True))
    assert set(fills(inked)) - {(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)}
    for red, green, blue in fills(saved):
        assert max(red, green, blue) - min(red, green, blue) < 0.08, "a colour where only grey should be"
