"""run.py: sets up once, notices that nothing changed, and says plainly what is missing."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with its virtual environment in a folder of its own."""
    spec = importlib.util.spec_from_file_location("run_script", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", str(tmp_path))
    monkeypatch.setattr(module, "BIN", str(tmp_path))
    monkeypatch.setattr(module, "STAMP", str(tmp_path / "stamp"))
    return module


def test_nothing_is_ready_before_the_first_set_up(run: ModuleType) -> None:
    assert not run.ready(run.PLAYER)


def test_a_finished_set_up_is_noticed(run: ModuleType, tmp_path: Path) -> None:
    (tmp_path / Path(run.program("suitors")).name).touch()
    run.mark(run.PLAYER)
    assert run.ready(run.PLAYER)
    assert not run.ready(run.TESTER)


def test_what_a_tester_has_is_enough_for_a_player(run: ModuleType, tmp_path: Path) -> None:
    (tmp_path / Path(run.program("suitors")).name).touch()
    run.mark(run.TESTER)
    assert run.ready(run.PLAYER)


def test_a_changed_pin_asks_for_a_new_set_up(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / Path(run.program("suitors")).name).touch()
    run.mark(run.PLAYER)
    monkeypatch.setattr(run, "SOURCES", ("pyproject.toml", "LICENSE"))
    assert not run.ready(run.PLAYER)


def test_a_python_without_ensurepip_is_told_what_to_install(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert "-venv" in run.make_venv()


def test_an_old_python_is_refused(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 0))
    assert run.main([]) == 2
    assert "Python 3.11 or later" in capsys.readouterr().err


def test_a_player_goes_without_the_compiler_where_there_is_none(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[str] = []

    def pip(extras: str) -> bool:
        tried.append(extras)
        return bool(extras == run.PLAIN)

    monkeypatch.setattr(run, "pip", pip)
    assert run.install(run.PLAYER) is None
    assert tried == [run.PLAYER, run.PLAIN]
    assert "slower" in capsys.readouterr().err


def test_a_failed_installation_is_not_taken_for_a_finished_one(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "pip", lambda extras: False)
    assert "installation failed" in run.install(run.TESTER)
    assert not Path(run.STAMP).exists()


def test_tests_use_all_cores_unless_told_otherwise(run: ModuleType) -> None:
    assert run.workers(["test"]) == ["-n", "auto", "--dist", "worksteal"]
    assert run.workers(["test", "-n0"]) == []


def test_without_a_command_the_table_is_served(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[list[str]] = []

    def become(command: list[str], folder: str | None) -> int:
        became.append(command)
        return 0

    monkeypatch.setattr(run, "set_up", lambda extras: None)
    monkeypatch.setattr(run, "become", become)
    assert run.main([]) == 0
    assert run.main(["rules", "modern"]) == 0
    assert [command[1:] for command in became] == [["serve"], ["rules", "modern"]]


def test_a_browser_on_the_path_is_enough(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/bin/{name}" if name == "google-chrome" else None)
    assert run.set_up_browser() is None


def test_chromium_is_installed_where_that_is_possible(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"apt-get"}
    called: list[list[str]] = []

    def call(command: list[str], **more: object) -> int:
        called.append(command)
        if command[1] == "update":
            there.add("ready")
        elif "ready" in there:
            there.add("chromium")
        return 0

    monkeypatch.delenv("SUITORS_BROWSER", raising=False)
    monkeypatch.setattr(run.shutil, "which", lambda name: name if name in there else None)
    monkeypatch.setattr(run.os, "geteuid", lambda: 0)
    monkeypatch.setattr(run.subprocess, "call", call)
    assert run.set_up_browser() is None
    assert [command[1] for command in called] == ["install", "update", "install"]


def test_without_a_browser_one_is_told_what_to_install(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUITORS_BROWSER", raising=False)
    monkeypatch.setattr(run.shutil, "which", lambda name: None)
    assert "apt-get install chromium" in run.set_up_browser()
