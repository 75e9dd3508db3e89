"""What ``mextrain inspect`` shows of a game on a real service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mextrain_client import MextrainClient, MextrainError
from mextrain_service.auth.api_keys import NewApiKey, generate_operator_key
from mextrain_service.auth.entries import KeyEntry
from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import CliError
from tests.rpc.serving import persons
from tests.worker.processes import Command, served

OPERATOR = generate_operator_key("ann")
TRUSTED = generate_operator_key("bob")


def _entry(key: NewApiKey) -> str:
    return str(KeyEntry(key.owner, key.digest))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    folder: Path = tmp_path_factory.mktemp("inspected")
    keys = {
        "MEXTRAIN_AUTH_OPERATOR_KEYS": _entry(OPERATOR),
        "MEXTRAIN_AUTH_REVEAL_KEYS": _entry(TRUSTED),
    }
    with served(folder, "--workers=1", **keys) as running:
        yield running


@pytest.fixture(scope="module")
def game_id(service: Command) -> str:
    running = service.running
    with MextrainClient(running.endpoint, running.platform_key) as platform:
        created = platform.create_game(persons(2))
        platform.deal_round(created.game.game_id)
        return created.game.game_id


def _inspect(service: Command, game_id: str, key: NewApiKey, *words: str) -> Result:
    given = ("--endpoint", service.running.endpoint, "--key", key.text)
    return CliRunner().invoke(app, ["inspect", game_id, *given, *words])


def test_inspect_shows_how_a_game_is_and_no_hand(service: Command, game_id: str) -> None:
    output = _inspect(service, game_id, OPERATOR).output
    assert f"game      {game_id} of local, rules modern" in output
    assert "version   1, playing" in output
    assert "seat 0    person, account-0, token 1" in output
    assert "faults    none" in output
    assert "hand" not in output


def test_inspect_shows_hands_to_whoever_may_see_them(service: Command, game_id: str) -> None:
    assert 2 == _inspect(service, game_id, TRUSTED, "--reveal-hands").output.count("  hand  ")
    assert "hands revealed" in service.logged()
    refused = _inspect(service, game_id, OPERATOR, "--reveal-hands")
    assert isinstance(refused.exception, MextrainError)
    assert "PERMISSION_DENIED" == refused.exception.reason


def test_inspect_prints_the_whole_answer_as_json(service: Command, game_id: str) -> None:
    found = json.loads(_inspect(service, game_id, OPERATOR, "--json").output)
    assert game_id == found["game"]["game_id"]
    assert "hands" not in found


def test_inspect_needs_the_key_of_an_operator(service: Command, game_id: str) -> None:
    words = ["inspect", game_id, "--endpoint", service.running.endpoint]
    assert isinstance(CliRunner().invoke(app, words).exception, CliError)
