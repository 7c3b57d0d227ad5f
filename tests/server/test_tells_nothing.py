"""Two matches that a client cannot tell apart give it the same bytes, over HTTP and through its socket.

Both are played through a real application, with decks that differ only in cards the client may not know. Identifiers
(the table's id, hashes of the shuffle, the date) are masked: none of them is made from the cards a client could see.
"""

import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import Solo, fair
from suitors.notation import CARD_OF
from suitors.records.record import replay
from suitors.rules import BOXES
from suitors.server.domain import commands
from suitors.view.data import view_data
from support.quick_client import Question, ask_all
from support.random_play import position, texts
from support.servers import API, in_process, new_person
from support.witness import witness

GAMES = [(slug, players) for slug, box in BOXES.items() for players in box.players]
STEPS = 35
SEAL = "5ea1" * 16
DECKS: dict[str, list[dict[str, Any]]] = {}
"""The rounds that are dealt at a table, by its id."""


def prescribed(match: Any, secret: bytes, table: str, words: list[str]) -> fair.Deal:
    """The deal that the test wants, in place of one by chance."""
    honest = fair.draw(match, secret, table, words)
    if table not in DECKS:
        return honest
    data = DECKS[table][len(match.rounds)]
    order = tuple(int(CARD_OF[name]) for name in data["deck"])
    return fair.Deal(data["first"], order, SEAL)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestClient]]:
    """Nine persons at one server, the last of them a stranger who only watches."""
    with pytest.MonkeyPatch.context() as patch, in_process(tmp_path_factory.mktemp("tells")) as client:
        patch.setattr(commands, "fair", Prescribing())
        yield [new_person(client, f"P{k}") for k in range(9)]


class Prescribing:
    """The module `fair` with another `draw`."""

    draw = staticmethod(prescribed)

    def __getattr__(self, name: str) -> Any:
        return getattr(fair, name)


class Transcript:
    """All that one client gets: statuses, headers and bodies, and what comes through its socket."""

    def __init__(self, client: TestClient, table: str) -> None:
        self.client, self.table, self.lines = client, table, list[bytes]()

    def note(self, raw: bytes) -> None:
        raw = re.sub(rb"x-request-id: [0-9a-f]{16}'", b"x-request-id: RANDOM", raw)
        self.lines.append(re.sub(rb"[0-9a-f]{64}", b"HASH", raw).replace(self.table.encode(), b"TABLE"))

    def ask(self, *questions: Question) -> None:
        whole = [(method, f"{API}/tables/{self.table}{path}", body) for method, path, body in questions]
        for answer in ask_all(self.client, whole):
            heads = sorted(f"{k}: {v}" for k, v in answer.headers if k not in ("date", "set-cookie"))
            self.note(f"{answer.status} {heads} ".encode() + answer.body)


def play_through(crowd: list[TestClient], record: dict[str, Any], seat: int | None) -> list[bytes]:
    """Play the record at a new table; what the client in this seat (None: the stranger) is told beside all others."""
    players, eyes = len(record["players"]), "none" if seat is None else str(seat)
    settings = {"edition": record["edition"], "players": players, "options": record["options"], "open": True}
    answer = crowd[0].post(f"{API}/tables", json={**settings, "pace_ms": 0, "rest_s": 0.0, "seats": [{}]})
    assert answer.status_code == 201, answer.text
    table, state = answer.json()["id"], answer.json()["state"]
    DECKS[table] = record["rounds"]
    for k in range(1, players):
        state = crowd[k].put(f"{API}/tables/{table}/seats/{k}", json={"state": state}).json()["state"]
    script = Transcript(crowd[8 if seat is None else seat], table)
    with ExitStack() as others:
        for k in range(players):
            if k != seat:
                others.enter_context(crowd[k].websocket_connect(f"{API}/tables/{table}/live?seat={k}"))
        socket = others.enter_context(script.client.websocket_connect(f"{API}/tables/{table}/live?seat={eyes}"))
        crowd[0].post(f"{API}/tables/{table}/start", json={"state": state})
        state = read(socket, script, state + 2)
        for number, data in enumerate(record["rounds"]):
            state = play_round(crowd, script, socket, record, number, state, seat)
            if len(data["moves"]) == 0:
                break
    return script.lines


def play_round(
    crowd: list[TestClient],
    script: Transcript,
    socket: Any,
    record: dict[str, Any],
    number: int,
    state: int,
    seat: int | None,
) -> int:
    """The moves of one round, with all the curiosity of the client in between."""
    eyes, rng = "none" if seat is None else str(seat), random.Random(number)
    moves = record["rounds"][number]["moves"]
    match = replay({**record, "rounds": [*record["rounds"][:number], {**record["rounds"][number], "moves": []}]})
    for move in moves:
        look_around(script, eyes, state, rng, len(record["players"]))
        mover = match.turn
        assert mover is not None
        path = f"{API}/tables/{script.table}/moves"
        answer = crowd[mover].post(path, json={"state": state, "seat": mover, "move": move})
        assert answer.status_code == 200, answer.text
        match.play(move)
        last = move is moves[-1] and number == len(record["rounds"]) - 1
        state = read(socket, script, state + (2 if match.to_deal and not last else 1))
    return state


def look_around(script: Transcript, eyes: str, state: int, rng: random.Random, players: int) -> None:
    """Ask for everything, and try moves that cannot be played."""
    paths = [
        "",
        f"/view?seat={eyes}",
        f"/events?seat={eyes}&since={max(0, state - 3)}",
        f"/view?seat={rng.randrange(8)}",
    ]
    paths += ["/record", f"/replay?seat={eyes}", *([] if eyes == "none" else [f"/legal?seat={eyes}"])]
    script.ask(*(("GET", path, None) for path in paths))
    if eyes != "none":
        own = re.search(rb'"legal":\[(.*?)\]', script.lines[-1])
        legal = own[1].decode() if own else ""
        wrong = [text for text in rng.sample(texts(players), 3) if f'"{text}"' not in legal]
        script.ask(*(("POST", "/moves", {"state": state, "seat": int(eyes), "move": text}) for text in wrong))


def read(socket: Any, script: Transcript, until: int) -> int:
    """Read the socket until a state has been told; the next deal may have to come first."""
    while True:
        text = socket.receive_text()
        script.note(text.encode())
        told = re.match(r'\{"type":"news","state":(\d+)', text)
        if told and int(told[1]) >= until:
            return int(told[1])


def worlds(
    slug: str, players: int, rng: random.Random, seat: int | None, steps: int = STEPS
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record, and another one that the seat cannot tell apart from it."""
    while True:
        record = start(slug, players, rng, steps)
        here = notes(record, seat)
        for _ in range(200):
            other = shuffled_a_little(record, rng)
            if other != record and notes(other, seat) == here:
                return record, other


def shuffled_a_little(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of some decks elsewhere."""
    rounds = [{**data, "deck": data["deck"][:]} for data in record["rounds"]]
    for data in rng.sample(rounds, min(2, len(rounds))):
        for _ in range(rng.choice((0, 1, 2))):
            i, j = rng.sample(range(len(data["deck"])), 2)
            data["deck"][i], data["deck"][j] = data["deck"][j], data["deck"][i]
    return {**record, "rounds": rounds}


def start(slug: str, players: int, rng: random.Random, steps: int) -> dict[str, Any]:
    """A match of so much random play."""
    if not BOXES[slug].solo:
        return position((slug, players, {}), rng, steps).record()
    solo = Solo(slug, ["P0"], rng=rng)
    while not solo.over:
        solo.push(rng.choice(solo.moves()))
    return solo.record()


def notes(record: dict[str, Any], seat: int | None) -> Any:
    """What the seat could notice, by an opinion that does not rest on the events of the rules; None where illegal."""
    try:
        if len(record["players"]) > 1:
            return witness(record, seat)[1]
        return [view_data(match.view(seat)) for match in prefixes(record)]
    except ValueError:
        return None


def prefixes(record: dict[str, Any]) -> Iterator[Any]:
    """The solo game after each of its moves."""
    (data,) = record["rounds"]
    for k in range(len(data["moves"]) + 1):
        yield replay({**record, "rounds": [{**data, "moves": data["moves"][:k]}]})


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_worlds_a_client_cannot_tell_apart_give_it_the_same_bytes(
    slug: str, players: int, crowd: list[TestClient]
) -> None:
    rng = random.Random(f"{slug} {players}")
    for seat in (rng.randrange(players), None):
        here, there = worlds(slug, players, rng, seat)
        told = play_through(crowd, here, seat)
        assert len(told) > 6 * len(here["rounds"][0]["moves"])
        assert told == play_through(crowd, there, seat)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("house", 4), ("premium", 5)])
def test_whole_matches_tell_nothing_to_their_end(slug: str, players: int, crowd: list[TestClient]) -> None:
    rng = random.Random(f"whole {slug}")
    here, there = worlds(slug, players, rng, 1, steps=10_000)
    told = play_through(crowd, here, 1)
    assert b'"status":"over"' in told[-1]
    assert told == play_through(crowd, there, 1)


def test_a_world_that_the_client_can_tell_apart_gives_it_other_bytes(crowd: list[TestClient]) -> None:
    rng = random.Random(5)
    tried = 0
    while tried < 3:
        record = start("modern", 3, rng, 14)
        other = shuffled_a_little(record, rng)
        if notes(other, 1) not in (None, notes(record, 1)):
            assert play_through(crowd, record, 1) != play_through(crowd, other, 1)
            tried += 1
