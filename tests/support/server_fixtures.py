"""Fixtures of the server's tests: for each module a server, in this process or a real one, and those who come to it."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from support.servers import Caller, Running, guest, inside, running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with inside(tmp_path_factory.mktemp("house")) as client:
        yield client


@pytest.fixture(scope="module")
def ada(house: TestClient) -> TestClient:
    return guest(house, "Ada")


@pytest.fixture(scope="module")
def ben(house: TestClient) -> TestClient:
    return guest(house, "Ben")


@pytest.fixture(scope="module")
def cleo(house: TestClient) -> TestClient:
    return guest(house, "Cleo")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests that do not kill theirs."""
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def host(server: Running) -> Caller:
    """Somebody who opens tables and does not play."""
    return Caller(server.address, "Host")
