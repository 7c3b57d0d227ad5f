"""What bots are called at a table: each by a name of its own, in the language of whoever invites them."""

import pytest

from suitors.bots import BOTS
from suitors.pages import Preferences
from suitors.server.web.new_table import choose_bots, name_bots
from suitors.words import LANGUAGES, known_themes
from suitors.words.bots import more_names


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
