"""The API keeps to its own description, whatever is sent (schemathesis), and the description is whole."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis import checks as ask
from schemathesis.core.result import Ok

from suitors.server.app import make_app
from suitors.server.http.api import PROBLEMS
from suitors.server.server import Settings
from support.servers import (
    API,
    in_process,
    json_of,
    key_of,
    make_move,
    new_person,
    new_table,
    next_decision,
    path_of,
    started_table,
)

CHECKS = [
    ask.not_a_server_error,
    ask.status_code_conformance,
    ask.content_type_conformance,
    ask.response_headers_conformance,
    ask.response_schema_conformance,
    ask.negative_data_rejection,
]
"""Left out: those that follow resources through several requests, for tables are not made to be deleted."""

DESCRIPTION = make_app(Settings(Path("nowhere"))).openapi()
SCHEMA = schemathesis.openapi.from_dict(DESCRIPTION)
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}
CASES = [
    (label, mode)
    for label, found in OPERATIONS.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or found.query or found.body or len(list(found.path_parameters)) > 1
]
"""A table's id alone cannot be wrong: any text is one."""

FEW = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with in_process(tmp_path_factory.mktemp("openapi")) as client:
        yield client


@pytest.fixture(scope="module")
def ada(client: TestClient) -> TestClient:
    return new_person(client, "Ada")


@pytest.fixture(scope="module")
def tables(client: TestClient, ada: TestClient) -> list[str]:
    """Tables of Ada's in every state, and one that is not hers."""
    ben, rng = new_person(client, "Ben"), random.Random(1)
    people = {0: ada, 1: ben}
    over = started_table(ada, ben, edition="house")
    while json_of(ada.get(path_of(over)))["status"] == "playing":
        make_move(people, over, rng)
        if json_of(ada.get(path_of(over)))["status"] == "playing":
            next_decision(people, over)
    solo = new_table(ada, "solitaire", 1, seats=[{}], start=True)
    return [
        table["id"]
        for table in (over, started_table(ada, ben), new_table(ada, seats=[{}]), solo, started_table(ben, ben))
    ]


def sent(client: TestClient, key: str, case: Any) -> Any:
    """The answer to a case, asked with this key."""
    wanted = case.as_transport_kwargs(base_url="http://testserver")
    wanted["headers"] = {**(wanted.get("headers") or {}), "cookie": f"suitors={key}"}
    if isinstance(wanted.get("data"), bytes | str):
        wanted["content"] = wanted.pop("data")
    client.cookies.clear()
    return client.request(**{part: wanted[part] for part in wanted.keys() - {"cookies"} if wanted[part] is not None})


@pytest.mark.parametrize(("label", "mode"), CASES, ids=lambda part: getattr(part, "name", part))
def test_answers_are_as_described(
    client: TestClient, ada: TestClient, tables: list[str], label: str, mode: GenerationMode
) -> None:
    key = key_of(new_person(client, "Eve") if label == f"DELETE {API}/me" else ada) or ""

    @FEW
    @given(OPERATIONS[label].as_strategy(generation_mode=mode), st.sampled_from(tables), st.booleans())
    def call(case: Any, table: str, fresh: bool) -> None:
        if "table_id" in case.path_parameters:  # no text is a wrong one, so that a wrong part stays wrong
            case.path_parameters["table_id"] = table
            if mode is GenerationMode.POSITIVE and fresh:
                state = ada.get(path_of(table)).json().get("state", 0)
                for part in (case.body, case.query):
                    if isinstance(part, dict) and "state" in part:
                        part.update({"state": state} | ({"bot": "random"} if label.endswith("hand-over") else {}))
        case.validate_response(sent(client, key, case), checks=CHECKS)

    call()


def test_every_operation_is_described_with_all_it_may_answer() -> None:
    paths: dict[str, dict[str, Any]] = DESCRIPTION["paths"]
    assert len(paths) > 15
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            assert {str(status) for status in PROBLEMS} <= set(operation["responses"])
            good = [status for status in operation["responses"] if status.startswith("2")]
            assert len(good) == 1


def test_other_methods_are_refused_with_those_there_are(client: TestClient, tables: list[str]) -> None:
    for path, operations in DESCRIPTION["paths"].items():
        url = path.replace("{table_id}", tables[0]).replace("{seat}", "0")
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - {
            name.upper() for name in operations
        }:
            answer = client.request(method, url)
            assert answer.status_code == 405, (method, url)
            assert answer.json()["error"]["code"] == "bad-request"
            assert set(answer.headers["allow"].split(", ")) & {name.upper() for name in operations}
