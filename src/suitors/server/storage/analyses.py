"""Finished analyses on disk, each under a digest of all that it depends on, and whose matches they are of."""

from collections.abc import Mapping
from dataclasses import dataclass

from .database import Connection, Database

KEEP = """
INSERT INTO analyses VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET made = excluded.made, body = excluded.body
"""

NOTE = "INSERT INTO analysed VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"

OF_PERSON = """
SELECT table_id, seat, analysis, analysed.made FROM analysed JOIN analyses ON analyses.id = analysis
WHERE person = ? ORDER BY analysed.made DESC, table_id, seat LIMIT ?
"""


@dataclass(frozen=True)
class OwnAnalysis:
    """That a match has been analysed in which a person had a seat."""

    table: str
    seat: int
    analysis: str  # what it is kept under
    made: int


class StoredAnalyses:
    """The analyses of the store.

    The text of one has a line for each decision of the match, in its order (`suitors.coach.kept.read_line` reads one);
    an empty line is a decision that could not be judged.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, analysis: str) -> str | None:
        """The text of an analysis."""
        found = await self._database.fetch("SELECT body FROM analyses WHERE id = ?", (analysis,))
        return str(found[0][0]) if found else None

    async def keep(self, analysis: str, text: str, now: int) -> None:
        """Keep an analysis; another of the same digest says the same, and is replaced."""
        await self._database.write(lambda db: db.execute(KEEP, (analysis, now, text)).rowcount)

    async def note_seats(self, analysis: str, table: str, seats: Mapping[int, int], now: int) -> None:
        """Note that it is of the match of a table where these persons sat, by their seats."""

        def job(db: Connection) -> None:
            for seat, person in seats.items():
                db.execute(NOTE, (person, table, seat, analysis, now))

        await self._database.write(job)

    async def list_of(self, person: int, limit: int) -> list[OwnAnalysis]:
        """The analyses of matches at tables where a person sat, with the seat, the last made first.

        Those of records that somebody has dropped or shared are nobody's: nobody knows who sat where. `find` has the
        text of each, and `server/domain/analyses.py: read_lines` the decisions in it; `table` may be loaded for the
        match itself (`Server.find_table`).
        """
        rows = await self._database.fetch(OF_PERSON, (person, limit))
        return [OwnAnalysis(table, seat, analysis, made) for table, seat, analysis, made in rows]
