"""Fixtures of the server's tests: a server in this process for each module, and the people who come to it."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from serving import guest, inside


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
