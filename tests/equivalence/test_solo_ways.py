"""The solo rules, interpreted and compiled: every field after every move is the same."""

import random
from typing import Any

import numpy as np
import pytest

from suitors.fast import kernels
from suitors.fast.layout import edition_record, solo_type
from suitors.rules import ALONE, Edition, Option, Phase, SoloTable, edition, pack

TABLES = 40
MOST = 120
SETTINGS: list[dict[str, Option]] = [{}, {"solo_prince": "remove", "solo_last_card": "strict"}]


def as_dict(t: SoloTable) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in vars(t).items():
        values[name] = [int(number) for number in value] if isinstance(value, list) else int(value)
    return values | {"rows": t.rows[: t.told]}


def from_record(record: Any) -> dict[str, Any]:
    values = {name: record[name].tolist() for name in record.dtype.names}
    return values | {"rows": values["rows"][: values["told"]]}


def some_move(t: SoloTable, ed: Edition, rng: random.Random) -> int:
    game = ALONE
    legal = [game.nth_move(t, ed, k) for k in range(game.count_moves(t, ed))]
    if not legal or rng.random() < 0.2:
        return pack(rng.randrange(26), *(rng.choice([31, *range(10)]) for _ in range(3)))
    return rng.choice(legal)


@pytest.mark.parametrize("options", SETTINGS, ids=["plain", "switched"])
def test_every_field_after_every_move(options: dict[str, Option]) -> None:
    ed, rng = edition("solitaire", 1, options), random.Random(3)
    game, record = ALONE, edition_record(ed)
    tables = [game.new_table(ed) for _ in range(TABLES)]
    batch = np.zeros(TABLES, solo_type(ed, quiet=False))
    decks = [rng.sample(ed.box, ed.cards) for _ in tables]
    for t, deck in zip(tables, decks, strict=True):
        game.deal(t, ed, deck, 0)
    kernels.deal_solos(batch, record, np.array(decks, np.int64))
    while any(t.phase != Phase.OVER for t in tables):
        assert [from_record(row) for row in batch] == [as_dict(t) for t in tables]
        counts, legal = np.zeros(TABLES, np.int64), np.zeros((TABLES, MOST), np.int64)
        kernels.list_solos(batch, record, counts, legal)
        expected = [[game.nth_move(t, ed, k) for k in range(game.count_moves(t, ed))] for t in tables]
        assert [row[:n].tolist() for row, n in zip(legal, counts, strict=True)] == expected
        moves, refusals = [some_move(t, ed, rng) for t in tables], np.zeros(TABLES, np.int64)
        kernels.step_solos(batch, record, np.array(moves, np.int64), refusals)
        assert refusals.tolist() == [int(game.why_not(t, ed, move)) for t, move in zip(tables, moves, strict=True)]
        for t, move, refusal in zip(tables, moves, refusals, strict=True):
            if refusal == 0:
                game.play(t, ed, move)
