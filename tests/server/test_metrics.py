"""The metrics: closed to strangers, and nothing in them depends on cards that are hidden."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.app import make_app
from suitors.server.ops.metrics import BOT_BUCKETS, Metrics
from suitors.server.server import Settings
from support.servers import FREE, TOKEN, json_of, new_table, next_decision, on_loop, path_of, server_of, state_of


def test_without_the_token_there_are_no_metrics(client: TestClient) -> None:
    for given in ({}, {"authorization": "Bearer "}, {"authorization": "Bearer é".encode()}, {"authorization": TOKEN}):
        assert client.get("/metrics", headers=given).status_code == 404  # type: ignore[arg-type]
    assert client.get("/metrics", params={"token": TOKEN}).status_code == 404
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert "suitors_requests_total" in answer.text


def test_a_server_without_a_token_has_none_to_guess(tmp_path: Path) -> None:
    with TestClient(make_app(Settings(tmp_path, sync=False, limits=FREE, origins=("http://testserver",)))) as who:
        for given in ("", "Bearer", "Bearer ", "Bearer None"):
            assert who.get("/metrics", headers={"authorization": given}).status_code == 404


def bot_lines(client: TestClient) -> list[str]:
    """What the metrics say of bots."""
    return [line for line in server_of(client).metrics.text().decode().splitlines() if line.startswith("suitors_bot")]


def test_nothing_changes_while_a_bot_thinks(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    real = server_of(client).bots.choose

    async def choose(bot: str, view: Any) -> str:
        seen.append(bot_lines(client))
        move = await real(bot, view)
        seen.append(bot_lines(client))
        return move

    monkeypatch.setattr(server_of(client).bots, "choose", choose)
    table = new_table(ada, seats=[{}, {"bot": "random"}])
    json_of(ada.post(path_of(table, "start"), json={"state": state_of(ada, table)}))
    while not seen:
        state, seat, legal = next_decision({0: ada}, table)
        json_of(ada.post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
    next_decision({0: ada}, table)  # the bot has moved
    assert seen[0] == seen[1]
    assert on_loop(client, lambda: bot_lines(client)) != seen[0]


def test_the_sum_is_no_finer_than_the_buckets() -> None:
    metrics = Metrics()
    for seconds in (0.0, 0.123, 0.99, 1.5, 1000.0):
        metrics.observe_bot(seconds)
    total = next(line for line in metrics.text().decode().splitlines() if line.startswith("suitors_bot_seconds_sum"))
    assert float(total.split()[1]) == 3 * 1 + 2.5 + 2 * BOT_BUCKETS[-1]
