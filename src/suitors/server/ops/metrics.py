"""What the server counts, for Prometheus. Nothing in it names a person, a table or a card."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
BOT_BUCKETS = (1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "suitors_requests", "Answered requests by method and status.", ["method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "suitors_request_seconds", "Time to answer a request.", registry=self.registry, buckets=BUCKETS
        )
        self.refused = Counter(
            "suitors_refused", "Requests turned away at the gate, by reason.", ["reason"], registry=self.registry
        )
        self._events = Counter("suitors_events", "Events written to the store.", registry=self.registry)
        self._new_events = 0  # since somebody last asked
        self.sockets = Gauge("suitors_sockets", "Open sockets.", registry=self.registry)
        self.slow_sockets = Counter("suitors_slow_sockets", "Sockets that did not keep up.", registry=self.registry)
        self.bots = Histogram(
            "suitors_bot_seconds",
            "Time until a bot's move was told, pace included, rounded up to a bucket.",
            registry=self.registry,
            buckets=BOT_BUCKETS,
        )

    def observe_bot(self, seconds: float) -> None:
        """Count a bot's move that has been told; the sum is as coarse as the buckets, as the time tells cards."""
        self.bots.observe(next((bound for bound in BOT_BUCKETS if seconds <= bound), 2 * BOT_BUCKETS[-1]))

    def count_events(self, number: int) -> None:
        """Count events that have been written; an int, since a counter takes a lock and there are many."""
        self._new_events += number

    def watch(self, name: str, what: str, number: Callable[[], int]) -> None:
        """Read a number off whenever somebody asks."""
        Gauge(name, what, registry=self.registry).set_function(number)

    def watch_store(self, used_bytes: Callable[[], int]) -> None:
        """Read the size of the store off whenever somebody asks."""
        Gauge("suitors_store_bytes", "Size of what is stored.", registry=self.registry).set_function(used_bytes)

    def text(self) -> bytes:
        """All of it in Prometheus' text form."""
        self._events.inc(self._new_events)
        self._new_events = 0
        return generate_latest(self.registry)
