"""The files of deploy/, parsed and held against the program; the proxies are really started (test_proxies.py)."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from fastapi.testclient import TestClient

from suitors.cli.root import cli
from support.proxies import DEPLOY, PAGE, on_page
from support.repository import ROOT
from support.servers import TOKEN, server_of

PORT = "8765"


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def options_of(words: list[str]) -> set[str]:
    """The options among words, which `suitors serve` must know."""
    known = {name for parameter in cli.commands["serve"].params for name in parameter.opts}
    found = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert found <= known
    return found


# Proxies


@pytest.mark.parametrize(("language", "file"), [("nginx", "nginx.conf"), ("caddyfile", "Caddyfile")])
def test_the_page_shows_the_very_files(language: str, file: str) -> None:
    assert on_page(language) == text_of(file)
    assert f"`deploy/{file}`" in PAGE


# Containers


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, lines that are continued put together."""
    lines = [line for line in text_of("Containerfile").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def last(word: str) -> str:
    return [rest for found, rest in instructions() if found == word][-1]


def test_the_image_runs_the_server_as_nobody_in_particular() -> None:
    known = {
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "ENV",
        "USER",
        "VOLUME",
        "EXPOSE",
        "HEALTHCHECK",
        "STOPSIGNAL",
        "ENTRYPOINT",
    }
    assert {word for word, _ in instructions()} <= known
    assert int(last("USER")) >= 1000
    entry = json.loads(last("ENTRYPOINT"))
    assert entry[:2] == ["suitors", "serve"]
    assert options_of(entry[2:]) == {"--no-open", "--host", "--port", "--data"}
    assert entry[entry.index("--data") + 1] == last("VOLUME") == "/data"
    assert entry[entry.index("--port") + 1] == last("EXPOSE") == PORT


def test_what_is_copied_into_the_image_is_enough_to_build_the_package(tmp_path: Path) -> None:
    for rest in (rest for word, rest in instructions() if word == "COPY" and not rest.startswith("--from")):
        (*sources, target) = rest.split()
        for source in sources:
            path = tmp_path / (source if target == "./" else target)
            path.parent.mkdir(exist_ok=True)
            (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, path)
    assert (tmp_path / "requirements" / "image.txt").is_file()
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "made"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "made").glob("suitors-*.whl"))


def health_checks() -> list[list[str]]:
    compose = yaml.safe_load(text_of("compose.yaml"))
    return [
        json.loads(last("HEALTHCHECK").partition("CMD ")[2]),
        compose["services"]["suitors"]["healthcheck"]["test"][1:],
    ]


def test_the_health_check_asks_what_the_server_answers(client: TestClient) -> None:
    for words in health_checks():
        assert words[:2] == ["python", "-c"]
        compile(words[2], "check", "exec")
        (address,) = re.findall(r"'(http://[^']+)'", words[2])
        assert address.startswith(f"http://127.0.0.1:{PORT}/")
        answer = client.get(address.removeprefix(f"http://127.0.0.1:{PORT}"), headers={"host": f"127.0.0.1:{PORT}"})
        assert answer.status_code == 200


def test_the_services_may_do_no_more_than_they_need() -> None:
    compose = yaml.safe_load(text_of("compose.yaml"))
    for service in compose["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        named = [volume.partition(":")[0] for volume in service["volumes"]]
        assert all(name in compose["volumes"] or (DEPLOY / name).is_file() for name in named)
    server, caddy = compose["services"]["suitors"], compose["services"]["caddy"]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    assert "ports" not in server  # only the proxy can be reached
    assert options_of(server["command"]) == {"--origin", "--trust-proxy"}
    trusted = next(word.partition("=")[2] for word in server["command"] if word.startswith("--trust-proxy"))
    assert trusted == caddy["networks"]["inside"]["ipv4_address"]
    assert caddy["environment"]["SUITORS_SERVER"] == f"suitors:{PORT}"
    assert set(re.findall(r"\{\$(\w+)", text_of("Caddyfile"))) == set(caddy["environment"])


# systemd


def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text_of("suitors.service"))
    return parser


def test_the_unit_starts_the_server_with_options_that_there_are() -> None:
    words = shlex.split(unit()["Service"]["ExecStart"])
    assert words[0].endswith("/suitors")
    assert words[1] == "serve"
    assert options_of(words) == {"--no-open", "--data", "--trust-proxy", "--origin"}
    assert words[words.index("--data") + 1] == f"/var/lib/{unit()['Service']['StateDirectory']}"
    hardened = {"DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "RestrictSUIDSGID"}
    assert all(unit()["Service"][key] == "yes" for key in hardened)
    assert unit()["Service"]["ProtectSystem"] == "strict"
    assert unit()["Service"]["CapabilityBoundingSet"] == ""


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    keys = [key for section in unit().sections() for key in unit()[section]]
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", key) for key in keys)
    tool = shutil.which("systemd-analyze")
    if tool is not None:  # elsewhere the lines above have to do
        copy = tmp_path / "suitors.service"
        copy.write_text(text_of("suitors.service").replace("/opt/suitors/bin/suitors", sys.executable), "utf-8")
        done = subprocess.run([tool, "verify", str(copy)], capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


# Prometheus and Grafana


def exported(client: TestClient) -> set[str]:
    """The names of all metrics that a server exports."""
    server_of(client).metrics.requests.labels("GET", 200).inc()
    server_of(client).metrics.refused.labels("test").inc()
    lines = server_of(client).metrics.text().decode().splitlines()
    return {re.split(r"[ {]", line)[0] for line in lines if not line.startswith("#")}


def expressions() -> list[str]:
    panels: list[dict[str, Any]] = json.loads(text_of("grafana-dashboard.json"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def test_every_metric_on_the_dashboard_is_exported(client: TestClient) -> None:
    named = {name for text in expressions() for name in re.findall(r"suitors_\w+", text)}
    assert named <= exported(client)
    families = {re.sub(r"_(total|bucket|sum|count|created)$", "", name) for name in exported(client)}
    shown = {re.sub(r"_(total|bucket)$", "", name) for name in named}
    assert families == shown  # and nothing that is exported is missing


def test_labels_on_the_dashboard_are_those_of_the_metrics(client: TestClient) -> None:
    for text in expressions():
        for label, metric in re.findall(r"by \((\w+)\) \(rate\((suitors_\w+)\[", text):
            pattern = rf"^{metric}\{{[^}}]*{label}="
            exported(client)
            assert re.search(pattern, server_of(client).metrics.text().decode(), re.MULTILINE) or label == "le"
        assert text.count("(") == text.count(")")


def test_panels_do_not_lie_upon_each_other() -> None:
    panels = json.loads(text_of("grafana-dashboard.json"))["panels"]
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_prometheus_asks_for_the_metrics_as_the_server_wants_it(client: TestClient) -> None:
    (job,) = yaml.safe_load(text_of("prometheus.yml"))["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"127.0.0.1:{PORT}"]}]
    kind = job["authorization"]["type"]
    answer = client.get(job["metrics_path"], headers={"authorization": f"{kind} {TOKEN}"})
    assert answer.status_code == 200
