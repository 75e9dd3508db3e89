"""Certificates of the tests' own: an authority, and what it signs."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.polling import WITHIN_S

ADDRESS = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its private key, both PEM."""

    certificate: bytes
    key: bytes


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(constraints: x509.BasicConstraints) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not constraints.ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=constraints.ca,
        crl_sign=constraints.ca,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@dataclass
class Authority:
    """Signs certificates for this machine, and for whoever connects to it.

    Attributes:
        name: whose it is.
        identified: certificates say which keys are theirs and their authority's, as Python 3.13
            demands.
        certificate: its own, PEM.
    """

    name: str
    identified: bool = True
    _key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    certificate: bytes = field(init=False)

    def __post_init__(self) -> None:
        whole = x509.BasicConstraints(ca=True, path_length=None)
        self.certificate = self._signed(self.name, self._key.public_key(), whole)

    def issue(self, name: str) -> Certificate:
        """Return a certificate for this machine's own address."""
        key = ec.generate_private_key(ec.SECP256R1())
        end = x509.BasicConstraints(ca=False, path_length=None)
        return Certificate(self._signed(name, key.public_key(), end), _pem(key))

    def _signed(
        self, subject: str, key: ec.EllipticCurvePublicKey, constraints: x509.BasicConstraints
    ) -> bytes:
        now = datetime.now(UTC)
        addresses = [x509.IPAddress(ip_address(ADDRESS)), x509.DNSName("localhost")]
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(subject))
            .issuer_name(_name(self.name))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(minutes=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(constraints, critical=True)
            .add_extension(_usage(constraints), critical=True)
            .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        )
        if self.identified:
            above = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
            own = x509.SubjectKeyIdentifier.from_public_key(key)
            builder = builder.add_extension(above, critical=False)
            builder = builder.add_extension(own, critical=False)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)


def shown_at(host: str, port: int, context: ssl.SSLContext) -> bytes:
    """Return the certificate that a server shows to who trusts as the context says, as PEM."""
    with (
        socket.create_connection((host, port), timeout=WITHIN_S) as plain,
        context.wrap_socket(plain, server_hostname=host) as encrypted,
    ):
        found = encrypted.getpeercert(binary_form=True)
        assert found is not None
        return ssl.DER_cert_to_PEM_cert(found).encode()
