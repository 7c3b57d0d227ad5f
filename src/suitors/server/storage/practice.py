"""Practice on disk: how each person fares with the positions they have tried, and their rating."""

from collections.abc import Callable
from dataclasses import dataclass

from .database import Connection, Database

TRIED = """
INSERT INTO practice VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (person, puzzle) DO UPDATE SET
solved = practice.solved + excluded.solved, missed = practice.missed + excluded.missed,
streak = CASE WHEN excluded.streak = 0 THEN 0 ELSE practice.streak + 1 END, at = excluded.at
"""

RATED = """
INSERT INTO ratings VALUES (?, ?, ?)
ON CONFLICT (person) DO UPDATE SET rating = excluded.rating, played = excluded.played
"""

Rating = tuple[float, int]
"""A rating, and by how many attempts it came about."""

Rate = Callable[[Rating | None], Rating]
"""The rating after an attempt, from the one before; None where there was none."""


@dataclass(frozen=True)
class Tries:
    """How a person fared with a position: how often it was solved and missed, and solved in a row of late."""

    solved: int
    missed: int
    streak: int


class StoredPractice:
    """The practice of all persons. A position is a puzzle under its id, or a decision of one's own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tries(self, person: int) -> dict[str, Tries]:
        """How a person fared with all that they have tried."""
        sql = "SELECT puzzle, solved, missed, streak FROM practice WHERE person = ?"
        return {row[0]: Tries(*row[1:]) for row in await self._database.fetch(sql, (person,))}

    async def rating(self, person: int) -> Rating | None:
        """The rating of a person."""
        found = await self._database.fetch("SELECT rating, played FROM ratings WHERE person = ?", (person,))
        return (found[0][0], found[0][1]) if found else None

    async def note(
        self, person: int, puzzle: str, solved: bool, now: int, rate: Rate | None = None
    ) -> tuple[Rating | None, Rating] | None:
        """Note an attempt; the first one at a position is rated, if it can be: the rating before and after."""

        def job(db: Connection) -> tuple[Rating | None, Rating] | None:
            db.execute(self._database.dialect.lock(), (person,))
            known = db.execute("SELECT 1 FROM practice WHERE person = ? AND puzzle = ?", (person, puzzle)).fetchone()
            db.execute(TRIED, (person, puzzle, int(solved), int(not solved), int(solved), now))
            if known or rate is None:
                return None
            found = db.execute("SELECT rating, played FROM ratings WHERE person = ?", (person,)).fetchone()
            before = None if found is None else (float(found[0]), int(found[1]))
            after = rate(before)
            db.execute(RATED, (person, *after))
            return before, after

        return await self._database.write(job)
