"""Makes the tables and the picture of docs/study.md.

python tools/study_page.py [--rounds 1000000] [--balance 100000]
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from suitors.arena.workers import cores
from suitors.fast.batch import all_games
from suitors.study.answers import Answer
from suitors.study.names import BOTS
from suitors.study.plot import plot
from suitors.study.rounds import StudyTable
from suitors.study.study import Study

DOCS = Path(__file__).parent.parent / "docs"
SEED = 1
QUESTIONS = ("first", "cards", "guess", "ending")
DRAWN = "modern"
"""The edition whose study is drawn."""

MADE = "The tables below were made by `python tools/study_page.py`.\n"
"""What stands above it in the page is kept."""


def ask(table: StudyTable, questions: Sequence[str], rounds: int) -> list[Answer]:
    """The answers of a table."""
    study = Study(table, questions, rounds, cores())
    for _ in study.run():
        pass
    return study.answers()


def percent(row: Mapping[str, Any]) -> str:
    """A rate with its interval."""
    return f"{row['rate']:.1%} ({row['low']:.1%} – {row['high']:.1%})"


def markdown(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text."""
    lines = [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def edition_section(slug: str, rounds: int) -> tuple[str, list[Answer]]:
    """What a study says of an edition with the fewest players."""
    answers = ask(StudyTable(slug, 2, "novice", SEED), QUESTIONS, rounds)
    first, cards, guess, ending = answers
    asked = " ".join(f"--question {name}" for name in QUESTIONS)
    starts, ends = first.rows[0], ", ".join(f"{row['end']} {row['rate']:.1%}" for row in ending.rows)
    parts = [
        f"## {slug}\n",
        f"`suitors study {slug} --rounds {rounds} --seed {SEED} {asked}`, two players, `novice`.\n",
        f"Whoever starts wins {percent(starts)}. Rounds end so: {ends}.\n",
        markdown(("first card", "wins"), ((row["card"], percent(row)) for row in cards.rows)),
        markdown(
            ("a first Guard names", "wins", "is right"),
            ((row["name"], percent(row), f"{row['right']:.1%}") for row in guess.rows),
        ),
    ]
    return "\n".join(parts), answers


def balance_section(rounds: int) -> str:
    """How even every edition is."""
    rows = []
    for slug, players in all_games():
        for bot in BOTS:
            (row,) = ask(StudyTable(slug, players, bot, SEED), ["balance"], rounds)[0].rows
            figures = f"{row['length']:.1f}", f"{row['showdown']:.1%}", f"{row['shared']:.1%}"
            rows.append((f"`{slug}`, {players}", f"`{bot}`", percent(row), f"{1 / players:.1%}", *figures))
    titles = ("table", "bot", "whoever starts wins", "fair", "decisions", "showdown", "nobody wins alone")
    return f"## Balance\n\n`suitors study --rounds {rounds} --seed {SEED}`:\n\n{markdown(titles, rows)}"


def make_tables(rounds: int, balance: int) -> tuple[str, str]:
    """The tables of the page and its picture."""
    sections, picture = [], ""
    for slug in dict.fromkeys(slug for slug, _ in all_games()):
        text, answers = edition_section(slug, rounds)
        if slug == DRAWN:
            picture = plot(answers)
            text += f"\n![The figures of {slug}, drawn by --plot.](study.svg)\n"
        sections.append(text)
    return "\n".join([*sections, balance_section(balance)]), picture


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds for each edition")
    parser.add_argument("--balance", type=int, default=100_000, help="rounds for each row of the balance")
    words = parser.parse_args()
    tables, picture = make_tables(words.rounds, words.balance)
    page = DOCS / "study.md"
    text, made, _ = page.read_text("utf-8").partition(MADE)
    page.write_text(f"{text}{made}\n{tables}", "utf-8")
    (DOCS / "study.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
