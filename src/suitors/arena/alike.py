"""What has to be the same on every machine that plays, so that results do not depend on which of them does."""

import platform
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..errors import SuitorsError


@cache
def identity() -> dict[str, str]:
    """The versions of this process, and a hash of its sources, for a version in the making has no number."""
    from .. import __version__  # noqa: PLC0415 - the package may still be loading

    folder = Path(__file__).parent.parent
    sources = sha256()
    for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.bin"))):
        sources.update(f"{path.relative_to(folder).as_posix()} ".encode())
        sources.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Suitors": __version__, "Python": python, "the sources of Suitors": sources.hexdigest()[:12]}


def check_same(wanted: dict[str, str], there: dict[str, str], who: str) -> None:
    """Refuse a process of the cluster that may come to other results."""
    for what, version in wanted.items():
        if there.get(what) != version:
            text = f"{who} of the cluster has {what} {there.get(what)}, this machine has {version}: they must be alike."
            raise SuitorsError("bad-cluster", text)
