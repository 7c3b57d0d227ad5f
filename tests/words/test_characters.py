"""The bots as people of the court: complete in both languages, short, and told in one table."""

import re

import pytest

from suitors.bots import BOTS
from suitors.rules import BOXES
from suitors.words import LANGUAGES, known_themes
from suitors.words.bots import Character, bot_words, characters_text, load_characters, more_names
from suitors.words.rulebook import WIDTH

CHANCE = "random"
HOUSE = [*(bot for bot in BOTS if bot != CHANCE), CHANCE]
"""The bots as the table lists them: the levels, weakest first, then chance."""

LONGEST = 160


def texts(person: Character, lang: str) -> list[str]:
    """All that is said of a bot in a language."""
    return [person.name(lang), person.character(lang), person.thinking(lang)]


def test_every_bot_has_a_character() -> None:
    assert next(iter(BOTS)) == CHANCE
    missing = ", ".join(bot for bot in BOTS if bot not in load_characters())
    assert not missing, f"words/bots.toml has no table for {missing}"
    assert list(load_characters()) == HOUSE, "words/bots.toml has the order of BOTS, with chance at its end"


def test_levels_go_up_from_one_and_chance_has_none() -> None:
    assert [person.level for person in load_characters().values()] == [*range(1, len(BOTS)), 0]
    assert all(slug == person.slug for slug, person in load_characters().items())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", HOUSE)
def test_every_text_is_there_and_short(slug: str, lang: str) -> None:
    name, *sentences = texts(load_characters()[slug], lang)
    assert name.strip()
    assert all(sentence.endswith(".") and sentence.count(". ") == 0 for sentence in sentences)
    assert max(map(len, [name, *sentences])) <= LONGEST


@pytest.mark.parametrize("slug", HOUSE)
def test_nothing_is_left_untranslated(slug: str) -> None:
    person = load_characters()[slug]
    assert set(person.words) == set(LANGUAGES)
    assert not set(texts(person, "en")) & set(texts(person, "fr"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_differ(lang: str) -> None:
    assert len({person.name(lang) for person in load_characters().values()}) == len(HOUSE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_full_table_of_one_level_needs_no_numerals_in_any_theme(lang: str) -> None:
    more = more_names(lang)
    assert len(set(more)) == len(more) >= max(max(box.players) for box in BOXES.values()) - 2
    for theme in known_themes():
        assert not set(more) & {
            person.name(lang).replace(",", " ").split()[0] for person in load_characters(theme).values()
        }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quotes_and_spaces_are_those_of_print(lang: str) -> None:
    for person in load_characters().values():
        for text in texts(person, lang):
            assert not re.search(r"['\"]|\.\.\.|  |\n|^ | $", text), text
            if lang == "fr":
                assert not re.search(r"(?<!\u00a0)[:;!?»]|«(?!\u00a0)", text), text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_tells_all_of_every_bot(lang: str) -> None:
    lines = characters_text(lang).splitlines()
    assert lines[0].split() == list(bot_words()["labels"][lang].values())
    assert [line.split()[:2] for line in lines[1:] if not line.startswith(" ")] == [
        *([slug, str(level)] for level, slug in enumerate(HOUSE[:-1], 1)),
        [CHANCE, "–"],
    ]
    told = re.sub(" +", " ", " ".join(lines))
    for person in load_characters().values():
        assert all(text in told for text in texts(person, lang))
    assert max(map(len, lines)) <= WIDTH
