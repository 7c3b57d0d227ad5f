"""The rules compiled: batches of tables on CPU threads (extra `fast`) and on a GPU (extra `cuda`).

`fast` is looked up here alone: `available()` says whether the compiler is installed, without loading it.
"""

from importlib.util import find_spec


def available() -> bool:
    """Whether the rules can be compiled for the CPU here."""
    return find_spec("numba") is not None and find_spec("numpy") is not None
