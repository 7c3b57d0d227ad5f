"""After warming up, all the code that bots compile is loaded before their time to think starts."""

from suitors.bots import warm_up
from suitors.bots.engine import compiling
from suitors.bots.warmup import COMPILED_BOTS
from suitors.solve import endings_compiled

KERNELS = (compiling.replies, compiling.play_chances, endings_compiled.grow, endings_compiled.improve)


def test_after_warming_up_nothing_is_left_to_compile() -> None:
    warm_up(["random", *COMPILED_BOTS])
    assert all(kernel.signatures for kernel in KERNELS)  # type: ignore[attr-defined]
