"""Themes that people write: one TOML file each; what is wrong in it is reported with its line."""

import json
import re
import tomllib
from importlib import resources
from pathlib import Path

from .theme_check import MAX_STORY, MAX_TEXT, ThemeChecker
from .theme_lines import ThemeFileError
from .themes import THEMES, Theme, WordsError, load_theme

HEAD = """\
# A theme for Suitors: names, texts, colours and emblems, never rules. Change what you like; what you delete in one
# language is taken from the other. Check it with `suitors theme check {name}`, print it with
# `suitors print --theme {name} --edition EDITION`, play it with `suitors serve --theme {name}`.
#
# editions     those for which every card of the deck has a name here
# emblems      the set of drawings: "court", "tempest" or "mule"; a card or a person may have its own:
#              emblem = "my-guard.svg" (viewBox "0 0 100 140", lines in currentColor), a file beside this one
# tint         the second ink of a card’s drawing, as #rrggbb: what is filled with var(--tint)
# premise      the story that opens the rules, at most {story} characters; victory: what is read when a match is won
# persons      who is on the copies of a card, in order: [[cards.guard.persons]] with name, copies and line
# sentences    what the theme says instead of a sentence of the program: "Right!" = {{ en = "…", fr = "…" }}
# {{guard}}      in a text is the card with its article, {{token:a}} a token; docs/themes.md has all forms
# colours      six, as #rrggbb
# text         the effect, at most {text} characters; text_number where a Guard names numbers (premium); text_solo in
#              the solo game
# fr.article   le, la or l’; fr.gender m or f; or fr.proper = true for a name that takes no article
"""


def new_theme(path: Path, model: str = THEMES[0]) -> None:
    """Start a theme file from a built-in theme; a WordsError if the file exists."""
    check_name(path)
    editions = load_theme(model).editions
    text = resources.files(__package__).joinpath("themes", f"{model}.toml").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "editions = "))]
    lines.insert(lines.index(""), f"editions = {json.dumps(editions)}")
    body = "\n".join(lines)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(HEAD.format(name=path.name, text=MAX_TEXT, story=MAX_STORY) + body + "\n")
    except FileExistsError:
        raise WordsError(f"{path} exists already: choose another name.") from None
    except OSError as error:
        raise WordsError(f"{path} cannot be written: {error.strerror or error}.") from None


def check_name(path: Path) -> str:
    """The name of the theme that a file is for; a WordsError if it cannot be one."""
    slug = path.stem.lower()
    if not re.fullmatch("[a-z][a-z0-9-]{0,30}", slug) or slug in THEMES:
        raise WordsError(
            f"{path.name}: a theme has the name of its file, so use letters, digits and hyphens, "
            f"and not {', '.join(THEMES)}."
        )
    return slug


def read_theme(path: Path) -> Theme:
    """The theme that a file describes; a ThemeFileError for the first thing that is wrong in it."""
    slug = check_name(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WordsError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"^(.*?) \(at line (\d+)", str(error))
        line, why = (int(found[2]), found[1]) if found else (len(text.splitlines()), str(error).partition(";")[0])
        raise ThemeFileError(path, line, f"this is not TOML: {why[:1].lower()}{why[1:]:.200}") from None
    return Theme(slug, ThemeChecker(path, text, data).checked())
