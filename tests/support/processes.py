"""Several real processes of a server on one PostgreSQL, which can be killed, cut off and restarted."""

import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from support.servers import Running

IMPATIENT = """
from suitors.cli import main
from suitors.server.storage import postgres, postgres_messages
from suitors.server import cluster
postgres.PATIENCE_S = 1.0
postgres.STUCK_S = 3.0
postgres_messages.TOLD_S = 0.5
postgres_messages.SILENCE_S = 2.5
postgres.CONNECTION["connect_timeout"] = 2
cluster.SILENCE_S = 3.0
main()
"""
"""A server that does not wait long for its database."""


NEWER = """
import sys
for name in [name for name in sys.modules if name.partition(".")[0] == "suitors"]:
    del sys.modules[name]
import suitors
from suitors.cli import main
from suitors.server.storage import postgres_schema
suitors.__version__ = "99.0"
postgres_schema.VERSIONS = (*postgres_schema.VERSIONS, "CREATE TABLE analyses_of_tomorrow (id bigint PRIMARY KEY)")
postgres_schema.migrate.__defaults__ = (postgres_schema.VERSIONS,)
main()
"""
"""A server of a later version, whose store has one more table; it is loaded anew, for modules copy the version."""


class NewerRunning(Running):
    """A server of a later version in a process of its own."""

    program = ("-c", NEWER)


class ImpatientRunning(Running):
    """A server in a process of its own that does not wait long for its database."""

    program = ("-c", IMPATIENT)


@contextmanager
def several(
    folder: Path, *urls: str, kind: type[Running] = Running, more: Sequence[str] = ()
) -> Iterator[list[Running]]:
    """A process for each of these addresses of the same database; killed at the end if they still run."""
    with ThreadPoolExecutor(len(urls)) as pool:
        starting = [
            pool.submit(partial(kind, folder / f"process-{k}", 0, *more, "--database", url))
            for k, url in enumerate(urls)
        ]
    try:
        yield [each.result() for each in starting]
    finally:
        for each in starting:
            if each.exception() is None:
                each.result().clear_away()


class Cable:
    """A port from which everything is passed on to another one, until it is cut."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.sockets: set[socket.socket] = set()
        self.whole = True
        self.passing = threading.Event()
        self.passing.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Pass nothing on any more; connections stay, and others can be made."""
        self.passing.clear()

    def cut(self) -> None:
        """End all connections, and let no others through."""
        self.whole = False
        self.passing.set()
        for each in list(self.sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        self.whole = True
        self.passing.set()

    def close(self) -> None:
        """End everything."""
        self.cut()
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            for source, sink in ((near, far), (far, near)):
                self.sockets.add(source)
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self.passing.wait()
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.sockets.discard(source)
        source.close()
