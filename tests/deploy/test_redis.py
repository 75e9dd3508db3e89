"""The settings of Redis, each started for real, and a service that plays on them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError
from typer.testing import CliRunner

from mextrain_service.cli.app import app
from tests.deploy.servers import HOST, PASSWORDS, REDIS, WITHIN_S, at_ports, running, users
from tests.polling import eventually
from tests.storage.valkeys import free_ports
from tests.worker.processes import served
from tests.worker.table import channel_to, new_table

_SERVERS = ("single.conf", "replicated.conf", "cluster.conf")
_MOVES = 12


def _client(port: int, user: str = "default") -> Redis:
    password = PASSWORDS.get(user)
    return Redis(
        HOST, port, username=user, password=password, decode_responses=True, socket_timeout=20
    )


def _settings(*names: str) -> dict[str, str]:
    """Return what the files say, the last word counting."""
    lines = [line for name in names for line in (REDIS / name).read_text().splitlines()]
    words = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {name: value for name, value in words if name != "include"}


@pytest.mark.parametrize("name", _SERVERS)
def test_server_starts_and_is_as_its_settings_say(name: str, tmp_path: Path) -> None:
    port, words = at_ports(name)
    with running(tmp_path, *words, port=port), _client(port) as client:
        found = client.config_get("*")
        for setting, value in _settings("common.conf", name).items():
            if setting in ("port", "client-output-buffer-limit"):
                continue
            assert _bytes(value) == _bytes(found[setting]), setting
        limits = found["client-output-buffer-limit"]
        assert "slave 268435456 67108864 60 pubsub 33554432 8388608 60" in limits


def _bytes(value: str) -> str:
    """Return a size in bytes, and anything else as it is."""
    match = re.fullmatch(r"(\d+)(mb|gb)", value)
    return str(int(match[1]) << {"mb": 20, "gb": 30}[match[2]]) if match else value


@pytest.mark.parametrize("name", _SERVERS)
def test_server_never_evicts_and_keeps_on_disk_what_it_is_told(name: str) -> None:
    settings = _settings("common.conf", name)
    assert ("noeviction", "yes") == (settings["maxmemory-policy"], settings["appendonly"])
    assert settings["maxmemory"] != "0"


@pytest.mark.parametrize("name", ["replicated.conf", "cluster.conf"])
def test_master_refuses_writes_when_it_is_cut_off_from_its_replicas(
    name: str, tmp_path: Path
) -> None:
    port, words = at_ports(name)
    with running(tmp_path, *words, port=port), _client(port) as client:
        if name == "cluster.conf":
            _serve_all_slots(client)
        with pytest.raises(ResponseError, match="Not enough good replicas"):
            client.set("mt:{game}:s", "state")


def _serve_all_slots(client: Redis) -> None:
    ask: Callable[..., object] = client.execute_command
    ask("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
    eventually(lambda: "cluster_state:ok" in str(ask("CLUSTER", "INFO")), WITHIN_S)


def test_sentinel_watches_over_the_master_that_its_settings_name(tmp_path: Path) -> None:
    (port,), (master, words) = free_ports(1), at_ports("replicated.conf")
    file = tmp_path / "sentinel.conf"
    shutil.copy(REDIS / "sentinel.conf", file)
    file.write_text(file.read_text().replace("redis-0 6379", f"{HOST} {master}"))
    with (
        running(tmp_path, *words, port=master),
        running(tmp_path, str(file), "--sentinel", "--port", str(port), port=port),
        _client(port) as client,
    ):
        found = client.execute_command("SENTINEL", "MASTER", "games")
        assert ("2", "5000", "60000") == tuple(
            str(found[name]) for name in ("quorum", "down-after-milliseconds", "failover-timeout")
        )


def _play(folder: Path, url: str, **variables: str) -> None:
    with (
        served(folder, "--workers=1", "--no-front", "--redis-url", url, **variables) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = new_table(channel, service.running.platform_key)
        for number in range(_MOVES):
            seat, move = table.next_move()
            table.play(seat, table.play_request(move, request_id=f"move-{number}"))
        assert 1 + _MOVES == table.version()


def test_service_plays_as_the_user_of_the_example_and_the_doctor_can_look(tmp_path: Path) -> None:
    port, words = at_ports("single.conf")
    with running(tmp_path, *words, "--aclfile", str(users(tmp_path)), port=port):
        url = f"redis://mextrain:{PASSWORDS['mextrain']}@{HOST}:{port}/0"
        _play(tmp_path, url)
        looked = CliRunner().invoke(app, ["doctor", "--replay", "--redis-url", url])
        assert 0 == looked.exit_code, looked.output
        with _client(port, "mextrain") as client:
            for command in ("FLUSHALL", "KEYS *", "CONFIG GET *", "SHUTDOWN", "GET of-another"):
                with pytest.raises(NoPermissionError):
                    client.execute_command(*command.split())


def test_service_plays_as_the_user_of_the_example_on_a_cluster(tmp_path: Path) -> None:
    port, words = at_ports("cluster.conf")
    more = ("--aclfile", str(users(tmp_path)), "--min-replicas-to-write", "0")
    with running(tmp_path, *words, *more, port=port):
        with _client(port, "admin") as client:
            _serve_all_slots(client)
        _play(tmp_path, f"redis+cluster://mextrain:{PASSWORDS['mextrain']}@{HOST}:{port}")


def test_strangers_get_nowhere_when_the_users_of_the_example_are_in_force(tmp_path: Path) -> None:
    port, words = at_ports("single.conf")
    with running(tmp_path, *words, "--aclfile", str(users(tmp_path)), port=port):
        with Redis(HOST, port) as client, pytest.raises(AuthenticationError):
            client.ping()
        with _client(port, "exporter") as client:
            assert "redis_version" in client.info()
            with pytest.raises(NoPermissionError):
                client.get("mt:{game}:s")
