"""The part of the API that is about puzzles: those there are, the position of one, and attempts at it."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query

from ...coach.puzzles import LEVELS, THEMES, daily_puzzle, select
from ...rules import BOXES
from ..domain.practice import find_puzzle
from . import models as m
from .api import api_router
from .dependencies import KnownCaller, TheServer

router = api_router()

ThemeText = Annotated[str, Query(pattern=f"^({'|'.join(THEMES)})?$", description="What they are about.")]
EditionText = Annotated[str, Query(pattern=f"^({'|'.join(BOXES)})?$", description="The game.")]
LevelText = Annotated[str, Query(pattern=f"^({'|'.join(LEVELS)})?$", description="How hard they are.")]


@router.get("/puzzles")
async def puzzles(theme: ThemeText = "", edition: EditionText = "", level: LevelText = "") -> m.Puzzles:
    """The puzzles of a theme, an edition and a level, or of any, the easiest first."""
    found = select(theme, edition, level)
    lines = [m.PuzzleLine(id=one.id, edition=one.edition, players=one.players, rating=one.rating) for one in found]
    return m.Puzzles(puzzles=lines)


@router.get("/puzzles/daily")
async def daily() -> m.PuzzleOut:
    """The puzzle of today."""
    return m.PuzzleOut(**daily_puzzle(datetime.now(UTC).date()).public_data(solved=False))


@router.get("/puzzles/{puzzle_id}")
async def puzzle(puzzle_id: str) -> m.PuzzleOut:
    """A puzzle: what its seat knows, and nothing of its solution."""
    return m.PuzzleOut(**find_puzzle(puzzle_id).public_data(solved=False))


@router.post("/puzzles/{puzzle_id}/attempts", status_code=201)
async def attempt(puzzle_id: str, given: m.Attempt, person: KnownCaller, server: TheServer) -> m.AttemptOut:
    """Try a move: whether it is the best, what every move is worth, and the rating where the attempt counted."""
    found = find_puzzle(puzzle_id)
    rated = await server.practice.try_puzzle(person.id, found, given.move)
    solution = found.public_data(solved=True)
    return m.AttemptOut(
        solved=found.exercise.solves(given.move),
        rating=None if rated is None else rated.after.rating,
        **{key: solution[key] for key in ("theme", "best", "margin", "stake", "exact", "moves", "reasons")},
    )
