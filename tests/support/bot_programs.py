"""Small programs to be used as bots."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOP = "import json, os, subprocess, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n    "
GOOD = LOOP + "print(json.dumps({'move': request['legal'][0]}), flush=True)"

TALK = """import json, os, sys, time
HELLO = {"type": "hello", "protocol": 2, "name": "Test", "version": "1"}
READY = {"type": "ready"}

def say(message):
    print(json.dumps(message), flush=True)

def told(message):
    pass

def move(message):
    return {"type": "move", "move": message["legal"][0]}

%s

for line in sys.stdin:
    message = json.loads(line)
    told(message)
    if message["type"] == "hello":
        say(HELLO)
    elif message["type"] == "options":
        say(READY)
    elif message["type"] == "question":
        say(move(message))
    elif message["type"] == "quit":
        break
"""
"""A program that speaks version 2; lines in the middle change what it does."""


def talking(changes: str = "") -> str:
    """The source of a program that speaks version 2."""
    return TALK.replace("%s", changes)


def noting(path: Path) -> str:
    """Lines that make such a program write down what it is told."""
    return f"def told(message):\n    print(os.getpid(), line, end='', file=open({str(path)!r}, 'a'))"


def command_line(folder: Path, source: str) -> str:
    """The command line of a program with this source, written into the folder."""
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    path.write_text(source)
    return shlex.join([sys.executable, str(path)])


HEARING = """import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv[0] = "suitors"
runpy.run_module("suitors", run_name="__main__")
"""
"""Runs suitors with interrupts on, even where the tests were started with them ignored (in a shell's background)."""


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command line in a session of its own, ended whatever happens."""
    pipe, program = subprocess.PIPE, [sys.executable, "-c", HEARING, *words]
    with subprocess.Popen(program, stdout=pipe, stderr=pipe, start_new_session=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
