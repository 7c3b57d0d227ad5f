"""The search for a best reply as a program: how `expert` played before it learnt, and still plays where it has not.

suitors match --bots "expert,cmd:python benchmarks/best_reply.py" --edition classic --budget-ms 40
"""

from suitors.bots import BOTS, best_reply
from suitors.bots.warmup import compile_bots
from suitors.cli.root import bot_command
from suitors.view.match import View
from suitors.view.solo import SoloView

NAME = "best-reply"


def choose(view: View | SoloView, *arguments: object) -> str:
    """A move at a table of several players."""
    assert isinstance(view, View)
    return best_reply.choose(view, *arguments)  # type: ignore[arg-type]


if __name__ == "__main__":
    compile_bots()
    BOTS[NAME] = choose
    bot_command.main([NAME])
