"""One rulebook, three ways: every field after every move is the same, interpreted, compiled and on a GPU.

Compiling takes a quarter of a minute for each layout of a table. So the compiled rules play every edition at wide
tables, which are all of one layout and poisoned beyond the edition's lengths, and the largest game at its own.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from suitors.fast.batch import Batch, all_games, random_matches
from suitors.fast.games import STATE, random_match, seed_chance
from suitors.fast.layout import table_type, to_table
from suitors.rules import (
    BLANK,
    Edition,
    Option,
    Phase,
    Refusal,
    Table,
    count_moves,
    deal,
    edition,
    new_table,
    nth_move,
    pack,
    play,
    starters,
    why_not,
)
from suitors.rules.seats import nth, size
from support.gpu import GPU
from support.wide_tables import WideBatch

TABLES = 6
STEPS = 120

Variant = tuple[str, int, Mapping[str, Option]]
VARIANTS: list[Variant] = [
    *((slug, players, {}) for slug, players in all_games()),
    ("premium", 6, {"sycophant_on_actor": "free", "bishop_names_one": False}),
    ("premium", 3, {"premium_match_tie": "share"}),
    ("house", 2, {"house_full_tie": "none"}),
]
EXACT = table_type(edition("premium", 8))
"""The layout whose exact lengths are compiled, as they are for the documentation."""


def ways() -> Iterator[Any]:
    """Every variant in every way that it is played."""
    for variant in VARIANTS:
        yield (*variant, "wide")
        if table_type(edition(*variant)) == EXACT:
            yield (*variant, "compiled")
        yield pytest.param(*variant, "cuda", marks=GPU)


def make_batch(way: str, slug: str, players: int, options: Mapping[str, Option]) -> Batch:
    if way == "wide":
        return WideBatch(slug, players, TABLES, options)
    if way == "compiled":
        return Batch(slug, players, TABLES, options, threads=1)
    from suitors.fast.cuda import CudaBatch  # noqa: PLC0415 - only where there is a GPU

    return CudaBatch(slug, players, TABLES, options)


def fields(t: Table) -> dict[str, Any]:
    """All fields as plain numbers; of the rows only those in use."""
    values: dict[str, Any] = {}
    for name, value in vars(t).items():
        values[name] = [int(number) for number in value] if isinstance(value, list) else int(value)
    return values | {"rows": t.rows[: t.told]}


def assert_same(batch: Batch, tables: list[Table]) -> None:
    found = batch.exact() if isinstance(batch, WideBatch) else [to_table(record) for record in batch.tables]
    for compiled, t in zip(found, tables, strict=True):
        assert fields(compiled) == fields(t)


def deal_all(batch: Batch, tables: list[Table], ed: Edition, rng: random.Random) -> None:
    """Start a round wherever one has to start, both ways."""
    decks = [rng.sample(ed.box, ed.cards) for _ in tables]
    first = [nth(starters(t, ed), rng.randrange(size(starters(t, ed)))) for t in tables]
    due = [t.phase == Phase.DEAL for t in tables]
    for t, deck, seat, now in zip(tables, decks, first, due, strict=True):
        if now:
            deal(t, ed, deck, seat)
    assert batch.deal(decks, first).tolist() == due


def any_move(rng: random.Random) -> int:
    """Any packed move, most often an illegal one."""
    places = [rng.choice([BLANK, *range(10)]) for _ in range(3)]
    return pack(rng.randrange(24), *places)


@pytest.mark.parametrize(("slug", "players", "options", "way"), list(ways()))
def test_every_field_after_every_move(slug: str, players: int, options: Mapping[str, Option], way: str) -> None:
    ed, rng = edition(slug, players, options), random.Random(f"{slug} {players}")
    batch, tables = make_batch(way, slug, players, options), [new_table(ed) for _ in range(TABLES)]
    for _ in range(STEPS):
        deal_all(batch, tables, ed, rng)
        assert_same(batch, tables)
        legal, counts = batch.legal()
        expected = [[nth_move(t, ed, k) for k in range(count_moves(t, ed))] for t in tables]
        assert [row[:n].tolist() for row, n in zip(legal, counts, strict=True)] == expected
        tried = [any_move(rng) if rng.random() < 0.2 else rng.choice(row or [0]) for row in expected]
        refusals = [int(why_not(t, ed, move)) for t, move in zip(tables, tried, strict=True)]
        for t, move, refusal in zip(tables, tried, refusals, strict=True):
            if refusal == Refusal.FINE:
                play(t, ed, move)
        assert batch.step(tried).tolist() == refusals
        assert_same(batch, tables)


def random_results(way: str, slug: str, players: int, matches: int, seed: int) -> list[tuple[int, int, int]]:
    """The winners, rounds and moves of random matches."""
    if way == "interpreted":
        ed, rng = edition(slug, players), [0] * STATE
        t, order, found = new_table(ed), [0] * ed.cards, []
        for game in range(matches):
            seed_chance(rng, seed, game)
            length = random_match(t, ed, order, rng)
            found.append((t.champions, length >> 32, length & 0xFFFFFFFF))
        return found
    if way == "compiled":
        results = random_matches(slug, players, matches, seed, threads=2)
    else:
        from suitors.fast import cuda  # noqa: PLC0415 - only where there is a GPU

        results = cuda.random_matches(slug, players, matches, seed)
    return list(zip(results.winners.tolist(), results.rounds.tolist(), results.moves.tolist(), strict=True))


RANDOM = [("classic", 2), ("modern", 6), ("premium", 8)]


@pytest.mark.parametrize(
    ("slug", "players", "way"),
    [
        ("classic", 2, "compiled"),  # as for the documentation; the rules of the others are compared above
        *(pytest.param(*game, "cuda", marks=GPU) for game in RANDOM),
    ],
)
def test_random_matches_are_the_same(slug: str, players: int, way: str) -> None:
    seed = (1 << 40) + 7
    assert random_results(way, slug, players, 40, seed) == random_results("interpreted", slug, players, 40, seed)
