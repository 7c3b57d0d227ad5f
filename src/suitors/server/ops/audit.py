"""The audit log: a line of JSON for everything that was done through the admin socket, only ever added to."""

import json
import os
import time
from pathlib import Path
from typing import Any

AUDIT = "audit.log"


class AuditLog:
    """The audit log in a data folder; only its user can read it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / AUDIT

    def write(self, **line: Any) -> None:
        """Add a line, and put it on disk; an OSError where that fails."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        text = json.dumps({"at": at, **line}, ensure_ascii=False).encode() + b"\n"
        number = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.write(number, text) != len(text):
                raise OSError("the disk is full")
            os.fsync(number)
        finally:
            os.close(number)
