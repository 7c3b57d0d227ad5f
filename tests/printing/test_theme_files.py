"""Themes of people's own: started, changed, refused with the line that is wrong, and used like the built-in ones."""

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from suitors import Match
from suitors.art.drawing import DrawingError, read_drawing
from suitors.pages import Preferences
from suitors.pages.palette import stylesheet
from suitors.pages.render import asset_text
from suitors.printing import Kit, print_kit
from suitors.rules import BOXES, Card
from suitors.words import THEMES, Theme, WordsError, known_themes, load_theme, register_theme, themes
from suitors.words.story import Narrator
from suitors.words.theme_file import new_theme, read_theme
from suitors.words.theme_lines import ThemeFileError, line_of
from suitors.words.vocabulary import Vocabulary
from support.servers import running

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140"><path d="M0 0h9"/></svg>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A theme file just started."""
    path = tmp_path / "pirates.toml"
    new_theme(path)
    return path


@pytest.fixture
def pirates(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Theme]:
    """A theme of somebody's own at the table."""
    (file.parent / "parrot.svg").write_text(DRAWING)
    edit(file, 'en.name = "Guard"', 'emblem = "parrot.svg"\nen.name = "Parrot"')
    edit(file, 'wax = "#9b1c31"', 'wax = "#00557f"')
    theme = read_theme(file)
    monkeypatch.setattr(themes, "_registered", {})
    register_theme(theme)
    asset_text.cache_clear()
    yield theme
    asset_text.cache_clear()


def edit(path: Path, old: str, new: str) -> int:
    """Change a file; the line where the change is."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize("model", THEMES)
def test_a_new_theme_is_a_whole_one(tmp_path: Path, model: str) -> None:
    path = tmp_path / "mine.toml"
    new_theme(path, model)
    theme = read_theme(path)
    assert theme.slug == "mine"
    assert theme.editions == load_theme(model).editions
    for card in Card:
        if card.name.lower().replace("_", "-") in theme.cards:
            assert theme.name(card, "fr") == load_theme(model).name(card, "fr")
            assert theme.emblem(card) == load_theme(model).emblem(card)


def test_nothing_is_overwritten(file: Path) -> None:
    before = file.read_text("utf-8")
    with pytest.raises(WordsError, match="exists already"):
        new_theme(file)
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('ink = "#1c1b2b"', 'ink = "black"', "the colour ink must be written as #rrggbb"),
        ('tint = "#79a8d6"', 'tint = "blue"', "a tint must be written as #rrggbb"),
        ('ink = "#1c1b2b"', 'inky = "#1c1b2b"', "the colour ink must be written"),
        ('emblems = "court"', 'emblems = "mine"', "emblems must be court, tempest or mule"),
        ("[cards.guard]", "[cards.guardian]", "guard"),
        ('en.name = "Guard"', "en.name = 5", "the name of guard must be a text"),
        ('en.name = "Guard"', f'en.name = "{"G" * 25}"', "at most 24 characters"),
        ('en.text = "Look in secret', 'en.txt = "Look in secret', "'txt' is not known here"),
        ('fr.gender = "m"', 'fr.gender = "x"', "needs article and gender"),
        ('title.en = "The Court"', "title.en = 5", "title must be a text"),
        ('en.name = "Guard"', 'persons = "Odette"\nen.name = "Guard"', "persons must be a list of names"),
        ('en.name = "Guard"', 'persons = [{ nick = "O" }]\nen.name = "Guard"', "'nick' is not known here"),
        ('en.name = "Guard"', 'persons = [{ name = "O", copies = 9 }]\nen.name = "Guard"', "copies must be a number"),
        ('en.name = "Guard"', 'persons = [{ copies = 1 }]\nen.name = "Guard"', "the name must be a text"),
        ('en.text = "Look in secret', 'en.text = "{gard} in secret', "{gard} is not known here"),
        ('en.text = "Look in secret', 'en.text = "{ in secret', "a brace is wrong"),
        ("[colours]", '[sentences]\n"Never said." = "x"\n\n[colours]', "the program never says 'Never said.'"),
        ("[colours]", '[sentences]\n"Right!" = "{name}!"\n\n[colours]', "{name} is not known here"),
        ("[colours]", '[sentences]\n"You draw {card}." = "x"\n\n[colours]', "what stands in braces must be"),
        ("[colours]", '[sentences]\n"You draw {card}." = "{card!x}"\n\n[colours]', "a brace is wrong"),
        ("[colours]", '[sentences."You draw {card}."]\nen = "{card:zz}"\n\n[colours]', "{card:zz} is no form"),
        ('premise.en = "', 'premise.en = "{guard!x}', "a brace is wrong"),
        ('premise.en = "', 'premise.en = "{guard:>9999}', "{guard:>9999} is no form"),
        ('premise.en = "', 'premise.en = "{guard:{guard}}', "a brace is wrong"),
        ('fr.name = "Prêtre"', 'fr.name = "Garde"', "have the same name"),
        ('en.name = "Guard"', 'en.name = "G\\u0007"', "must be a text"),
        ('en.name = "Guard"', 'en.proper = "no"\nen.name = "Guard"', "proper must be true or false"),
        ('fr.article = "le"', "fr.article = 3", "needs article"),
        ('title.en = "The Court"', f'title.en = "{"T" * 25}"', "at most 24 characters"),
        ('editions = ["premium"', 'editions = [["premium"]', "editions must list"),
        ('en.name = "Guard"', 'emblem = ""\nen.name = "Guard"', "emblem must be an SVG file"),
        ('en.name = "Guard"', 'emblem = "a\\u0000b.svg"\nen.name = "Guard"', "cannot be read"),
        ("[colours]", '[opponents.nobody]\nen.name = "x"\n\n[colours]', "'nobody' is not known here"),
        ("[colours]", '[lesson.end]\nen.titel = "x"\n\n[colours]', "'titel' is not known here"),
        ("[colours]", '[ornaments]\nseal = "wafer"\n\n[colours]', "there is no ornament 'wafer'"),
        ("[colours]", '[tokens]\nfr = { one = "x", many = "xs" }\n\n[colours]', "tokens.fr needs gender"),
        ("[colours]", 'persons_are_titles = "yes"\n\n[colours]', "persons_are_titles must be true or false"),
        ('victory.en = "', f'victory.en = "{"V" * 161}', "at most 160 characters"),
        ('en.name = "Guard"', 'emblem = "none.svg"\nen.name = "Guard"', "none.svg cannot be read"),
        ('en.name = "Guard"', 'emblem = "../none.svg"\nen.name = "Guard"', "beside this one"),
    ],
)
def test_a_fault_is_named_with_its_line(file: Path, old: str, new: str, why: str) -> None:
    line = edit(file, old, new)
    with pytest.raises(ThemeFileError, match=re.escape(why)) as error:
        read_theme(file)
    assert str(error.value).startswith(f"pirates.toml, line {error.value.line}: ")
    assert abs(error.value.line - line) <= 12  # the line itself, or the head of its table


@pytest.mark.parametrize(("old", "new"), [('ink = "#1c1b2b"', 'ink = "#1c1b2"'), ('en.name = "Guard"', 'en.name = ""')])
def test_the_line_is_the_very_one(file: Path, old: str, new: str) -> None:
    line = edit(file, old, new)
    with pytest.raises(ThemeFileError) as error:
        read_theme(file)
    assert error.value.line == line


def test_what_is_no_toml_is_said_with_its_line(file: Path) -> None:
    line = edit(file, "[colours]", "[colours")
    with pytest.raises(ThemeFileError, match="this is not TOML") as error:
        read_theme(file)
    assert error.value.line == line


@pytest.mark.parametrize("text", ["a=" + "[" * 3000, f"title={'9' * 6000}"])
def test_toml_that_no_reader_can_hold_is_refused(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(ThemeFileError, match="this is not TOML"):
        read_theme(file)


def test_a_name_that_cannot_be_a_themes_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(WordsError, match="and not court"):
        new_theme(tmp_path / "court.toml")
    assert list(tmp_path.iterdir()) == []


def test_an_edition_needs_all_its_cards(file: Path) -> None:
    text = file.read_text("utf-8")
    start, end = text.index("[cards.chancellor]"), text.index("[cards.king]")
    file.write_text(text[:start] + text[end:], "utf-8")
    with pytest.raises(ThemeFileError, match="modern has a card chancellor"):
        read_theme(file)


def test_one_language_is_enough(file: Path) -> None:
    kept = [
        line for line in file.read_text("utf-8").splitlines() if not line.startswith(("fr.", "title.fr", "about.fr"))
    ]
    file.write_text("\n".join(kept), "utf-8")
    theme = read_theme(file)
    assert theme.name(Card.GUARD, "fr") == "Guard"
    assert print_kit(Kit("classic", "fr", theme))


@pytest.mark.parametrize("name", ["court.toml", "My Theme.toml", "9.toml"])
def test_a_file_is_named_as_its_theme(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("", "utf-8")
    with pytest.raises(WordsError, match="letters, digits and hyphens"):
        read_theme(path)


def test_lines_are_found_by_the_nearest_key() -> None:
    text = "a = 1\n[b]\nc.d = 2\n[b.e]\nf = { g = 3 }\n"
    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("b", "c", "d")) == 3
    assert line_of(text, ("b", "e", "f", "g")) == 5
    assert line_of(text, ("b", "e", "nothing")) == 4


# Drawings


def test_a_drawing_is_written_anew() -> None:
    assert read_drawing(f"<?xml version='1.0'?>\n<!-- hello -->{DRAWING}") == DRAWING.replace(
        "/></svg>", "></path></svg>\n"
    )


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("<script>alert(1)</script>", "<script> cannot be used"),
        ('<path onclick="x()" d=""/>', "onclick is not allowed on <path>"),
        ('<path style="fill:red" d=""/>', "style is not allowed"),
        ('<path fill="url(#x)" d=""/>', "outside of the drawing"),
        ("<svg/>", "<svg> cannot be used"),
        ('<use href="x"/>', "<use> cannot be used"),
        ("<path", "not XML"),
    ],
)
def test_what_could_do_harm_is_refused_with_its_line(inside: str, why: str) -> None:
    with pytest.raises(DrawingError, match=re.escape(why)) as error:
        read_drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140">\n{inside}\n</svg>')
    assert error.value.line in (2, 3)


def test_entities_and_giants_are_refused() -> None:
    with pytest.raises(DrawingError, match="no DOCTYPE"):
        read_drawing('<!DOCTYPE svg [<!ENTITY a "a">]><svg viewBox="0 0 1 1"/>')
    with pytest.raises(DrawingError, match="at most"):
        read_drawing(DRAWING + " " * 20_000)
    with pytest.raises(DrawingError, match="viewBox"):
        read_drawing("<svg/>")


# At the table and on paper


def test_a_theme_of_ones_own_is_used_like_the_built_in_ones(pirates: Theme) -> None:
    assert known_themes() == (*THEMES, "pirates")
    preferences = Preferences().choose({"theme": "pirates"})
    assert preferences.theme == "pirates"
    assert preferences.words_for("modern").theme.name(Card.GUARD, "en") == "Parrot"
    assert '<symbol id="guard" viewBox="0 0 100 140"><path d="M0 0h9">' in asset_text("theme-pirates.svg")
    assert ':root[data-theme="pirates"]' in stylesheet()
    assert "--wax: #00557f" in stylesheet()


@pytest.mark.parametrize("slug", BOXES)
def test_it_can_be_printed_in_every_edition_it_names(pirates: Theme, slug: str) -> None:
    assert print_kit(Kit(slug, "en", pirates)).startswith(b"%PDF-")


def test_its_names_are_told_in_the_log(pirates: Theme) -> None:
    match = Match("modern", ["Ada", "Ben"], dealt=False)
    match.deal(["spy"] + ["guard"] * 6 + ["priest"] * 2 + ["spy", "baron", "baron", "handmaid", "handmaid", "prince",
               "prince", "chancellor", "chancellor", "king", "countess", "princess"], first=0)  # fmt: skip
    match.play("guard 1 king")
    told = Narrator(match.rules, match.players, 0, Vocabulary(pirates, match.edition, "en")).tell(
        match.step_log(0, 1, 0)
    )
    assert "the Parrot" in told[0].text


def test_it_is_offered_at_the_table_of_a_server(file: Path) -> None:
    edit(file, 'title.en = "The Court"', 'title.en = "The Pirates"')
    with running(file.parent / "server", "--theme", str(file)) as server:
        cookie = {"cookie": "suitors-reader=theme=pirates&lang=en"}
        request = urllib.request.Request(server.address, headers=cookie)
        with urllib.request.urlopen(request, timeout=30) as answer:
            page = answer.read().decode()
        assert 'data-theme="pirates"' in page
        assert "The Pirates" in page
        with urllib.request.urlopen(f"{server.address}/static/theme-pirates.svg", timeout=30) as answer:
            assert b'<symbol id="guard"' in answer.read()
