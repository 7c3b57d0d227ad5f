"""The bot that learnt: what it reads is what its seat knows, its files fit their games, and it plays legal moves."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from suitors.bots.expert import choose as expert
from suitors.bots.expert import has_learnt
from suitors.bots.learned.choosing import CUT, chances, choose
from suitors.bots.learned.network import DATA, BadNetwork, heads, load_network, network_for, read_head, write_network
from suitors.bots.learned.sight import sight
from suitors.envs.single import SingleTable
from suitors.fast.batch import all_games
from suitors.lab.acting import move_of
from suitors.lab.inputs import inputs
from suitors.lab.space import space
from suitors.rules import edition
from support.env_tables import Beside
from support.other_worlds import other_world, same_moves
from support.random_play import position
from support.repository import load_script

GAMES = all_games()
LEARNT = [("classic", 2), ("demo", 2), ("modern", 2), ("premium", 2), ("house", 2)]
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
        assert likely[choose(view, rng)] >= CUT
        assert expert(view, random.Random(1), 5.0) == expert(view, random.Random(1), None)


def test_it_has_learnt_every_edition_for_two() -> None:
    assert all(has_learnt(edition(slug, players)) for slug, players in LEARNT)
    assert {slug for slug, players in GAMES if players == 2} == {slug for slug, _ in LEARNT}


def test_its_files_are_small_and_say_what_they_are_for() -> None:
    sizes = [path.stat().st_size for path in heads()]
    assert max(sizes) <= 2 * MEGABYTE
    assert sum(sizes) <= 12 * MEGABYTE
    for path, head in heads().items():
        ed = edition(head["edition"], head["players"])
        assert path == DATA / f"{head['edition']}-{head['players']}.net"
        assert head["sizes"][0] == len(inputs(ed, head["score"]))
        assert load_network(path, ed).weights[-1].shape[1] == space(ed).actions
        assert {"seconds", "decisions", "plan"} <= read_head(path).keys()


def small(tmp_path: Path) -> Path:
    """A network of one small layer for two players."""
    path, ed = tmp_path / "classic-2.net", edition("classic", 2)
    first = np.linspace(-1, 1, len(inputs(ed, False)) * 3, dtype=np.float32).reshape(-1, 3)
    last = np.linspace(2, -2, 3 * space(ed).actions, dtype=np.float32).reshape(3, -1)
    layers = [(first, np.ones(3, np.float32)), (last, np.zeros(space(ed).actions, np.float32))]
    write_network(path, ed, False, layers, edition="classic", players=2)
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    network = load_network(small(tmp_path), edition("classic", 2))
    assert network.weights[0][:, 0] == pytest.approx(np.linspace(-1, 1, len(network.columns) * 3)[::3], abs=0.005)
    nothing, everything = np.zeros(207, np.int8), np.full(207, 1, np.int8)
    assert network.answers(nothing) == pytest.approx(np.ones(3) @ network.weights[1], abs=1e-5)
    assert not np.array_equal(network.answers(nothing), network.answers(everything))


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match="made for other cards"):
        load_network(small(tmp_path), edition("modern", 2))
    with pytest.raises(BadNetwork, match="No network was trained"):
        network_for(edition("premium", 8))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda whole: whole[:-1], "not those it was made with"),
        (lambda whole: whole[:-1] + b"x", "not those it was made with"),
        (lambda whole: b"[]" + whole, "does not begin with a line"),
        (lambda whole: whole.replace(b'"score": false', b'"score": 3'), "does not begin with a line"),
        (lambda whole: whole.replace(b'"format": 1', b'"format": 7'), "has the form 7, not 1"),
        (lambda whole: whole.replace(b"477, 3", b"477, 4"), "bytes of weights where"),
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
