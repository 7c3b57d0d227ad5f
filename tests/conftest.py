"""Settings that must be there before anything is imported."""

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # compiled code must not read beside its arrays in silence

pytest_plugins = ["support.server_fixtures", "support.browser"]
