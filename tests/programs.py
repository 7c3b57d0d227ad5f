"""Small programs to be used as bots."""

import shlex
import sys
from pathlib import Path

LOOP = "import json, os, subprocess, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n    "
GOOD = LOOP + "print(json.dumps({'move': request['legal'][0]}), flush=True)"


def command_line(folder: Path, source: str) -> str:
    """The command line of a program with this source, written into the folder."""
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    path.write_text(source)
    return shlex.join([sys.executable, str(path)])
