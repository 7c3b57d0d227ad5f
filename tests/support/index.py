"""A package index on this machine, and a pip to offer there that only notes how it is called."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

WHEEL = "pip-99.1-py3-none-any.whl"
CALLS = "calls.txt"
"""In the virtual environment: the arguments of every call of the pip below, a line each."""

PIP = f"""
import pathlib, sys, sysconfig, zipfile
with pathlib.Path(sys.prefix, "{CALLS}").open("a") as file:
    print(*sys.argv[1:], file=file)
print("WARNING: a page of warnings")
pathlib.Path(sys.executable).with_name("suitors").touch()
wheel = pathlib.Path(sys.argv[0]).parent
if wheel.suffix == ".whl":
    zipfile.ZipFile(wheel).extractall(sysconfig.get_path("purelib"))
"""


def wheel() -> bytes:
    """A wheel of that pip, which installs itself and nothing else."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(zipfile.ZipInfo("pip/__init__.py"), "")
        file.writestr(zipfile.ZipInfo("pip/__main__.py"), PIP)
    return buffer.getvalue()


class Index(ThreadingHTTPServer):
    """Serves pages and files by their paths, to those with the right Authorization, after some failures."""

    def __init__(self, files: Mapping[str, bytes], authorization: str | None, failures: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.authorization, self.failures = files, authorization, failures

    def answer(self, path: str, authorization: str | None) -> tuple[int, bytes]:
        """The status and the body for a request."""
        if self.failures:
            self.failures -= 1
            return 503, b"later"
        if authorization != self.authorization:
            return 401, b"who are you?"
        return (200, self.files[path]) if path in self.files else (404, b"nothing here")


class Handler(BaseHTTPRequestHandler):
    """One request to the index."""

    server: Index

    def do_GET(self) -> None:
        status, body = self.server.answer(self.path, self.headers["Authorization"])
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(
    files: Mapping[str, bytes] | None = None, authorization: str | None = None, failures: int = 0
) -> Iterator[str]:
    """An index with these files, or with that pip, on a port of its own; its host and port."""
    page = f'<a href="../../files/{WHEEL}#sha256=00">{WHEEL}</a>'.encode()
    pip = {"/simple/pip/": page, f"/files/{WHEEL}": wheel()}
    with Index(pip if files is None else files, authorization, failures) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
