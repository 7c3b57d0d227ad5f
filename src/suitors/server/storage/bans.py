"""Bans on disk: addresses and persons whom the server does not answer."""

from dataclasses import dataclass

from .database import Connection, Database, Row

ADD = (
    "INSERT INTO bans VALUES (?, ?, ?) "
    "ON CONFLICT (subject) DO UPDATE SET since = excluded.since, reason = excluded.reason"
)


@dataclass(frozen=True)
class Ban:
    """Whom the server does not answer (an address, a network or `person:NUMBER`), since when, and why."""

    subject: str
    since: int
    reason: str


class StoredBans:
    """The bans of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self) -> list[Ban]:
        """All bans, the oldest first."""
        rows = await self._database.fetch("SELECT subject, since, reason FROM bans ORDER BY since")
        return [Ban(*row) for row in rows]

    async def add(self, ban: Ban) -> None:
        """Add a ban, in place of an earlier one of the same subject."""
        values = (ban.subject, ban.since, ban.reason)
        await self._database.write(lambda db: _run(db, ADD, values), [["bans"]])

    async def remove(self, subject: str) -> None:
        """Lift a ban."""
        await self._database.write(lambda db: _run(db, "DELETE FROM bans WHERE subject = ?", (subject,)), [["bans"]])


def _run(db: Connection, sql: str, values: Row) -> None:
    db.execute(sql, values)
