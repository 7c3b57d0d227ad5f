"""The PettingZoo environment: its own tests, and what these do not ask."""

import random
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from pettingzoo.test import api_test, seed_test

from suitors import SuitorsError, actions
from suitors.envs import TurnsEnv, aec
from suitors.fast.batch import all_games
from suitors.lab.acting import move_of
from suitors.lab.space import SEAT, parts
from suitors.lab.vector import VectorEnv
from suitors.rules import Card
from suitors.rules.seats import has
from suitors.view import View
from support.env_tables import Beside, play_record
from support.other_worlds import other_world, same_moves
from support.own_editions import Drawn, own_editions
from support.random_play import position

GAMES = all_games()
SEEDS = 20


def seeded(make: Callable[[], TurnsEnv], shift: int) -> TurnsEnv:
    """An environment that takes other seeds than those it is given, and by which actions are drawn."""
    env = make()
    reset = env.reset

    def shifted(seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        reset(None if seed is None else seed + 1000 * shift, options)

    env.reset = shifted  # type: ignore[method-assign]
    for agent in env.possible_agents:
        env.action_space(agent).seed(shift)
    return env


def some_action(env: TurnsEnv, rng: random.Random) -> int:
    """A legal action of the agent whose turn it is."""
    return int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])))


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_it_passes_the_tests_of_pettingzoo_in_silence(slug: str, players: int, episode: Any) -> None:
    for seed in range(SEEDS):
        api_test(seeded(lambda: aec(slug, players, episode=episode), seed))
        seed_test(lambda seed=seed: seeded(lambda: aec(slug, players, episode=episode), seed))


@settings(max_examples=20)
@given(own_editions())
def test_editions_of_ones_own_pass_them_too(drawn: Drawn) -> None:
    own, players = drawn
    api_test(aec(own, players, episode="match", full=True), num_cycles=50)


def test_observations_with_the_mask_pass_them_too() -> None:
    env = aec("modern", 3, as_dict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tests know but a few games with observations of this kind
        api_test(env)
    env.reset(seed=1)
    observation = env.observe(env.agent_selection)
    assert env.observation_space(env.agent_selection).contains(observation)
    assert (observation["action_mask"] == env.infos[env.agent_selection]["action_mask"]).all()


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_masks_are_the_legal_moves(slug: str, players: int) -> None:
    rng, table, env = (
        random.Random(f"masks {slug}{players}"),
        actions(slug, players),
        aec(slug, players, episode="match"),
    )
    env.reset(seed=3)
    beside = Beside(env.single, slug)
    for _ in range(150):
        if env.single.over:
            break
        legal = [int(k) for k in np.flatnonzero(env.infos[env.agent_selection]["action_mask"])]
        moves = {move_of(env.single.table, env.single.space, action) for action in legal}
        assert sorted(moves) == sorted(beside.match.moves())
        assert len(moves) == len(legal)
        if env.agent_selection == "player_0":
            assert legal == table.legal(beside.match.view(0))
        action = some_action(env, rng)
        move = move_of(env.single.table, env.single.space, action)
        env.step(action)
        beside.follow(move)


def decoded(env: TurnsEnv, agent: str) -> dict[str, list[int]]:
    """An observation by the names of its parts."""
    numbers = env.observe(agent)
    return {part.name: numbers[part.start :][: part.length].tolist() for part in parts(env.single.rules)}


def counted(env: TurnsEnv, cards: Any) -> list[int]:
    """How many of each card of the deck there are among some."""
    found = Counter(cards)
    return [found[card] for card in Card if env.single.rules.copies[card]]


def check_decoded(env: TurnsEnv, view: View, me: int, players: int) -> None:
    """What an observation says of hands, cards that lie open and seats is what the view says."""
    found = decoded(env, f"player_{me}")
    assert found["table"][0] == view.deck
    assert found["hand"] == counted(env, view.hand)
    assert found["face up"] == counted(env, view.face_up)
    assert found["under the deck"] == counted(env, view.under.values())
    for seat in range(players):
        name = f"seat {(seat - me) % players}"
        marks = dict(zip(SEAT, found[name], strict=True))
        assert (marks["in round"], marks["protected"]) == (seat in view.standing, seat in view.protected)
        assert (marks["decides"], marks["tokens"]) == (view.turn == seat, view.tokens[seat])
        assert found[f"{name} pile"] == counted(env, view.piles[seat])
        assert seat == me or found[f"{name} known"] == counted(env, view.known[seat])


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_observations_decode_to_the_view(slug: str, players: int) -> None:
    rng, env = random.Random(f"decode {slug}{players}"), aec(slug, players, episode="match")
    env.reset(seed=4)
    beside = Beside(env.single, slug)
    for _ in range(60):
        if env.single.over:
            break
        for me in range(players):
            check_decoded(env, beside.match.view(me), me, players)
        action = some_action(env, rng)
        move = move_of(env.single.table, env.single.space, action)
        env.step(action)
        beside.follow(move)


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_twin_worlds_give_the_same_observations_and_masks(slug: str, players: int) -> None:
    rng, found = random.Random(f"twins {slug}{players}"), 0
    one, other = (aec(slug, players, episode="match", full=True) for _ in range(2))
    for _ in range(200):
        match = position((slug, players, {}), rng, rng.randrange(2, 20))
        if match.turn is None or found == 3:
            continue
        worlds = same_moves(match.record(), match.turn), same_moves(other_world(match, rng), match.turn)
        if worlds[0] and worlds[1] and worlds[0][1] == worlds[1][1] and worlds[0][0] != worlds[1][0]:
            assert seen_at_the_end(one, worlds[0][0].record()) == seen_at_the_end(other, worlds[1][0].record())
            found += 1
    assert found == 3


def seen_at_the_end(env: TurnsEnv, record: dict[str, Any]) -> tuple[str, bytes, bytes]:
    """Who decides at the end of a record, and all that the environment tells this agent."""
    env.reset()
    play_record(env.single, record)
    env._select()
    agent = env.agent_selection
    observation = env.observe(agent)
    return agent, observation.tobytes(), env.infos[agent]["action_mask"].tobytes()


def test_it_is_the_first_table_of_a_vector() -> None:
    rng, env = random.Random(5), aec("modern", 3, full=True)
    tables = VectorEnv("modern", 3, 1, full=True, seed=9)
    env.reset(seed=9)
    for _ in range(100):
        agent = env.agent_selection
        assert env.seats[agent] == tables.seats[0]
        assert np.array_equal(env.observe(agent), tables.observations[0])
        assert np.array_equal(env.infos[agent]["action_mask"], tables.masks[0])
        action = some_action(env, rng)
        env.step(action)
        tables.step([action])
        assert tables.over[0] == env.single.over
        if env.single.over:
            assert np.allclose(tables.rewards[0], [env.rewards[each] for each in env.agents])
            env.reset()


def test_agents_stay_until_the_end_and_may_win_though_they_are_out() -> None:
    rng, env, won_while_out = random.Random(6), aec("premium", 6), 0
    for seed in range(150):
        env.reset(seed=seed)
        before = out = 0
        while not env.single.over:
            assert env.agents == env.possible_agents
            before = env.single.table.standing
            env.step(some_action(env, rng))
        assert list(env.terminations.values()) == [True] * 6
        assert sum(env.rewards.values()) == pytest.approx(0)
        out = ~(before & env.single.table.standing)
        won_while_out += sum(has(out, seat) and env.single.table.tokens[seat] > 0 for seat in range(6))
        for _ in range(6):
            assert env.last()[2]
            env.step(None)
        assert env.agents == []
    assert won_while_out


def test_all_cards_are_in_the_state_and_only_where_it_was_asked_for() -> None:
    env = aec("modern", 3, state=True)
    env.reset(seed=2)
    state, single = env.state(), env.single
    assert env.state_space.contains(state)
    hands = [state[seat * single.space.size :][: single.space.size] for seat in range(3)]
    for seat in range(3):
        assert hands[seat][single.space.hand_at + single.space.kind[single.table.hand[seat]]] > 0
    left = [single.space.kind[card] + 1 for card in single.table.deck[single.table.top : single.table.bottom]]
    assert state[3 * single.space.size :][: len(left)].tolist() == left
    env = aec("modern", 3)
    env.reset(seed=2)
    with pytest.raises(NotImplementedError, match="state=True"):
        env.state()


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    env = aec("modern", 4)
    env.reset(seed=1)
    before = env.observe("player_0")
    illegal = int(np.argmin(env.infos[env.agent_selection]["action_mask"]))
    for wrong in (illegal, -1, 999, None, "guard", 1.5, True):
        with pytest.raises(SuitorsError, match=r"legal now|is a number from 0 to 67, not"):
            env.step(wrong)  # type: ignore[arg-type]
    assert np.array_equal(env.observe("player_0"), before)


def test_a_mask_that_was_written_in_makes_nothing_legal() -> None:
    env = aec("modern", 4)
    env.reset(seed=1)
    mask = env.last()[4]["action_mask"]
    illegal = int(mask.argmin())
    mask[:] = 1
    with pytest.raises(SuitorsError, match="legal now"):
        env.step(illegal)


def test_there_is_nothing_to_step_before_and_after_an_episode() -> None:
    env = aec("classic", 2)
    with pytest.raises(SuitorsError, match=r"reset\(\) begins one"):
        env.step(0)
    env.reset(seed=1)
    for _ in env.agent_iter():
        _, _, over, _, info = env.last()
        env.step(None if over else int(info["action_mask"].argmax()))
    with pytest.raises(SuitorsError, match=r"reset\(\) begins one"):
        env.step(None)


def test_numbers_may_be_those_of_numpy() -> None:
    players: Any = np.int64(2)
    env, other = aec("classic", players), aec("classic", 2)
    env.reset(seed=np.int32(-3))  # type: ignore[arg-type]
    other.reset(seed=-3)
    action: Any = np.array(env.last()[4]["action_mask"].argmax())
    assert env.action_space("player_0").contains(action)
    env.step(action)
    other.step(int(action))
    assert np.array_equal(env.observe("player_0"), other.observe("player_0"))
    wrong: Any
    for wrong in (1.5, "1"):
        with pytest.raises(SuitorsError, match="A seed is a whole number, not"):
            env.reset(seed=wrong)


def test_the_table_is_drawn_in_plain_letters() -> None:
    env = aec("classic", 2, render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert drawn is not None
    assert drawn.startswith("classic, round 1, 6 tokens win\n")
    assert "player_1" in drawn


@pytest.mark.parametrize(
    ("slug", "players", "more"),
    [
        ("nope", 2, {}),
        ("classic", 9, {}),
        ("classic", "two", {}),
        ("solitaire", 1, {}),
        ("classic", 2, {"episode": "week"}),
        ("classic", 2, {"render_mode": "human"}),
        ("classic", 2, {"options": {"nope": 1}}),
        ({"base": "modern", "cards": {"guard": 2}}, 2, {}),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(slug: Any, players: Any, more: dict[str, Any]) -> None:
    with pytest.raises(SuitorsError, match=r" .* .*\.$"):
        aec(slug, players, **more)
