"""Fixtures of the server's tests: for each module a server, in this process or a real one, and those who come to it."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from support.copies import end_loaded_process
from support.servers import Caller, Running, in_process, new_person, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with in_process(tmp_path_factory.mktemp("server")) as client:
        yield client


@pytest.fixture(scope="module")
def ada(client: TestClient) -> TestClient:
    return new_person(client, "Ada")


@pytest.fixture(scope="module")
def ben(client: TestClient) -> TestClient:
    return new_person(client, "Ben")


@pytest.fixture(scope="module")
def cleo(client: TestClient) -> TestClient:
    return new_person(client, "Cleo")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests that do not kill theirs."""
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def host(server: Running) -> Caller:
    """Somebody who opens tables and does not play."""
    return Caller(server.address, "Host")


def pytest_sessionfinish() -> None:
    """End the process that servers are copies of."""
    end_loaded_process()
