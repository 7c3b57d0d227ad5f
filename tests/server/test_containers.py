"""The image, built and run as compose.yaml runs it, where there is podman or docker; test_deploy.py reads the files."""

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
import yaml  # type: ignore[import-untyped]

from support.proxies import DEPLOY
from support.repository import ROOT
from support.servers import API, Caller, free_port

NAME = "suitors-test"
ENGINES = ("podman", "docker")


def run(*words: str, timeout: float = 600) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=timeout)


def succeed(*words: str) -> str:
    done = run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def engine() -> Iterator[str]:
    """Whatever runs containers here, with the image built and an empty volume."""
    found = next((tool for tool in filter(None, map(shutil.which, ENGINES)) if run(tool, "info").returncode == 0), None)
    if found is None:
        pytest.skip("neither podman nor docker runs containers here")
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    for base in {line.split()[1] for line in lines if line.startswith("FROM ")}:
        if run(found, "pull", base).returncode:
            pytest.skip(f"{base} cannot be fetched here")
    succeed(found, "build", "--file", str(DEPLOY / "Containerfile"), "--tag", NAME, str(ROOT))
    succeed(found, "volume", "create", NAME)
    yield found
    for words in (("rm", "--force", NAME), ("volume", "rm", "--force", NAME), ("rmi", "--force", NAME)):
        run(found, *words)


def start(engine: str, port: int) -> str:
    """Start a container with the rights that compose.yaml leaves it, and wait until it is ready; its address."""
    service = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["suitors"]
    rights = ["--read-only", *(f"--cap-drop={each}" for each in service["cap_drop"])]
    rights += [f"--security-opt={each}" for each in service["security_opt"]]
    rights += [f"--pids-limit={service['pids_limit']}", *(f"--tmpfs={each}" for each in service["tmpfs"])]
    places = [f"--volume={NAME}:/data", f"--publish=127.0.0.1:{port}:8765"]
    succeed(engine, "run", "--detach", "--name", NAME, *rights, *places, NAME)
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{address}/health/ready", timeout=5):
                return address
        except (OSError, urllib.error.HTTPError):
            time.sleep(0.1)
    pytest.fail(run(engine, "logs", NAME).stderr[-2000:])


def test_the_image_serves_as_nobody_on_a_read_only_disk_and_keeps_its_data(engine: str) -> None:
    port = free_port()
    ada = Caller(start(engine, port), "Ada")
    table = ada("POST", "/tables", edition="classic", players=2)["id"]
    assert succeed(engine, "exec", NAME, "id", "-u") == "10001"
    assert run(engine, "exec", NAME, "touch", "/opt/suitors/x").returncode != 0
    listed = succeed(engine, "exec", NAME, "suitors", "admin", "--data", "/data", "tables").splitlines()
    assert [json.loads(line)["id"] for line in listed] == [table]
    check = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["suitors"]["healthcheck"]["test"]
    succeed(engine, "exec", NAME, *check[1:])
    succeed(engine, "stop", "--time", "30", NAME)
    assert succeed(engine, "inspect", "--format", "{{.State.ExitCode}}", NAME) == "0"
    succeed(engine, "rm", NAME)
    start(engine, port)
    assert ada("GET", f"/tables/{table}")["id"] == table
    with urllib.request.urlopen(f"{ada.address}{API}/catalogue", timeout=30) as answer:
        assert answer.status == 200
