"""The snapshot as it lies under its key: a fixed header, then the body.

Knows the header, which the Lua scripts read as well; nothing of what the body says.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple, Self

from mextrain_service.storage.errors import CorruptGameError, NewerSchemaError

SCHEMA = 3
"""The form of the body. Raised with every change that an older worker would misread or drop.

2 added the clock, the entropy of players, and seats that a bot stands in for or that were resigned;
a body of 1 is read as one without any of them. 3 says the same as 2 in fewer bytes; all are read.
"""

READABLE = 3
"""The newest form that is read.

A release reads a form before any release writes it, so that workers of two neighbouring releases
serve the same games, and the newer one can be taken back.
"""

HEADER_BYTES = 11
"""Bytes before the body: schema (1), version (3), bytes of log (3), incarnation (4), big-endian."""

_LAYOUT = struct.Struct(">BBHBHI")


class Header(NamedTuple):
    """What a script must know of a snapshot without reading its body.

    Attributes:
        schema: the form of the body.
        version: entries in the log, 0 to 16,777,215.
        log_bytes: length of the log; a log of another length is not the one that belongs here.
        incarnation: tells a game from an earlier one of the same id.
    """

    schema: int
    version: int
    log_bytes: int
    incarnation: int

    def to_bytes(self) -> bytes:
        """Return the header as it is stored."""
        return _LAYOUT.pack(
            self.schema,
            self.version >> 16,
            self.version & 0xFFFF,
            self.log_bytes >> 16,
            self.log_bytes & 0xFFFF,
            self.incarnation,
        )

    @classmethod
    def from_bytes(cls, record: bytes) -> Self:
        """Read the header at the start of a record, whatever the schema of the body.

        Raises:
            CorruptGameError: the record is too short.
        """
        if len(record) < HEADER_BYTES:
            raise CorruptGameError("a snapshot is shorter than its header")
        schema, high, low, log_high, log_low, incarnation = _LAYOUT.unpack_from(record)
        return cls(schema, high << 16 | low, log_high << 16 | log_low, incarnation)


def split(record: bytes) -> tuple[Header, bytes]:
    """Return the header of a record and its body.

    Raises:
        CorruptGameError: the record is too short, or of a schema that never was.
        NewerSchemaError: the schema is one of a later release.
    """
    header = Header.from_bytes(record)
    if header.schema > READABLE:
        raise NewerSchemaError(
            f"a snapshot has schema {header.schema}, this release reads up to {READABLE}"
        )
    if header.schema < 1:
        raise CorruptGameError("a snapshot has schema 0")
    return header, record[HEADER_BYTES:]


def incarnation(secret: bytes, created_ms: int) -> int:
    """Return the number, 32 bits, that tells a game from an earlier one of the same id.

    Ids derived from a request id come again when the first game has expired or was deleted; a
    worker that still remembers that one must not write it over the new one.
    """
    return zlib.crc32(secret + created_ms.to_bytes(8, "big"))
