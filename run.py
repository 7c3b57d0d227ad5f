#!/usr/bin/env python3
"""Set up and run Suitors with nothing but Python 3.11 or later.

    python3 run.py               serve the table on this computer and open the browser
    python3 run.py COMMAND …     run `suitors COMMAND …` (--help lists the commands)
    python3 run.py test [ARG …]  run all tests; arguments go to pytest

The first start makes `.venv` beside this file and installs pinned versions into it; later ones notice that nothing has
changed and start at once. Only the standard library is used here.
"""

import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
STAMP = os.path.join(VENV, "suitors-setup")
SOURCES = ("pyproject.toml", "constraints.txt")
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
PLAYER, TESTER = "server,print,fast", "server,print,fast,dev"
PLAIN = "server,print"


def main(arguments: list[str]) -> int:
    """Set up what the command needs, then become that command."""
    if sys.version_info < (3, 11):
        return fail(f"Suitors needs Python 3.11 or later; this is Python {sys.version.split()[0]}.")
    testing = arguments[:1] == ["test"]
    problem = set_up(TESTER if testing else PLAYER)
    if problem:
        return fail(problem)
    if testing:
        problem = set_up_browser()
        if problem:
            return fail(problem)
        return become([program("python"), "-m", "pytest", *workers(arguments), *arguments[1:]], HERE)
    return become([program("suitors"), *(arguments or ["serve"])], None)


def fail(sentence: str) -> int:
    """Say what is wrong and what would be right."""
    print(sentence, file=sys.stderr)
    return 2


def workers(arguments: list[str]) -> list[str]:
    """Use all cores, unless the caller says how many or wants the debugger."""
    own = any(word.startswith(("-n", "--pdb", "--numprocesses")) for word in arguments)
    return [] if own else ["-n", "auto", "--dist", "worksteal"]


def program(name: str) -> str:
    """The path of a program in the virtual environment."""
    return os.path.join(BIN, name + (".exe" if os.name == "nt" else ""))


def become(command: list[str], folder: "str | None") -> int:
    """Replace this process by the command, so that signals and exit statuses are its own."""
    if folder:
        os.chdir(folder)
    sys.stdout.flush()
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(command[0], command)


def set_up_browser() -> "str | None":
    """See to it that the tests of the page find a browser: install Debian's where we may; else a sentence."""
    if os.environ.get("SUITORS_BROWSER") or any(map(shutil.which, BROWSERS)):
        return None
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the tests of the page (once) …", file=sys.stderr, flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
        for command in (install, ["apt-get", "update", "-qq"], install):
            subprocess.call(command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if any(map(shutil.which, BROWSERS)):
                return None
    return (
        "The tests of the page need Chromium, which is not on the PATH and could not be installed here. On Debian or "
        "Ubuntu install it with 'apt-get install chromium'; elsewhere install Chromium or Chrome and put its path into "
        "the variable SUITORS_BROWSER. Then start again."
    )


def wanted(extras: str) -> str:
    """What the environment must have been made from: the stamp of a finished set-up."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {HERE}".encode())
    for name in SOURCES:
        with open(os.path.join(HERE, name), "rb") as file:
            digest.update(file.read())
    return f"{digest.hexdigest()} {extras}"


def ready(extras: str) -> bool:
    """Whether the environment already holds these extras, or more of them."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            found = file.read()
    except OSError:
        return False
    return found in (wanted(extras), wanted(TESTER)) and os.path.exists(program("suitors"))


def set_up(extras: str) -> "str | None":
    """Make the environment and install into it; a sentence where that fails."""
    if ready(extras):
        return None
    print("Setting up Suitors in .venv (once; about a minute) …", file=sys.stderr, flush=True)
    if os.path.exists(STAMP):
        os.remove(STAMP)
    return make_venv() or install(extras)


def make_venv() -> "str | None":
    """Make a fresh virtual environment with pip in it."""
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: PLC0415
    except ImportError:
        version = ".".join(map(str, sys.version_info[:2]))
        return (
            f"This Python cannot make virtual environments: its 'venv' or 'ensurepip' is missing. On Debian or Ubuntu "
            f"install it with 'apt-get install python{version}-venv', elsewhere use the Python of python.org; "
            "then start again."
        )
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        venv.create(VENV, with_pip=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"The virtual environment {VENV} could not be made: {error}."
    return None


def install(extras: str) -> "str | None":
    """Install the project and its pinned dependencies; a player goes without the compiler where there is none."""
    if pip(extras):
        mark(extras)
        return None
    if extras == PLAYER and pip(PLAIN):
        print(
            "Note: numba could not be installed here, so the rules run interpreted, which is slower.", file=sys.stderr
        )
        mark(extras)
        return None
    return (
        "The installation failed: see pip's message above. It needs a network, or a package index that pip can reach."
    )


def pip(extras: str) -> bool:
    """Install the project from this folder with so many extras; whether it worked."""
    target = HERE + (f"[{extras}]" if extras else "")
    command = [program("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pins = ["--constraint", os.path.join(HERE, "constraints.txt")]
    return subprocess.call([*command, *pins, "--editable", target]) == 0


def mark(extras: str) -> None:
    """Note that the set-up is complete."""
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write(wanted(extras))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
