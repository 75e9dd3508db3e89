"""Reads what a browser received: each answer of the service as a message, and the tiles in it.

What it cannot read it refuses to pass over.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc.status_pb2 import Status
from mextrain.v1.tile_pb2 import Tile

from tests.front.speaking import SERVICE, answer_type
from tests.project.tree import ROOT
from tests.web.wire import Connection, Wire

PAGES: Final = ROOT / "service/mextrain_service/front/pages"
NOTATION: Final = re.compile(r"(?<![\w-])(\d{1,2})-(\d{1,2})(?![\w-])")

TileName = tuple[int, int]
"""The ends of a tile, the higher first."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what has come back to it so far."""

    path: str
    head: bytes
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        """The answer's headers, by their names in small letters."""
        return _fields(self.head.partition(b"\r\n")[2])


def tiles_told(wire: Wire) -> set[TileName]:
    """Return every tile that anything the browser received speaks of."""
    return {
        tile
        for connection in wire.connections
        for exchange in exchanges(connection)
        for tile in _tiles_in(exchange)
    }


def exchanges(connection: Connection) -> Iterator[Exchange]:
    """Yield the exchanges of a connection in order, the last perhaps unfinished."""
    paths = [path for path, _ in _requests(bytes(connection.sent))]
    rest = bytes(connection.received)
    for path in paths:
        head, blank, rest = rest.partition(b"\r\n\r\n")
        if not blank:
            return
        body, rest = _body(Exchange(path, head, b"").headers, rest)
        yield Exchange(path, head, body)
    assert b"" == rest, "more came back than was asked for"


def _requests(sent: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    while sent:
        head, blank, sent = sent.partition(b"\r\n\r\n")
        if not blank:
            return
        line, _, fields = head.partition(b"\r\n")
        headers = _fields(fields)
        sent = sent[int(headers.get("content-length", 0)) :]
        yield line.split()[1].decode(), headers


def _fields(lines: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.decode().split("\r\n") if line)
    return {name.lower(): value.strip() for name, _, value in pairs}


def _body(headers: dict[str, str], rest: bytes) -> tuple[bytes, bytes]:
    """Return the body as far as it has come, and what is behind it."""
    if headers.get("transfer-encoding") != "chunked":
        size = int(headers.get("content-length", 0))
        return rest[:size], rest[size:]
    body = b""
    while True:
        size_line, end, after = rest.partition(b"\r\n")
        if not end:
            return body, b""
        size = int(size_line, 16)
        body += after[:size]
        rest = after[size + 2 :]
        if size == 0:
            return body, rest


@cache
def _tiles_in(exchange: Exchange) -> frozenset[TileName]:
    method = exchange.path.removeprefix(f"/{SERVICE.full_name}/")
    if method == exchange.path:
        assert _is_file(exchange), f"{exchange.path} is no file of the pages"
        return frozenset()
    assert "content-encoding" not in exchange.headers, "answers are never packed"
    found: set[TileName] = set()
    for text in (exchange.headers, *_trailers(exchange.body)):
        found |= _tiles_of_trailers(text)
    for message in _messages(method, exchange.body):
        found |= tiles_of(message)
    return frozenset(found)


def _is_file(exchange: Exchange) -> bool:
    if exchange.headers.get("content-encoding") != "gzip":
        return exchange.body in _files()
    unpacked = zlib.decompressobj(wbits=31).decompress(exchange.body)
    return any(file.startswith(unpacked) for file in _files())  # it may still be on its way


@cache
def _files() -> frozenset[bytes]:
    return frozenset(path.read_bytes() for path in PAGES.rglob("*") if path.is_file()) | {b""}


def _messages(method: str, body: bytes) -> Iterator[Any]:
    for kind, frame in _frames(body):
        if kind == 0:
            yield answer_type(method).FromString(frame)


def _trailers(body: bytes) -> Iterator[dict[str, str]]:
    for kind, frame in _frames(body):
        if kind == 0x80:
            yield _fields(frame)


def _frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    while len(body) >= 5:
        kind, size = struct.unpack(">BI", body[:5])
        assert kind in (0, 0x80), "neither a message nor trailers"
        if len(body) < 5 + size:
            return
        yield kind, body[5 : 5 + size]
        body = body[5 + size :]


def _tiles_of_trailers(trailers: dict[str, str]) -> set[TileName]:
    told = trailers.get("grpc-status-details-bin", "")
    status = Status.FromString(base64.b64decode(told + "=" * (-len(told) % 4)))
    found = _tiles_of_text(trailers.get("grpc-message", "") + status.message)
    for detail in status.details:
        found |= tiles_of(_unpacked(detail))
    return found


def _unpacked(detail: Any) -> Message:
    from google.protobuf import symbol_database  # noqa: PLC0415 - only here

    message: Message = symbol_database.Default().GetSymbol(detail.TypeName())()
    assert detail.Unpack(message)
    return message


def tiles_of(message: Message) -> set[TileName]:
    """Return every tile that a message speaks of, as a field or within a text."""
    assert not len(UnknownFieldSet(message)), "a field that the contract has not"
    if isinstance(message, Tile):
        return {(max(message.high, message.low), min(message.high, message.low))}
    found = set()
    for field, value in message.ListFields():
        for each in _values(field, value):
            if isinstance(each, Message):
                found |= tiles_of(each)
            elif isinstance(each, str):
                found |= _tiles_of_text(each)
    return found


def _values(field: Any, value: Any) -> Iterator[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        yield from (*value.keys(), *value.values())
    elif field.is_repeated:
        yield from value
    else:
        yield value


def _tiles_of_text(text: str) -> set[TileName]:
    ends = ((int(one), int(other)) for one, other in NOTATION.findall(text))
    return {(max(pair), min(pair)) for pair in ends}
