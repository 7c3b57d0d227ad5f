"""The bot that learnt: what it reads is what its seat knows, its files fit their games, and it plays legal moves."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import suitors
from suitors import Card, Match
from suitors.bots.expert import choose as expert
from suitors.bots.expert import has_learnt
from suitors.bots.learned import searching
from suitors.bots.learned.choosing import CUT, chances, choose
from suitors.bots.learned.network import (
    DATA,
    FORMAT,
    BadNetwork,
    editions,
    heads,
    load_network,
    network_for,
    read_head,
    write_network,
)
from suitors.bots.learned.sight import sight
from suitors.envs.single import SingleTable
from suitors.fast.batch import all_games
from suitors.lab.acting import move_of
from suitors.lab.inputs import inputs
from suitors.lab.sizes import actions_at, common_inputs, inputs_at
from suitors.lab.space import space
from suitors.rules import edition, own_slug
from suitors.view.match import View
from support.env_tables import Beside
from support.other_worlds import other_world, same_moves
from support.random_play import position
from support.repository import load_script
from support.scenes import NAMES

GAMES = all_games()
LEARNT = [(slug, 2) for slug in ("classic", "demo", "modern", "premium", "house")] + [
    ("classic", 4),
    ("demo", 3),
    ("modern", 5),
    ("premium", 3),
    ("premium", 8),
    ("house", 3),
]
"""A game of every network, and more than one of some."""

UNLEARNT: set[str] = set()
"""Editions for which no network has been trained: the search plays them."""

MEGABYTE = 1 << 20


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_its_sight_is_the_observation_of_the_laboratory(slug: str, players: int) -> None:
    rng = random.Random(f"sight {slug}{players}")
    single = SingleTable(edition(slug, players), episode="match", full=True)
    for seed in range(3):
        single.seed(seed)
        single.begin()
        beside = Beside(single, slug)
        while not single.over:
            seat = single.table.decider
            assert sight(beside.match.view(seat)).numbers == single.observe(seat).tolist()
            action = rng.choice(single.legal())
            move = move_of(single.table, single.space, action)
            single.act(action)
            beside.follow(move)


@pytest.mark.parametrize(("slug", "players"), LEARNT)
def test_it_decides_the_same_in_worlds_that_its_seat_cannot_tell_apart(slug: str, players: int) -> None:
    rng, found = random.Random(f"twins {slug}{players}"), 0
    for _ in range(200):
        match = position((slug, players, {}), rng, rng.randrange(2, 20))
        if match.turn is None or found == 3:
            continue
        worlds = same_moves(match.record(), match.turn), same_moves(other_world(match, rng), match.turn)
        if worlds[0] and worlds[1] and worlds[0][1] == worlds[1][1] and worlds[0][0] != worlds[1][0]:
            one, other = (world[0].view(match.turn) for world in worlds if world)
            assert sight(one).numbers == sight(other).numbers
            assert not one.legal or chances(one, network_for(one.rules)) == chances(other, network_for(one.rules))
            found += 1
    assert found == 3


@pytest.mark.parametrize(("slug", "players"), LEARNT)
def test_it_plays_legal_moves_by_its_chances(slug: str, players: int) -> None:
    rng = random.Random(f"chances {slug}")
    for _ in range(20):
        match = position((slug, players, {}), rng, rng.randrange(1, 20))
        if match.turn is None:
            continue
        view = match.view(match.turn)
        likely = chances(view, network_for(view.rules))
        assert list(likely) == list(view.legal)
        assert sum(likely.values()) == pytest.approx(1)
        chosen = choose(view, rng)
        assert likely[chosen] >= CUT
        if players > 2:
            assert likely[chosen] == max(likely.values())


def test_it_has_learnt_every_game() -> None:
    missing = {slug for slug, players in GAMES if not has_learnt(edition(slug, players))}
    assert missing == UNLEARNT, "train a network (docs/learning.md), or add the edition to UNLEARNT"


def likely_moves() -> dict[str, dict[str, float]]:
    """What the networks say of the first decision of some matches."""
    found = {}
    for slug, players in (("classic", 2), ("modern", 4), ("premium", 8)):
        match = Match(slug, NAMES[:players], seed=1)
        view = match.view(match.turn)
        found[f"{slug}-{players}"] = chances(view, network_for(view.rules))
    return found


def test_a_new_card_leaves_the_networks_of_other_decks_as_they_are(tmp_path: Path) -> None:
    package = tmp_path / "suitors"
    shutil.copytree(Path(suitors.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    names = package / "rules" / "names.py"
    with_priest = names.read_text("utf-8").partition("    PRIEST = auto()\n")
    assert with_priest[1]
    names.write_text("".join([*with_priest[:2], "    NEWCOMER = auto()\n", with_priest[2]]), "utf-8")
    program = (
        "import json, test_learned, suitors; "
        "print(json.dumps([suitors.__file__, suitors.Card.BARON, test_learned.likely_moves()]))"
    )
    paths = os.pathsep.join(map(str, (tmp_path, Path(__file__).parent, Path(__file__).parents[1])))
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    where, baron, moves = json.loads(done.stdout)
    assert Path(where).is_relative_to(tmp_path)
    assert baron == Card.BARON + 1
    for game, likely in likely_moves().items():
        assert moves[game] == pytest.approx(likely)


@pytest.mark.parametrize("players", [2, 3])
def test_it_plays_by_the_network_alone_until_the_search_is_loaded(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = next(view for view in views("classic", players, random.Random(1)) if len(view.legal) > 1)
    monkeypatch.setattr("suitors.bots.expert.is_loaded", lambda: False)
    monkeypatch.setattr(searching, "choose", lambda *_: "searched")
    assert expert(view, random.Random(1), 5.0) == choose(view, random.Random(1))
    monkeypatch.setattr("suitors.bots.expert.is_loaded", lambda: True)
    assert expert(view, random.Random(1), 5.0) == "searched"


@pytest.mark.parametrize("players", [2, 3])
def test_it_plays_by_the_network_alone_where_nothing_can_be_compiled(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = next(view for view in views("classic", players, random.Random(2)) if len(view.legal) > 1)
    monkeypatch.setattr("suitors.bots.expert.available", lambda: False)
    assert expert(view, random.Random(1), None) == choose(view, random.Random(1))


def views(slug: str, players: int, rng: random.Random) -> Iterator[View]:
    """What those who decide see in matches by chance."""
    for _ in range(50):
        match = position((slug, players, {}), rng, rng.randrange(1, 20))
        if match.turn is not None:
            yield match.view(match.turn)


def test_its_files_are_small_and_say_what_they_are_for() -> None:
    sizes = [path.stat().st_size for path in heads()]
    assert max(sizes) <= 2 * MEGABYTE
    assert sum(sizes) <= 12 * MEGABYTE
    for path, head in heads().items():
        eds = editions(head["edition"], head["players"])
        ends = sorted({head["players"][0], head["players"][-1]})
        assert path == DATA / f"{'-'.join([head['edition'], *map(str, ends)])}.net"
        assert head["sizes"][0] == len(common_inputs(eds, head["score"]))
        for ed in eds:
            assert len(load_network(path, ed).actions) == space(ed).actions
        assert {"seconds", "decisions", "plan"} <= read_head(path).keys()
        assert head["figures"]


def small(tmp_path: Path) -> Path:
    """A network of one small layer for two players."""
    path, ed = tmp_path / "classic-2.net", edition("classic", 2)
    first = np.linspace(-1, 1, len(inputs(ed, False)) * 3, dtype=np.float32).reshape(-1, 3)
    last = np.linspace(2, -2, 3 * space(ed).actions, dtype=np.float32).reshape(3, -1)
    layers = [(first, np.ones(3, np.float32)), (last, np.zeros(space(ed).actions, np.float32))]
    write_network(path, "classic", [2], False, layers)
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    network = load_network(small(tmp_path), edition("classic", 2))
    first, last = network.layers.weights
    assert first[:, 0] == pytest.approx(np.linspace(-1, 1, len(network.columns) * 3)[::3], abs=0.005)
    nothing, everything = np.zeros(207, np.int8), np.full(207, 1, np.int8)
    assert network.answers(nothing) == pytest.approx(np.ones(3) @ last, abs=1e-5)
    assert not np.array_equal(network.answers(nothing), network.answers(everything))


@pytest.mark.parametrize(("slug", "players"), LEARNT)
def test_it_answers_many_observations_at_once_as_one_after_the_other(slug: str, players: int) -> None:
    network, rng = network_for(edition(slug, players)), np.random.default_rng(players)
    alike = np.tile(rng.integers(0, 3, space(edition(slug, players), full=True).size, np.int8), (7, 1))
    for row in alike[1:]:
        row[rng.integers(0, len(row), 5)] ^= 1
    found = network.answers_to_all(alike)
    assert len({row.tobytes() for row in found}) > 1
    for row, answers in zip(alike, found, strict=True):
        assert answers == pytest.approx(network.answers(row), abs=1e-3)


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match="made for other cards"):
        load_network(small(tmp_path), edition("modern", 2))
    own = own_slug({"base": "classic", "cards": {"guard": 4, "priest": 2, "baron": 2, "princess": 1}})
    with pytest.raises(BadNetwork, match="No network was trained"):
        network_for(edition(own, 2))


@pytest.mark.parametrize(
    ("base", "values"),
    [("classic", {"guard": 8, "princess": 1}), ("classic", {"king": 8}), ("premium", {"princess": 9})],
)
def test_a_deck_whose_cards_rank_otherwise_or_are_named_by_other_numbers_has_no_network(
    base: str, values: dict[str, int]
) -> None:
    own = edition(own_slug({"base": base, "values": values}), 2)
    assert not has_learnt(own)
    with pytest.raises(BadNetwork, match="made for other cards"):
        load_network(DATA / f"{base}-2.net", own)


def test_a_deck_of_other_values_in_the_same_order_keeps_its_network() -> None:
    own = edition(own_slug({"base": "house", "values": {"princess": 9}}), 2)
    assert has_learnt(own)


def test_games_of_one_file_share_its_weights() -> None:
    own = edition(own_slug({"base": "classic", "goals": {"2": 3}}), 2)
    games = [edition("classic", 2), edition("demo", 2), own]
    assert len({id(network_for(ed).layers) for ed in games}) == 1
    assert network_for(edition("premium", 5)).layers is network_for(edition("premium", 8)).layers


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda whole: whole[:-1], "not those it was made with"),
        (lambda whole: whole[:-1] + b"x", "not those it was made with"),
        (lambda whole: b"[]" + whole, "does not begin with a line"),
        (lambda whole: whole.replace(b'"score": false', b'"score": 3'), "does not begin with a line"),
        (lambda whole: whole.replace(b'"format": %d' % FORMAT, b'"format": 77'), f"has the form 77, not {FORMAT}"),
        (lambda whole: whole.replace(b"477, 3", b"477, 4"), "not layers of"),
        (lambda whole: whole.replace(b"[477, 3, 30]", b"[]"), "not layers of"),
        (lambda whole: whole.replace(b"477, 3", b'477, "x"'), "not layers of"),
        (lambda whole: b"", "does not begin with a line"),
    ],
)
def test_a_damaged_network_is_refused(tmp_path: Path, spoil: Callable[[bytes], bytes], said: str) -> None:
    path = small(tmp_path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(BadNetwork, match=said):
        load_network(path, edition("classic", 2))


def test_tables_for_training_are_those_of_matches() -> None:
    assert load_script("tools/train/check.py").check("modern", 3, 40) >= 40


@pytest.mark.parametrize(("slug", "sizes"), [("classic", (3, 4)), ("modern", (3, 4, 5, 6)), ("premium", (5, 6, 7, 8))])
def test_questions_and_actions_mean_the_same_at_tables_of_all_sizes(slug: str, sizes: tuple[int, ...]) -> None:
    eds = [edition(slug, n) for n in sizes]
    widest = space(eds[-1])
    for ed in eds:
        here = space(ed)
        assert [widest.move[number] for number in actions_at(ed, eds[-1])] == list(here.move)
        own, common = inputs(ed, True), inputs_at(ed, eds, True)
        assert len(common) == len(common_inputs(eds, True))
        assert set(own) <= set(common)
        seats = [question for question in common if question.low == 0]
        assert len(seats) == ed.players - sizes[0]
    assert inputs_at(eds[0], eds[:1], True) == inputs(eds[0], True)
