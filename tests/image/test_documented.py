"""Lines of the documents that run containers, as they are written; `docker` is podman."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from mextrain_client import MextrainClient
from mextrain_service.local.local_keys import new_keys
from tests.front.rest import Rest, persons
from tests.image import play_compose, stand_ins
from tests.image.container import GRACE_S, Container, engine
from tests.polling import eventually
from tests.project.tree import ROOT
from tests.worker.processes import fetch

pytestmark = pytest.mark.timeout(400)


def _lines(document: str, start: str) -> list[str]:
    """Return the commands of a document's examples that begin like this."""
    text = (ROOT / document).read_text("utf-8")
    examples = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    joined = examples.replace("\\\n", "")
    return [line for line in joined.splitlines() if line.startswith(start)]


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """The environment of a person whose `docker` is podman."""
    script = tmp_path / "bin" / "docker"
    script.parent.mkdir()
    script.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = compose ] || exec {ROOT}/tools/image.sh engine "$@"\n'
        f'shift; PYTHONPATH={ROOT} exec {sys.executable} -m tests.image.play_compose "$@"\n'
    )
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{script.parent}:{os.environ['PATH']}"}


@contextlib.contextmanager
def _running(line: str, folder: Path, variables: dict[str, str]) -> Iterator[Path]:
    """Run a line in a folder, and stop it as Ctrl-C in its terminal does.

    Yields:
        what it says.
    """
    said = folder / "said"
    with (
        said.open("w") as output,
        subprocess.Popen(
            ["bash", "-c", f"exec {line}"], cwd=folder, env=variables, stdout=output, stderr=output
        ) as process,
    ):
        try:
            yield said
            process.send_signal(signal.SIGINT)
            assert 0 == process.wait(GRACE_S + 10), said.read_text()
        finally:
            process.kill()
            for container in _of_documents():
                engine("rm", "--force", "--time=0", container)


def _of_documents() -> list[str]:
    """Return the containers on the network that none of the tests' own is on."""
    return engine("ps", "--all", "--quiet", "--filter=network=podman")[1].split()


def test_line_of_the_readme_serves_all_on_the_published_ports(
    variables: dict[str, str], tmp_path: Path
) -> None:
    (line,) = _lines("README.md", "docker run")
    assert line in _lines("docs/image.md", "docker run")
    with _running(line, tmp_path, variables) as said:
        eventually(lambda: "Or from Python" in said.read_text())
        key = re.findall(r"mxk_[\w-]+", said.read_text())[0]
        assert "cannot know" in said.read_text()
        host = Rest("http://127.0.0.1:7380", key)
        assert 200 == host.post("/v1/games", {"seats": persons("ada", "bob")}).status
        with MextrainClient("127.0.0.1:7300", key) as client:
            assert client.list_presets().presets


def test_worker_takes_calls_with_settings_from_a_file(
    valkey: Container, variables: dict[str, str], tmp_path: Path
) -> None:
    (line,) = (each for each in _lines("docs/image.md", "docker run") if "--env-file" in each)
    keys = new_keys()
    settings = {
        "MEXTRAIN_REDIS_URL": f"redis://{valkey.address()}:6379/0",
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
    }
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (tmp_path / "mextrain.env").write_text(text)
    with (
        _running(line, tmp_path, variables),
        MextrainClient("127.0.0.1:7300", keys.platform_key) as client,
    ):
        eventually(lambda: _answered(client))


def _answered(client: MextrainClient) -> bool:
    with contextlib.suppress(Exception):
        return bool(client.list_presets().presets)
    return False


def test_quick_start_of_compose_plays(variables: dict[str, str], tmp_path: Path) -> None:
    """All of it but Grafana, which no package of Debian has."""
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy")
    for name, tag in _others().items():
        stand_ins.make(name, tag)
    (start,) = _lines("docs/operations.md", "cd deploy")
    text = (ROOT / "deploy" / "compose.yaml").read_text("utf-8")
    assert f"#     {start}\n" in text
    (look,) = re.findall(r"^#     (curl .*)$", text, re.MULTILINE)
    try:
        done = _done(start, tmp_path, variables)
        assert "grafana is left out: grafana/grafana:11.4.0 is not here\n" == done.stderr
        assert json.loads(_done(look, tmp_path, variables).stdout)["presets"]
        (key,) = re.findall(r"mxk_[\w-]+", done.stdout)
        host = Rest("http://127.0.0.1:7380", key)
        game = host.post("/v1/games", {"seats": persons("ada", "bob")}).body["game"]
        assert 200 == host.post(f"/v1/games/{game['gameId']}:deal").status
        assert eventually(_targets) == {"mextrain-worker": 2, "mextrain-front": 1, "redis": 1}
        for of_redis in ("redis_up == 1", 'redis_instance_info{maxmemory_policy="noeviction"}'):
            eventually(partial(_asked, of_redis))
        for service in ("mextrain-front", "mextrain-worker", "redis"):
            names = play_compose.containers(service)
            engine("stop", *names)
            codes = engine("inspect", "--format={{.State.ExitCode}}", *names)[1].split()
            assert codes == ["0"] * len(names)
    finally:
        _done("docker compose down --volumes", tmp_path / "deploy", variables)


def _others() -> dict[str, str]:
    """Return the images of the file that are not ours, and their tags."""
    file = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    names = (service["image"] for service in file["services"].values())
    pairs = (name.split(":", 1) for name in names if not name.startswith(("$", "grafana")))
    return dict(pairs)


def _done(line: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["bash", "-euc", line],
        cwd=folder,
        env=variables,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done


def _targets() -> dict[str, int] | None:
    """Return how many targets of each job Prometheus finds up; None until all are."""
    found: dict[str, int] = {}
    for each in _asked('up{job!="prometheus"} == 1'):
        job = each["metric"]["job"]
        found[job] = found.get(job, 0) + 1
    return found if sum(found.values()) == 4 else None


def _asked(query: str) -> list[dict[str, Any]]:
    """Return what Prometheus knows."""
    query = query.replace(" ", "%20").replace('"', "%22")
    status, body = fetch(f"http://127.0.0.1:9090/api/v1/query?query={query}")
    return json.loads(body)["data"]["result"] if status == 200 else []
