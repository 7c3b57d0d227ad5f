"""The picture of the ratings: good XML whatever the bots are called, in both languages, within its frame."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.arena.chart import LEFT, RIGHT, chart, make_scale, plain
from suitors.arena.plan import Plan
from suitors.arena.standings import Standings
from suitors.words import gettext
from support.matches import UNTIMED

SVG = "{http://www.w3.org/2000/svg}"


def results(names: tuple[str, ...], tables: tuple[tuple[str, int], ...] = (("modern", 2),)) -> dict[str, Any]:
    """Results of a tournament in which nothing has been played."""
    return Standings(Plan(names, tables, 20, 0)).data()


@pytest.mark.parametrize("name", ["<b>&amp;\"'</text>", "cmd:a\0b\x1b[31m\n\udc80\ufffe", "]]><!--", "é" * 500, ""])
def test_any_name_gives_good_xml(name: str) -> None:
    text = chart(results((name, "other")), gettext("en"))
    root = ElementTree.fromstring(text.encode())
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[1:] == [f"{plain(name)} 0 (−340 … +340)", "other 0 (−340 … +340)"]


@UNTIMED
@given(st.text(), st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Cn"])))
def test_any_other_name_too(name: str, odd: str) -> None:
    ElementTree.fromstring(chart(results((name, odd)), gettext("fr")).encode())


def test_the_picture_names_and_describes_itself_first() -> None:
    root = ElementTree.fromstring(chart(results(("a", "b")), gettext("fr")))
    assert root.get("role") == "img"
    assert [(child.tag, child.get("id")) for child in root][:2] == [(f"{SVG}title", "title"), (f"{SVG}desc", "desc")]
    assert root.get("aria-labelledby") == "title desc"
    assert root[0].text == "Classement Elo"
    assert "20 parties" in str(root[1].text)


def test_there_is_a_panel_for_each_table_and_one_for_all_where_they_are_several() -> None:
    for tables, headings in [
        ((("modern", 2),), ["modern, 2 players"]),
        ((("modern", 2), ("house", 4)), ["All tables", "modern, 2 players", "house, 4 players"]),
    ]:
        root = ElementTree.fromstring(chart(results(("a", "b"), tables), gettext("en")))
        texts = [str(text.text) for text in root.iter(f"{SVG}text")]
        assert [text for text in texts if "players" in text or "tables" in text] == headings
        assert texts.count("a") == texts.count("b") == len(headings)


@UNTIMED
@given(st.lists(st.floats(-20_000, 20_000), min_size=2))
def test_the_scale_has_room_for_all_and_few_lines(values: list[float]) -> None:
    scale = make_scale(values)
    assert 0 in scale.lines
    assert 2 <= len(scale.lines) <= 9
    assert all(LEFT <= scale.x(value) <= RIGHT for value in values)
