"""Several real processes of a server on one PostgreSQL, which can be killed, cut off and restarted."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from support.servers import Running

IMPATIENT = """
from suitors.cli import main
from suitors.server.storage import postgres, postgres_messages
postgres.PATIENCE_S = 1.0
postgres_messages.TOLD_S = 0.5
main()
"""
"""A server that does not wait long for its database."""


class ImpatientRunning(Running):
    """A server in a process of its own that does not wait long for its database."""

    program = ("-c", IMPATIENT)


@contextmanager
def several(folder: Path, *urls: str, kind: type[Running] = Running) -> Iterator[list[Running]]:
    """A process for each of these addresses of the same database; killed at the end if they still run."""
    with ThreadPoolExecutor(len(urls)) as pool:
        starting = [pool.submit(kind, folder / f"process-{k}", 0, "--database", url) for k, url in enumerate(urls)]
    servers = [each.result() for each in starting]
    try:
        yield servers
    finally:
        for server in servers:
            if server.process.poll() is None:
                os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait()
            if server.process.stdout is not None:
                server.process.stdout.close()
            server.log.close()


class Cable:
    """A port from which everything is passed on to another one, until it is cut."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.sockets: set[socket.socket] = set()
        self.whole = True
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and let no others through."""
        self.whole = False
        for each in list(self.sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        self.whole = True

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
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.sockets.discard(source)
        source.close()
