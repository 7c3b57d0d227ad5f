"""The address of a database of PostgreSQL: checked before it is used, and shown without its password."""

from typing import Any

import psycopg

from .schema import WrongStore

CONNECTION = {
    "client_encoding": "UTF8",
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""How we connect, whatever the address says: how texts are sent, and how soon a silent connection counts as lost."""


def check_address(url: str) -> dict[str, Any]:
    """The parts of an address; a WrongStore where it is none. What libpq says of that may hold the password."""
    try:
        return psycopg.conninfo.conninfo_to_dict(url)
    except (psycopg.Error, UnicodeError, ValueError):
        sentence = "The address of the database cannot be read; it looks like postgresql://user@host:5432/name."
        raise WrongStore(sentence) from None


def shown(url: str) -> str:
    """The address of a database without its password."""
    known = check_address(url)
    host = known.get("host") or "localhost"
    return f"the database {known.get('dbname') or known.get('user') or ''} at {host}"


def sentence(error: Exception) -> str:
    """What went wrong, on one line."""
    text = " ".join(str(error).split())
    return text if text.endswith(".") else f"{text or type(error).__name__}."
