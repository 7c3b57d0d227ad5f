"""Pin the versions and hashes of everything that run.py installs: requirements/*.txt, made from pyproject.toml.

    python3 tools/lock.py                        after a change of dependencies; other versions stay as they are
    python3 tools/lock.py --upgrade              the newest versions of everything
    python3 tools/lock.py --upgrade-package NAME

Needs uv on the PATH (pip install uv), which gets the arguments. The files hold for every platform and every Python from
3.11 on, and name no package index.
"""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETS: dict[str, list[str]] = PROJECT["tool"]["suitors"]["requirements"]
SCOPE = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-annotate"]
MADE_BY = ["--custom-compile-command", "python3 tools/lock.py", "--quiet"]


def command(name: str, options: list[str]) -> list[str]:
    """The call of uv that writes one file: the packages of the extras, and those that install the project itself."""
    chosen = ["--group", "setup", *(f"--extra={extra}" for extra in SETS[name])]
    output = ["--output-file", f"requirements/{name}.txt"]
    return ["uv", "pip", "compile", "pyproject.toml", *chosen, *SCOPE, *MADE_BY, *options, *output]


def main(options: list[str]) -> int:
    """Write all files; the exit status of the first call that failed."""
    if shutil.which("uv") is None:
        print("uv is not on the PATH: install it with 'pip install uv', then start again.", file=sys.stderr)
        return 2
    for name in SETS:
        status = subprocess.call(command(name, options), cwd=ROOT)
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
