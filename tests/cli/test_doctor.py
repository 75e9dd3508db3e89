"""What ``mextrain doctor`` says, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from mextrain_service.application.model import GameId
from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import CliError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import RedisGameIndex, RedisGameStore, open_client
from mextrain_service.storage.keys import game_keys
from tests.storage.games import new_hosted_game, played


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
    assert isinstance(result.exception, CliError)
    assert sentence in result.exception.message
    assert "secret" not in result.exception.message


@contextmanager
def _set_to(valkey: EmbeddedValkey, setting: str, value: str) -> Iterator[None]:
    with Redis.from_url(valkey.url) as client:
        client.flushall()
        before = client.config_get(setting)[setting]
        client.config_set(setting, value)
        try:
            yield
        finally:
            client.config_set(setting, before)


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
def test_doctor_ends_with_1_and_says_what_to_set_when_the_server_evicts(
    valkey: EmbeddedValkey, policy: str
) -> None:
    with _set_to(valkey, "maxmemory-policy", policy):
        result = _doctor(valkey)
        found = json.loads(_doctor(valkey, "--json").output)
    assert 1 == result.exit_code
    assert f"Fault: maxmemory-policy is {policy} (evicts); set it to noeviction" in result.output
    assert not found["sound"]
    assert [("evicts", "maxmemory-policy", True)] == [
        (each["fault"], each["setting"], each["serious"]) for each in found["servers"]
    ]
    assert 0 == _doctor(valkey).exit_code


def test_doctor_ends_with_1_when_workers_wait_for_more_replicas_than_there_are(
    valkey: EmbeddedValkey,
) -> None:
    _set(valkey, "of-another-program")
    result = CliRunner().invoke(
        app, ["doctor", "--redis-url", valkey.url], env={"MEXTRAIN_REDIS_WAIT_REPLICAS": "1"}
    )
    assert 1 == result.exit_code
    assert "Fault: MEXTRAIN_REDIS_WAIT_REPLICAS is 1, and 0 in step" in result.output
    assert 0 == _doctor(valkey, "--wait-replicas", "0").exit_code


async def _stored(valkey: EmbeddedValkey) -> GameId:
    """Store a game of 50 entries; return its name."""
    client = open_client(valkey.url)
    await client.execute_command("FLUSHALL")
    game, store = new_hosted_game(), RedisGameStore(client)
    await RedisGameIndex(client).note(None, game)
    await store.create(game)
    change = played(game, 50)
    await store.commit(change.game, base=game, entries=change.log)
    await client.aclose()
    return game.game_id


def test_doctor_says_what_is_left_of_a_game_whose_log_is_gone(valkey: EmbeddedValkey) -> None:
    game_id = asyncio.run(_stored(valkey))
    keys = game_keys(game_id)
    with Redis.from_url(valkey.url) as client:
        client.delete(keys.log)
        result = _doctor(valkey, "--repair")
        (left,) = json.loads(_doctor(valkey, "--json").output)["damaged"]
        assert 1 == client.exists(keys.snapshot)
        ends = client.pexpiretime(keys.snapshot) // 1_000
    assert 1 == result.exit_code
    assert f"  {game_id} of acme: version 50, round 1, playing; " in result.output
    assert "the snapshot can be read; the log is gone, 0 of 50 entries; it ends at " in (
        result.output
    )
    expected = ("acme", 50, 1, "playing", "readable", "gone", 0)
    assert (*expected, datetime.fromtimestamp(ends, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")) == (
        *(left["platform_id"], left["version"], left["round"], left["phase"]),
        *(left["snapshot"], left["log"], left["entries"], left["expire_time"]),
    )


def test_doctor_says_what_is_left_of_a_game_whose_snapshot_cannot_be_read(
    valkey: EmbeddedValkey,
) -> None:
    game_id = asyncio.run(_stored(valkey))
    keys = game_keys(game_id)
    with Redis.from_url(valkey.url) as client:
        snapshot = client.get(keys.snapshot)
        assert isinstance(snapshot, bytes)
        client.set(keys.snapshot, snapshot[:-20], keepttl=True)
        result = _doctor(valkey, "--repair")
        client.set(keys.snapshot, b"\x01", keepttl=True)
        worse = _doctor(valkey, "--repair")
        assert 2 == client.exists(keys.snapshot, keys.log)
    assert f"  {game_id}: version 50, the snapshot cannot be read; " in result.output
    assert "the log is whole, 50 of 50 entries" in result.output
    assert f"  {game_id}: version ?, the snapshot cannot be read; " in worse.output
    assert [1, 1] == [result.exit_code, worse.exit_code]
