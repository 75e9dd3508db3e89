"""Redis over TLS: who it is must be proven, by the right authority and for the right name."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NotConnectedError

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage import RedisGameStore, open_client
from tests.deploy.servers import (
    HOST,
    OTHER_HOST,
    PASSWORDS,
    REDIS,
    WITHIN_S,
    at_ports,
    running,
    users,
    with_tls,
)
from tests.polling import eventually
from tests.storage.limits import PATIENT
from tests.storage.valkeys import free_ports
from tests.worker.certificates import Authority
from tests.worker.processes import served
from tests.worker.table import channel_to, new_table

_USER = f"mextrain:{PASSWORDS['mextrain']}"


@dataclass(frozen=True)
class Encrypted:
    """A server that speaks TLS alone.

    Attributes:
        port: where.
        authority: the file of the certificate that its own is signed by.
        stranger: one of another authority.
    """

    port: int
    authority: Path
    stranger: Path


@contextlib.contextmanager
def _encrypted(
    folder: Path, name: str, *words: str, identified: bool = True
) -> Iterator[Encrypted]:
    """Run a server with these settings and tls.conf, whose paths are those of the tests."""
    authority = Authority("authority of Redis", identified)
    stranger = Authority("another authority")
    shown = authority.issue("redis")
    for file, text in {
        "redis-cert.pem": shown.certificate,
        "redis-key.pem": shown.key,
        "redis-ca.pem": authority.certificate,
        "stranger.pem": stranger.certificate,
    }.items():
        (folder / file).write_bytes(text)
    tls = folder / "tls.conf"
    tls.write_text((REDIS / "tls.conf").read_text().replace("/run/secrets", str(folder)))
    port, _ = at_ports(name)
    acl = ("--aclfile", str(users(folder)))
    with running(
        folder,
        *(*_settings(folder, name), "--include", str(tls), "--tls-port", str(port)),
        *(*acl, *words),
        port=port,
        program=with_tls(),
    ):
        yield Encrypted(port, folder / "redis-ca.pem", folder / "stranger.pem")


def _settings(folder: Path, name: str) -> tuple[str]:
    """Return the settings where the server finds them, from whatever folder."""
    for file in ("common.conf", name):
        text = (REDIS / file).read_text()
        (folder / file).write_text(text.replace("include common", f"include {folder}/common"))
    return (str(folder / name),)


def _ping(url: str) -> bool:
    async def ask() -> bool:
        client = open_client(url, PATIENT)
        try:
            return bool(await client.execute_command("PING"))
        finally:
            await client.aclose()

    return asyncio.run(ask())


async def _store_ping(url: str) -> None:
    client = open_client(url, PATIENT)
    try:
        await RedisGameStore(client).ping()
    finally:
        await client.aclose()


def _url(server: Encrypted, host: str = HOST, authority: Path | None = None) -> str:
    trusted = authority or server.authority
    return f"rediss://{_USER}@{host}:{server.port}?ssl_ca_certs={trusted}"


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encrypted]:
    with _encrypted(tmp_path_factory.mktemp("single"), "single.conf") as server:
        yield server


def test_service_plays_over_tls_with_its_address_in_a_file(
    single: Encrypted, tmp_path: Path
) -> None:
    file = tmp_path / "redis-url"
    file.write_text(_url(single, "localhost"))
    with (
        served(tmp_path, "--workers=1", "--no-front", MEXTRAIN_REDIS_URL_FILE=str(file)) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = new_table(channel, service.running.platform_key)
        for number in range(10):
            seat, move = table.next_move()
            table.play(seat, table.play_request(move, request_id=f"move-{number}"))
        assert 11 == table.version()


def test_client_refuses_a_certificate_of_another_authority(single: Encrypted) -> None:
    with pytest.raises(NotConnectedError, match="certificate verify failed"):
        _ping(_url(single, authority=single.stranger))


def test_client_refuses_a_certificate_of_another_name(single: Encrypted) -> None:
    with pytest.raises(NotConnectedError, match="IP address mismatch"):
        _ping(_url(single, OTHER_HOST))


def test_store_says_what_a_certificate_lacks_when_python_is_strict_about_it(
    tmp_path: Path,
) -> None:
    with _encrypted(tmp_path, "single.conf", identified=False) as server:
        strict = "&ssl_include_verify_flags=[VERIFY_X509_STRICT]"  # as Python 3.13 is by itself
        url = _url(server) + strict
        with _sentinel(tmp_path, server) as sentinel:
            cluster = url.replace("rediss://", "rediss+cluster://")
            for each in (url, cluster, _sentinel_url(server, sentinel) + strict):
                with pytest.raises(StoreUnavailableError, match=_LACKING):
                    asyncio.run(_store_ping(each))
        lenient = "&ssl_exclude_verify_flags=[VERIFY_X509_STRICT]"
        assert _ping(_url(server) + lenient)


_LACKING = "certificate of the store is refused: Missing Authority Key Identifier .*operations.md"


def test_server_does_not_answer_without_tls(single: Encrypted) -> None:
    with pytest.raises(NotConnectedError):
        _ping(f"redis://{_USER}@{HOST}:{single.port}")


def test_client_follows_a_cluster_over_tls(tmp_path: Path) -> None:
    more = ("--min-replicas-to-write", "0", "--cluster-port", str(free_ports(1)[0]))
    with _encrypted(tmp_path, "cluster.conf", *more) as server:
        _serve_all_slots(server)
        url = _url(server).replace("rediss://", "rediss+cluster://")
        assert _ping(url)
        with pytest.raises(NotConnectedError):
            _ping(url.replace(str(server.authority), str(server.stranger)))


def _serve_all_slots(server: Encrypted) -> None:
    with Redis(
        *(HOST, server.port),
        username="admin",
        password=PASSWORDS["admin"],
        decode_responses=True,
        ssl=True,
        ssl_ca_certs=str(server.authority),
    ) as client:
        ask = client.execute_command
        ask("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
        eventually(lambda: "cluster_state:ok" in str(ask("CLUSTER", "INFO")), WITHIN_S)


def test_client_asks_sentinels_and_their_master_over_tls(tmp_path: Path) -> None:
    with (
        _encrypted(tmp_path, "single.conf") as master,
        _sentinel(tmp_path, master) as sentinel,
    ):
        assert _ping(_sentinel_url(master, sentinel))


@contextlib.contextmanager
def _sentinel(folder: Path, master: Encrypted) -> Iterator[int]:
    """Run a Sentinel that watches over a server, with its certificates; yield the port."""
    (port,) = free_ports(1)
    file = folder / "sentinel.conf"
    shutil.copy(REDIS / "sentinel.conf", file)
    text = file.read_text().replace("redis-0 6379", f"{HOST} {master.port}")
    file.write_text(
        f"{text}sentinel auth-user games admin\nsentinel auth-pass games {PASSWORDS['admin']}\n"
    )
    words = ("--sentinel", "--include", str(folder / "tls.conf"), "--tls-port", str(port))
    with running(folder, str(file), *words, port=port, program=with_tls()):
        yield port


def _sentinel_url(master: Encrypted, port: int) -> str:
    return f"rediss+sentinel://{_USER}@{HOST}:{port}/games?ssl_ca_certs={master.authority}"
