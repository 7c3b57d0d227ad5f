"""Bans on disk: addresses and persons whom the server does not answer."""

from dataclasses import dataclass

from .database import Database


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

    def list(self) -> list[Ban]:
        """All bans, the oldest first."""
        return [Ban(*row) for row in self._database.read("SELECT subject, since, reason FROM bans ORDER BY since")]

    async def add(self, ban: Ban) -> None:
        """Add a ban, in place of an earlier one of the same subject."""
        values = (ban.subject, ban.since, ban.reason)
        await self._database.write(lambda db: db.execute("INSERT OR REPLACE INTO bans VALUES (?, ?, ?)", values))

    async def remove(self, subject: str) -> None:
        """Lift a ban."""
        await self._database.write(lambda db: db.execute("DELETE FROM bans WHERE subject = ?", (subject,)))
