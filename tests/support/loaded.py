"""The program of a process that has loaded the server and lets copies of itself run Python programs, see `copies.py`.

It reads requests from its standard input, which is a socket: lines of JSON, each with three files, for the standard
output and the standard error of the program, and for what there is to say of it: its number, and its status at its end.
"""

import gc
import json
import os
import runpy
import socket
import sys
import types
from contextlib import suppress
from typing import Any

Request = dict[str, Any]
CHUNK = 65_536


def next_request(control: socket.socket) -> tuple[Request, list[int]] | None:
    """The next request and its files; None if there will be none."""
    line, files, _, _ = socket.recv_fds(control, CHUNK, 3)
    while line and not line.endswith(b"\n"):
        line += control.recv(CHUNK)
    return (json.loads(line), files) if line else None


def say(file: int, number: int) -> None:
    """Say a number to the tests, if they still listen."""
    with suppress(BrokenPipeError):
        os.write(file, b"%d\n" % number)


def close(*files: int) -> None:
    """Close files."""
    for file in files:
        os.close(file)


def copy_for(request: Request, out: int, err: int, told: int) -> bool:
    """Make a copy, and another that waits for its end; whether this is now the copy."""
    if os.fork():
        close(out, err, told)
        return False
    pid = os.fork()
    if pid:
        close(out, err)
        say(told, pid)
        say(told, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        os._exit(0)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for place, file in enumerate((nothing, out, err)):
        os.dup2(file, place)
    close(nothing, out, err, told)
    os.environ.clear()
    os.environ.update(request["environment"])
    return True


def reap() -> None:
    """Forget those who have waited for the end of a copy."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def make_copies() -> list[str] | None:
    """Make copies until the tests end (None); in a copy, what it has to run."""
    with socket.socket(fileno=os.dup(0)) as control:
        while (request := next_request(control)) is not None:
            reap()
            if copy_for(request[0], *request[1]):
                words: list[str] = request[0]["words"]
                return words
    reap()
    return None


def run_program(kind: str, program: str, *arguments: str) -> None:
    """Run what follows `python` on a command line: `-m module …` or `-c program …`."""
    sys.argv = [program if kind == "-m" else kind, *arguments]
    if kind == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(program, "<string>", "exec"), vars(main))


def load() -> None:
    """Load what a server loads, and a program that joins its tables."""
    import suitors.cli.serve  # noqa: PLC0415
    import suitors.client  # noqa: PLC0415
    import suitors.server.process  # noqa: PLC0415, F401

    gc.freeze()


if __name__ == "__main__":
    load()
    words = make_copies()
    if words is not None:
        run_program(*words)
