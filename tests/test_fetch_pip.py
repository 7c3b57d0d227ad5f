"""fetch_pip.py: the pinned pip is found where pip would look for it, and used only if it is the pinned one."""

import base64
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fetch_pip
from fetch_pip import FetchError, fetch
from support.index import WHEEL, serving, wheel

GOOD = hashlib.sha256(wheel()).hexdigest()
BAD = "0" * 64


@pytest.fixture(autouse=True)
def unconfigured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of what this machine says about pip counts."""
    for name in os.environ:
        if name.startswith(("PIP_", "XDG_")) or name.lower().endswith("_proxy") or name == "REQUESTS_CA_BUNDLE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "xdg"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(fetch_pip, "PIP_CONF", tmp_path / "etc/pip.conf")
    monkeypatch.setattr(fetch_pip, "PAUSES", (0, 0))


@pytest.fixture
def lock(tmp_path: Path) -> Callable[..., Path]:
    """Makes a lock that pins pip with these hashes."""

    def make(*hashes: str) -> Path:
        path = tmp_path / "lock.txt"
        pins = " \\\n".join(f"    --hash=sha256:{value}" for value in hashes)
        path.write_text(f"packaging==1 \\\n    --hash=sha256:{BAD}\npip==99.1 \\\n{pins}\npluggy==1\n", "utf-8")
        return path

    return make


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_pip_comes_from_the_index_of_the_environment(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple/")
        found = fetch(lock(BAD, GOOD), tmp_path)
    assert found == tmp_path / WHEEL
    assert found.read_bytes() == wheel()


def test_another_file_than_the_pinned_one_is_refused(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple")
        with pytest.raises(FetchError, match=f"http://{host}/files/{WHEEL}.*hash differs"):
            fetch(lock(BAD), tmp_path)
    assert not (tmp_path / WHEEL).exists()


def test_without_settings_there_is_nowhere_to_look(lock: Callable[..., Path], tmp_path: Path) -> None:
    assert fetch(lock(GOOD), tmp_path) is None


def test_a_lock_without_pip_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "lock.txt", "packaging==1\n")
    with pytest.raises(FetchError, match="does not pin pip"):
        fetch(tmp_path / "lock.txt", tmp_path)


@pytest.mark.parametrize(
    "file", ["xdg/pip/pip.conf", "etc/pip.conf", ".pip/pip.conf", ".config/pip/pip.conf", "prefix/pip.conf"]
)
def test_pip_comes_from_the_index_of_a_file(file: str, lock: Callable[..., Path], tmp_path: Path) -> None:
    with serving() as host:
        write(tmp_path / file, f"[global]\nindex-url = http://{host}/simple\n")
        assert fetch(lock(GOOD), tmp_path)


def test_later_files_and_the_environment_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "etc/pip.conf", "[global]\nindex_url = a\nproxy = p\n[install]\nno-index = true\n")
    write(tmp_path / ".config/pip/pip.conf", "[global]\nindex-url = b\nno-index = false\n")
    assert fetch_pip.read_settings() == {"index-url": "b", "proxy": "p", "no-index": "true"}
    monkeypatch.setenv("PIP_INDEX_URL", "c")
    monkeypatch.setenv("PIP_PROXY", "")
    assert fetch_pip.read_settings() == {"index-url": "c", "proxy": "p", "no-index": "true"}


def test_a_named_file_replaces_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "etc/pip.conf", "[global]\nproxy = p\n")
    write(tmp_path / ".config/pip/pip.conf", "[global]\ncert = c\n")
    write(tmp_path / "named.conf", "[global]\nindex-url = n\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "named.conf"))
    assert fetch_pip.read_settings().keys() == {"config-file", "proxy", "index-url"}
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert fetch_pip.read_settings().keys() == {"config-file"}


def test_a_file_that_is_no_configuration_is_named(lock: Callable[..., Path], tmp_path: Path) -> None:
    write(tmp_path / "etc/pip.conf", "index-url = nowhere\n")
    with pytest.raises(FetchError, match=r"etc/pip\.conf"):
        fetch(lock(GOOD), tmp_path)


def test_pages_are_those_of_links_and_all_indexes(tmp_path: Path) -> None:
    settings = {
        "find-links": f"{tmp_path} http://a/b",
        "index-url": "http://i/",
        "extra-index-url": "http://x\nhttp://y/",
    }
    assert fetch_pip.pages(settings) == [
        tmp_path.as_uri(), "http://a/b", "http://i/pip/", "http://x/pip/", "http://y/pip/"
    ]  # fmt: skip
    assert fetch_pip.pages({**settings, "no-index": "1"}) == [tmp_path.as_uri(), "http://a/b"]


def test_pip_comes_from_a_folder(lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / WHEEL).write_bytes(wheel())
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path / 'nowhere'} {tmp_path / 'wheels'}")
    assert fetch(lock(GOOD), tmp_path) == tmp_path / WHEEL


def test_pip_comes_from_an_index_of_files(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "mirror/simple/pip/index.html", f'<a href="../../files/{WHEEL}#sha256={BAD}">pip</a>')
    (tmp_path / "mirror/files").mkdir()
    (tmp_path / "mirror/files" / WHEEL).write_bytes(wheel())
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", (tmp_path / "mirror/simple").as_uri())
    assert fetch(lock(GOOD), tmp_path)


def test_a_password_in_the_address_is_used_and_never_shown(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(authorization="Basic " + base64.b64encode(b"ada:p@ss").decode()) as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://ada:p%40ss@{host}/simple")
        with pytest.raises(FetchError, match=f"^http://{host}"):
            fetch(lock(BAD), tmp_path)
        assert fetch(lock(GOOD), tmp_path)
        monkeypatch.setenv("PIP_INDEX_URL", f"http://ada:wrong@{host}/simple")
        assert fetch(lock(GOOD), tmp_path) is None
    said = capsys.readouterr().err
    assert f"http://{host}/simple/pip/ could not be read" in said
    assert "401" in said
    assert "wrong" not in said


def test_an_index_that_fails_for_a_moment_is_asked_again(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(failures=2) as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple")
        assert fetch(lock(GOOD), tmp_path)
    with serving(failures=3) as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple")
        assert fetch(lock(GOOD), tmp_path) is None
    assert "503" in capsys.readouterr().err


def test_an_index_that_does_not_answer_is_passed_over(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving() as gone:
        pass
    with serving() as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{gone}/simple")
        monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"http://{host}/simple")
        assert fetch(lock(GOOD), tmp_path)
    assert f"http://{gone}/simple/pip/ could not be read" in capsys.readouterr().err


def test_the_proxy_of_the_settings_is_used(
    lock: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f'<a href="http://elsewhere.invalid/{WHEEL}">pip</a>'.encode()
    files = {"http://index.invalid/simple/pip/": page, f"http://elsewhere.invalid/{WHEEL}": wheel()}
    with serving(files) as host:
        monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/simple")
        monkeypatch.setenv("PIP_PROXY", f"http://{host}")
        assert fetch(lock(GOOD), tmp_path)


def test_certificates_are_those_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetch_pip.certificates({}) == (None, None)
    assert fetch_pip.certificates({"cert": str(tmp_path)}) == (None, str(tmp_path))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "bundle.pem")
    assert fetch_pip.certificates({}) == ("bundle.pem", None)
    assert fetch_pip.certificates({"cert": "own.pem"}) == ("own.pem", None)


def test_a_password_with_an_at_sign_is_not_shown() -> None:
    assert fetch_pip.without_password("http://user:p@ss@host/simple/pip/") == "http://host/simple/pip/"
    assert fetch_pip.without_password("http://host/a@b") == "http://host/a@b"


def test_uv_is_told_where_pip_looks(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.pem"
    settings = {
        "index-url": "https://a.example/simple",
        "extra-index-url": "https://b.example/simple\nhttps://c.example/simple",
        "find-links": "/wheels https://d.example/files",
        "trusted-host": "b.example c.example",
        "cert": str(bundle),
        "proxy": "http://proxy.example:8080",
        "timeout": "60",
    }
    assert fetch_pip.uv_environment(settings) == {
        "UV_NO_CONFIG": "1",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://a.example/simple",
        "UV_INDEX": "https://b.example/simple https://c.example/simple",
        "UV_FIND_LINKS": "/wheels,https://d.example/files",
        "UV_INSECURE_HOST": "b.example c.example",
        "SSL_CERT_FILE": str(bundle),
        "HTTP_PROXY": "http://proxy.example:8080",
        "HTTPS_PROXY": "http://proxy.example:8080",
    }


@pytest.mark.parametrize("name", ["no-index", "constraint", "client-cert"])
def test_uv_is_not_used_with_settings_of_which_it_cannot_be_told(name: str) -> None:
    assert fetch_pip.uv_environment({name: "true"}) is None
