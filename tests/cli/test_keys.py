"""What ``mextrain keys`` makes is what the service accepts."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from mextrain_service.application.callers import OperatorCaller, PlatformCaller
from mextrain_service.application.model import PlatformId
from mextrain_service.auth.api_keys import ApiKeys, OperatorKeys
from mextrain_service.auth.entries import parse_entry
from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import CliError
from mextrain_service.settings.auth import SIGNING_KEY_MIN_CHARS


def _made(*words: str) -> dict[str, str]:
    made: dict[str, str] = json.loads(CliRunner().invoke(app, ["keys", *words, "--json"]).output)
    return made


def test_key_of_a_platform_is_recognised_by_its_entry() -> None:
    made = _made("new", "acme")
    entry = parse_entry(made["entry"])
    keys = ApiKeys({PlatformId(entry.owner): [entry.digest]})
    assert PlatformCaller(PlatformId("acme")) == keys.caller(made["key"])
    assert "MEXTRAIN_AUTH_PLATFORM_KEYS" == made["setting"]
    assert made["key"] != _made("new", "acme")["key"]


@pytest.mark.parametrize("reveals", [False, True])
def test_key_of_an_operator_is_recognised_by_its_entry(reveals: bool) -> None:
    made = _made("operator", "ann", *(["--reveal"] if reveals else []))
    entry = parse_entry(made["entry"])
    plain: dict[str, list[bytes]] = {entry.owner: [entry.digest]}
    revealing: dict[str, list[bytes]] = {}
    keys = OperatorKeys(revealing, plain) if reveals else OperatorKeys(plain, revealing)
    assert OperatorCaller("ann", reveals=reveals) == keys.caller(made["key"])
    assert ("REVEAL" in made["setting"]) is reveals


def test_key_is_shown_with_what_to_do_with_it() -> None:
    output = CliRunner().invoke(app, ["keys", "new", "acme"]).output
    assert "Key:   mxk_acme_" in output
    assert "Entry: acme:" in output
    assert "MEXTRAIN_AUTH_PLATFORM_KEYS_FILE" in output


def test_signing_key_is_long_enough_and_always_another() -> None:
    first, second = (CliRunner().invoke(app, ["keys", "signing"]).output for _ in range(2))
    assert len(first.strip()) >= SIGNING_KEY_MIN_CHARS
    assert first != second


def test_name_that_no_platform_can_have_is_complained_about() -> None:
    result = CliRunner().invoke(app, ["keys", "new", "A B"])
    assert isinstance(result.exception, CliError)
