"""How quick the environments are beside those of others: decisions a second, observations and masks included.

    python benchmarks/envs.py [--seconds 2.0] [--tables 4096]

- PettingZoo: `suitors.envs.aec` beside leduc_holdem (pip install 'pettingzoo[classic]' rlcard);
- OpenSpiel: the games of `suitors.envs.openspiel` beside leduc_poker, each with an observation tensor and the legal
  actions at every decision (extra `openspiel`). OpenSpiel's moves are decisions and chance, so both are told;
- vectors: `suitors.lab.vector.VectorEnv` on one thread beside leduc_holdem of Pgx on the CPU (pip install pgx).

All play at random, one table or one batch after another. A neighbour that is not installed is named as missing. Seconds
are those of the processor, of the best of some runs. For vectors they are told twice: the choice of actions, with numpy
and JAX, taken off; and included, as each library makes it.
"""

import argparse
import os
import random
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from suitors.envs import aec
from suitors.lab.vector import VectorEnv

TABLES = (("classic", 2), ("modern", 4), ("premium", 8))
RUNS = 4
"""Runs of equal length behind a figure."""

BATCH = 50
"""How many episodes or steps are played between two looks at the clock."""

ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


class Count(NamedTuple):
    """What was done: decisions, and moves as OpenSpiel counts them."""

    decisions: int
    moves: int


class Subject(NamedTuple):
    """What is measured: a call plays an episode, or a step of a vector; `idle` is what of it does not count."""

    play: Callable[[], Count]
    idle: Callable[[], object] | None = None


class Missing(Exception):
    """A neighbour that is not installed."""


def turns(env: Any) -> Subject:
    """Random play of a PettingZoo environment, with masks in the info or in the observation."""
    rng = random.Random(1)
    env.reset(seed=1)

    def play() -> Count:
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            over = terminated or truncated
            mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
            env.step(None if over else _some(mask.nonzero()[0], rng))
            decisions += not over
        return Count(decisions, decisions)

    return Subject(play)


def _some(legal: Any, rng: random.Random) -> int:
    return int(legal[int(rng.random() * len(legal))])


def spiel(name: str) -> Subject:
    """Random play of an OpenSpiel game, with a tensor at every decision."""
    pyspiel: Any = import_module("pyspiel")
    import_module("suitors.envs.openspiel")
    game, rng = pyspiel.load_game(name), random.Random(1)
    observation = import_module("open_spiel.python.observation").make_observation(game)

    def play() -> Count:
        decisions, moves, state = 0, 0, game.new_initial_state()
        while not state.is_terminal():
            moves += 1
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                observation.set_from(state, state.current_player())
                state.apply_action(_some(state.legal_actions(), rng))
                decisions += 1
        return Count(decisions, moves)

    return Subject(play)


def vector(slug: str, players: int, size: int) -> Subject:
    """Random play of many tables on one thread."""
    tables, rng = VectorEnv(slug, players, size, threads=1, seed=1), np.random.default_rng(1)

    def choose() -> Any:
        return (rng.random(tables.masks.shape, np.float32) * tables.masks).argmax(axis=1)

    def play() -> Count:
        tables.step(choose())
        return Count(size, size)

    return Subject(play, choose)


def vector_and_choice(slug: str, players: int, size: int) -> Subject:
    """The same with the vector's own choice of actions, which counts."""
    tables = VectorEnv(slug, players, size, threads=1, seed=1)

    def play() -> Count:
        tables.step(tables.sample_actions())
        return Count(size, size)

    return Subject(play)


def pgx(size: int) -> Subject:
    """Random play of Pgx's leduc_holdem on the CPU, new episodes included."""
    os.environ["XLA_FLAGS"], os.environ["JAX_PLATFORMS"] = ONE_THREAD, "cpu"
    jax: Any = import_module("jax")
    env = import_module("pgx").make("leduc_holdem")
    step = jax.jit(jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)))
    drawn = jax.jit(lambda mask, key: jax.numpy.argmax(jax.random.uniform(key, mask.shape) * mask, axis=1))
    key = jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, size))

    def choose() -> Any:
        nonlocal key
        key, first, second = jax.random.split(key, 3)
        return jax.block_until_ready((drawn(states.legal_action_mask, first), jax.random.split(second, size)))

    def play() -> Count:
        nonlocal states
        states = jax.block_until_ready(step(states, *choose()))
        return Count(size, size)

    return Subject(play, choose)


def petting_leduc() -> Subject:
    """Random play of PettingZoo's leduc_holdem."""
    return turns(import_module("pettingzoo.classic").leduc_holdem_v4.env())


def petting_own(slug: str, players: int) -> Subject:
    """Random play of a PettingZoo environment of ours."""
    return turns(aec(slug, players))


def needing(packages: str, make: Callable[[], Subject]) -> Callable[[], Subject]:
    """A neighbour, if all packages that it needs are installed."""

    def made() -> Subject:
        for name in packages.split():
            if find_spec(name) is None:
                raise Missing(f"{name} is not installed")
        return make()

    return made


def rates(subject: Subject, seconds: float) -> tuple[float, float]:
    """Decisions and moves a second, of the best of some runs; the first call, which may compile, is not counted."""
    subject.play()
    return max(one_run(subject, seconds / RUNS) for _ in range(RUNS))


def one_run(subject: Subject, seconds: float) -> tuple[float, float]:
    """Decisions and moves a second of one run. The clock is looked at now and then only, as that takes long itself."""
    done, began = list[Count](), time.process_time()
    while (spent := time.process_time() - began) < seconds or not done:
        done += [subject.play() for _ in range(BATCH)]
    if subject.idle is not None:
        began = time.process_time()
        for _ in done:
            subject.idle()
        spent -= time.process_time() - began
    return sum(count.decisions for count in done) / spent, sum(count.moves for count in done) / spent


def groups(tables: int) -> dict[str, tuple[str, Callable[[], Subject], dict[str, Callable[[], Subject]]]]:
    """What is measured, by kind of environment: the neighbour's name, the neighbour, and ours."""
    beside = {
        "PettingZoo": "leduc_holdem",
        "OpenSpiel": "leduc_poker",
        "vector": "Pgx leduc_holdem",
        "vector, with the choice of actions": "Pgx leduc_holdem",
    }
    neighbours = {
        "PettingZoo": needing("rlcard pygame", petting_leduc),
        "OpenSpiel": needing("pyspiel", partial(spiel, "leduc_poker")),
        "vector": needing("jax pgx", partial(pgx, tables)),
        "vector, with the choice of actions": needing("jax pgx", lambda: pgx(tables)._replace(idle=None)),
    }
    ours: dict[str, dict[str, Callable[[], Subject]]] = {kind: {} for kind in beside}
    for slug, players in TABLES:
        name = f"{slug} {players}"
        ours["PettingZoo"][name] = partial(petting_own, slug, players)
        ours["OpenSpiel"][name] = needing("pyspiel", partial(spiel, f"suitors_{slug}(players={players})"))
        ours["vector"][name] = partial(vector, slug, players, tables)
        ours["vector, with the choice of actions"][name] = partial(vector_and_choice, slug, players, tables)
    return {kind: (beside[kind], neighbours[kind], ours[kind]) for kind in beside}


def show(name: str, make: Callable[[], Subject], seconds: float, beside: float | None = None) -> float | None:
    """Print a line; the decisions a second, None where the package is missing."""
    try:
        decisions, moves = rates(make(), seconds)
    except Missing as missing:
        print(f"  {name:<20}{missing}", flush=True)
        return None
    ratio = f"×{decisions / beside:<8.3g}" if beside else ""
    chance = f"({moves:,.0f} moves/s with chance)" if moves != decisions else ""
    print(f"  {name:<20}{decisions:>14,.0f}  {ratio:<10}{chance}".rstrip(), flush=True)
    return decisions


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each figure is measured")
    parser.add_argument("--tables", type=int, default=4096, help="how many tables a vector has")
    given = parser.parse_args()
    for kind, (name, neighbour, ours) in groups(given.tables).items():
        print(f"{kind}: decisions/s, and how many times the neighbour's", flush=True)
        beside = show(name, neighbour, given.seconds)
        for own, make in ours.items():
            show(own, make, given.seconds, beside)


if __name__ == "__main__":
    main()
