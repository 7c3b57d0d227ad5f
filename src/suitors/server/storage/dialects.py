"""Where SQLite and PostgreSQL need other words for the same; all other SQL of ours is understood by both."""

from abc import ABC, abstractmethod
from collections.abc import Sequence


class Dialect(ABC):
    """How one of the databases says it."""

    kind: str
    """The kind of an event, from its body; NULL where that is damaged."""

    @abstractmethod
    def raw(self, column: str) -> str:
        """A column of text as it is on disk, which may be damaged."""

    @abstractmethod
    def octets(self, column: str) -> str:
        """The bytes of a text."""

    @abstractmethod
    def from_json(self, types: Sequence[str]) -> str:
        """The rows of a JSON array of arrays, which stands for the question mark, with columns of these types."""

    @abstractmethod
    def lock(self) -> str:
        """Let no other process run a job with this number until this one has ended; the number is the only value."""


class SqliteDialect(Dialect):
    """SQLite, whose one writer needs no locks."""

    kind = "CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') END"

    def raw(self, column: str) -> str:
        """Bytes, which need not be UTF-8."""
        return f"CAST({column} AS BLOB)"

    def octets(self, column: str) -> str:
        """Its length as bytes."""
        return f"length(CAST({column} AS BLOB))"

    def from_json(self, types: Sequence[str]) -> str:
        """SQLite gives each value the type that it has in JSON."""
        columns = ", ".join(f"json_extract(value, '$[{k}]')" for k in range(len(types)))
        return f"SELECT {columns} FROM json_each(?)"

    def lock(self) -> str:
        """There is nobody to lock out."""
        return "SELECT ?"


class PostgresDialect(Dialect):
    """PostgreSQL."""

    kind = "CASE WHEN left(body, 7) = '{\"kind\"' THEN split_part(body, '\"', 4) END"

    def raw(self, column: str) -> str:
        """PostgreSQL holds no text that is none."""
        return column

    def octets(self, column: str) -> str:
        """Its length as bytes."""
        return f"octet_length({column})"

    def from_json(self, types: Sequence[str]) -> str:
        """Values come as text, and get their type."""
        columns = ", ".join(f"(value->>{k})::{name}" for k, name in enumerate(types))
        return f"SELECT {columns} FROM json_array_elements(?::json)"

    def lock(self) -> str:
        """A lock that ends with the transaction."""
        return "SELECT pg_advisory_xact_lock(?)"
