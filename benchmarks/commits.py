"""How many commits a PostgreSQL takes from several processes at once, with and without telling the others of them.

    python benchmarks/commits.py postgresql://host/name

Each connection does what the writing thread of a process does under load: it inserts events of many tables by one
statement, in which the others are told of them. PostgreSQL lets one transaction at a time commit that has notified
somebody, so that notifications come in the order of commits; the difference shows what that costs. The database must be
empty; a table is made in it, and dropped at the end.
"""

import argparse
import threading
import time

import orjson
import psycopg

EVENTS = 60
"""Events in one commit."""

INSERT = """
WITH written AS (
    INSERT INTO commits_measured
    SELECT value->>0, (value->>1)::bigint, (value->>2)::bigint, value->>3 FROM json_array_elements(%s::json)
)
SELECT count(pg_notify('commits_measured', told)) FROM unnest(%s::text[]) AS told
"""

MOVE = {"kind": "moved", "seat": 0, "move": "guard 1 priest", "by": "person"}


def write(url: str, writer: int, seconds: float, telling: bool, counts: list[int]) -> None:
    """Commit for so long, and note how often."""
    tables, body = [f"{telling}-{writer}-{k:016}" for k in range(EVENTS)], orjson.dumps(MOVE).decode()
    with psycopg.connect(url, autocommit=True) as db:
        number, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            rows = orjson.dumps([[table, number, 0, body] for table in tables]).decode()
            told = orjson.dumps([["events", table, number, [MOVE]] for table in tables]).decode()
            db.execute(INSERT, (rows, [told] if telling else []), prepare=True)
            number += 1
    counts.append(number)


def measure(url: str, writers: int, seconds: float, telling: bool) -> float:
    """Commits a second of so many connections."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE TABLE commits_measured (table_id text, number bigint, at bigint, body text)")
        db.execute("ALTER TABLE commits_measured ADD PRIMARY KEY (table_id, number)")
        counts: list[int] = []
        given = [(url, writer, seconds, telling, counts) for writer in range(writers)]
        threads = [threading.Thread(target=write, args=each) for each in given]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        db.execute("DROP TABLE commits_measured")
    return sum(counts) / seconds


def main() -> None:
    """Measure each number of connections in both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", help="the address of an empty database of PostgreSQL")
    parser.add_argument("--writers", default="1,4,16", help="numbers of connections (default 1,4,16)")
    parser.add_argument("--seconds", type=float, default=4, help="how long each (default 4)")
    options = parser.parse_args()
    for writers in map(int, options.writers.split(",")):
        told, silent = (measure(options.database, writers, options.seconds, telling) for telling in (True, False))
        print(
            f"{writers:3} connections: {told:6.0f} commits/s with notifications ({told * EVENTS:,.0f} events/s), "
            f"{silent:6.0f} without ({silent * EVENTS:,.0f} events/s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
