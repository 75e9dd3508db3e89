"""What the READMEs and the documents show in Python runs as it is printed there."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mextrain_client import MextrainClient
from mextrain_service.local.discovery import Running
from mextrain_service.local.self_started import self_started
from tests.project.tree import ROOT
from tests.rpc.serving import persons

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with self_started() as running:
        yield running


def test_engine_examples_of_the_readme_run() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert (0, True) == (outcome.failed, outcome.attempted > 0)


def test_first_call_of_the_readme_is_answered(service: Running) -> None:
    said = _answer_to(README, service)
    assert re.fullmatch(r"(\d+-\d+@\S+ ?|draw|pass|It is Bob's turn\.)+\n", said)


def test_first_move_of_the_client_is_made(service: Running) -> None:
    text = (ROOT / "sdk/python/README.md").read_text(encoding="utf-8")
    assert re.match(r"version: 2\n(tile_played|tile_drawn) \{\n", _answer_to(text, service))


@pytest.mark.parametrize(
    ("document", "said"),
    [("tables.md", r"seconds: \d+\n.*"), ("channels.md", r"(?s)channel: 1\nopened.*tag: 7.*")],
)
def test_python_of_a_document_runs(
    document: str, said: str, service: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    with MextrainClient(service.endpoint, service.platform_key) as platform:
        created = platform.create_game(persons(2))
    given = {
        "endpoint": service.endpoint,
        "platform_key": service.platform_key,
        "game_id": created.game.game_id,
        "seat_token": created.seat_tokens[0].token,
    }
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    exec(_first_python(text), given)  # noqa: S102 - our own document
    assert re.match(said, capsys.readouterr().out)


def _first_python(text: str) -> str:
    example: str = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[0]
    return example


def _answer_to(text: str, service: Running) -> str:
    """Return what the first example of a text prints, in an interpreter of its own."""
    here = _first_python(text).replace("127.0.0.1:7300", service.endpoint)
    here = re.sub(r"mxk_[\w-]+", service.platform_key, here)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", here],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout
