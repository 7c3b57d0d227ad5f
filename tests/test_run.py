"""run.py: sets up once with nothing but Python, notices that nothing changed, and says plainly what is missing."""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import run
from support.index import CALLS, serving, wheel

ROOT = Path(__file__).parent.parent
LOCKS = (run.PLAYER, run.PLAIN, run.TESTS)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own for the script, on a machine where no system package can be installed."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\n", "utf-8")
    pin(tmp_path, hashlib.sha256(wheel()).hexdigest())
    paths = {"HERE": "", "VENV": ".venv", "BIN": ".venv/bin", "STAMP": ".venv/stamp"}
    for name, path in paths.items():
        monkeypatch.setattr(run, name, str(tmp_path / path))
    monkeypatch.setattr(run, "PAUSES", (0, 0))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.delenv("SUITORS_BROWSER", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")
    for name in os.environ:
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that the script has become."""
    commands: list[list[str]] = []

    def become(command: list[str], folder: str | None) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(run, "become", become)
    return commands


@pytest.fixture
def without_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python as Debian has it: without ensurepip and pip."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setitem(sys.modules, "pip", None)


@pytest.fixture
def shell(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes programs of shell commands, the only ones on the PATH; they run in the project's folder."""
    folder = project / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def make(name: str, commands: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin; cd {project}\n{commands}\n", "utf-8")
        (folder / name).chmod(0o755)

    return make


@pytest.fixture
def apt_get(shell: Callable[[str, str], None], project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that we may use: after an update it notes what it installs by files in a folder, which this is."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    installed = project / "installed"
    shell(
        "apt-get",
        """echo "pages of output"
        case $1 in
          update) mkdir -p lists;;
          install) for name; do :; done
            [ -d lists ] && [ ! -e unknown-$name ] || { echo "E: Unable to locate package $name"; exit 100; }
            mkdir -p installed && touch installed/$name
            case $name in chromium*) cp browser programs/$name;; esac;;
        esac""",
    )
    (project / "browser").write_text("#!/bin/sh\n", "utf-8")
    (project / "browser").chmod(0o755)
    return installed


def pin(project: Path, value: str) -> None:
    """Let all locks pin pip with this hash."""
    for name in LOCKS:
        lock = f"pip==99.1 \\\n    --hash=sha256:{value}\n"
        (project / "requirements" / f"{name}.txt").write_text(lock, "utf-8")


def finished(project: Path, packages: str) -> None:
    """Let this set of packages be installed."""
    (project / ".venv/bin").mkdir(parents=True, exist_ok=True)
    Path(run.program("suitors")).touch()
    Path(run.program("python")).touch()
    run.mark(packages)


def answers(monkeypatch: pytest.MonkeyPatch, *given: tuple[bool, str]) -> list[list[str]]:
    """Let commands work or fail as given, one after the other; what they were."""
    commands: list[list[str]] = []
    left = list(given)

    def attempt(command: list[str], **environment: str) -> tuple[bool, str]:
        commands.append(command)
        return left.pop(0)

    monkeypatch.setattr(run, "attempt", attempt)
    return commands


# What is there already


def test_nothing_is_ready_before_the_first_set_up() -> None:
    assert not run.ready(run.PLAYER)


def test_a_finished_set_up_is_noticed(project: Path) -> None:
    finished(project, run.PLAYER)
    assert run.ready(run.PLAYER)
    assert not run.ready(run.TESTS)


def test_an_environment_whose_python_is_gone_is_made_anew(project: Path) -> None:
    finished(project, run.PLAYER)
    Path(run.program("python")).unlink()
    Path(run.program("python")).symlink_to(project / "gone")
    assert not run.ready(run.PLAYER)


def test_a_copy_without_its_locks_is_named(project: Path) -> None:
    finished(project, run.PLAYER)
    Path(run.lock_file(run.PLAYER)).unlink()
    with pytest.raises(run.SetupError, match="not complete"):
        run.ready(run.PLAYER)


def test_what_the_tests_need_is_enough_for_a_player(project: Path) -> None:
    finished(project, run.TESTS)
    assert run.ready(run.PLAYER)


@pytest.mark.parametrize("file", ["pyproject.toml", "requirements/player.txt"])
def test_a_change_asks_for_a_new_set_up(project: Path, file: str) -> None:
    finished(project, run.PLAYER)
    (project / file).write_text("changed\n", "utf-8")
    assert not run.ready(run.PLAYER)


def test_an_old_python_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 0))
    assert run.main([]) == 2
    assert "Python 3.11 or later" in capsys.readouterr().err


# A Python without pip


@pytest.mark.usefixtures("without_pip")
def test_a_python_without_pip_gets_the_pinned_one_and_installs_quietly(
    project: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving() as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple")
        assert run.main([]) == 0
    packages, itself = (project / ".venv" / CALLS).read_text("utf-8").splitlines()
    assert packages.endswith(f"--require-hashes --requirement {project}/requirements/player.txt")
    assert itself == f"install --no-deps --no-build-isolation --no-index --editable {project}"
    assert became == [[run.program("suitors"), "serve"]]
    assert run.ready(run.PLAYER)
    said = capfd.readouterr()
    assert said.out == ""
    assert [line.split()[0] for line in said.err.splitlines()] == ["Setting", "Looking", "Installing"]


@pytest.mark.usefixtures("without_pip")
def test_a_pip_with_another_hash_is_not_used(
    project: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pin(project, "0" * 64)
    with serving() as host:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://{host}/simple")
        assert run.main([]) == 2
    assert "hash differs" in capsys.readouterr().err
    assert not (project / ".venv" / CALLS).exists()
    assert became == []


@pytest.mark.usefixtures("without_pip")
def test_without_pip_and_index_one_is_told_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 2
    said = capsys.readouterr().err
    assert "-venv' as root" in said
    assert "set PIP_INDEX_URL" in said


@pytest.mark.usefixtures("without_pip")
def test_without_an_index_ensurepip_is_installed_where_that_is_possible(
    apt_get: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"python3.{sys.version_info[1]}-venv"

    def importable(module: str) -> bool:
        return module == "venv" or (module == "ensurepip" and (apt_get / package).exists())

    made: list[bool] = []
    monkeypatch.setattr(run, "importable", importable)
    monkeypatch.setattr("venv.create", lambda folder, with_pip, symlinks: made.append(with_pip))
    run.make_environment()
    assert run.find_pip(run.PLAYER) == [run.program("python"), "-m", "pip"]
    assert made == [False, True]


def test_the_pip_of_this_python_serves_an_environment_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "importable", lambda module: module == "pip")
    assert run.find_pip(run.PLAYER) == [sys.executable, "-m", "pip", "--python", run.program("python")]


def test_a_python_without_venv_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "venv", None)
    assert run.main([]) == 2
    assert "apt-get install python3" in capsys.readouterr().err


# Installing


def test_a_player_goes_without_the_compiler_where_there_is_none(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = answers(monkeypatch, (False, "ERROR: no numba"), (True, ""), (True, ""))
    run.install(["pip"], run.PLAYER)
    assert [Path(command[-1]).stem for command in commands] == ["player", "plain", project.name]
    assert "slower" in capsys.readouterr().err


def test_the_tests_need_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = answers(monkeypatch, (False, "ERROR: no numba"))
    with pytest.raises(run.SetupError):
        run.install(["pip"], run.TESTS)
    assert len(commands) == 1


def test_a_failed_installation_shows_the_end_of_what_pip_printed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = "\n".join(f"line {number};" for number in range(100))
    monkeypatch.setattr(run, "make_environment", lambda: None)
    monkeypatch.setattr(run, "find_pip", lambda packages: ["pip"])
    answers(monkeypatch, (False, printed), (False, printed))
    assert run.main([]) == 2
    said = capsys.readouterr().err
    assert "line 99;" in said
    assert "line 80;" not in said
    assert "could not be installed" in said.splitlines()[-1]
    assert not Path(run.STAMP).exists()


def pin_uv(project: Path) -> str:
    """Let the tests pin uv, too; what says so."""
    lock = project / "requirements" / "tests.txt"
    pin = f"uv==1.2 \\\n    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}"
    lock.write_text(f"{lock.read_text('utf-8')}{pin}\n", "utf-8")
    (project / ".venv").mkdir()
    return pin


def test_the_packages_of_the_tests_are_installed_by_the_uv_that_they_pin(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = pin_uv(project)
    commands = answers(monkeypatch, (True, ""), (True, ""), (True, ""))
    run.install(["pip"], run.TESTS)
    assert commands[0] == ["pip", *run.PIP_INSTALL, str(project / ".venv/uv.txt")]
    assert (project / ".venv/uv.txt").read_text("utf-8") == pin
    assert commands[1][:3] == [run.program("uv"), "pip", "install"]
    assert commands[1][-3:] == ["--require-hashes", "--requirement", run.lock_file(run.TESTS)]
    assert commands[2][-2] == "--editable"


@pytest.mark.parametrize("worked", [[], [(True, "")]], ids=["not installed", "not able"])
def test_what_uv_cannot_install_pip_does(
    project: Path, monkeypatch: pytest.MonkeyPatch, worked: list[tuple[bool, str]]
) -> None:
    pin_uv(project)
    commands = answers(monkeypatch, *worked, (False, "no such wheel"), (True, ""), (True, ""))
    run.install(["pip"], run.TESTS)
    assert commands[-2] == ["pip", *run.PIP_INSTALL, run.lock_file(run.TESTS)]


def test_where_uv_cannot_be_told_of_a_setting_pip_installs(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin_uv(project)
    monkeypatch.setenv("PIP_CONSTRAINT", "constraints.txt")
    commands = answers(monkeypatch, (True, ""), (True, ""))
    run.install(["pip"], run.TESTS)
    assert commands[0] == ["pip", *run.PIP_INSTALL, run.lock_file(run.TESTS)]


def test_the_browser_is_installed_while_pip_is_at_work(
    monkeypatch: pytest.MonkeyPatch, became: list[list[str]]
) -> None:
    browser = threading.Event()
    monkeypatch.setattr(run, "find_programs", browser.set)
    monkeypatch.setattr(run, "make_environment", lambda: Path(run.VENV).mkdir())
    monkeypatch.setattr(run, "find_pip", lambda packages: ["pip"])
    monkeypatch.setattr(run, "install", lambda pip, packages: browser.wait() and None)
    for step in ("set_up_browser", "set_up_proxies"):
        monkeypatch.setattr(run, step, lambda: None)
    assert run.main(["test", "-n0"]) == 0
    assert became


def test_what_fails_by_chance_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = (False, "WARNING: Retrying after connection broken by ReadTimeoutError")
    commands = answers(monkeypatch, broken, broken, (True, ""), (True, ""))
    run.install(["pip"], run.PLAYER)
    assert len(commands) == 4
    assert capsys.readouterr().err.count("Trying again") == 2


def test_without_a_network_trying_ends_and_the_compiler_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = answers(monkeypatch, *[(False, "Connection refused")] * 3)
    with pytest.raises(run.SetupError, match="package index"):
        run.install(["pip"], run.PLAYER)
    assert {Path(command[-1]).stem for command in commands} == {"player"}


def test_a_command_that_does_not_exist_has_failed() -> None:
    assert run.attempt(["/no/such/program"])[0] is False


# What is started


def test_without_a_command_the_table_is_served(project: Path, became: list[list[str]]) -> None:
    finished(project, run.PLAYER)
    assert run.main([]) == 0
    assert run.main(["rules", "modern"]) == 0
    assert [command[1:] for command in became] == [["serve"], ["rules", "modern"]]


def test_processes_of_the_tests_share_compiled_modules(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPYCACHEPREFIX")
    run.share_bytecode()
    script = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", str(project / ".venv" / "bytecode")]


def test_tests_use_all_cores_unless_told_otherwise() -> None:
    assert run.workers([]) == ["-n", str(run.cores() + 1), "--dist", "worksteal"]
    assert run.workers(["-n0"]) == []


def test_all_tests_are_run_when_the_browser_is_there(
    project: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    finished(project, run.TESTS)
    monkeypatch.setattr(run, "set_up_browser", lambda: steps.append("browser"))
    monkeypatch.setattr(run, "set_up_proxies", lambda: steps.append("proxies"))
    monkeypatch.setattr(run, "set_up_postgres", lambda: steps.append("postgres"))
    assert run.main(["test", "-n0", "-k", "elo"]) == 0
    assert steps == ["browser", "proxies", "postgres"]
    assert became == [[run.program("python"), "-m", "pytest", "-n0", "-k", "elo"]]


@pytest.mark.parametrize(("status", "again"), [(0, False), (1, True), (2, False)])
def test_tests_that_fail_in_a_whole_run_are_run_once_more(
    project: Path,
    became: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int,
    again: bool,
) -> None:
    called: list[list[str]] = []

    def call(command: list[str], cwd: str) -> int:
        called.append(command)
        return status

    finished(project, run.TESTS)
    for step in ("set_up_browser", "set_up_proxies", "set_up_postgres"):
        monkeypatch.setattr(run, step, lambda: None)
    monkeypatch.setattr(subprocess, "call", call)
    assert run.main(["test"]) == (0 if again else status)
    whole = [run.program("python"), "-m", "pytest", *run.workers([])]
    assert called == [whole]
    assert became == ([[*whole, *run.AGAIN]] if again else [])
    assert ("once more" in capsys.readouterr().err) is again


def test_quick_tests_need_no_browser(project: Path, became: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    finished(project, run.TESTS)
    monkeypatch.setattr(run, "find_browser", lambda: pytest.fail("nothing here needs a browser"))
    monkeypatch.setattr(run, "find_proxy", lambda name: pytest.fail("nothing here needs a proxy"))
    assert run.main(["test", "--quick", "-n0"]) == 0
    assert became == [[run.program("python"), "-m", "pytest", *run.QUICK, "-n0"]]


@pytest.mark.parametrize("path", run.QUICK)
def test_quick_tests_exist(path: str) -> None:
    found = ROOT / path
    assert found.is_file() or list(found.glob("test_*.py"))


# The browser and its libraries


def lacking(*libraries: str) -> str:
    """The commands of a program that does not start before these are installed."""
    error = "error while loading shared libraries: {}: cannot open shared object file: No such file or directory"
    lines = [
        f"[ -e installed/{run.debian_package(name)} ] || {{ echo 'node: {error.format(name)}'; exit 127; }}"
        for name in libraries
    ]
    return "\n".join(lines)


@pytest.fixture
def driver(shell: Callable[[str, str], None], project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a driver of the browser that lacks libraries."""
    monkeypatch.setattr(run, "program", lambda name: str(project / "programs" / name))
    return lambda *libraries: shell("python", lacking(*libraries))


def test_chromium_and_missing_libraries_are_installed_where_that_is_possible(
    apt_get: Path, driver: Callable[..., None], project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    driver("libatomic.so.1", "libnss3.so")
    (project / "browser").write_text(f"#!/bin/sh\ncd {project}\n{lacking('libX11.so.6')}\n", "utf-8")
    run.set_up_browser()
    browser = "chromium-headless-shell"
    assert {path.name for path in apt_get.iterdir()} == {browser, "libatomic1", "libnss3", "libx11-6"}
    said = capfd.readouterr().err
    assert "Installing libatomic1 with apt-get" in said
    assert "pages of output" not in said


def test_where_there_is_no_browser_without_windows_the_other_will_do(
    apt_get: Path, driver: Callable[..., None], project: Path
) -> None:
    driver()
    (project / "unknown-chromium-headless-shell").touch()
    run.set_up_browser()
    assert {path.name for path in apt_get.iterdir()} == {"chromium"}


def test_a_browser_that_starts_is_enough(
    shell: Callable[[str, str], None], driver: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    driver()
    shell("google-chrome", "exit 0")
    run.set_up_browser()
    assert capsys.readouterr().err == ""


def test_the_named_browser_is_the_one(shell: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    shell("chromium", "exit 0")
    monkeypatch.setenv("SUITORS_BROWSER", "/opt/browser")
    assert run.find_browser() == "/opt/browser"


def test_where_nothing_may_be_installed_one_is_told_all_that_is_missing(driver: Callable[..., None]) -> None:
    driver("libatomic.so.1")
    with pytest.raises(run.SetupError, match="apt-get install chromium libatomic1'"):
        run.set_up_browser()


def test_a_package_that_does_not_exist_is_named_with_the_output_of_apt_get(
    apt_get: Path, driver: Callable[..., None], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    driver("libatomic.so.1")
    (project / "unknown-libatomic1").touch()
    with pytest.raises(run.SetupError, match="apt-get install libatomic1'"):
        run.set_up_browser()
    assert "Unable to locate package libatomic1" in capsys.readouterr().err


def test_a_library_that_stays_missing_is_not_installed_for_ever(
    apt_get: Path, driver: Callable[..., None], shell: Callable[[str, str], None]
) -> None:
    driver()
    shell("chromium", "echo 'error while loading shared libraries: libgone.so.3: no such file'; exit 127")
    with pytest.raises(run.SetupError, match="apt-get install libgone3'"):
        run.set_up_browser()


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libatomic.so.1", "libatomic1"),
        ("libstdc++.so.6", "libstdc++6"),
        ("libgcc_s.so.1", "libgcc-s1"),
        ("libX11.so.6", "libx11-6"),
        ("libnss3.so", "libnss3"),
    ],
)
def test_libraries_are_in_packages_named_after_them(library: str, package: str) -> None:
    assert run.debian_package(library) == package


# Proxies


@pytest.fixture
def no_system_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine where no proxy is installed, whatever this one has."""
    which = shutil.which

    def on_the_path(name: str, path: str | None = None) -> str | None:
        return which(name, path=(path or os.environ["PATH"]).replace("/usr/sbin:", ""))

    monkeypatch.setattr(shutil, "which", on_the_path)


@pytest.mark.usefixtures("no_system_proxies")
def test_proxies_are_unpacked_beside_the_environment_and_not_installed(
    shell: Callable[[str, str], None], project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    unpack = "mkdir -p $3/usr/sbin && touch $3/usr/sbin/$name && chmod +x $3/usr/sbin/$name"
    shell("apt-get", '[ $1 = download ] || exit 1; cd .venv/*; echo "pages of output"; touch $2_1.0_amd64.deb')
    shell("dpkg-deb", f"name=$(basename $2 _1.0_amd64.deb); {unpack}")
    assert run.find_proxy("nginx") is None
    run.set_up_proxies()
    assert [run.find_proxy(name) for name in run.PROXIES] == [
        str(project / ".venv" / run.PACKAGES / "usr" / "sbin" / name) for name in run.PROXIES
    ]
    assert capfd.readouterr().err.splitlines() == [f"Fetching {name} with apt-get …" for name in run.PROXIES]
    run.set_up_proxies()
    assert capfd.readouterr().err == ""  # they are there


@pytest.mark.usefixtures("no_system_proxies", "shell")
def test_where_no_proxy_can_be_had_one_is_told_that_tests_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    run.set_up_proxies()
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in said] == list(run.PROXIES)
    assert all("skipped" in line for line in said)


@pytest.mark.usefixtures("no_system_proxies")
def test_a_proxy_that_apt_get_does_not_know_is_asked_for_again_after_an_update(
    shell: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    shell("apt-get", 'echo $1 >> asked; echo "E: Unable to locate package"; exit 100')
    shell("dpkg-deb", "exit 1")
    assert not run.unpack_package("nginx")
    assert "Unable to locate package" in capsys.readouterr().err
    assert Path(run.HERE, "asked").read_text("utf-8").split() == ["download", "update", "download"]


def test_a_proxy_of_the_system_is_enough(shell: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]) -> None:
    for name in run.PROXIES:
        shell(name, "exit 0")
    run.set_up_proxies()
    assert capsys.readouterr().err == ""


# PostgreSQL


@pytest.fixture
def no_postgres(monkeypatch: pytest.MonkeyPatch, project: Path, shell: Callable[[str, str], None]) -> None:
    """A machine without PostgreSQL, whatever this one has."""
    monkeypatch.setattr(run, "POSTGRES_FOLDER", str(project / "none"))


@pytest.mark.usefixtures("no_postgres")
def test_the_newest_postgresql_is_unpacked_beside_the_environment(
    shell: Callable[[str, str], None], project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = "$3/usr/lib/postgresql/15/bin"
    programs = " ".join(f"{folder}/{name}" for name in run.POSTGRES)
    shell("apt-cache", 'printf "postgresql-client\\npostgresql-9\\npostgresql-15\\npostgresql-15-cron\\n"')
    shell("apt-get", "[ $1 = download ] || exit 1; cd .venv/*; touch $2_1.0_amd64.deb")
    shell("dpkg-deb", f"mkdir -p {folder} && touch {programs} && chmod +x {programs}")
    run.set_up_postgres()
    assert run.find_postgres("initdb") == str(project / ".venv" / run.PACKAGES / "usr/lib/postgresql/15/bin/initdb")
    assert capfd.readouterr().err.splitlines() == ["Fetching postgresql-15 with apt-get …"]
    run.set_up_postgres()
    assert capfd.readouterr().err == ""  # it is there


@pytest.mark.usefixtures("no_postgres")
def test_where_there_is_no_postgresql_the_tests_do_not_start_and_one_is_told_how_to_get_it(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(project, run.TESTS)
    for step in ("set_up_browser", "set_up_proxies"):
        monkeypatch.setattr(run, step, lambda: None)
    assert run.main(["test"]) == 2
    assert "apt-get install postgresql" in capsys.readouterr().err


@pytest.mark.usefixtures("no_postgres")
def test_a_postgresql_of_the_system_is_enough(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for version in ("9", "15"):
        for name in run.POSTGRES:
            path = project / "system" / version / "bin" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o755)
    monkeypatch.setattr(run, "POSTGRES_FOLDER", str(project / "system"))
    run.set_up_postgres()
    assert run.find_postgres("postgres") == str(project / "system/15/bin/postgres")
    assert capsys.readouterr().err == ""
