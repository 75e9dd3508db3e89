"""``mextrain backup`` and ``mextrain restore``: what they say, what they refuse."""

from __future__ import annotations

import gzip
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from typer.testing import CliRunner, Result

from mextrain_client import MextrainClient
from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import CliError
from mextrain_service.local.discovery import Running
from mextrain_service.local.embedded import EmbeddedValkey
from tests.cli.test_client import PAIR


@pytest.fixture
def valkey() -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey() as server:
        yield server


def _run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def _games(url: str) -> int:
    with Redis.from_url(url) as client:
        return sum(1 for _ in client.scan_iter("mt:{*}:s"))


@pytest.fixture
def backup(service: Running, platform: MextrainClient, tmp_path: Path) -> Path:
    """A backup of at least three games of the running service."""
    for seed in range(3):
        game = platform.create_game(PAIR, fixed_seed=seed).game
        platform.deal_round(game.game_id)
    file = tmp_path / "games.gz"
    result = _run("backup", file, "--redis-url", service.redis_url)
    assert 0 == result.exit_code
    assert result.output.startswith("Backed up ")
    return file


def test_games_of_a_running_service_are_put_back_elsewhere(
    backup: Path, valkey: EmbeddedValkey
) -> None:
    tried = json.loads(
        _run("restore", backup, "--redis-url", valkey.url, "--dry-run", "--json").output
    )
    assert 0 == _games(valkey.url)
    done = _run("restore", backup, "--redis-url", valkey.url)
    assert 3 <= tried["put_back"] == _games(valkey.url)
    assert f"Put {tried['put_back']:,} games back; 0 were there" in done.output
    again = json.loads(_run("restore", backup, "--redis-url", valkey.url, "--json").output)
    assert {"put_back": 0, "there": tried["put_back"], "unreadable": 0, "dry_run": False} == again
    assert 0 == _run("doctor", "--redis-url", valkey.url, "--replay").exit_code


def test_only_its_owner_may_read_a_backup(backup: Path) -> None:
    assert 0o600 == stat.S_IMODE(backup.stat().st_mode)
    assert [backup] == list(backup.parent.iterdir()), "no part of it is left"


@pytest.mark.parametrize("cut", [0, 20, 0.5, 0.99, -1])
def test_part_of_a_backup_is_refused_as_such(
    cut: float, backup: Path, valkey: EmbeddedValkey
) -> None:
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(cut * len(whole)) if 0 < cut < 1 else int(cut)])
    result = _run("restore", backup, "--redis-url", valkey.url)
    assert isinstance(result.exception, CliError)
    assert "only a part of one" in result.exception.message


def test_backup_without_its_last_line_is_refused(backup: Path, valkey: EmbeddedValkey) -> None:
    lines = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    backup.write_bytes(gzip.compress(b"".join(lines[:-1])))
    result = _run("restore", backup, "--redis-url", valkey.url, "--dry-run")
    assert isinstance(result.exception, CliError)
    assert "only a part of one" in result.exception.message


def test_damaged_game_is_left_out_and_counted(backup: Path, valkey: EmbeddedValkey) -> None:
    lines = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    game = json.loads(lines[1])
    lines[1] = json.dumps({**game, "snapshot": ""}).encode() + b"\n"
    backup.write_bytes(gzip.compress(b"".join(lines)))
    result = _run("restore", backup, "--redis-url", valkey.url)
    assert 1 == result.exit_code
    assert "1 games of the file cannot be read" in result.output


def test_backup_of_a_later_release_is_named_as_that(tmp_path: Path, valkey: EmbeddedValkey) -> None:
    file = tmp_path / "later.gz"
    file.write_bytes(gzip.compress(b'{"mextrain_backup": 2}\n'))
    result = _run("restore", file, "--redis-url", valkey.url)
    assert isinstance(result.exception, CliError)
    assert "later release" in result.exception.message


def test_files_that_cannot_be_used_are_named(tmp_path: Path, valkey: EmbeddedValkey) -> None:
    for command, reason in (("backup", "cannot be written"), ("restore", "cannot be read")):
        result = _run(command, tmp_path / "no" / "such", "--redis-url", valkey.url)
        assert isinstance(result.exception, CliError)
        assert reason in result.exception.message
