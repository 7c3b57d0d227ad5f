"""What is made for several seats at once is for each of them what is made for that seat alone."""

import random
from collections.abc import Iterator

import orjson
import pytest

from suitors.notation import CARD_NAMES
from suitors.server.domain import serializers
from suitors.server.domain.opening import opened
from suitors.server.domain.table import HostedTable, fold
from suitors.view.data import scene_data
from support.matches import TABLES


def played(slug: str, players: int, rng: random.Random) -> Iterator[HostedTable]:
    """A table at which a match is played to its end by chance, again and again; some moves are taken back."""
    table = HostedTable("x")
    table.apply(opened(1, slug, players, {}, open_=False, pace_ms=0, rest_s=0.0))
    for seat in range(players):
        table.apply({"kind": "sat", "seat": seat, "person": seat, "name": f"Player {seat}"})
    yield table
    table.apply({"kind": "started"})
    match = table.started_match
    while not match.over:
        yield table
        if match.to_deal:
            deck = [CARD_NAMES[card] for card in rng.sample(match.rules.box, match.rules.cards)]
            words = [""] * players
            table.apply({"kind": "dealt", "first": match.next_first[0], "deck": deck, "words": words, "seal": ""})
        else:
            mover = match.turn
            table.apply({"kind": "moved", "seat": mover, "move": rng.choice(match.legal()), "by": "person"})
            if rng.random() < 0.1 and not match.over:
                yield table
                table.apply({"kind": "taken-back", "seat": mover, "moves": 1})
    yield table


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_news_of_one_seat_do_not_depend_on_who_else_is_told(slug: str, players: int) -> None:
    seats = [None, *range(players)]
    for table in played(slug, players, random.Random(f"{slug} {players}")):
        since = max(0, table.state - 2)
        told = serializers.news(table, since, seats, lambda _: False)
        for seat in seats:
            assert told[seat] == serializers.news(table, since, [seat], lambda _: False)[seat]
            data = orjson.loads(told[seat])
            assert data["events"] == [serializers.event_data(table, k, seat) for k in range(since, table.state)]
            assert data["scene"] == (scene_data(table.match.view(seat)) if table.match else None)
            beside = [event["kind"] not in serializers.MATCH_ONLY for event, _ in table.events[since:]]
            assert serializers.seating_changed(table, since) == any(beside)
        if table.state % 10 == 0:
            anew = fold("x", [event for event, _ in table.events])
            assert serializers.news(anew, since, seats, lambda _: False) == told
