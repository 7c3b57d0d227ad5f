"""How much one client may ask for, how long things are kept: every number in one place, to be set by a TOML file."""

import ipaddress
import time
import tomllib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any


class BadLimits(Exception):
    """What is wrong with a file of limits."""


@dataclass(frozen=True)
class Limits:
    """The limits of a server; a client is an address on the network."""

    head_bytes: int = 65_536  # of a request, before its body
    body_bytes: int = 16_384
    record_bytes: int = 262_144  # of a record that is uploaded
    body_s: float = 10.0  # how long a request may take to arrive
    read_s: float = 60.0  # after which a client that reads nothing of its answer is cut off
    unread_mb: int = 64  # of answers that a client has not read
    requests_s: float = 50.0  # requests a second of a client, on the long run
    requests_burst: int = 200
    requests_at_once: int = 100  # of a client, not answered yet
    persons_hour: float = 60.0  # new persons of a client
    misses_minute: float = 30.0  # wrong keys and unknown tables of a client
    tables: int = 20  # tables of a person that are not over
    tables_hour: float = 120.0  # new tables of a client
    events_table: int = 2_000
    changes_seat: int = 100  # words, comings and goings at a seat
    records: int = 200  # records that are kept for a person
    records_kb: int = 10_000  # of a person
    records_kb_hour: float = 20_000.0  # new ones of a client
    store_mb: int = 4_096
    free_mb: int = 100  # on the disk
    sockets_person: int = 40
    sockets_client: int = 200
    connections_client: int = 400
    message_bytes: int = 2_048  # from a client through a socket
    messages_s: float = 20.0
    messages_burst: int = 40
    backlog: int = 256  # messages that may wait for a slow socket
    away_s: float = 90.0  # after which a player counts as away
    idle_s: float = 120.0  # after which a table that nobody watches is unloaded
    idle_tables: int = 1_000  # that nobody watches, in memory
    think_ms: float = 200.0  # what a bot may think
    job_s: float = 30.0  # what one kit, hint or decision of an analysis may take
    jobs: int = 64  # of all visitors that may wait
    jobs_client: int = 8  # of a client that may wait or be under way
    work_s: float = 120.0  # seconds of work for a client at once
    work_minute_s: float = 20.0  # and in a minute, on the long run; both again for analyses
    analyses: int = 16  # under way, of all visitors
    analyses_client: int = 2  # of a client
    analyses_kb_hour: float = 10_000.0  # new ones of a client that are kept
    loop_s: float = 0.1  # seconds of the server's own time for a client at once
    loop_share: float = 0.3  # and in a second, on the long run
    keep_waiting_days: float = 2.0
    keep_playing_days: float = 60.0
    keep_over_days: float = 365.0
    keep_keys_days: float = 400.0


def read_limits(path: Path) -> Limits:
    """The limits with those that the file sets."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadLimits(f"{path} cannot be read as a TOML file of limits: {error}.") from None
    known = {field.name: field.type for field in fields(Limits)}
    for key, value in data.items():
        if key not in known:
            raise BadLimits(f"{path}: there is no limit {key!r:.40}; there are {', '.join(known)}.")
        whole = known[key] is int
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not 0 < value < 10**9:
            kind = "whole number" if whole else "number"
            raise BadLimits(f"{path}: {key} must be a {kind} above 0 and below a billion, not {value!r:.40}.")
    return replace(Limits(), **data)


class Bucket:
    """A token bucket: full at first, refilled at a rate; who finds it empty has to wait."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level, self._at = burst, time.monotonic()

    def take(self, cost: float = 1) -> bool:
        """Take a token, or as many as something costs; whether there were so many."""
        now = time.monotonic()
        level = min(self.burst, self._level + (now - self._at) * self.rate)
        if level < cost:
            return False
        self._level, self._at = level - cost, now
        return True

    def give_back(self) -> None:
        """Put a token back that was not used."""
        self._level += 1


class Buckets:
    """A token bucket for each client: full at first, refilled at a rate; a client with an empty one has to wait."""

    CLIENTS = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.spent: dict[str, float] | None = None  # what the other processes have not heard of yet, if there are any

    def level(self, client: str) -> float:
        """The tokens that a client has now."""
        level, at = self._levels.get(client, (self.burst, 0.0))
        return min(self.burst, level + (time.monotonic() - at) * self.rate)

    def take(self, client: str, cost: float = 1) -> float:
        """Take a token, or as many as something costs: 0, or the seconds to wait until there are so many."""
        level = self.level(client)
        if level < cost:
            return (cost - level) / self.rate
        self.spend(client, cost)
        return 0.0

    def wait(self, client: str) -> float:
        """The seconds to wait until a client has anything again; 0 if that is so now."""
        return max(0.0, -self.level(client) / self.rate)

    def spend(self, client: str, tokens: float) -> None:
        """Take what has been used already, even if it is more than there is."""
        self.absorb(client, tokens)
        if self.spent is not None:
            self.spent[client] = self.spent.get(client, 0.0) + tokens

    def absorb(self, client: str, tokens: float) -> None:
        """Take what a client has used of another process."""
        now = time.monotonic()
        level, at = self._levels.get(client, (self.burst, now))
        self._levels[client] = (min(self.burst, level + (now - at) * self.rate) - tokens, now)
        self._levels.move_to_end(client)
        if len(self._levels) > self.CLIENTS:
            self._levels.popitem(last=False)


class Rates:
    """The rates of all clients that hold for requests and sockets alike, whichever process they come to."""

    def __init__(self, limits: Limits) -> None:
        self.requests = Buckets(limits.requests_s, limits.requests_burst)
        self.misses = Buckets(limits.misses_minute / 60, limits.misses_minute)


class LocalQuota:
    """What a client may have of one thing, where one process gives it."""

    def __init__(self, rate: float, burst: float) -> None:
        self._buckets = Buckets(rate, burst)

    async def take(self, client: str, cost: float = 1) -> float:
        """Take what something costs: 0, or the seconds to wait until there is so much."""
        return self._buckets.take(client, cost)

    async def forget_full(self) -> None:
        """Buckets are forgotten by themselves when there are many."""


def account_of(scope: Mapping[str, Any]) -> str:
    """Whom the middleware counts a request for: its client, or pages of other sites that the client visits."""
    return str(scope.get("account") or client_of(scope))


def client_of(scope: Mapping[str, Any]) -> str:
    """The client that an ASGI scope is of: its address; of an IPv6 client its whole subnet."""
    host = str((scope.get("client") or ("local", 0))[0])
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.ip_network(f"{address}/64", strict=False))
