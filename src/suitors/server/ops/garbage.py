"""Python's own garbage, looked for when there may be some.

Its collector looks again and again at all that is young, and with thousands of tables in memory that stops the server
for tenths of a second. But moves leave no garbage: what is no longer used goes at once. Only sockets that have closed
may leave rings of objects that hold each other. So the collector is switched off, what has been made is set apart every
second, which costs nothing, and everything is looked at when many sockets have closed since the last time, or after an
hour.
"""

import gc
from asyncio import sleep
from collections.abc import Callable
from time import monotonic

EVERY_S = 1.0
LEAST = 1_000
"""Closed sockets that are worth a look, however few are open."""

LONGEST_S = 3_600.0


async def collect_garbage(opened: Callable[[], int], parted: Callable[[], int]) -> None:
    """Keep the process clean; `opened` and `parted` count the sockets that are open and that have closed."""
    gc.disable()
    gc.collect()
    gc.freeze()
    seen, last = parted(), monotonic()
    while True:
        await sleep(EVERY_S)
        if parted() - seen > max(LEAST, 2 * opened()) or monotonic() - last > LONGEST_S:
            gc.unfreeze()
            gc.collect()
            seen, last = parted(), monotonic()
        gc.freeze()
