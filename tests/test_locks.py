"""requirements/: pins everything that pyproject.toml asks for, with hashes; tools/lock.py makes it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import run

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETS: dict[str, list[str]] = PROJECT["tool"]["suitors"]["requirements"]
ENTRY = re.compile(r"([a-z0-9-]+)==(\S+)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def lock(name: str) -> str:
    return (ROOT / f"requirements/{name}.txt").read_text("utf-8")


def pins(name: str) -> dict[str, str]:
    """The versions in a lock."""
    return {package: version for package, version, _ in ENTRY.findall(lock(name))}


def asked(extra: str) -> Iterator[Requirement]:
    """What an extra asks for, with the extras that it includes."""
    for line in PROJECT["project"]["optional-dependencies"][extra]:
        requirement = Requirement(line)
        if requirement.name == PROJECT["project"]["name"]:
            for included in requirement.extras:
                yield from asked(included)
        else:
            yield requirement


def test_the_sets_are_those_that_run_py_installs() -> None:
    assert SETS.keys() == {run.PLAYER, run.PLAIN, run.TESTS, "image"}
    assert {path.stem for path in (ROOT / "requirements").iterdir()} == SETS.keys()


@pytest.mark.parametrize("name", SETS)
def test_a_lock_holds_all_that_the_project_asks_for(name: str) -> None:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    wanted += PROJECT["dependency-groups"]["setup"]
    found = pins(name)
    for requirement in [*map(Requirement, wanted), *(each for extra in SETS[name] for each in asked(extra))]:
        version = found.get(canonicalize_name(requirement.name))
        assert version, f"requirements/{name}.txt lacks {requirement}: run tools/lock.py."
        assert requirement.specifier.contains(version), f"requirements/{name}.txt has {version}, not {requirement}."


@pytest.mark.parametrize("name", SETS)
def test_a_lock_is_nothing_but_pins_with_hashes(name: str) -> None:
    assert re.sub("(?m)^ *#.*\n", "", ENTRY.sub("", lock(name))) == ""


def test_all_locks_pin_the_same_versions() -> None:
    everything = pins(run.TESTS)
    for name in SETS:
        assert pins(name).items() <= everything.items()
