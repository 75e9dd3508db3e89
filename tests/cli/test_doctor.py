"""What ``mextrain doctor`` says, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import Complaint
from mextrain_service.storage import EmbeddedValkey


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey() as server:
        yield server


def _doctor(valkey: EmbeddedValkey, *words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", "--redis-url", valkey.url, *words])


def _set(valkey: EmbeddedValkey, key: str) -> None:
    with Redis.from_url(valkey.url) as client:
        client.flushall()
        client.set(key, "1")


def test_doctor_says_that_all_is_well_when_nothing_is_stored(valkey: EmbeddedValkey) -> None:
    _set(valkey, "of-another-program")
    result = _doctor(valkey)
    assert 0 == result.exit_code
    assert "Looked at 0 keys on 1 node." in result.output
    assert "every game is sound" in result.output


def test_doctor_ends_with_1_and_names_the_key_when_something_is_wrong(
    valkey: EmbeddedValkey,
) -> None:
    _set(valkey, "mt:what-is-this")
    result = _doctor(valkey)
    assert 1 == result.exit_code
    assert "1 keys that no release of Mextrain writes (no_owner)" in result.output
    assert "  mt:what-is-this: " in result.output


def test_doctor_reads_the_address_from_a_file_as_workers_do(
    valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    _set(valkey, "mt:what-is-this")
    file = tmp_path / "redis-url"
    file.write_text(f"{valkey.url}\n")
    result = CliRunner().invoke(app, ["doctor"], env={"MEXTRAIN_REDIS_URL_FILE": str(file)})
    assert 1 == result.exit_code
    assert "mt:what-is-this" in result.output


def test_doctor_prints_one_object_of_json(valkey: EmbeddedValkey) -> None:
    _set(valkey, "mt:{abc}:l")
    found = json.loads(_doctor(valkey, "--json").output)
    assert {"log_without_snapshot": 1} == found["faults"]
    assert not found["sound"]
    mended = json.loads(_doctor(valkey, "--json", "--repair").output)
    assert {"log_without_snapshot": 1} == mended["repaired"]
    assert mended["sound"]
    assert 0 == _doctor(valkey).exit_code


@pytest.mark.parametrize(
    ("url", "sentence"),
    [("http://secret@nowhere", "no address"), ("unix:///no/such.sock", "does not answer")],
)
def test_doctor_complains_in_words_when_it_has_nothing_to_look_at(url: str, sentence: str) -> None:
    result = CliRunner().invoke(app, ["doctor", "--redis-url", url])
    assert isinstance(result.exception, Complaint)
    assert sentence in result.exception.message
    assert "secret" not in result.exception.message
