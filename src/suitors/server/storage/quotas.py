"""Token buckets in the store, for what a client may have of all processes together: new persons, tables, records."""

from .database import Connection, Database

TAKE = """
INSERT INTO quotas VALUES (?, ?, ?, extract(epoch FROM clock_timestamp()))
ON CONFLICT (name, client) DO UPDATE SET level = excluded.level, at = excluded.at
"""

LEVEL = """
SELECT level + (extract(epoch FROM clock_timestamp()) - at) * ?::double precision FROM quotas
WHERE name = ? AND client = ?
"""

FULL = """
DELETE FROM quotas WHERE name = ? AND level + (extract(epoch FROM clock_timestamp()) - at) * ?::double precision >= ?
"""

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"


class StoredQuota:
    """The bucket of each client for one thing: full at first, refilled at a rate."""

    def __init__(self, database: Database, name: str, rate: float, burst: float) -> None:
        self._database = database
        self._name = name
        self._rate = rate
        self._burst = burst

    async def take(self, client: str, cost: float = 1) -> float:
        """Take what something costs: 0, or the seconds to wait until there is so much."""
        return await self._database.write(lambda db: self._take(db, client, cost))

    async def forget_full(self) -> None:
        """Delete the buckets that are full again."""
        values = (self._name, self._rate, self._burst)
        await self._database.write(lambda db: db.execute(FULL, values).rowcount)

    def _take(self, db: Connection, client: str, cost: float) -> float:
        db.execute(LOCK, (f"{self._name} {client}",))
        found = db.execute(LEVEL, (self._rate, self._name, client)).fetchone()
        level = self._burst if found is None else min(self._burst, float(found[0]))
        if level < cost:
            return (cost - level) / self._rate
        db.execute(TAKE, (self._name, client, level - cost))
        return 0.0
