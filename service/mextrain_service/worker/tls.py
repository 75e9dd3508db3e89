"""Encryption of the gRPC port: a certificate, and who may connect, from files that may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

_Signature = tuple[tuple[int, int, int], ...]


class TlsFilesError(Exception):
    """The files of certificates and keys cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where the certificates are, all PEM.

    Attributes:
        certificate: of the port, then those above it.
        key: the private key of that certificate.
        client_authorities: what signs the certificates of clients; None lets anyone connect.
    """

    certificate: Path
    key: Path
    client_authorities: Path | None = None

    def configuration(self) -> Any:
        """Read the files and return what gRPC makes of them.

        gRPC itself takes any text and then turns every client away, so they are checked here.

        Raises:
            TlsFilesError: one cannot be read, is no PEM, or the key is that of another certificate.
        """
        authorities = self.client_authorities
        try:
            certificate, key = self.certificate.read_bytes(), self.key.read_bytes()
            trusted = None if authorities is None else authorities.read_bytes()
            _require_pair(certificate, key)
            if trusted is not None:
                x509.load_pem_x509_certificates(trusted)
        except OSError as error:
            raise TlsFilesError(f"{error.filename} cannot be read: {error.strerror}") from error
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise TlsFilesError("certificates and key cannot be used: " + str(error)) from None
        return grpc.ssl_server_certificate_configuration(
            [(key, certificate)], root_certificates=trusted
        )

    def signature(self) -> _Signature:
        """Return what changes with the files, also when others are put in their place.

        Raises:
            OSError: one is not there.
        """
        paths = filter(None, (self.certificate, self.key, self.client_authorities))
        found = [path.stat() for path in paths]
        return tuple((each.st_mtime_ns, each.st_ino, each.st_size) for each in found)


def server_credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """Return credentials that are those of the files at the time when somebody connects.

    Files that cannot be used any more leave those that were read before in place, and a log says
    so.

    Raises:
        TlsFilesError: they cannot be used now.
    """
    first = files.configuration()
    credentials: grpc.ServerCredentials = grpc.dynamic_ssl_server_credentials(
        first, _changes(files), require_client_authentication=files.client_authorities is not None
    )
    return credentials


def _changes(files: TlsFiles) -> Callable[[], Any]:
    """Return what tells the configuration when it changed, else None."""
    seen = files.signature()
    log: Any = structlog.get_logger("mextrain.tls")

    def changed() -> Any:
        nonlocal seen
        try:
            signature = files.signature()
            if signature == seen:
                return None
            seen = signature
            configuration = files.configuration()
        except (OSError, TlsFilesError) as error:
            log.error("certificates not used", error=str(error))  # noqa: TRY400 - no fault of ours
            return None
        log.info("certificates read again", path=str(files.certificate))
        return configuration

    return changed


def _require_pair(certificate: bytes, key: bytes) -> None:
    own, *_ = x509.load_pem_x509_certificates(certificate)
    if load_pem_private_key(key, None).public_key() != own.public_key():
        raise ValueError("the key is not that of the certificate")
