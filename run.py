#!/usr/bin/env python3
"""Set up and run Suitors with nothing but Python 3.11 or later.

    python3 run.py                       serve the table on this computer and open the browser
    python3 run.py COMMAND …             run `suitors COMMAND …` (--help lists the commands)
    python3 run.py test [ARG …]          run all tests; arguments go to pytest
    python3 run.py test --quick [ARG …]  run the tests of rules, views, records and words only, in less than a minute

The first start makes `.venv` beside this file and installs the versions pinned in `requirements/`, whose hashes are
checked; later ones notice that nothing has changed and start at once. Only the standard library is used here.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
STAMP = os.path.join(VENV, "suitors-setup")
PACKAGES = "debian-packages"
"""The folder in the environment for Debian packages that are used without being installed."""

PLAYER, PLAIN, TESTS = "player", "plain", "tests"
"""The sets of packages, each a file in requirements/; `plain` is `player` without the compiler."""

AGAIN = ("--last-failed", "--last-failed-no-failures", "none")
"""What lets pytest run those tests again that have failed."""

FAILED = 1
"""The exit status of pytest when tests have failed."""

QUICK = (
    "tests/art",
    "tests/cli/test_cli.py",
    "tests/game",
    "tests/golden",
    "tests/knowledge/test_by_hand.py",
    "tests/knowledge/test_public_table.py",
    "tests/leaks",
    "tests/pages",
    "tests/records",
    "tests/rulebook",
    "tests/test_fair_shuffle.py",
    "tests/words",
)
"""What `test --quick` runs: nothing here needs a browser or a running server, and nothing is compiled."""

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
BROWSER_PACKAGES = BROWSERS[:2]
"""Debian's packages of a browser. The first is the engine without windows, which is all that the tests need."""

PROXIES = ("nginx", "caddy", "openssl")
"""What the tests of a server behind a proxy run, each in the Debian package of its name."""

POSTGRES = ("initdb", "pg_ctl", "postgres")
"""The programs of PostgreSQL that the tests of a shared store run."""

POSTGRES_FOLDER = os.path.join(os.sep, "usr", "lib", "postgresql")
"""Where Debian has them, in a folder for each version."""

NO_POSTGRES = (
    "The tests of a store that several processes share need PostgreSQL, which could not be had here. On Debian or "
    "Ubuntu, run 'apt-get install postgresql' as root; elsewhere, install it and put initdb, pg_ctl and postgres on "
    "the PATH. Then start again, or run only the quick tests with --quick."
)

PAUSES = (2, 10)
"""Seconds before another attempt at what the network may have spoilt."""

TRANSIENT = re.compile(
    r"connection (?:broken|aborted|refused|reset)|timed out|incomplete|http error 5\d\d|5\d\d server error",
    re.IGNORECASE,
)
"""What pip prints when the network failed it."""

PIP_INSTALL = (
    *("install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"),
    *("--no-compile", "--require-hashes", "--requirement"),  # Python compiles what it imports
)
"""How pip installs what a file pins."""

MISSING_LIBRARY = re.compile(r"error while loading shared libraries: ([^\s:]+)")
TAIL = 12
"""How many lines of a failed command's output are shown."""


class SetupError(Exception):
    """Why the set-up cannot go on and what would help, in words for the user."""


def main(arguments: list[str]) -> int:
    """Set up what the command needs, then become that command."""
    if sys.version_info < (3, 11):
        return fail(f"Suitors needs Python 3.11 or later; this is Python {sys.version.split()[0]}.")
    try:
        if arguments[:1] == ["test"]:
            return test(arguments[1:])
        set_up(PLAYER)
    except SetupError as error:
        return fail(str(error))
    return become([program("suitors"), *(arguments or ["serve"])], None)


def test(arguments: list[str]) -> int:
    """Run all tests, in a real browser too, or only the quick ones."""
    quick = "--quick" in arguments
    set_up(TESTS, meanwhile=None if quick else find_programs)
    if quick:
        arguments = [*QUICK, *(word for word in arguments if word != "--quick")]
    else:
        set_up_browser()
        set_up_proxies()
        set_up_postgres()
    share_bytecode()
    command = [program("python"), "-m", "pytest", *workers(arguments), *arguments]
    return become(command, HERE) if arguments else test_all(command)


def test_all(command: list[str]) -> int:
    """Run all tests, and those that fail once more: browsers and processes have a timing of their own."""
    status = subprocess.call(command, cwd=HERE)
    if status != FAILED:
        return status
    say(
        "Tests failed, see above. They are run once more; one that passes now depends on timing, a defect all the same."
    )
    return become([*command, *AGAIN], HERE)


def share_bytecode() -> None:
    """Compile each module once for the hundreds of processes of the tests, even if Python is told to keep nothing."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", os.path.join(VENV, "bytecode"))


def workers(arguments: list[str]) -> list[str]:
    """A process for each core and one more, since many tests wait; unless the caller says how many, or debugs."""
    own = any(word.startswith(("-n", "--pdb", "--numprocesses")) for word in arguments)
    return [] if own else ["-n", str(cores() + 1), "--dist", "worksteal"]


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def fail(sentence: str) -> int:
    """Say what is wrong and what would help."""
    say(sentence)
    return 2


def say(text: str) -> None:
    """Tell the user something; standard output belongs to the command."""
    print(text, file=sys.stderr, flush=True)


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


def attempt(command: list[str], folder: "str | None" = None, **environment: str) -> "tuple[bool, str]":
    """Run a command out of sight; whether it worked, and all that it printed."""
    full = {**os.environ, **environment}
    nothing, pipe, both = subprocess.DEVNULL, subprocess.PIPE, subprocess.STDOUT
    try:
        done = subprocess.run(command, cwd=folder, env=full, stdin=nothing, stdout=pipe, stderr=both, check=False)
    except OSError as error:
        return False, str(error)
    return done.returncode == 0, done.stdout.decode("utf-8", "replace")


def last_lines(printed: str) -> str:
    """The end of what a command printed."""
    return "\n".join(printed.splitlines()[-TAIL:])


def lock_file(packages: str) -> str:
    """The file that pins a set of packages."""
    return os.path.join(HERE, "requirements", f"{packages}.txt")


def wanted(packages: str) -> str:
    """What the environment must have been made from: the stamp of a finished set-up."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {HERE}".encode())
    for name in (os.path.join(HERE, "pyproject.toml"), lock_file(packages)):
        try:
            with open(name, "rb") as file:
                digest.update(file.read())
        except OSError as error:
            raise SetupError(f"This copy of Suitors is not complete: {name} cannot be read. Fetch it again.") from error
    return f"{digest.hexdigest()} {packages}"


def ready(packages: str) -> bool:
    """Whether the environment already holds these packages, or more of them."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            found = file.read()
    except OSError:
        return False
    made = os.path.exists(program("python")) and os.path.exists(program("suitors"))
    return made and found in (wanted(packages), wanted(TESTS))


def mark(packages: str) -> None:
    """Note that the set-up is complete."""
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write(wanted(packages))


def set_up(packages: str, meanwhile: "Callable[[], None] | None" = None) -> None:
    """Make the environment and install into it, unless that was done before; something else can be done meanwhile."""
    if ready(packages):
        return
    say("Setting up Suitors in .venv (only once; this takes a minute or two) …")
    make_environment()
    pip = find_pip(packages)
    say("Installing the packages …")
    other = threading.Thread(target=meanwhile)
    other.start()
    try:
        install(pip, packages)
    finally:
        other.join()
    mark(packages)


def make_environment() -> None:
    """Make a fresh virtual environment, with pip in it where Python brings one."""
    if not importable("venv") and not apt_install(venv_package()):
        raise SetupError(
            "This Python cannot make virtual environments, as its module 'venv' is missing. On Debian or Ubuntu, run "
            f"'apt-get install {venv_package()}' as root; elsewhere, install a complete Python. Then start again."
        )
    import venv  # noqa: PLC0415

    shutil.rmtree(VENV, ignore_errors=True)
    try:
        venv.create(VENV, with_pip=importable("ensurepip"), symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"The virtual environment {VENV} could not be made: {error}.") from error


def importable(module: str) -> bool:
    """Whether this Python has the module now."""
    importlib.invalidate_caches()
    return importlib.util.find_spec(module) is not None


def venv_package() -> str:
    """The Debian package of what Debian leaves out of Python's standard library."""
    return f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"


def find_pip(packages: str) -> list[str]:
    """A command that is pip for the environment: its own, this Python's, or the pinned one, downloaded."""
    own = [program("python"), "-m", "pip"]
    if attempt([*own, "--version"])[0]:
        return own
    if importable("pip"):
        return [sys.executable, "-m", "pip", "--python", program("python")]
    wheel = download_pip(packages)
    if wheel:
        return [program("python"), os.path.join(wheel, "pip")]
    if apt_install(venv_package()) and importable("ensurepip"):
        make_environment()
        return own
    raise SetupError(
        "This Python has neither 'ensurepip' nor pip, and no configured package index offers pip. On Debian or Ubuntu, "
        f"run 'apt-get install {venv_package()}' as root; elsewhere, install pip, or set PIP_INDEX_URL to the "
        "address of a package index. Then start again."
    )


def download_pip(packages: str) -> "str | None":
    """The pinned pip from the package index that pip would use, if one is configured."""
    from pathlib import Path  # noqa: PLC0415

    import fetch_pip  # noqa: PLC0415

    say("Looking for pip, which this Python comes without …")
    try:
        wheel = fetch_pip.fetch(Path(lock_file(packages)), Path(VENV))
    except fetch_pip.FetchError as error:
        raise SetupError(str(error)) from error
    return str(wheel) if wheel else None


def install(pip: list[str], packages: str) -> None:
    """Install the pinned packages and the project; a player goes without the compiler where it cannot be had."""
    done, printed = (True, "") if uv_install(pip, packages) else pip_install(pip, packages)
    if not done and packages == PLAYER and not TRANSIENT.search(printed) and pip_install(pip, PLAIN)[0]:
        say("Note: numba could not be installed here, so the rules run interpreted, which is slower.")
        done = True
    if done:
        project = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", HERE]
        done, printed = attempt([program("python"), "-m", "pip", "install", *project])
    if not done:
        say(last_lines(printed))
        raise SetupError(
            "Suitors could not be installed; the lines above are the last ones of pip. Check that this computer is "
            "connected and that pip can reach its package index (PIP_INDEX_URL or pip.conf can name another one), then "
            "start again."
        )


def uv_install(pip: list[str], packages: str) -> bool:
    """Install a set of packages with the uv that it pins, if any: in a third of pip's time. Whether that worked."""
    from pathlib import Path  # noqa: PLC0415

    import fetch_pip  # noqa: PLC0415

    pin = fetch_pip.pinned(Path(lock_file(packages)), "uv")
    try:
        environment = fetch_pip.uv_environment(fetch_pip.read_settings())
    except fetch_pip.FetchError:
        return False
    if pin is None or environment is None:
        return False
    only_uv = Path(VENV, "uv.txt")
    only_uv.write_text(pin[0], "utf-8")
    with_uv = [program("uv"), "pip", "install", "--python", program("python"), "--require-hashes", "--requirement"]
    return attempt([*pip, *PIP_INSTALL, str(only_uv)])[0] and attempt([*with_uv, lock_file(packages)], **environment)[0]


def pip_install(pip: list[str], packages: str) -> "tuple[bool, str]":
    """Install a set of packages as pinned, with more attempts where the network may be to blame."""
    command = [*pip, *PIP_INSTALL, lock_file(packages)]
    done, printed = attempt(command)
    for pause in PAUSES:
        if done or not TRANSIENT.search(printed):
            break
        say("The package index did not answer as it should. Trying again …")
        time.sleep(pause)
        done, printed = attempt(command)
    return done, printed


def find_programs() -> None:
    """Install the browser and fetch the proxies, as far as that can be done before Python's packages are there."""
    install_browser()
    for name in PROXIES:
        if not find_proxy(name):
            unpack_package(name)


def install_browser() -> None:
    """Install a browser where there is none."""
    for package in BROWSER_PACKAGES:
        if not find_browser():
            apt_install(package)


def set_up_browser() -> None:
    """See to it that the tests of the page find a browser, and that it and its driver have all their libraries."""
    install_browser()
    browser = find_browser()
    missing = [] if browser else ["chromium"]
    if sys.platform == "linux":
        driver = [program("python"), "-m", "playwright"]
        missing += filter(None, map(install_libraries, [driver, [browser]] if browser else [driver]))
    if missing:
        raise SetupError(
            "The tests of the page need packages that could not be installed here. On Debian or Ubuntu, run 'apt-get "
            f"install {' '.join(missing)}' as root; elsewhere, install Chromium or Chrome and put its path into the "
            "variable SUITORS_BROWSER. Then start again, or run only the quick tests with --quick."
        )


def find_browser() -> "str | None":
    """The browser that the tests will use."""
    return os.environ.get("SUITORS_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


def install_libraries(command: list[str]) -> "str | None":
    """Install every library that a program lacks when it is tried; the package of the first that could not be."""
    tried: set[str] = set()
    while missing := MISSING_LIBRARY.search(attempt([*command, "--version"])[1]):
        package = debian_package(missing[1])
        if package in tried or not apt_install(package):
            return package
        tried.add(package)
    return None


def set_up_proxies() -> None:
    """See to it that the tests of a server behind a proxy find one, where that can be had; else they are skipped."""
    for name in PROXIES:
        found = find_proxy(name) or (unpack_package(name) and find_proxy(name))
        if not found:
            say(f"Note: {name} could not be had here, so the tests that need it are skipped. Install it to run them.")
        elif sys.platform == "linux":
            install_libraries([found])


def find_proxy(name: str) -> "str | None":
    """A program of a proxy: the system's, or the one that was unpacked beside the environment."""
    folders = [os.path.join(VENV, PACKAGES, "usr", folder) for folder in ("bin", "sbin")]
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *folders]))


def set_up_postgres() -> None:
    """See to it that the tests of a shared store find a PostgreSQL; they start one of their own."""
    package = "" if all(map(find_postgres, POSTGRES)) else postgres_package()
    if package:
        unpack_package(package)
    found = [find_postgres(name) for name in POSTGRES]
    programs = [path for path in found if path]
    missing = [install_libraries([path]) for path in programs] if package and sys.platform == "linux" else []
    if len(programs) < len(POSTGRES) or any(missing):
        raise SetupError(NO_POSTGRES)


def find_postgres(name: str) -> "str | None":
    """A program of PostgreSQL: on the PATH, where Debian has it, or unpacked beside the environment."""
    folders = []
    for versions in (POSTGRES_FOLDER, os.path.join(VENV, PACKAGES, "usr", "lib", "postgresql")):
        known = [word for word in os.listdir(versions) if word.isdigit()] if os.path.isdir(versions) else []
        folders += [os.path.join(versions, word, "bin") for word in sorted(known, key=int, reverse=True)]
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *folders]))


def postgres_package() -> str:
    """The Debian package of the newest PostgreSQL that there is; nothing where there is none."""
    search = ["apt-cache", "pkgnames", "postgresql-"]
    for command in (search, ["apt-get", "update"], search):
        printed = attempt(command)[1]
        versions = [int(number) for number in re.findall(r"^postgresql-(\d+)$", printed, re.MULTILINE)]
        if versions:
            return f"postgresql-{max(versions)}"
    return ""


def unpack_package(package: str) -> bool:
    """Unpack a Debian package beside the environment; whether that worked. Installed, it would start a service."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return False
    folder = os.path.join(VENV, PACKAGES)
    os.makedirs(folder, exist_ok=True)
    say(f"Fetching {package} with apt-get …")
    fetch = ["apt-get", "download", package]
    for command in (fetch, ["apt-get", "update"], fetch):
        done, printed = attempt(command, folder)
        if done and command is fetch:
            found = next(name for name in os.listdir(folder) if name.startswith(f"{package}_"))
            return attempt(["dpkg-deb", "--extract", os.path.join(folder, found), folder])[0]
    say(last_lines(printed))
    return False


def debian_package(library: str) -> str:
    """The package of a shared library by the rule that Debian names them by: libatomic.so.1 is in libatomic1."""
    name, _, version = library.partition(".so")
    hyphen = "-" if version and name[-1].isdigit() else ""
    return f"{name}{hyphen}{version.lstrip('.')}".lower().replace("_", "-")


def apt_install(package: str) -> bool:
    """Install a Debian package, if this is a Debian and we may; whether that worked."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say(f"Installing {package} with apt-get …")
    install = ["apt-get", "install", "-y", "--no-install-recommends", package]
    for command in (install, ["apt-get", "update"], install):
        done, printed = attempt(command, DEBIAN_FRONTEND="noninteractive")
        if done and command is install:
            return True
    say(last_lines(printed))
    return False


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
