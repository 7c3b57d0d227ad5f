"""Whether there is a GPU on which tests can run."""

from importlib.util import find_spec

import pytest


def has_gpu() -> bool:
    if find_spec("numba_cuda") is None:
        return False
    from suitors.fast import cuda  # noqa: PLC0415 - only where numba-cuda is installed

    return cuda.available()


GPU = pytest.mark.skipif(not has_gpu(), reason="there is no GPU here, or numba-cuda is not installed")
