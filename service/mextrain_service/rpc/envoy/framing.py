"""Messages in the bytes of a request and of an answer, as gRPC frames them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

import grpc

from mextrain_service.rpc.envoy.status import EndedError

ACCEPTED_ENCODINGS: Final = "identity, deflate, gzip"
"""What requests may be compressed by. Answers never are, as over ``grpc.aio``."""

_PREFIX_BYTES: Final = 5
_WINDOW_BITS: Final = {"gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
_PLAIN: Final = b"\x00"


def framed(message: bytes) -> bytes:
    """Return a message with its prefix, not compressed."""
    return _PLAIN + len(message).to_bytes(4) + message


class Unframer:
    """Takes the bytes of a request as they come, and gives its messages."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        """Prepare to read.

        Args:
            encoding: what the request says its messages are compressed by.
            max_bytes: the largest message that is read, after decompression too.
        """
        self._encoding = encoding
        self._max_bytes = max_bytes
        self._held = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield each message that is whole now.

        Raises:
            EndedError: a message is too large, or cannot be decompressed.
        """
        held = self._held + data if self._held else data
        at = 0
        try:
            while len(held) - at >= _PREFIX_BYTES:
                size = int.from_bytes(held[at + 1 : at + _PREFIX_BYTES])
                if size > self._max_bytes:
                    raise _too_large(self._max_bytes)
                end = at + _PREFIX_BYTES + size
                if end > len(held):
                    break
                message = held[at + _PREFIX_BYTES : end]
                compressed, at = held[at], end
                yield self._decompressed(message) if compressed else message
        finally:
            self._held = held[at:]

    def end(self) -> None:
        """Note that no more bytes come.

        Raises:
            EndedError: they end within a message.
        """
        if self._held:
            raise EndedError(grpc.StatusCode.INTERNAL, "the request ends within a message")

    def _decompressed(self, message: bytes) -> bytes:
        bits = _WINDOW_BITS.get(self._encoding)
        if bits is None:
            raise EndedError(
                grpc.StatusCode.INTERNAL, "a message is compressed, and no header says how"
            )
        reading = zlib.decompressobj(bits)
        try:
            plain = reading.decompress(message, self._max_bytes + 1)
        except zlib.error:
            raise _unreadable() from None
        if len(plain) > self._max_bytes:
            raise _too_large(self._max_bytes)
        if not reading.eof or reading.unused_data:
            raise _unreadable()
        return plain


def is_known(encoding: str) -> bool:
    """Whether messages compressed so can be read."""
    return encoding in _WINDOW_BITS or encoding == "identity"


def _too_large(max_bytes: int) -> EndedError:
    message = f"a message of the request has more than {max_bytes} bytes"
    return EndedError(grpc.StatusCode.RESOURCE_EXHAUSTED, message)


def _unreadable() -> EndedError:
    return EndedError(grpc.StatusCode.INTERNAL, "a message cannot be decompressed")
