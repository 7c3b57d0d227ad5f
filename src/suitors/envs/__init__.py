"""Environments for programs that learn (extra `lab`): one table at a time, as known libraries want it.

`aec` is PettingZoo's, for every edition and number of players; `Solitaire` and `Learner` are Gymnasium's, for the solo
game and for one learner against house bots. `suitors.envs.openspiel` registers OpenSpiel's games (extra `openspiel`).
Many tables in one call are `suitors.lab.vector.VectorEnv`.
"""

try:
    import gymnasium

    from .learner import Learner
    from .solitaire import Solitaire
    from .turns import TurnsEnv, aec
except ModuleNotFoundError as missing:
    raise ImportError(f"Environments need {missing.name}: pip install 'suitors[lab]'.", name=missing.name) from missing

__all__ = ["Learner", "Solitaire", "TurnsEnv", "aec"]

gymnasium.register("suitors/Learner-v1", entry_point="suitors.envs.learner:Learner")
gymnasium.register("suitors/Solitaire-v1", entry_point="suitors.envs.solitaire:Solitaire")
