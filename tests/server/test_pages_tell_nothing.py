"""Two matches that a seat cannot tell apart give it the same pages, byte by byte."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from suitors import Solo, fair
from suitors.game import open_match
from suitors.notation import CARD_OF
from suitors.records.record import replay
from suitors.rules import BOXES
from suitors.server.domain import commands
from suitors.view.data import view_data
from support.random_play import position, texts
from support.servers import change, in_process, json_of, key_of, new_person, new_table, next_decision
from support.witness import witness

DECKS: dict[str, list[dict[str, Any]]] = {}
"""The rounds that are dealt at a table, by its id."""

SEALS: dict[str, list[str]] = {}
"""The seals that a table shows: hashes with a secret salt, different for every secret."""

GAMES = [
    (slug, players)
    for slug, box in BOXES.items()
    for players in box.players
    if box.decks.get(players - 1) is not box.decks[players] or box.decks.get(players + 1) is not box.decks[players]
]
"""Every edition with the fewest and the most players that each of its decks is for."""


class Prescribing:
    """The module `fair`, but the decks of some tables are prescribed."""

    @staticmethod
    def draw(match: Any, secret: bytes, table: str, words: list[str]) -> fair.Deal:
        honest = fair.draw(match, secret, table, words)
        if table not in DECKS:
            return honest
        SEALS.setdefault(table, []).append(honest.seal)
        data = DECKS[table][len(match.rounds)]
        return fair.Deal(data["first"], tuple(int(CARD_OF[name]) for name in data["deck"]), honest.seal)

    def __getattr__(self, name: str) -> Any:
        return getattr(fair, name)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestClient]]:
    """Nine persons at a server where decks can be prescribed, the last of them a stranger who only watches."""
    with pytest.MonkeyPatch.context() as patch, in_process(tmp_path_factory.mktemp("pages")) as client:
        patch.setattr(commands, "fair", Prescribing())
        yield [new_person(client, f"P{k}") for k in range(9)]


def some_record(slug: str, players: int, rng: random.Random, steps: int) -> dict[str, Any]:
    """A match of so much random play."""
    if not BOXES[slug].solo:
        return position((slug, players, {}), rng, steps).record()
    solo = Solo(slug, ["P0"], rng=rng)
    while steps and not solo.over:
        solo.push(rng.choice(solo.moves()))
        steps -= 1
    return solo.record()


def noticed(record: dict[str, Any], seat: int | None) -> Any:
    """What the seat could notice, by an opinion that does not rest on the events of the rules; None where illegal."""
    try:
        if len(record["players"]) > 1:
            return witness(record, seat)[1]
        (dealt,) = record["rounds"]
        cuts = [{**dealt, "moves": dealt["moves"][:k]} for k in range(len(dealt["moves"]) + 1)]
        return [view_data(replay({**record, "rounds": [cut]}).view(seat)) for cut in cuts]
    except ValueError:
        return None


def shuffled_a_little(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of one deck elsewhere."""
    rounds = [{**dealt, "deck": dealt["deck"][:]} for dealt in record["rounds"]]
    deck = rng.choice(rounds)["deck"]
    for _ in range(rng.choice((1, 1, 2))):
        i, j = rng.sample(range(len(deck)), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return {**record, "rounds": rounds}


def twins(slug: str, players: int, rng: random.Random, seat: int | None, steps: int) -> tuple[Any, Any]:
    """A record, and another one that the seat cannot tell apart from it."""
    while True:
        record = some_record(slug, players, rng, steps)
        here = noticed(record, seat)
        for _ in range(60):
            other = shuffled_a_little(record, rng)
            if other != record and noticed(other, seat) == here:
                return record, other


class Onlooker:
    """All that the page of one person shows: by its socket, and whenever it is loaded anew."""

    def __init__(self, who: TestClient, table: dict[str, Any], know: str) -> None:
        self.who, self.id, self.lines = who, table["id"], list[bytes]()
        self.secrets = {self.id: b"TABLE", table["commitment"]: b"COMMITMENT"}
        self.cookies = {"cookie": f"suitors={key_of(who)}; suitors-reader=know={know}"}

    def note(self, raw: bytes) -> None:
        seals = {seal: b"SEAL %d" % index for index, seal in enumerate(SEALS[self.id])}
        for secret, mask in {**self.secrets, **seals}.items():
            raw = raw.replace(secret.encode(), mask)
        self.lines.append(re.sub(rb"x-request-id: [0-9a-f]{16}'", b"x-request-id: RANDOM", raw))

    def look(self, words: str, socket: WebSocketTestSession) -> None:
        """Load the page, and choose something that may make no sense."""
        for query in (f"?chosen={words.replace(' ', '+')}", "?seat=1"):
            answer = self.who.get(f"/tables/{self.id}{query}", headers=self.cookies)
            heads = sorted(f"{k}: {v}" for k, v in answer.headers.items() if k != "date")
            self.note(f"{answer.status_code} {heads} ".encode() + answer.content)
        socket.send_json({"chosen": words})
        self.hear(socket)

    def hear(self, socket: WebSocketTestSession) -> None:
        self.note(socket.receive_text().encode())


def looked_through(crowd: list[TestClient], record: dict[str, Any], seat: int | None, know: str) -> list[bytes]:
    """Play the record at a new table; what the page of this seat (None: the stranger's) showed."""
    players, rng = len(record["players"]), random.Random(1)
    wishes = {"options": record["options"], "open": True, "rest_s": 3600, "seats": [{}]}
    table = new_table(crowd[0], record["edition"], players, **wishes)
    DECKS[table["id"]] = record["rounds"]
    for k in range(1, players):
        json_of(change(crowd[k], "PUT", f"seats/{k}", table))
    json_of(change(crowd[0], "POST", "start", table))
    next_decision(dict(enumerate(crowd[:players])), table)
    onlooker = Onlooker(crowd[8 if seat is None else seat], table, know)
    match = open_match(record["edition"], record["players"], record["options"], dealt=False)
    with onlooker.who.websocket_connect(f"/tables/{table['id']}/page", headers=onlooker.cookies) as socket:
        onlooker.hear(socket)
        for number, dealt in enumerate(record["rounds"]):
            match.deal(dealt["deck"], dealt["first"])
            for who in crowd[:players] if number else ():
                json_of(change(who, "POST", "deal", table))
                onlooker.hear(socket)
            for move in dealt["moves"]:
                if len(onlooker.lines) < 80 or rng.random() < 0.1:
                    onlooker.look(rng.choice(texts(players)), socket)
                assert match.turn is not None
                json_of(change(crowd[match.turn], "POST", "moves", table, seat=match.turn, move=move))
                match.play(move)
                onlooker.hear(socket)
    return onlooker.lines


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_pages_of_matches_that_a_seat_cannot_tell_apart_are_the_same(
    slug: str, players: int, crowd: list[TestClient]
) -> None:
    rng = random.Random(f"pages {slug} {players}")
    for seat, know in ((rng.randrange(players), "off"), (rng.randrange(players), "on"), (None, "off")):
        here, there = twins(slug, players, rng, seat, 10 if know == "off" else 4)
        told = looked_through(crowd, here, seat, know)
        assert len(told) > 2 * len(here["rounds"][0]["moves"])
        assert told == looked_through(crowd, there, seat, know)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("house", 3)])
def test_pages_of_whole_matches_that_a_seat_cannot_tell_apart_are_the_same(
    slug: str, players: int, crowd: list[TestClient]
) -> None:
    rng = random.Random(f"whole pages {slug}")
    here, there = twins(slug, players, rng, 1, 10_000)
    told = looked_through(crowd, here, 1, "off")
    assert b'id=\\"rematch\\"' in told[-1]
    assert told == looked_through(crowd, there, 1, "off")


def test_pages_of_matches_that_a_seat_can_tell_apart_are_not_the_same(crowd: list[TestClient]) -> None:
    rng, tried = random.Random(5), 0
    while tried < 3:
        record = some_record("modern", 3, rng, 10)
        other = shuffled_a_little(record, rng)
        if noticed(other, 1) not in (None, noticed(record, 1)):
            assert looked_through(crowd, record, 1, "off") != looked_through(crowd, other, 1, "off")
            tried += 1
