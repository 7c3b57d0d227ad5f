"""The Gymnasium environments: their checker, masks and observations beside the games, and what bots may see."""

import random
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from suitors import Card, Solo, SuitorsError, actions
from suitors.bots import BOTS
from suitors.envs import Learner, Solitaire
from suitors.envs.solitaire import CARDS, PARTS, PHASES
from suitors.rules import BOXES
from suitors.view.solo import SoloView

SOLO = [slug for slug, box in BOXES.items() if box.solo]


def play(env: Any, rng: random.Random, steps: int) -> list[float]:
    """Play at random; what each episode was worth."""
    worth, over = list[float](), True
    for _ in range(steps):
        if over:
            env.reset()
        _, reward, over, truncated, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        assert not truncated
        worth += [reward] if over else []
    return worth


@pytest.mark.parametrize("slug", SOLO)
def test_solitaire_passes_the_checker_of_gymnasium(slug: str) -> None:
    check_env(Solitaire(slug), skip_render_check=True)
    check_env(Solitaire(slug, options={"solo_prince": "remove"}, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("slug", [slug for slug, box in BOXES.items() if not box.solo])
def test_the_learner_passes_it_in_every_edition(slug: str, episode: Any) -> None:
    for players in BOXES[slug].players:
        check_env(Learner(["random"] * (players - 1), slug, episode=episode), skip_render_check=True)


def test_both_can_be_made_by_their_names() -> None:
    assert isinstance(gymnasium.make("suitors/Solitaire-v1").unwrapped, Solitaire)
    learner = gymnasium.make("suitors/Learner-v1", bots=["novice", "random"], edition="classic").unwrapped
    assert isinstance(learner, Learner)
    assert learner.single.rules.players == 3


# Solitaire beside the game


def decoded(numbers: Any) -> dict[str, Any]:
    """An observation of the solo game by the names of its parts."""
    return {part.name: numbers[part.start :][: part.length].tolist() for part in PARTS}


def counted(cards: Any) -> list[int]:
    found = Counter(cards)
    return [found[card] for card in CARDS]


def laid(card: Card | None) -> list[int]:
    """A card in its place as an observation has it."""
    return [1, int(card is not None), *counted([card])]


def check_view(numbers: Any, view: SoloView) -> None:
    found, nothing = decoded(numbers), [0] * (2 + len(CARDS))
    assert found["phase"] == [view.phase == phase for phase in PHASES]
    assert found["table"] == [view.pile, view.protected, view.guarded]
    assert found["hand"] == counted(view.hand)
    assert found["calling"] == counted([view.calling])
    assert found["attacker"] == counted([view.attacker])
    assert found["discards"] == counted(view.discards)
    assert found["agent"] == (laid(view.agent[0]) if view.agent else nothing)
    queue = [laid(card) for card in view.queue]
    assert [found[f"queue {place}"] for place in range(7)] == queue + [nothing] * (7 - len(queue))


@pytest.mark.parametrize("slug", SOLO)
def test_solitaire_says_what_the_view_says(slug: str) -> None:
    rng, env, table = random.Random(slug), Solitaire(slug), actions(slug, 1)
    won = 0.0
    for seed in range(60):
        numbers, info = env.reset(seed=seed)
        game, over = Solo(slug, dealt=False), False
        game.deal([Card(card) for card in env.table.deck[: env.rules.cards]])
        while not over:
            view = game.view(0)
            check_view(numbers, view)
            legal = [int(action) for action in np.flatnonzero(info["action_mask"])]
            assert legal == table.legal(view)
            action = table.id(view, BOTS["novice"](view, rng, None)) if seed % 2 else rng.choice(legal)
            game.play(table.text(view, action))
            numbers, reward, over, _, info = env.step(action)
        check_view(numbers, game.view(0))
        assert reward == float(game.view(0).won is True)
        won += reward
    assert 0 < won < 60


def test_what_lies_face_down_in_solitaire_changes_no_observation() -> None:
    rng = random.Random(3)
    for seed in range(30):
        env = Solitaire()
        before, _ = env.reset(seed=seed)
        t = env.table
        hidden = [place for place in range(t.length) if not t.up[place] and t.queue[place] != Card.PRINCESS]
        cards = [t.queue[place] for place in hidden] + t.deck[t.top : t.bottom]
        rng.shuffle(cards)
        for place in hidden:
            t.queue[place] = cards.pop()
        t.deck[t.top : t.bottom] = cards
        assert np.array_equal(env._observe(), before)


# The learner


def test_the_learner_sits_where_it_is_told_and_bots_behind_it() -> None:
    env = Learner(["random", "novice"], "modern", seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert env.names == ["novice", "learner", "random"]
    assert env.single.table.decider == 1
    drawn = env.render()
    assert drawn is not None
    assert "learner" in drawn
    free, seats = Learner(["random", "novice"], "modern"), set()
    for seed in range(30):
        free.reset(seed=seed)
        seats.add(free.seat)
        assert free.single.table.decider == free.seat
    assert seats == {0, 1, 2}


@pytest.mark.parametrize("episode", ["round", "match"])
def test_rewards_come_at_the_end_of_an_episode(episode: Any) -> None:
    env, rng = Learner(["random", "random"], "classic", episode=episode), random.Random(2)
    env.reset(seed=5)
    worth = play(env, rng, 400)
    assert len(worth) > 5
    assert min(worth) < 0 < max(worth)
    assert env.match.tokens == tuple(env.single.table.tokens)


def test_bots_see_their_own_views_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()

    def spy(view: Any, rng: random.Random, budget_ms: float | None) -> str:
        asked.append((view.seat, view.turn, budget_ms))
        return str(rng.choice(view.legal))

    monkeypatch.setitem(BOTS, "random", spy)
    env = Learner(["random"] * 3, "premium", seat=2, budget_ms=5)
    env.reset(seed=1)
    play(env, random.Random(1), 40)
    assert asked
    assert all(seat == turn != 2 and budget == 5 for seat, turn, budget in asked)


def test_the_same_seed_gives_the_same_episodes_against_every_kind_of_quick_bot() -> None:
    runs = []
    for _ in range(2):
        env, rng, seen = Learner(["novice", "random"], "modern", episode="match"), random.Random(1), list[bytes]()
        numbers, info = env.reset(seed=7)
        for _ in range(60):
            seen.append(numbers.tobytes())
            numbers, _, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
            if over:
                numbers, info = env.reset()
        runs.append(seen)
    assert runs[0] == runs[1]


def test_novices_beat_chance() -> None:
    env, rng = Learner(["novice"], "classic"), random.Random(4)
    env.reset(seed=4)
    assert np.mean(play(env, rng, 1200)) < -0.2


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (Learner, {"bots": ["nobody"]}),
        (Learner, {"bots": "novice"}),
        (Learner, {"bots": ["novice"] * 9}),
        (Learner, {"edition": "solitaire"}),
        (Learner, {"bots": [["novice"]]}),
        (Learner, {"seat": 2}),
        (Learner, {"seat": 1.0}),
        (Learner, {"episode": "week"}),
        (Learner, {"render_mode": "human"}),
        (Solitaire, {"edition": "modern"}),
        (Solitaire, {"edition": "nope"}),
        (Solitaire, {"render_mode": "human"}),
        (Solitaire, {"options": {"solo_prince": 3}}),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(make: Any, given: dict[str, Any]) -> None:
    with pytest.raises(SuitorsError, match=r" .* .*\.$"):
        make(**given)


@pytest.mark.parametrize(("make", "lost"), [(Learner, -1.0), (Solitaire, 0.0)])
def test_an_action_that_is_not_legal_loses_and_one_that_is_none_is_refused(make: Any, lost: float) -> None:
    env = make()
    _, info = env.reset(seed=1)
    for wrong in (-1, 9999, "guard", None):
        with pytest.raises(SuitorsError, match="is a number from 0"):
            env.step(wrong)
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
    _, reward, terminated, truncated, info = env.step(int(np.argmin(info["action_mask"])))
    assert (reward, terminated, truncated, info["illegal"]) == (lost, True, False, True)


@pytest.mark.parametrize("make", [Learner, Solitaire])
def test_actions_may_be_what_a_learner_predicts(make: Any) -> None:
    env = make(render_mode="ansi")
    assert env.render()
    _, info = env.reset(seed=1)
    action = np.array(info["action_mask"].argmax())  # an array without axes, as a learner predicts it for one table
    assert env.action_space.contains(action)
    assert "illegal" not in env.step(action)[4]
