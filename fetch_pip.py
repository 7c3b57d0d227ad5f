"""Download the pinned pip with the standard library alone, from wherever pip itself would look for it.

run.py needs this for a Python that comes without pip and ensurepip, as Debian's does. Where to look is found as pip
finds it: by `PIP_INDEX_URL`, `pip.conf` and so on. Pip's default is not known here: without settings nothing is found.
The same settings are told to uv, which knows nothing of pip's.
"""

import base64
import configparser
import hashlib
import os
import re
import ssl
import sys
import time
from collections.abc import Mapping
from html import unescape
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener, url2pathname

PIP_CONF = Path("/etc/pip.conf")
PAUSES = (1, 4)
"""Seconds between attempts at what may have failed by chance."""

TIMEOUT = 60

UV_VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
}
"""Which variables tell uv what pip's options say. All but that of the links take several values with spaces between."""

ASIDE = frozenset(
    [
        "break-system-packages",
        "cache-dir",
        "cert",
        "config-file",
        "default-timeout",
        "disable-pip-version-check",
        "no-cache-dir",
        "no-color",
        "no-index",
        "no-input",
        "no-warn-script-location",
        "progress-bar",
        "proxy",
        "quiet",
        "retries",
        "root-user-action",
        "timeout",
        "verbose",
    ]
)
"""Options of pip that uv is told in another way, or need not know."""

Settings = Mapping[str, str]


class FetchError(Exception):
    """Why pip must not or cannot be downloaded, in words for the user."""


def fetch(lock: Path, folder: Path) -> Path | None:
    """Put the pip that a lock pins into a folder; nothing where no package index is configured that offers it."""
    pin = pinned(lock, "pip")
    if not pin:
        raise FetchError(f"{lock} does not pin pip.")
    version, hashes = pin[1], set(re.findall("[0-9a-f]{64}", pin[2]))
    wheel = f"pip-{version}-py3-none-any.whl"
    settings = read_settings()
    for page in pages(settings):
        try:
            for address in links(page, settings):
                if unquote(urlsplit(address).path).endswith(f"/{wheel}"):
                    return save(folder / wheel, address, read(address, settings), hashes)
        except (OSError, ValueError) as error:
            print(f"{without_password(page)} could not be read: {error}.", file=sys.stderr, flush=True)
    return None


def pinned(lock: Path, package: str) -> re.Match[str] | None:
    """What a lock says of a package, if it pins it: its version, and the SHA-256 hashes that its files may have."""
    hashes = r"(?:\s+\\?\s*--hash=sha256:[0-9a-f]{64})+"
    return re.search(rf"^{package}==(\S+)({hashes})", lock.read_text("utf-8"), re.MULTILINE)


def save(path: Path, address: str, data: bytes, hashes: set[str]) -> Path:
    """Write a downloaded file, if it is the one that was pinned."""
    if hashlib.sha256(data).hexdigest() not in hashes:
        raise FetchError(
            f"{without_password(address)} is not the file that requirements/ pins: its SHA-256 hash differs. It was "
            "not used. Check the package index that PIP_INDEX_URL or pip.conf names, then start again."
        )
    path.write_bytes(data)
    return path


def read_settings() -> Settings:
    """Read pip's options: those of its files, then those of the environment, the later ones winning."""
    parser = configparser.RawConfigParser()
    try:
        parser.read(config_files(), encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        raise FetchError(f"pip's configuration cannot be read: {error}.") from error
    found = [item for section in ("global", "install") if parser.has_section(section) for item in parser.items(section)]
    found += [(name[4:], value) for name, value in os.environ.items() if name.startswith("PIP_")]
    return {name.lower().replace("_", "-"): value for name, value in found if value}


def config_files() -> list[Path]:
    """List pip's configuration files on Linux and macOS: everybody's, this user's, this Python's, and the one named."""
    named = os.environ.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return []
    shared = (os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(os.pathsep)
    files = [*(Path(folder, "pip/pip.conf") for folder in shared), PIP_CONF]
    if not Path(named or "/").is_file():
        own = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config")
        files += [Path("~/.pip/pip.conf").expanduser(), own.expanduser() / "pip/pip.conf"]
    return [*files, Path(sys.prefix, "pip.conf"), *([Path(named)] if named else [])]


def uv_environment(settings: Settings) -> dict[str, str] | None:
    """The variables that let uv look where pip would; None if pip has settings of which uv cannot be told."""
    if without_index(settings) or settings.keys() - UV_VARIABLES.keys() - ASIDE:
        return None
    file, folder = certificates(settings)
    proxy = settings.get("proxy")
    found = {
        **{variable: " ".join(listed(settings, name)) for name, variable in UV_VARIABLES.items()},
        "UV_FIND_LINKS": ",".join(listed(settings, "find-links")),
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), proxy or ""),
        "SSL_CERT_FILE": file or "",
        "SSL_CERT_DIR": folder or "",
    }
    same_as_pip = {"UV_NO_CONFIG": "1", "UV_INDEX_STRATEGY": "unsafe-best-match"}
    return {**same_as_pip, **{name: value for name, value in found.items() if value}}


def without_index(settings: Settings) -> bool:
    """Whether pip must not ask any package index."""
    return settings.get("no-index", "").lower() in ("1", "true", "yes", "on")


def pages(settings: Settings) -> list[str]:
    """The addresses of the folders and pages where pip would look for itself."""
    found = [place if "://" in place else Path(place).absolute().as_uri() for place in listed(settings, "find-links")]
    if without_index(settings):
        return found
    return found + [f"{index.rstrip('/')}/pip/" for index in listed(settings, "index-url", "extra-index-url")]


def listed(settings: Settings, *names: str) -> list[str]:
    """The values of options that may hold several, separated by spaces or lines."""
    return [value for name in names for value in settings.get(name, "").split()]


def links(page: str, settings: Settings) -> list[str]:
    """The addresses that a page links to, or those of the files in a folder."""
    if page.startswith("file:"):
        path = Path(url2pathname(urlsplit(page).path))
        if not path.exists():
            return []
        if path.is_dir() and not (path / "index.html").is_file():
            return [file.as_uri() for file in path.iterdir()]
        page = (path / "index.html" if path.is_dir() else path).as_uri()
    text = read(page, settings).decode("utf-8", "replace")
    return [urljoin(page, unescape(link)) for link in re.findall(r"""href\s*=\s*["']([^"']+)""", text)]


def read(address: str, settings: Settings) -> bytes:
    """What lies at an address, asked for again where the network may be to blame."""
    for pause in PAUSES:
        try:
            return download(address, settings)
        except HTTPError as error:
            if error.code < 500:
                raise
        except (OSError, HTTPException):
            pass
        time.sleep(pause)
    try:
        return download(address, settings)
    except HTTPException as error:
        raise OSError(str(error)) from error


def download(address: str, settings: Settings) -> bytes:
    """What lies at an address, with pip's certificates and proxy and the password that the address may contain."""
    request = Request(without_password(address).partition("#")[0], headers={"Accept": "text/html, */*"})
    user = urlsplit(address).netloc.rpartition("@")[0]
    if user:
        secret = base64.b64encode(unquote(user).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {secret}")
    file, folder = certificates(settings)
    secure = HTTPSHandler(context=ssl.create_default_context(cafile=file, capath=folder))
    proxy = settings.get("proxy")
    through = ProxyHandler({"http": proxy, "https": proxy} if proxy else None)
    with build_opener(secure, through).open(request, timeout=TIMEOUT) as answer:
        return bytes(answer.read())


def certificates(settings: Settings) -> tuple[str | None, str | None]:
    """The file or the folder of the certificates to trust, if not those that Python finds by itself."""
    path = settings.get("cert") or os.environ.get("REQUESTS_CA_BUNDLE")
    return (None, path) if path and Path(path).is_dir() else (path, None)


def without_password(address: str) -> str:
    """An address that may be shown."""
    return re.sub(r"(?<=://)[^/]*@", "", address)
