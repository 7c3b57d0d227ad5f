"""What makes a server less safe than it could be, said when it starts."""

import os
from pathlib import Path

OTHERS = 0o077
"""What the group and everybody else may do with a folder."""


def warnings(folder: Path) -> list[str]:
    """A sentence for each thing that is better otherwise: who runs the server, and who else can open its folder."""
    found = []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found.append("The server runs as root: a fault in it would be one of the machine. Give it a user of its own.")
    if os.name == "posix" and folder.stat().st_mode & OTHERS:
        found.append(f"Others on this machine can open {folder}, which holds the secrets of matches: chmod 700 helps.")
    return found
