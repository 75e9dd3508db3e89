"""A load generator that costs a fraction of a server: unary gRPC calls on one HTTP/2 connection.

Each lane has one call in flight at a time, so there are as many concurrent calls as lanes; requests
are bytes made before the clock runs.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from hpack import Decoder

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_ACK: Final = 1
_END_STREAM: Final = 1
_END_HEADERS: Final = 4
_INITIAL_WINDOW_SIZE: Final = 4
_LARGEST_WINDOW: Final = 2**31 - 1
_DEFAULT_WINDOW: Final = 65_535
_FRAME_HEAD: Final = 9
MESSAGE_HEAD: Final = 5
"""Bytes before each message of gRPC: whether it is compressed, and its length."""
_READ_BYTES: Final = 2**18
_TIMEOUT_S: Final = 30.0


class CallFailedError(Exception):
    """A call did not end well, or the connection ended; a benchmark then measures nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call, ready to be sent.

    Attributes:
        head: its header block.
        body: its message with the prefix of gRPC.
    """

    head: bytes
    body: bytes


Lane: TypeAlias = Generator[Request, bytes, None]
"""Yields one request after another and is sent the message that each was answered with."""


@dataclass(slots=True)
class Load:
    """What calls took.

    Attributes:
        seconds: from the first request to the last answer.
        latencies_s: of each call, in the order in which they ended.
        answer_bytes: the sizes of all messages together, without the prefix.
    """

    seconds: float = 0.0
    latencies_s: list[float] = field(default_factory=list)
    answer_bytes: int = 0


def request(path: str, message: bytes, token: str = "", *, deadline: bool = True) -> Request:
    """Return a call of a method.

    Args:
        path: ``/package.Service/Method``.
        message: the request's bytes.
        token: a bearer token; empty for none.
        deadline: the call is to end within 20 s; streams are not.
    """
    return Request(_block(headers(path, token, deadline=deadline)), framed(message))


def json_request(path: str, body: bytes, token: str) -> Request:
    """Return a call as REST has it: a POST with JSON."""
    fields = {**headers(path, token, deadline=False), "content-type": "application/json"}
    return Request(_block(fields), body)


def headers(path: str, token: str = "", *, deadline: bool = True) -> dict[str, str]:
    """Return the headers of a call; arguments as ``request``."""
    return {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
        **({"grpc-timeout": "20S"} if deadline else {}),
        **({"authorization": f"Bearer {token}"} if token else {}),
    }


def framed(message: bytes) -> bytes:
    """Return a message with the prefix of gRPC."""
    return struct.pack(">BI", 0, len(message)) + message


def opening_frames() -> bytes:
    """Return what a client says first on a connection: windows so large that none ever fills."""
    return (
        _PREFACE
        + frame(_SETTINGS, 0, 0, struct.pack(">HI", _INITIAL_WINDOW_SIZE, _LARGEST_WINDOW))
        + frame(_WINDOW_UPDATE, 0, 0, struct.pack(">I", _LARGEST_WINDOW - _DEFAULT_WINDOW))
    )


def calling_frames(stream: int, asked: Request, *, goes_on: bool = False) -> bytes:
    """Return what opens a stream with a call; more of it is to follow if it goes on."""
    head = frame(_HEADERS, _END_HEADERS, stream, asked.head)
    return head + frame(_DATA, 0 if goes_on else _END_STREAM, stream, asked.body)


def saying_frame(stream: int, message: bytes) -> bytes:
    """Return one message more of a call that goes on; at most 16 KB."""
    return frame(_DATA, 0, stream, framed(message))


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame of HTTP/2."""
    return len(payload).to_bytes(3) + struct.pack(">BBI", kind, flags, stream) + payload


def drive(port: int, lanes: Iterable[Lane], per_s: float = 0) -> Load:
    """Run all lanes to their ends, concurrently, and return what the calls took.

    Args:
        port: of the server.
        lanes: each has one call in flight at a time.
        per_s: at what rate calls begin, however long others take; latency then counts from the
            moment at which a call was to begin. 0 begins each as soon as its lane is free.

    Raises:
        CallFailedError: a call ended with another status than OK.
    """
    with socket.create_connection(("127.0.0.1", port), _TIMEOUT_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return _Driver(connection, 1 / per_s if per_s else 0).run(lanes)


def shared(lanes: list[Lane], concurrent: int) -> list[Lane]:
    """Return as many lanes as are to be in flight, which go one after another through all."""
    return [_one_after_another(lanes[first::concurrent]) for first in range(concurrent)]


def _one_after_another(lanes: list[Lane]) -> Lane:
    for lane in lanes:
        yield from lane


@dataclass(slots=True)
class _Call:
    lane: Lane
    started: float
    answer: bytearray = field(default_factory=bytearray)
    headers: dict[Any, Any] = field(default_factory=dict)

    def went_well(self) -> bool:
        """Whether it ended with OK, in gRPC or in JSON."""
        code = self.headers.get("grpc-status")
        in_json = self.headers.get("content-type") == "application/json"
        return self.headers.get(":status") == "200" and (code == "0" or in_json)


class _Driver:
    """One connection and the calls on it."""

    def __init__(self, connection: socket.socket, interval_s: float) -> None:
        self._connection = connection
        self._interval_s = interval_s
        self._next_at = 0.0
        self._ready: deque[tuple[Lane, Request]] = deque()
        self._decoder = Decoder()
        self._calls: dict[int, _Call] = {}
        self._next_stream = 1
        self._out = bytearray(opening_frames())
        self._load = Load()

    def run(self, lanes: Iterable[Lane]) -> Load:
        first = [(lane, next(lane)) for lane in lanes]
        started = self._next_at = time.perf_counter()
        for lane, asked in first:
            self._ask(lane, asked)
        pending = b""
        while self._calls or self._ready:
            self._begin_what_is_due()
            self._connection.sendall(self._out)
            self._out.clear()
            if self._ready and not self._came_before(self._next_at):
                continue
            received = self._connection.recv(_READ_BYTES)
            if not received:
                raise CallFailedError("the server closed the connection")
            pending = self._take(pending + received)
        self._load.seconds = time.perf_counter() - started
        return self._load

    def _ask(self, lane: Lane, asked: Request) -> None:
        if self._interval_s:
            self._ready.append((lane, asked))
        else:
            self._begin(lane, asked, time.perf_counter())

    def _begin_what_is_due(self) -> None:
        while self._ready and self._next_at <= time.perf_counter():
            self._begin(*self._ready.popleft(), self._next_at)
            self._next_at += self._interval_s

    def _begin(self, lane: Lane, asked: Request, at: float) -> None:
        stream = self._next_stream
        self._next_stream += 2
        self._out += calling_frames(stream, asked)
        self._calls[stream] = _Call(lane, at)

    def _came_before(self, at: float) -> bool:
        """Wait for bytes until then; tell whether there are any."""
        wait_s = max(0.0, at - time.perf_counter())
        return bool(select.select((self._connection,), (), (), wait_s)[0])

    def _take(self, data: bytes) -> bytes:
        """Handle every whole frame and return the rest."""
        at = 0
        while len(data) - at >= _FRAME_HEAD:
            end = at + _FRAME_HEAD + int.from_bytes(data[at : at + 3])
            if end > len(data):
                break
            stream = int.from_bytes(data[at + 5 : at + _FRAME_HEAD])
            self._handle(data[at + 3], data[at + 4], stream, data[at + _FRAME_HEAD : end])
            at = end
        return data[at:]

    def _handle(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == _DATA:
            self._calls[stream].answer += payload
            if flags & _END_STREAM:
                self._finish(stream)
        elif kind == _HEADERS:
            self._calls[stream].headers.update(self._decoder.decode(payload))
            if flags & _END_STREAM:
                self._finish(stream)
        elif kind in (_SETTINGS, _PING) and not flags & _ACK:
            self._out += frame(kind, _ACK, 0, payload if kind == _PING else b"")
        elif kind in (_RST_STREAM, _GOAWAY):
            raise CallFailedError(f"the server ended a stream or the connection: {payload!r}")

    def _finish(self, stream: int) -> None:
        call = self._calls.pop(stream)
        self._load.latencies_s.append(time.perf_counter() - call.started)
        if not call.went_well():
            raise CallFailedError(f"{call.headers} {bytes(call.answer[:400])!r}")
        answer = bytes(call.answer[MESSAGE_HEAD:])
        self._load.answer_bytes += len(answer)
        try:
            asked = call.lane.send(answer)
        except StopIteration:
            return
        self._ask(call.lane, asked)


def _block(fields: dict[str, str]) -> bytes:
    """Return a header block without a table, so that it can be made before the clock runs."""
    return b"".join(
        b"\0" + _text(name.encode()) + _text(value.encode()) for name, value in fields.items()
    )


def _text(text: bytes) -> bytes:
    """Return a string of a header as it is, after its length."""
    if len(text) < 127:
        return bytes((len(text),)) + text
    rest, length = len(text) - 127, bytearray(b"\x7f")
    while rest >= 128:
        length.append(rest % 128 + 128)
        rest //= 128
    return bytes(length) + bytes((rest,)) + text
