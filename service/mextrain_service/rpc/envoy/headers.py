"""gRPC's headers and trailers as bytes of HTTP."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from mextrain_service.rpc.envoy.framing import ACCEPTED_ENCODINGS

if TYPE_CHECKING:
    import grpc

    from mextrain_service.rpc.call import Metadata

Headers: TypeAlias = Iterable[tuple[bytes, bytes]]

CALL_HEADER: Final = b"x-mextrain-call"
"""What the host itself names each request by; a caller's own value never gets here."""

CONTENT_TYPE: Final = b"content-type"
ENCODING: Final = b"grpc-encoding"
TIMEOUT: Final = b"grpc-timeout"

_OWN: Final = frozenset(
    {
        *(CALL_HEADER, CONTENT_TYPE, ENCODING, TIMEOUT),
        *(b"te", b"host", b"content-length", b"grpc-accept-encoding"),
    }
)
"""Headers that are the transport's, not the call's metadata."""

ANSWER_HEADERS: Final = (
    (CONTENT_TYPE, b"application/grpc"),
    (b"grpc-accept-encoding", ACCEPTED_ENCODINGS.encode()),
)

_BINARY: Final = "-bin"
_TIMEOUT: Final = re.compile(rb"(\d{1,8})([HMSmun])")
_UNIT_S: Final = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}
_UNSAFE: Final = re.compile(rb"[^\x20-\x24\x26-\x7e]")


def parted(headers: Headers) -> tuple[dict[bytes, bytes], list[tuple[bytes, bytes]]]:
    """Return the transport's own headers, and those that are metadata of the call."""
    own: dict[bytes, bytes] = {}
    others = []
    for pair in headers:
        if pair[0] in _OWN:
            own[pair[0]] = pair[1]
        else:
            others.append(pair)
    return own, others


def metadata_of(headers: Headers) -> Metadata:
    """Return headers as a call sees them: text, but for binary ones.

    A binary one that cannot be read is left out.
    """
    return tuple(pair for key, value in headers for pair in _pairs(key.decode("latin-1"), value))


def _pairs(key: str, value: bytes) -> Sequence[tuple[str, str | bytes]]:
    if not key.endswith(_BINARY):
        return ((key, value.decode("latin-1")),)
    try:
        # Values of one name may have been joined on the way.
        return [
            (key, base64.b64decode(each.strip() + b"=" * (-len(each.strip()) % 4), validate=True))
            for each in value.split(b",")
        ]
    except binascii.Error:
        return ()


def timeout_s(text: bytes | None) -> float | None:
    """Return in how many seconds a caller gives up; None if that is not said, or not readably."""
    match = _TIMEOUT.fullmatch(text) if text is not None else None
    return None if match is None else int(match[1]) * _UNIT_S[match[2]]


def trailers(
    code: grpc.StatusCode, details: str, metadata: Metadata | None
) -> list[tuple[bytes, bytes]]:
    """Return what ends an answer."""
    ending = [(b"grpc-status", b"%d" % code.value[0])]
    if details:
        ending.append((b"grpc-message", _percent_encoded(details)))
    ending.extend(_field(key, value) for key, value in metadata or ())
    return ending


def _field(key: str, value: str | bytes) -> tuple[bytes, bytes]:
    if key.endswith(_BINARY):
        raw = value if isinstance(value, bytes) else value.encode()
        return key.encode(), base64.b64encode(raw).rstrip(b"=")
    return key.encode(), value if isinstance(value, bytes) else value.encode("latin-1")


def _percent_encoded(text: str) -> bytes:
    return _UNSAFE.sub(lambda found: b"%%%02X" % found[0][0], text.encode())
