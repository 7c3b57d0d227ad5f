"""A PostgreSQL of the tests' own: one for all processes of a run, in a temporary folder, with a database a test."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

import run
from suitors.server.storage.postgres_schema import migrate
from support.servers import free_port

TEMPLATE = "template_suitors"
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "on",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "300",
    "max_wal_size": "64MB",
    "autovacuum": "off",
    "unix_socket_permissions": "0777",
}
"""Quick to start and to write: what is tested is not that PostgreSQL keeps what it was given."""

STOPPED_S = 20.0


def user() -> str | None:
    """Whom PostgreSQL runs as, which refuses to be root; None: whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def open_to_all(path: Path) -> bool:
    """Whether every user may come to a file: root's home is closed to others."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


class Cluster:
    """A PostgreSQL in a folder of its own, on a Unix socket and a port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.data = folder / "data"

    def make(self) -> None:
        """Make its files."""
        owner = user()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        if owner is not None:
            shutil.chown(self.folder, owner)
        self._run("initdb", "-D", str(self.data), "-U", "suitors", "--auth=trust", "-E", "UTF8", "--no-locale", "-N")
        lines = [f"{key} = '{value}'\n" for key, value in SETTINGS.items()]
        lines += [f"port = {self.port}\n", f"unix_socket_directories = '{self.folder}'\n"]
        lines += ["listen_addresses = '127.0.0.1'\n"]
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(lines)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-t", "60", "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it: `fast` cuts all connections, `immediate` is a crash."""
        with suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-D", str(self.data), "-m", how, "-w", "-t", "60", "stop")

    def _run(self, program: str, *given: str) -> None:
        with (self.folder / "log-of-programs").open("a") as log:
            subprocess.run([self._find(program), *given], check=True, user=user(), cwd="/", stdout=log, stderr=log)

    def _find(self, program: str) -> str:
        """The path of a program: of a copy, where the user whom PostgreSQL runs as may not come to it."""
        found = run.find_postgres(program)
        assert found is not None, run.NO_POSTGRES
        if user() is None or open_to_all(Path(found)):
            return found
        unpacked, mine = Path(found).parents[5], self.folder / "programs"
        for part in ("usr/lib/postgresql", "usr/share/postgresql"):
            if not (mine / part).exists():
                shutil.copytree(unpacked / part, mine / part)
        return str(mine / Path(found).relative_to(unpacked))

    def url(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql://suitors@/{name}?host={quote(str(self.folder), safe='')}&port={self.port}"

    def tcp_url(self, name: str, port: int | None = None) -> str:
        """The same over TCP, perhaps through something that listens on another port."""
        return f"postgresql://suitors@127.0.0.1:{port or self.port}/{name}"


_made = 0


@contextmanager
def new_database(cluster: Cluster) -> Iterator[str]:
    """The name of a new database with an empty store in it."""
    global _made  # noqa: PLW0603
    _made += 1
    name = f"test_{os.getpid()}_{_made}"
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy".encode())
    try:
        yield name
    finally:
        with suppress(psycopg.Error), psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
            db.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@contextmanager
def own_cluster(folder: Path) -> Iterator[Cluster]:
    """A PostgreSQL for one test alone, which may do with it what it likes."""
    cluster = Cluster(folder)
    cluster.make()
    cluster.start()
    try:
        _make_template(cluster)
        yield cluster
    finally:
        cluster.stop()


def _make_template(cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {TEMPLATE}".encode())
    with psycopg.connect(cluster.url(TEMPLATE), autocommit=True) as db:
        migrate(db)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The PostgreSQL of this process of tests; it is started when the first test needs it."""
    folder = Path(tempfile.mkdtemp(prefix="suitors-pg-"))
    try:
        with own_cluster(folder) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """The address of a new database with an empty store in it."""
    with new_database(cluster) as name:
        yield cluster.url(name)
