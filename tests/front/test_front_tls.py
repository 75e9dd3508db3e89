"""An encrypted front: beside workers, as a part of them, and by itself."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mextrain_service.local.discovery import Running
from tests.front.fronts import front_alone
from tests.front.raw import answered
from tests.front.rest import Rest
from tests.polling import WITHIN_S, eventually
from tests.worker.certificates import ADDRESS, Authority, Certificate, shown_at
from tests.worker.processes import command, served

AUTHORITY = Authority("authority of the fronts")
STRANGERS = Authority("authority of strangers")
CLIENTS = Authority("authority of clients")
KINDS = ("grpc", "envoy", "alone")


@dataclass(frozen=True, slots=True)
class Encrypted:
    """A front that is encrypted.

    Attributes:
        url: its address.
        folder: where its certificate is.
    """

    url: str
    folder: Path

    def shown(self) -> bytes:
        """Return the certificate that it shows."""
        port = urlsplit(self.url).port
        assert port is not None
        return shown_at(ADDRESS, port, trusting(AUTHORITY))


def trusting(authority: Authority, own: Path | None = None) -> ssl.SSLContext:
    """Return how a client connects that trusts the authority, and shows what is in a file."""
    context = ssl.create_default_context(cadata=authority.certificate.decode())
    if own is not None:
        context.load_cert_chain(own)
    return context


def _put(path: Path, text: bytes) -> Path:
    draft = path.with_suffix(".new")
    draft.write_bytes(text)
    draft.rename(path)
    return path


def _files(folder: Path, own: Certificate, clients: Authority | None) -> dict[str, str]:
    """Put the files down, and return the settings that name them."""
    texts = {"CERT": own.certificate, "KEY": own.key}
    if clients is not None:
        texts["CLIENT_CA"] = clients.certificate
    paths = {name: _put(folder / name, text) for name, text in texts.items()}
    return {f"MEXTRAIN_SERVER_TLS_{name}_FILE": str(path) for name, path in paths.items()}


def _own(folder: Path, authority: Authority) -> Path:
    own = authority.issue("client")
    return _put(folder / f"{authority.name}.pem", own.certificate + own.key)


@contextmanager
def _encrypted(
    kind: str, folder: Path, running: Running, clients: Authority | None = None
) -> Iterator[Encrypted]:
    files = _files(folder, AUTHORITY.issue("front"), clients)
    if kind == "alone":
        context = trusting(AUTHORITY, _own(folder, clients) if clients else None)
        with front_alone(folder, running.endpoint, context, **files) as front:
            yield Encrypted(front.rest.url, folder)
        return
    files["MEXTRAIN_SERVER_TRANSPORT"] = kind
    with served(folder, "--workers=1", **files) as service:
        yield Encrypted(service.running.http_url, folder)


@pytest.mark.parametrize("kind", KINDS)
def test_front_is_encrypted_and_clients_check_its_certificate(
    kind: str, running: Running, tmp_path: Path
) -> None:
    with _encrypted(kind, tmp_path, running) as front:
        assert front.url.startswith("https://")
        assert 200 == Rest(front.url, tls=trusting(AUTHORITY)).get("/v1/presets").status
        with pytest.raises(ssl.SSLCertVerificationError):
            Rest(front.url, tls=trusting(STRANGERS)).get("/v1/presets")
        assert b"" == answered(front.url, "GET /v1/presets HTTP/1.1", "Host: a")


@pytest.mark.parametrize("kind", KINDS)
def test_certificate_is_changed_without_a_restart_and_a_bad_one_leaves_the_old_in_place(
    kind: str, running: Running, tmp_path: Path
) -> None:
    with _encrypted(kind, tmp_path, running) as front:
        first = front.shown()
        _put(tmp_path / "CERT", b"no certificate")
        assert first == front.shown()
        second = AUTHORITY.issue("front again")
        _put(tmp_path / "KEY", second.key)
        _put(tmp_path / "CERT", second.certificate)
        assert second.certificate == eventually(
            lambda: shown if (shown := front.shown()) != first else None
        )


@pytest.mark.parametrize("kind", KINDS)
def test_clients_without_a_certificate_are_turned_away_when_they_need_one(
    kind: str, running: Running, tmp_path: Path
) -> None:
    with _encrypted(kind, tmp_path, running, CLIENTS) as front:
        shown = trusting(AUTHORITY, _own(tmp_path, CLIENTS))
        assert 200 == Rest(front.url, tls=shown).get("/v1/presets").status
        for own in (None, _own(tmp_path, STRANGERS)):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                Rest(front.url, tls=trusting(AUTHORITY, own)).get("/v1/presets")


def test_front_is_in_cleartext_beside_encrypted_workers_when_that_is_asked_for(
    running: Running, tmp_path: Path
) -> None:
    files = _files(tmp_path, AUTHORITY.issue("service"), None)
    cleartext = {"MEXTRAIN_FRONT_CLEARTEXT": "true"}
    with served(tmp_path, "--workers=1", **files, **cleartext) as service:
        assert service.running.http_url.startswith("http://")
        assert 200 == Rest(service.running.http_url).get("/v1/presets").status
    with front_alone(tmp_path, running.endpoint, **files, **cleartext) as front:
        assert front.serves()


def test_front_by_itself_encrypts_its_way_to_workers_and_shows_its_certificate(
    tmp_path: Path,
) -> None:
    folders = tmp_path / "workers", tmp_path / "front"
    for folder in folders:
        folder.mkdir()
    workers = _files(folders[0], AUTHORITY.issue("workers"), CLIENTS)
    own = _files(folders[1], CLIENTS.issue("front"), None)
    above = _put(folders[1] / "workers.pem", AUTHORITY.certificate)
    with served(tmp_path, "--workers=1", "--no-front", **workers) as service:
        endpoint = service.running.endpoint.replace(ADDRESS, "localhost")
        more = {"MEXTRAIN_FRONT_WORKERS_CA_FILE": str(above), **own}
        with front_alone(tmp_path, endpoint, trusting(CLIENTS), **more) as front:
            assert front.serves()


@pytest.mark.parametrize(
    ("words", "more", "says"),
    [
        (("serve", "--port=0"), {"CLEARTEXT": "true"}, "MEXTRAIN_FRONT_CLEARTEXT would let in"),
        (("front", "--workers=localhost:1"), {"CLEARTEXT": "true"}, "CLEARTEXT would let in"),
        (("front", "--workers=localhost:1"), {}, "MEXTRAIN_SERVER_TLS_CERT_FILE"),
    ],
)
def test_front_is_refused_when_its_certificates_cannot_be_used(
    words: tuple[str, ...], more: dict[str, str], says: str, tmp_path: Path
) -> None:
    own = Certificate(AUTHORITY.issue("one").certificate, AUTHORITY.issue("another").key)
    files = _files(tmp_path, own, CLIENTS)
    settings = {f"MEXTRAIN_FRONT_{name}": value for name, value in more.items()}
    with command(tmp_path, *words, **files, **settings) as refused:
        assert 0 != refused.process.wait(WITHIN_S)
        assert says in refused.logged()


def test_hints_say_how_to_connect_to_an_encrypted_service(tmp_path: Path) -> None:
    files = _files(tmp_path, AUTHORITY.issue("service"), CLIENTS)
    certificate = files["MEXTRAIN_SERVER_TLS_CERT_FILE"]
    with command(tmp_path, "serve", "--port=0", "--workers=1", **files) as service:
        assert service.process.stdout is not None
        said = ""
        while "deal_round" not in said:
            line = service.process.stdout.readline()
            assert line, service.logged()
            said += line
        assert 0 == service.stop()
    said = said.replace("\n", " ")
    assert "http://127.0.0.1" not in said.replace("/stats/prometheus", "").split("curl", 1)[1]
    assert f"curl --cacert {certificate} --cert client.pem --key key.pem https://" in said
    assert f"grpcurl -cacert {certificate}" in said
    assert "-plaintext" not in said
    assert f'grpc.ssl_channel_credentials(open("{certificate}", "rb").read()' in said
