"""Let MaskablePPO learn against house bots, and say what it won before and after.

    pip install 'suitors[lab]' sb3-contrib
    python tools/learn_ppo.py [--edition classic] [--bots novice] [--steps 100000] [--episodes 2000] [--seed 1]

An episode is a round; a reward of 1 is a round won against one bot, -1 one lost. PyTorch and sb3-contrib are in none of
the project's extras.
"""

import argparse
from importlib import import_module
from statistics import fmean, stdev
from typing import Any

from suitors.envs import Learner


def worth(env: Learner, choose: Any, episodes: int, seed: int) -> tuple[float, float]:
    """The mean reward of some episodes, and its standard error."""
    rewards, observation = list[float](), env.reset(seed=seed)[0]
    while len(rewards) < episodes:
        observation, reward, over, _, _ = env.step(choose(observation))
        if over:
            rewards.append(reward)
            observation = env.reset()[0]
    return fmean(rewards), stdev(rewards) / episodes**0.5


def main() -> None:
    """Train, and print what random play, and the policy before and after, are worth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--bots", default="novice", help="names, separated by commas")
    parser.add_argument("--steps", type=int, default=100_000, help="decisions to learn from")
    parser.add_argument("--episodes", type=int, default=2_000, help="rounds behind each figure")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    ppo: Any = import_module("sb3_contrib").MaskablePPO
    env = Learner(given.bots.split(","), given.edition)
    model = ppo("MlpPolicy", Learner(given.bots.split(","), given.edition), n_steps=1024, seed=given.seed, device="cpu")

    def policy(observation: Any) -> int:
        return int(model.predict(observation, action_masks=env.action_masks())[0])

    def chance(observation: Any) -> int:
        return int(env.action_space.sample(env.single.mask()))

    env.action_space.seed(given.seed)
    show("random play", worth(env, chance, given.episodes, given.seed))
    show("untrained", worth(env, policy, given.episodes, given.seed))
    model.learn(given.steps)
    show(f"after {given.steps:,} steps", worth(env, policy, given.episodes, given.seed))


def show(name: str, found: tuple[float, float]) -> None:
    """Print a figure with its interval of 95%."""
    print(f"{name:<24}{found[0]:+.3f} ± {1.96 * found[1]:.3f}", flush=True)


if __name__ == "__main__":
    main()
