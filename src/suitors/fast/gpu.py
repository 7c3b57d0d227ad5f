"""numba-cuda, as all that is compiled for a GPU imports it."""

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for a name that numpy 2.5 has dropped
    np.row_stack = np.vstack

from numba import cuda
from numba.cuda.extending import overload

__all__ = ["cuda", "overload"]
