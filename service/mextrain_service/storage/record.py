"""The snapshot as it lies under its key: a fixed header, then the body.

The Lua scripts read the header as well.
"""

from __future__ import annotations

import struct
from typing import NamedTuple, Self

from mextrain_service.application.model import LINK_BYTES, STAMP_BYTES, HostedGame
from mextrain_service.application.ports import LogPosition
from mextrain_service.storage.errors import CorruptGameError, NewerSchemaError

SCHEMA = 4
"""The form of header and body. Raised with every change that an older worker would misread or drop.

Forms 1 to 3 were never released, and are not read.
"""

READABLE = 4
"""The newest form that is read.

A release reads a form before any release writes it, so that workers of two neighbouring releases
serve the same games, and the newer one can be taken back.
"""

_OLDEST_READABLE = 4

_LAYOUT = struct.Struct(f">BBHBH{LINK_BYTES}s{STAMP_BYTES}s")

HEADER_BYTES = _LAYOUT.size
"""Bytes before the body: schema (1), bytes of log (3), then the name of the commit."""

COMMIT_AT = 4
"""Where the name of the commit begins: version (3), link (6), stamp (3), big-endian."""


class Header(NamedTuple):
    """What a script must know of a snapshot without reading its body.

    Attributes:
        schema: the form of the body.
        log_bytes: length of the log, up to 16,777,215; a log of another length does not belong to
            the snapshot.
        version: entries in the log, 0 to 16,777,215.
        link: the link of the chain over the log.
        stamp: tells the commit from others that came to the same version and link.
    """

    schema: int
    log_bytes: int
    version: int
    link: bytes
    stamp: bytes

    @classmethod
    def of(cls, game: HostedGame, log_bytes: int) -> Self:
        """Return the header of a game whose log has so many bytes."""
        return cls(SCHEMA, log_bytes, game.version, game.link, game.stamp)

    @property
    def mark(self) -> LogPosition:
        """The end of the log."""
        return LogPosition(self.version, self.log_bytes, self.link, self.stamp)

    def to_bytes(self) -> bytes:
        """Return the header as it is stored."""
        return _LAYOUT.pack(
            self.schema,
            self.log_bytes >> 16,
            self.log_bytes & 0xFFFF,
            self.version >> 16,
            self.version & 0xFFFF,
            self.link,
            self.stamp,
        )

    @classmethod
    def from_bytes(cls, record: bytes) -> Self:
        """Read the header at the start of a record, whatever the schema of the body.

        Raises:
            CorruptGameError: the record is too short.
        """
        if len(record) < HEADER_BYTES:
            raise CorruptGameError("a snapshot is shorter than its header")
        schema, log_high, log_low, high, low, link, stamp = _LAYOUT.unpack_from(record)
        return cls(schema, log_high << 16 | log_low, high << 16 | low, link, stamp)


def commit_name(place: HostedGame | LogPosition) -> bytes:
    """Return what names the commit that led to a place, as it stands in the header.

    No two commits have the same name, also if the store went back in time between them.
    """
    return place.version.to_bytes(3, "big") + place.link + place.stamp


def split(record: bytes) -> tuple[Header, bytes]:
    """Return the header of a record and its body.

    Raises:
        CorruptGameError: the record is too short, or of a form that was never released.
        NewerSchemaError: the form is one of a later release.
    """
    if record and record[0] > READABLE:
        raise NewerSchemaError(
            f"a snapshot has schema {record[0]}, this release reads up to {READABLE}"
        )
    if record and record[0] < _OLDEST_READABLE:
        raise CorruptGameError(f"a snapshot has schema {record[0]}, which was never released")
    header = Header.from_bytes(record)
    return header, record[HEADER_BYTES:]
