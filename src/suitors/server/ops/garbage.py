"""Python's garbage collection, run only when there may be garbage.

The collector scans all young objects again and again, and with thousands of tables in memory that stops the server for
tenths of a second. But moves leave no cycles: what is no longer used is freed at once. Only pages that were rendered
leave some, and sockets that have closed may. So automatic collection is off. Every second the garbage among the objects
of that second is collected and the others are frozen, which costs next to nothing; and everything is collected when
many sockets have closed since the last time, a minute ago or more, or after an hour.
"""

import gc
import logging
from asyncio import sleep
from collections.abc import Callable
from time import monotonic

log = logging.getLogger(__name__)

EVERY_S = 1.0
LEAST = 1_000
"""Closed sockets that are worth a collection, however few are open."""

SHORTEST_S, LONGEST_S = 60.0, 3_600.0
"""Between two collections of everything: each stops the server, and anybody can open and close sockets."""


async def collect_garbage(open_sockets: Callable[[], int], closed_sockets: Callable[[], int]) -> None:
    """Collect garbage for ever, by the numbers of sockets that are open and that have closed."""
    gc.disable()
    gc.collect()
    gc.freeze()
    seen, last = closed_sockets(), monotonic()
    while True:
        await sleep(EVERY_S)
        try:
            many = closed_sockets() - seen > max(LEAST, 2 * open_sockets())
            if monotonic() - last > (SHORTEST_S if many else LONGEST_S):
                gc.unfreeze()
                gc.collect()
                seen, last = closed_sockets(), monotonic()
            gc.collect(0)
            gc.freeze()
        except Exception:  # without this loop nothing would ever be collected again
            log.exception("garbage-failed")
