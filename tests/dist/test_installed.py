"""The wheel as others install it: the engine alone, and the service."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import version

import pytest

from mextrain_service.local.discovery import Running
from tests.dist.conftest import Environment
from tests.front.rest import Rest

pytestmark = pytest.mark.timeout(300)  # the first to ask for an environment waits for it


def test_engine_plays_when_nothing_else_is_installed(alone: Environment) -> None:
    program = (
        "from mextrain_engine import RuleSet, deal, legal_moves, new_game\n"
        "print(legal_moves(deal(new_game(RuleSet(), seats=4), range(90, -1, -1)).state)[0])"
    )
    code, said, complaints = alone.run("python", "-W", "error", "-c", program)
    assert (0, "12-0@0\n", "") == (code, said, complaints)


def test_client_calls_with_and_without_the_service_beside_it(
    calling: Environment, served: Environment
) -> None:
    program = (
        "import importlib.util as installed\n"
        "from mextrain_client import MextrainClient, MextrainError\n"
        "try: MextrainClient('127.0.0.1:1', patience_s=0).list_presets()\n"
        "except MextrainError as error: print(error.reason)\n"
        "print([name for name in ('engine', 'service') if installed.find_spec(f'mextrain_{name}')])"
    )
    for environment, beside in ((calling, []), (served, ["engine", "service"])):
        said = environment.run("python", "-W", "error", "-c", program)
        assert (0, f"UNAVAILABLE\n{beside}\n", "") == said


def test_command_says_what_to_install_when_nothing_else_is(alone: Environment) -> None:
    code, said, complaints = alone.run("mextrain", "demo")
    assert (1, "") == (code, said)
    assert "run: pip install 'mextrain[service]'\n" in complaints
    assert 1 == complaints.count("\n")


def test_command_has_the_version_of_the_project(served: Environment) -> None:
    assert (0, f"mextrain {version('mextrain')}\n", "") == served.run("mextrain", "--version")


def test_demo_plays_a_match(served: Environment) -> None:
    code, said, complaints = served.run("mextrain", "demo", "--own", "--json", "--rounds=1")
    assert (0, "") == (code, complaints)
    assert json.loads(said)["moves"] > 0


def test_service_answers_and_shows_its_pages(served: Environment) -> None:
    words = ["serve", "--json", "--workers=1", "--port=0", "--http-port=0"]
    free = ("FRONT_ADMIN_PORT", "FRONT_METRICS_PORT", "METRICS_PORT")
    ports = {f"MEXTRAIN_{name}": "0" for name in free}
    log = served.folder / "serve.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            served.command("mextrain", *words),
            cwd=served.folder,
            env=served.variables | ports,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    with process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, log.read_text()
            running = Running.from_json(line)
            asked = Rest(running.http_url, running.platform_key)
            pages = ("/v1/presets", "/openapi.json", "/docs/", "/")
            assert dict.fromkeys(pages, 200) == {page: asked.get(page).status for page in pages}
            process.terminate()
            assert 0 == process.wait(60)
        finally:
            process.kill()
