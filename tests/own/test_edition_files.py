"""Edition files and the commands that take them."""

import json
from pathlib import Path
from typing import Any

import pytest

from suitors import Match
from suitors.records import load
from suitors.rules import edition_data, find_box, own_slug
from suitors.rules.own import BASES
from suitors.words import rules_text
from suitors.words.edition_file import read_edition
from suitors.words.editions import edition_title
from support.matches import call
from support.repository import blocks, read_page

PAGE = read_page("editions.md")
(EXAMPLE,) = blocks(PAGE, "toml")
SMALL = 'base = "classic"\n[cards]\nguard = 4\npriest = 2\nprincess = 1\n[face_up]\n2 = 0\n'


def written(folder: Path, text: str, name: str = "small.toml") -> str:
    """A file with this text."""
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize("base", BASES)
def test_a_new_file_is_like_its_base(tmp_path: Path, base: str) -> None:
    path = str(tmp_path / "mine.toml")
    assert call("edition", "new", path, "--from", base).status == 0
    done = call("edition", "check", path)
    assert (done.status, done.out.startswith("mine.toml: mine, for 2, 3, 4")) == (0, True)
    data = edition_data(read_edition(Path(path)).slug)
    assert isinstance(data, dict)
    assert data["base"] == base
    assert call("edition", "new", path).status == 2
    assert call("edition", "new", str(tmp_path / "mine.txt")).err.endswith("name it mine.toml.\n")


@pytest.mark.parametrize("name", ['a"b', "a b", "back\\slash", "line\nbreak", "été", "tab\there"])
def test_a_new_file_may_have_any_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    assert call("edition", "new", str(path)).status == 0
    assert find_box(read_edition(path).slug).name == name


def test_a_new_file_says_that_its_deck_is_that_of_most_players(tmp_path: Path) -> None:
    for base, said in (("premium", 1), ("modern", 0)):
        path = tmp_path / f"{base}.toml"
        assert call("edition", "new", str(path), "--from", base).status == 0
        assert path.read_text("utf-8").count("# For every number of players") == said


def test_the_file_of_the_page_is_an_edition_with_texts_and_options(tmp_path: Path) -> None:
    path = written(tmp_path, EXAMPLE)
    found = read_edition(Path(path))
    assert found.options == {"bishop_names_one": False}
    assert (edition_title(found.slug, "en"), edition_title(found.slug, "fr")) == ("Small court", "Petite cour")
    assert "Sept cartes et trois Gardes." in call("rules", "--edition", path, "--lang", "fr").out
    checked = call("edition", "check", path).out.splitlines()
    assert checked[0] == "small.toml: Small court, for 2, 3, 4, 5 players."
    assert checked[1].startswith("With 6 players: The deck has 7 cards, but 6 players need 8")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('base = "modern"\n[goals]\n2 = 0\n', 3),
        ('base = "modern"\n[cards]\nguard = 1\nwizard = 1\n', 4),
        ('base = "modern"\n\n[options]\nsums = true\n', 3),
        ('base = "modern"\n[fr]\ntitel = "x"\n', 3),
        ('base = "modern"\n[fr]\ntitle = 3\n', 3),
        ('base = "modern"\nfr = 1\n', 2),
        ('base = "modern"\n[cards]\nguard = 8\n', 2),
        ('name = "x"\n', 1),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    done = call("edition", "check", written(tmp_path, text))
    assert done.status == 2
    assert done.err.startswith(f"suitors: small.toml, line {line}: ")
    assert done.err.endswith(".\n")


@pytest.mark.parametrize("text", ["base = ", "\x00", "base = 1979-05-27\n"])
def test_what_is_no_edition_is_refused_by_every_command(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    for command in (("edition", "check", path), ("match", "--edition", path), ("rules", path)):
        done = call(*command)
        assert (done.status, done.err.count("\n"), done.err[-2]) == (2, 1, ".")
    assert call("match", "--edition", str(tmp_path / "none.toml")).status == 2


def test_bots_play_an_edition_of_a_file_and_their_records_replay(tmp_path: Path) -> None:
    path, records = written(tmp_path, SMALL + "[options]\nhouse_full_tie = 'none'\n"), tmp_path / "records.jsonl"
    words = ("--games", "2", "--jobs", "1", "--bots", "novice,counting", "--records", str(records))
    (printed,) = call("match", "--edition", path, *words, "--json").lines
    assert printed["edition"] == {
        "base": "classic",
        "cards": {"guard": 4, "priest": 2, "princess": 1},
        "face_up": {"2": 0},
    }
    for line in records.read_text("utf-8").splitlines():
        match = load(line)
        assert match.over
        assert match.record()["edition"] == printed["edition"]
        assert match.options["house_full_tie"] == "none"
    assert call("match", "--edition", path, "--bots", "novice,novice,novice,novice,novice").status == 2


def test_rules_are_given_an_edition_once(tmp_path: Path) -> None:
    path = written(tmp_path, SMALL)
    assert call("rules", path).out == call("rules", "--edition", path).out
    assert call("rules", path, "--edition", path).status == 2


# The rules as people read them


def rules(lang: str = "en", **data: Any) -> str:
    """The rules of an edition, on one line."""
    return " ".join(rules_text(own_slug(data), lang).split())


def test_the_rules_say_what_the_edition_is() -> None:
    told = rules(base="house", name="Nine", cards={"guard": 8, "bishop": 1}, goals={"2": 2})
    assert told.startswith("Nine ==== ")
    assert "Shuffle the 9 cards: eight Guards and the Bishop." in told
    assert "(2 players: 3, 3 players: 1, 4 players: 0)" in told
    assert "2 players: 2, 3 players: 5, 4 players: 4." in told
    assert "the round ends at once" in told
    assert "face up beside the deck" not in told
    assert "R39" in told
    assert "Spy" not in told


def test_the_rules_of_two_decks_tell_both() -> None:
    told = rules(base="premium", values={"guard": 3})
    assert "With 2–4 players, shuffle 16 cards: two Priests, five Guards" in told
    assert "With 5–8 players, add the Jester, the Assassin, two Cardinals" in told
    assert "a number of the deck other than 3" in told
    assert "say a number, never 3." in told


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("base", BASES)
def test_the_rules_of_every_base_can_be_told_with_every_card(base: str, lang: str) -> None:
    cards = dict.fromkeys(("jester", "assassin", "spy", "cardinal", "chancellor", "count", "bishop", "princess"), 1)
    for deck in ({}, {"cards": cards}, {"cards": {"handmaid": 8}}):
        told = rules(lang, base=base, **deck)
        assert "{" not in told
        assert "}" not in told


def test_a_theme_without_a_name_for_a_card_says_so(tmp_path: Path) -> None:
    path = written(tmp_path, 'base = "house"\n[cards]\nguard = 5\nspy = 2\n')
    done = call("rules", path, "--theme", "mule")
    assert (done.status, done.err) == (
        2,
        "suitors: The theme 'mule' has no names for these cards of the edition: spy.\n",
    )
    assert call("rules", written(tmp_path, SMALL), "--theme", "mule").status == 0


def test_the_objects_of_the_page_are_editions() -> None:
    assert Match(json.loads(json.dumps({"base": "modern"})), ["Ada", "Ben"]).rules.cards == 21
