"""Analyses of matches that are over: judged decision by decision for whoever asks, bounded, and kept."""

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import Match, Solo
from suitors.coach.kept import analysis_key
from suitors.game import Play
from suitors.server.domain import analyses as analyses_module
from suitors.server.domain.analyses import Analyses, Progress, Subject, judge, read_lines
from suitors.server.ops.limits import Limits
from suitors.server.storage.store import Store
from support.jobs_here import JobsHere
from support.matches import chance_match
from support.servers import (
    FREE,
    in_process,
    json_of,
    make_move,
    new_person,
    new_table,
    on_loop,
    path_of,
    server_of,
    started_table,
)

BUDGET = 0.5


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small budget, and no time to wait."""
    monkeypatch.setattr(analyses_module, "BUDGET_MS", BUDGET)
    wait = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda _: wait(0))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "data", sync=False)) as store:
        yield store


async def keep(client: str, size: int) -> bool:
    return client != "unwanted"


def analyses(store: Store, act: Callable[[Analyses, JobsHere], Awaitable[None]], **limits: Any) -> None:
    """Do something with the analyses of a store."""

    async def run() -> None:
        jobs = JobsHere(replace(Limits(), **limits))
        found = Analyses(jobs, store.analyses, jobs.turns.limits, keep)
        await act(found, jobs)
        found.close()

    asyncio.run(run())


async def finished(found: Analyses, subject: Subject, client: str = "ada") -> Progress:
    """Ask for an analysis until it has ended."""
    while (progress := await found.follow(client, subject)).state in ("running", "waiting"):
        await asyncio.sleep(0)
    return progress


def some_match(seed: int = 3, decisions: int = 8) -> Match:
    return chance_match("modern", 2, seed, decisions)


# Judging


def test_decisions_are_judged_one_by_one_at_the_cost_of_their_client(store: Store) -> None:
    match = some_match()

    async def act(found: Analyses, jobs: JobsHere) -> None:
        first = await found.follow("ada", Subject(match))
        assert (first.state, first.count, len(first.judged)) == ("running", 0, 8)
        done = await finished(found, Subject(match))
        assert (done.state, done.count) == ("done", 8)
        assert [client for client, _ in jobs.asked] == ["ada analysis"] * 8
        assert [judged.decision.ply for judged in done.judged if judged] == [
            ply for dealt in match.record()["rounds"] for ply in range(len(dealt["moves"]))
        ]
        assert await found.follow("ben", Subject(match)) == done, "nobody judges it again"
        assert len(jobs.asked) == 8

    analyses(store, act)


def test_what_was_finished_is_kept_and_known_to_its_players(store: Store) -> None:
    match = some_match()
    subject = Subject(match, "t1", {0: 7, 1: 8})
    key = analysis_key(match.record(), BUDGET, 0)
    told = []

    async def first(found: Analyses, jobs: JobsHere) -> None:
        told.append(await finished(found, subject))
        assert read_lines(await store.analyses.find(key) or "") == told[0].judged
        assert [(own.table, own.seat, own.analysis) for own in await store.analyses.list_of(8, 9)] == [("t1", 1, key)]

    async def again(found: Analyses, jobs: JobsHere) -> None:
        assert await found.follow("ben", Subject(match, "t2", {1: 9})) == told[0]
        assert jobs.asked == []
        assert [own.table for own in await store.analyses.list_of(9, 9)] == ["t2"]

    analyses(store, first)
    analyses(store, again)


def test_what_may_not_be_kept_is_shown_all_the_same(store: Store) -> None:
    match = some_match()

    async def act(found: Analyses, jobs: JobsHere) -> None:
        assert (await finished(found, Subject(match), "unwanted")).state == "done"
        assert await store.analyses.find(analysis_key(match.record(), BUDGET, 0)) is None

    analyses(store, act)


@pytest.mark.parametrize("text", ["", "{}\n", "nothing\n" * 8, "\n" * 7])
def test_a_damaged_analysis_is_made_again(text: str, store: Store) -> None:
    match = some_match()
    key = analysis_key(match.record(), BUDGET, 0)

    async def act(found: Analyses, jobs: JobsHere) -> None:
        await store.analyses.keep(key, text, 1)
        assert (await finished(found, Subject(match))).count == 8
        assert len(read_lines(await store.analyses.find(key) or "")) == 8

    analyses(store, act)


def test_a_client_who_has_used_up_the_budget_waits_and_the_analysis_goes_on(store: Store) -> None:
    async def act(found: Analyses, jobs: JobsHere) -> None:
        jobs.refusing = 5
        assert (await finished(found, Subject(some_match()))).count == 8

    analyses(store, act)


def test_an_analysis_that_fails_says_so_and_is_tried_again_only_when_asked(store: Store) -> None:
    subject = Subject(some_match())

    async def act(found: Analyses, jobs: JobsHere) -> None:
        jobs.failing = 1
        assert (await finished(found, subject)).state == "done", "one process may be lost"
        other = Subject(some_match(4))
        jobs.failing = 2
        failed = await finished(found, other)
        assert (failed.state, failed.count) == ("failed", 0)
        asked = len(jobs.asked)
        assert await finished(found, other) == failed
        assert len(jobs.asked) == asked
        assert (await found.follow("ada", other, again=True)).state == "running"
        assert (await finished(found, other)).state == "done"

    analyses(store, act)


def test_so_many_are_under_way_of_a_client_and_of_all(store: Store) -> None:
    async def act(found: Analyses, jobs: JobsHere) -> None:
        jobs.go.clear()
        states = []
        for client, seed in (("ada", 1), ("ada", 2), ("ada", 3), ("ben", 4), ("carla", 5)):
            states.append((await found.follow(client, Subject(some_match(seed)))).state)
        assert states == ["running", "running", "waiting", "running", "waiting"]
        assert (await found.follow("dan", Subject(some_match(1)))).state == "running", "the same is made once"
        jobs.go.set()
        for seed in range(1, 6):
            assert (await finished(found, Subject(some_match(seed)))).state == "done"

    analyses(store, act, analyses_client=2, analyses=3)


def test_every_kind_of_match_can_be_analysed(store: Store) -> None:
    matches: list[Play] = [chance_match("premium", 8, 1, 10), chance_match("house", 3, 1, 5), solo_game(5)]

    async def act(found: Analyses, jobs: JobsHere) -> None:
        for match in matches:
            assert (await finished(found, Subject(match))).state == "done"
        dealt = Match("classic", ["Ada", "Ben"], seed=1)
        assert await finished(found, Subject(dealt)) == Progress("done", ())

    analyses(store, act)


def solo_game(moves: int) -> Solo:
    game = Solo(seed=4)
    for _ in range(moves):
        if not game.over:
            game.play(game.legal()[0])
    return game


def test_a_line_is_the_same_whichever_process_judges_it() -> None:
    record = json.dumps(some_match().record()).encode()
    assert judge(record, 3) == judge(record, 3)


# The pages


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that judges in this process, with a small budget."""
    with pytest.MonkeyPatch.context() as patch, in_process(tmp_path_factory.mktemp("analyses")) as client:
        patch.setattr(analyses_module, "BUDGET_MS", BUDGET)
        server_of(client).analyses.jobs = on_loop(client, lambda: JobsHere(FREE))
        yield client


def drop(who: TestClient, match: Play) -> str:
    """Drop a record; the address of its page."""
    answer = who.post("/games", data={"text": json.dumps(match.record())})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def wait_for(who: TestClient, path: str) -> str:
    """The page of an analysis when it is finished."""
    while 'id="progress"' in (page := who.get(path).text):
        assert "could not be finished" not in page
    return page


@pytest.mark.parametrize(
    "match",
    [chance_match("modern", 2, 3), chance_match("classic", 4, 2, 20), chance_match("premium", 8, 1, 12), solo_game(9)],
    ids=["modern", "classic", "premium", "solo"],
)
def test_a_dropped_record_has_an_analysis_of_every_step(match: Play, site: TestClient) -> None:
    path = f"{drop(site, match)}/analysis"
    page = wait_for(site, path)
    assert page.count('class="move-chance"') == sum(len(dealt.moves) for dealt in match.rounds)
    assert "Accuracy" in page
    steps = sum(1 + len(dealt.moves) for dealt in match.rounds)
    for step in (*range(min(steps, 12)), steps - 1, steps + 5, -1):
        answer = site.get(path, params={"step": step, "seat": "1", "play": "1"})
        assert answer.status_code == 200, answer.text
        assert answer.text.count('aria-current="step"') == 1
    assert site.get(path, params={"lang": "fr"}).status_code == 200


def test_start_skill_and_luck_add_up_on_the_page(site: TestClient) -> None:
    page = wait_for(site, f"{drop(site, chance_match('modern', 3, 85))}/analysis")
    sums = re.findall(r"<dd>(.*?)</dd>" * 1, page)
    assert len(sums) == 12
    for start, skill, luck, result in zip(*[iter(sums)] * 4, strict=True):
        number = [float(text.replace("−", "-").rstrip("%")) for text in (start, skill, luck, result)]
        assert sum(number[:3]) == pytest.approx(number[3], abs=0.16)


def test_a_match_is_analysed_when_it_is_over_and_for_those_who_may_see_it(site: TestClient) -> None:
    ada, stranger = new_person(site, "Ada"), new_person(site, "Stranger")
    for wish in (False, True):
        table = new_table(ada, "classic", 2, open=wish, seats=[{}, {}], start=True, rest_s=0)
        for path in (f"/tables/{table['id']}/analysis", f"/api/v1/tables/{table['id']}/analysis"):
            answers = [who.get(path) for who in (ada, stranger)]
            assert [answer.status_code for answer in answers] == [409, 409 if wish else 404]
            assert "when it is over" in answers[0].text
    assert json_of(ada.get(f"/api/v1/tables/{table['id']}"))["status"] == "playing"


def test_a_finished_match_is_analysed_for_its_players_by_page_and_by_program(site: TestClient) -> None:
    people, rng = {0: new_person(site, "Ada"), 1: new_person(site, "Ben")}, random.Random(2)
    table = started_table(people[0], people[1])
    while json_of(people[0].get(path_of(table)))["status"] == "playing":
        make_move(people, table, rng)
    while (found := json_of(people[0].get(path_of(table, "analysis"))))["state"] != "done":
        assert found["state"] == "running"
    assert all(decision["mark"] for decision in found["decisions"])
    assert [account["seat"] for account in found["accounts"]] == [0, 1]
    mover = found["decisions"][0]["seat"]
    page = people[mover].get(f"/tables/{table['id']}/analysis").text
    assert "What you knew" in page
    assert "Share by link" in page
    stored = server_of(site).store.analyses
    for person in server_of(site).tables.loaded[table["id"]].table.members():
        (own,) = on_loop(site, partial(stored.list_of, person, 9))
        assert own.table == table["id"]
    shared = people[0].post(f"/tables/{table['id']}/share")
    seen = new_person(site, "Stranger").get(f"{shared.url.path}/analysis").text
    assert 'id="progress"' not in seen, "it is the same analysis"
    assert f"What {('Ada', 'Ben')[mover]} knew" in seen


@pytest.mark.parametrize("query", ["step=x", "step=1e9", "seat=9&step=99999999999999999999"])
def test_nonsense_in_an_address_does_no_harm(query: str, site: TestClient) -> None:
    path = f"{drop(site, some_match())}/analysis"
    assert site.get(f"{path}?{query}").status_code in (200, 422)


def test_a_record_that_is_too_long_is_refused(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    path = drop(site, some_match(9, 20))
    monkeypatch.setattr(analyses_module, "MOST_STEPS", 5)
    answer = site.get(f"{path}/analysis")
    assert answer.status_code == 422
    assert "more than 5 steps" in answer.text
