"""The gRPC port with TLS, and with certificates of clients, on real connections."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from mextrain_client import MextrainClient, MextrainError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.local.local_keys import new_keys
from mextrain_service.worker.tls import TlsFiles, TlsFilesError
from tests.polling import WITHIN_S, eventually
from tests.storage.valkeys import free_ports
from tests.worker.certificates import ADDRESS, Authority, Certificate, shown_at
from tests.worker.processes import Command, command

AUTHORITY = Authority("authority of the tests")
STRANGERS = Authority("authority of strangers")
CLIENTS = Authority("authority of clients")


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey() as server:
        yield server


@dataclass(frozen=True, slots=True)
class Encrypted:
    """A worker whose port is encrypted."""

    command: Command
    port: int
    certificate: Path
    key: Path

    def presets(self, trusted: bytes, own: Certificate | None = None) -> int:
        """Return how many presets it lists to a client with these certificates."""
        tls = grpc.ssl_channel_credentials(
            root_certificates=trusted,
            private_key=own.key if own else None,
            certificate_chain=own.certificate if own else None,
        )
        with MextrainClient(f"{ADDRESS}:{self.port}", tls=tls, patience_s=0) as client:
            return len(client.list_presets().presets)

    def shown(self) -> bytes:
        """Return the certificate that it shows."""
        context = ssl.create_default_context(cadata=AUTHORITY.certificate.decode())
        context.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python 3.13 does by itself
        context.set_alpn_protocols(["h2"])
        return shown_at(ADDRESS, self.port, context)


def _put(path: Path, text: bytes) -> Path:
    draft = path.with_suffix(".new")
    draft.write_bytes(text)
    draft.rename(path)
    return path


@contextmanager
def _encrypted(folder: Path, valkey: EmbeddedValkey, **more: str) -> Iterator[Encrypted]:
    own = AUTHORITY.issue("worker")
    certificate = _put(folder / "cert.pem", own.certificate)
    key = _put(folder / "key.pem", own.key)
    port, metrics_port = free_ports(2)
    keys = new_keys()
    settings = {
        "MEXTRAIN_REDIS_URL": valkey.url,
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_SERVER_PORT": str(port),
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        "MEXTRAIN_SERVER_TLS_CERT_FILE": str(certificate),
        "MEXTRAIN_SERVER_TLS_KEY_FILE": str(key),
        "MEXTRAIN_METRICS_PORT": str(metrics_port),
        **more,
    }
    with command(folder, "worker", **settings) as started:
        eventually(lambda: '"listening"' in started.logged() or started.process.poll())
        yield Encrypted(started, port, certificate, key)


def test_port_is_encrypted_and_clients_check_its_certificate(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with _encrypted(tmp_path, valkey) as worker:
        assert worker.presets(AUTHORITY.certificate) > 0
        with pytest.raises(MextrainError):
            worker.presets(STRANGERS.certificate)
        with (
            MextrainClient(f"{ADDRESS}:{worker.port}", patience_s=0) as plain,
            pytest.raises(MextrainError),
        ):
            plain.list_presets()


def test_certificate_is_changed_without_a_restart_and_a_bad_one_leaves_the_old_in_place(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with _encrypted(tmp_path, valkey) as worker:
        first = worker.shown()
        _put(worker.certificate, b"no certificate")
        assert first == worker.shown()
        second = AUTHORITY.issue("worker again")
        _put(worker.key, second.key)
        _put(worker.certificate, second.certificate)
        assert second.certificate == eventually(
            lambda: shown if (shown := worker.shown()) != first else None
        )
        assert worker.presets(AUTHORITY.certificate) > 0


def test_clients_without_a_certificate_are_turned_away_when_they_need_one(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    trusted = _put(tmp_path / "clients.pem", CLIENTS.certificate)
    setting = {"MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE": str(trusted)}
    with _encrypted(tmp_path, valkey, **setting) as worker:
        assert worker.presets(AUTHORITY.certificate, CLIENTS.issue("platform")) > 0
        for own in (None, STRANGERS.issue("stranger"), AUTHORITY.issue("of the wrong authority")):
            with pytest.raises(MextrainError):
                worker.presets(AUTHORITY.certificate, own)


def test_client_with_a_certificate_needs_its_credential_all_the_same(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    trusted = _put(tmp_path / "clients.pem", CLIENTS.certificate)
    with _encrypted(tmp_path, valkey, MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE=str(trusted)) as worker:
        own = CLIENTS.issue("platform")
        tls = grpc.ssl_channel_credentials(AUTHORITY.certificate, own.key, own.certificate)
        with (
            MextrainClient(f"{ADDRESS}:{worker.port}", tls=tls) as client,
            pytest.raises(MextrainError) as refused,
        ):
            client.get_game("A" * 22)
        assert "UNAUTHENTICATED" == refused.value.reason


def test_worker_that_cannot_use_its_certificate_says_so_and_ends(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    other = _put(tmp_path / "other.pem", AUTHORITY.issue("another").key)
    with _encrypted(tmp_path, valkey, MEXTRAIN_SERVER_TLS_KEY_FILE=str(other)) as worker:
        assert 78 == worker.command.process.wait(WITHIN_S)
        assert "MEXTRAIN_SERVER_TLS_CERT_FILE" in worker.command.logged()
        assert "the key is not that of the certificate" in worker.command.logged()
        assert "PRIVATE" not in worker.command.logged()


@pytest.mark.parametrize("broken", ["certificate", "key", "authorities"])
def test_files_that_are_no_pem_are_refused_without_being_quoted(
    tmp_path: Path, broken: str
) -> None:
    own = AUTHORITY.issue("worker")
    texts = {"certificate": own.certificate, "key": own.key, "authorities": CLIENTS.certificate}
    paths = {
        name: _put(tmp_path / name, b"-----BEGIN secret" if name == broken else text)
        for name, text in texts.items()
    }
    files = TlsFiles(paths["certificate"], paths["key"], paths["authorities"])
    with pytest.raises(TlsFilesError) as refused:
        files.configuration()
    assert "secret" not in str(refused.value)


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TlsFilesError, match=r"nothing\.pem cannot be read"):
        TlsFiles(tmp_path / "nothing.pem", tmp_path / "key.pem").configuration()
