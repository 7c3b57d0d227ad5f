"""The words of practice: what puzzles are about, and how hard they are."""

from collections.abc import Callable
from datetime import date

from .dates import short_date
from .vocabulary import Vocabulary


def theme_titles(words: Vocabulary) -> dict[str, str]:
    """What each theme is called, with cards named as the reader's theme has them."""
    say = words.say
    return {
        "counting": say("Counting cards"),
        "countess": words.fill(say("What {countess} says")),
        "bluff": say("Bluff and disguise"),
        "baron": words.fill(say("{baron:^} or not")),
        "hands": say("Changing hands"),
        "keep": say("What to keep"),
        "safety": say("Which card to play"),
        "ending": say("Endings"),
        "solitaire": say("Solitaire"),
    }


def level_titles(say: Callable[[str], str]) -> dict[str, str]:
    """What each level of difficulty is called."""
    return {"easy": say("easy"), "medium": say("medium"), "hard": say("hard")}


def puzzle_of_day(day: date, words: Vocabulary) -> str:
    """The title of the puzzle of a day."""
    return words.say("Puzzle of {day}").format(day=short_date(day, words.lang))
