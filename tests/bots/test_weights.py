"""The trained weights: what the file says of itself, and that it is read by the names of cards."""

import hashlib
import json
import struct
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from math import isfinite, prod
from pathlib import Path
from typing import Any

import pytest

from suitors.bots.engine import policy as engine
from suitors.bots.weights import (
    CARD,
    FEATURES,
    GAMES,
    PARTS,
    PATH,
    BadPolicy,
    Policy,
    deck_of,
    game_of,
    read_policy,
    searchers,
    shipped,
    weights,
)
from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, Card, edition
from suitors.rules.names import CARDS
from support.matches import TABLES

TRAINED = {
    "16-2": "adfb46a7f166f14f",
    "16-3+": "679d3ca97b7e508d",
    "21-2": "d6313a674ce0d9ef",
    "21-3+": "8f3c3ccfb8003060",
    "32-5+": "ab7fb15045407e42",
}
"""What came of the training, hashed: all weights of a game in the order of the file's cards."""


def digest(numbers: list[float]) -> str:
    return hashlib.sha256(struct.pack(f"<{len(numbers)}f", *numbers)).hexdigest()[:16]


@pytest.mark.parametrize("game", GAMES)
def test_the_weights_are_those_that_were_trained(game: str) -> None:
    assert digest(shipped().rows[game]) == TRAINED[game]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_deck_of_trained_cards_has_the_weights_of_its_game(slug: str, players: int) -> None:
    ed = edition(slug, players)
    game = game_of(ed)
    if deck_of(ed) <= shipped().trained[game]:
        assert weights(ed) == shipped().part("weights", game)


def test_the_groups_are_laid_out_as_the_policy_reads_them() -> None:
    sizes = [prod(axis if isinstance(axis, int) else CARDS for axis in shape) for shape in FEATURES.values()]
    starts = dict(zip(FEATURES, accumulate([0, *sizes]), strict=False))
    assert starts == {name: getattr(engine, name) for name in FEATURES}
    assert sum(sizes) == engine.WEIGHTS
    assert len(shipped().part("appraisals", GAMES[0])) == engine.WORTH


# Other cards


def rewritten(path: Path, change: Callable[[dict[str, Any]], None], cards: list[str]) -> Policy:
    """A file like the shipped one, but with these cards, in this order, and a header changed in some way."""
    head = json.loads(PATH.read_bytes().partition(b"\n")[0]) | {"cards": cards}
    change(head)
    numbers: list[float] = []
    for game in GAMES:
        for part, groups in PARTS.items():
            whole = iter(shipped().part(part, game))
            for shape in groups.values():
                numbers += chosen(whole, shape, cards)
    path.write_bytes(json.dumps(head).encode() + b"\n" + struct.pack(f"<{len(numbers)}f", *numbers))
    return read_policy(path)


def chosen(whole: Any, shape: tuple[int | str, ...], cards: list[str]) -> list[float]:
    """A group of weights for these cards alone."""
    if not shape:
        return [next(whole)]
    first, *rest = shape
    length = first if isinstance(first, int) else CARDS
    rows = [chosen(whole, tuple(rest), cards) for _ in range(length)]
    if first == CARD:
        rows = [rows[CARD_NAMES.index(name)] for name in cards]
    elif isinstance(first, str):
        rows = rows[: len(cards)]
    return [number for row in rows for number in row]


def nothing(head: dict[str, Any]) -> None:
    """Change nothing."""


@pytest.mark.parametrize("part", PARTS)
def test_a_file_without_a_card_that_came_later_gives_the_others_the_same_weights(part: str, tmp_path: Path) -> None:
    older = rewritten(tmp_path / "older.bin", nothing, [name for name in reversed(CARD_NAMES) if name != "spy"])
    for slug, players in TABLES:
        deck = deck_of(edition(slug, players))
        if "spy" not in deck:
            game = game_of(edition(slug, players))
            now, then = shipped().part(part, game, deck), older.part(part, game, deck)
            differ = [place for place, (a, b) in enumerate(zip(now, then, strict=True)) if a != b]
            assert all(then[place] == 0 for place in differ)
            assert len(differ) < 2 * len(now) / CARDS + 1


def test_a_card_that_no_game_knows_has_what_is_usual(tmp_path: Path) -> None:
    older = rewritten(tmp_path / "older.bin", nothing, [name for name in CARD_NAMES if name != "spy"])
    ed = edition("modern", 2)
    found = older.part("weights", game_of(ed), deck_of(ed))
    known = [found[engine.KEPT + card] for card in Card if ed.copies[card] and card != Card.SPY]
    assert min(known) <= found[engine.KEPT + Card.SPY] <= max(known)
    assert all(map(isfinite, found))


def test_a_card_that_is_new_to_a_deck_has_its_weights_from_another_game() -> None:
    small = edition("classic", 2)
    with_spies = replace(small, copies=tuple(2 if card == Card.SPY else small.copies[card] for card in Card))
    duel = engine.PLAYS + engine.STAGES * CARDS * CARDS
    cell = duel + Card.SPY * CARDS + Card.GUARD
    assert weights(with_spies)[cell] == weights(edition("modern", 2))[cell] != 0
    cell = duel + Card.GUARD * CARDS + Card.KING
    assert weights(with_spies)[cell] == weights(small)[cell] != 0


def test_what_was_fitted_to_a_bot_is_for_three_and_more() -> None:
    for slug, players in TABLES:
        ed = edition(slug, players)
        assert (searchers(ed) == weights(ed)) == (players == 2)


def test_every_edition_has_a_game_of_about_its_size() -> None:
    assert {game_of(edition(slug, players)) for slug, players in TABLES} == set(GAMES)
    assert all(game_of(edition(slug, 2)).endswith("-2") for slug, box in BOXES.items() if 2 in box.players)


# Files that do not fit


def test_other_features_are_refused(tmp_path: Path) -> None:
    def longer(head: dict[str, Any]) -> None:
        head["parts"]["weights"]["KEPT"] = [4, "card"]

    with pytest.raises(BadPolicy, match="other features or games"):
        rewritten(tmp_path / "other.bin", longer, list(CARD_NAMES))


def test_cards_that_there_are_not_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(PATH.read_bytes().replace(b'"jester"', b'"joker"', 1))
    with pytest.raises(BadPolicy, match="cards that there are not: joker"):
        read_policy(path)


def test_a_file_that_is_too_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.bin"
    path.write_bytes(PATH.read_bytes()[:-3])
    with pytest.raises(BadPolicy, match="bytes of weights where"):
        read_policy(path)


@pytest.mark.parametrize("start", [b"", b"\n", b"{}\n", b"[1]\n", b"\x00\xff\n"])
def test_a_file_that_says_nothing_of_itself_is_refused(start: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plain.bin"
    path.write_bytes(start + PATH.read_bytes().partition(b"\n")[2])
    with pytest.raises(BadPolicy, match="what it was made for"):
        read_policy(path)


@pytest.mark.parametrize("games", [None, [], ["16-2"], {"16-2": None}])
def test_a_header_of_another_form_is_refused(games: object, tmp_path: Path) -> None:
    with pytest.raises(BadPolicy):
        read_policy(with_header(tmp_path, games=games))


@pytest.mark.parametrize("cards", [[], ["joker"], "guard"])
def test_games_trained_with_no_cards_or_unknown_ones_are_refused(cards: object, tmp_path: Path) -> None:
    with pytest.raises(BadPolicy, match="with which cards each game was trained"):
        read_policy(with_header(tmp_path, games=dict.fromkeys(GAMES, cards)))


def test_weights_that_are_not_numbers_are_refused(tmp_path: Path) -> None:
    line, _, body = PATH.read_bytes().partition(b"\n")
    path = tmp_path / "nan.bin"
    path.write_bytes(line + b"\n" + b"\x00\x00\xc0\x7f" + body[4:])
    with pytest.raises(BadPolicy, match="not numbers"):
        read_policy(path)


def with_header(folder: Path, **changes: object) -> Path:
    """The shipped file with some keys of its header changed."""
    line, _, body = PATH.read_bytes().partition(b"\n")
    path = folder / "changed.bin"
    path.write_bytes(json.dumps(json.loads(line) | changes).encode() + b"\n" + body)
    return path
