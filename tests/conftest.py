"""Settings that must be there before anything is imported."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # compiled code must not read beside its arrays in silence

gc.set_threshold(100_000, 50, 100)  # a process holds ten thousand tests: looking for garbage took a tenth of the time

SLOW = [HealthCheck.too_slow]  # a slow machine is no failure
settings.register_profile("same", deadline=None, suppress_health_check=SLOW, derandomize=True)
settings.register_profile("explore", deadline=None, suppress_health_check=SLOW, derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of our own."""
    parser.addoption("--whole", action="store_true", help="play matches by touch from their first round on")


def pytest_collection_finish() -> None:
    """Let collections of garbage pass over all that is loaded now, and stays."""
    gc.collect()
    gc.freeze()


PLUGINS = ("server_fixtures", "browser", "postgres", "progress", "sharing")
pytest_plugins = [f"support.{name}" for name in PLUGINS]
