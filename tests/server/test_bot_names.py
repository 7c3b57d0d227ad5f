"""What bots are called at a table: each by a name of its own, in the language of whoever invites them."""

import pytest

from suitors.bots import BOTS
from suitors.pages import Preferences
from suitors.server.web.new_table import MIXED, choose_bots, levels, name_bots
from suitors.words import LANGUAGES, known_themes
from suitors.words.bots import more_names

FIVE = ["beginner", "novice", "counting", "search", "expert"]
"""Bots that people know, weakest first."""

PLAYERS = [bot for bot in BOTS if bot != "random"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", known_themes())
@pytest.mark.parametrize("bot", [*BOTS, "mixed"])
def test_seven_bots_have_seven_names_of_one_word(bot: str, theme: str, lang: str) -> None:
    names = name_bots(choose_bots(bot, 7), Preferences(lang=lang, theme=theme))
    assert len(set(names)) == 7
    assert all(" " not in name for name in names)


def test_a_bot_does_not_take_the_name_of_somebody_at_the_table() -> None:
    reader = Preferences()
    (own,) = name_bots(["novice"], reader)
    (other,) = name_bots(["novice"], reader, (own, more_names("en")[0]))
    assert other == more_names("en")[1]
    assert name_bots(["novice"] * 2, reader, (own, *more_names("en"))) == [f"{own} II", f"{own} III"]


def test_the_bots_that_people_know_stay_in_their_order() -> None:
    assert [bot for bot in PLAYERS if bot in FIVE] == FIVE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_form_offers_a_mix_then_numbered_levels_then_chance(lang: str) -> None:
    reader = Preferences(lang=lang)
    offered = levels(reader)
    assert list(offered) == [MIXED, *PLAYERS, "random"], "words/bots.toml has the order of BOTS, chance last"
    numbers = [label.split(" · ")[0] for label in offered.values()]
    assert numbers[1:] == [*(str(level) for level in range(1, len(PLAYERS) + 1)), reader.say("By chance")]


def test_a_mix_has_one_bot_of_each_level_and_leaves_nothing_to_chance() -> None:
    advice = "MIXED_BOTS in src/suitors/server/web/new_table.py has every bot of BOTS once, but random"
    assert sorted(choose_bots(MIXED, len(PLAYERS))) == sorted(PLAYERS), advice
