"""The command that asks for the best move of a position: `suitors puzzle`."""

import json
import random
import sys
from datetime import UTC, datetime

import click

from ..coach.puzzles import LEVELS, THEMES, Puzzle, daily_puzzle, load_puzzles, select
from ..rules import BOXES
from ..terminal.puzzles import PuzzleTerminal
from ..words import load_theme
from ..words.vocabulary import vocabulary
from .options import Lang


@click.command("puzzle")
@click.argument("puzzle_id", metavar="[ID]", required=False)
@click.option("--theme", type=click.Choice(THEMES), default=None, help="What it is about.")
@click.option("--edition", type=click.Choice(list(BOXES)), default=None, help="The game.")
@click.option("--level", type=click.Choice(list(LEVELS)), default=None, help="How hard it is.")
@click.option("--daily", is_flag=True, help="The puzzle of today.")
@click.option("--solve", is_flag=True, help="Print the solution, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with --solve the solution in it.")
@Lang
def puzzle_command(
    puzzle_id: str | None,
    theme: str | None,
    edition: str | None,
    level: str | None,
    daily: bool,
    solve: bool,
    as_json: bool,
    lang: str | None,
) -> None:
    """Show a position in which one move is clearly best, and ask for it: the puzzle ID, today's, or any.

    The status is 1 where another move is chosen.
    """
    wanted = (theme or "", edition or "", level or "")
    if bool(puzzle_id) + daily + any(wanted) > 1:
        raise click.UsageError("Give either an ID, or --daily, or what the puzzle shall be like.")
    puzzle = _find(puzzle_id, wanted) if not daily else daily_puzzle(datetime.now(UTC).date())
    if as_json:
        click.echo(json.dumps(puzzle.public_data(solved=solve)))
        return
    words = vocabulary(load_theme("court"), puzzle.edition, lang or "en")
    terminal = PuzzleTerminal(puzzle, words, _read_line, click.echo)
    if solve:
        terminal.show_position()
        terminal.show_solution()
    elif not terminal.play():
        sys.exit(1)


def _find(puzzle_id: str | None, wanted: tuple[str, str, str]) -> Puzzle:
    """The puzzle of an id, or one that is as it shall be."""
    if puzzle_id is None:
        found = select(*wanted)
        if not found:
            raise click.UsageError("There is no such puzzle: choose something else.")
        return random.choice(found)
    if puzzle_id not in load_puzzles():
        raise click.UsageError(f"There is no puzzle '{puzzle_id:.40}'.")
    return load_puzzles()[puzzle_id]


def _read_line(prompt: str) -> str:
    """A line from standard input; empty at its end."""
    click.echo(prompt, nl=False)
    return sys.stdin.readline()
