"""Networks trained by self-play on the laboratory's tables, attacked, and written as the bots read them.

    python -m tools.train.check --rounds 20000
    python -m tools.train.train classic --players 2 --seconds 180 --out runs/classic-2
    python -m tools.train.attack runs/classic-2/policy.pt --seconds 150
    python -m tools.train.export runs/classic-2/policy.pt

It needs PyTorch, which is in none of the project's extras, and for anything but a trial a GPU (extra `cuda`).
docs/learning.md says what was trained and what came of it.
"""
