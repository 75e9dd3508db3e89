"""Many gRPC calls on one HTTP/2 connection whose answers may be streams; messages stay bytes."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from hpack import Decoder

from benchmarks.wire import (
    MESSAGE_HEAD,
    CallFailedError,
    Request,
    calling_frames,
    frame,
    opening_frames,
    saying_frame,
)

_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY = 0, 1, 3, 4, 6, 7
_ACK: Final = 1
_END_STREAM: Final = 1
_FRAME_HEAD: Final = 9
_READ_BYTES: Final = 2**18
_TIMEOUT_S: Final = 30.0


@dataclass(slots=True)
class _Stream:
    on_message: Callable[[bytes], None]
    endless: bool
    pending: bytearray = field(default_factory=bytearray)


class Connection:
    """One connection, and the calls on it.

    Attributes:
        bytes_in: received so far, frames and all.
        bytes_out: sent so far.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), _TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._decoder = Decoder()
        self._streams: dict[int, _Stream] = {}
        self._next_stream = 1
        self._rest = b""
        self._out = bytearray(opening_frames())
        self.bytes_in = self.bytes_out = 0

    def ask(
        self,
        asked: Request,
        on_message: Callable[[bytes], None],
        *,
        endless: bool = False,
        goes_on: bool = False,
    ) -> int:
        """Make a call; it is on its way after ``flush``.

        Args:
            asked: the call.
            on_message: is given each message of the answer.
            endless: the answer is a stream that must not end.
            goes_on: more messages are to be said.

        Returns:
            The number of the call, to say more in it.
        """
        number = self._next_stream
        self._out += calling_frames(number, asked, goes_on=goes_on)
        self._streams[number] = _Stream(on_message, endless)
        self._next_stream += 2
        return number

    def say(self, number: int, message: bytes) -> None:
        """Send one message more of a call that goes on, after ``flush``; at most 16 KB."""
        self._out += saying_frame(number, message)

    def flush(self) -> None:
        """Send what is to be sent."""
        if self._out:
            self._socket.sendall(self._out)
            self.bytes_out += len(self._out)
            self._out.clear()

    def receive(self) -> None:
        """Wait for bytes and handle what is complete of them.

        Raises:
            CallFailedError: a call ended badly, or the connection did.
        """
        received = self._socket.recv(_READ_BYTES)
        if not received:
            raise CallFailedError("the server closed the connection")
        self.bytes_in += len(received)
        self._take(self._rest + received)

    def fileno(self) -> int:
        """Return the socket's, for selectors."""
        return self._socket.fileno()

    def close(self) -> None:
        """Cut the connection; its calls end with it."""
        self._socket.close()

    def _take(self, data: bytes) -> None:
        at = 0
        while len(data) - at >= _FRAME_HEAD:
            end = at + _FRAME_HEAD + int.from_bytes(data[at : at + 3])
            if end > len(data):
                break
            stream = int.from_bytes(data[at + 5 : at + _FRAME_HEAD])
            self._handle(data[at + 3], data[at + 4], stream, data[at + _FRAME_HEAD : end])
            at = end
        self._rest = data[at:]

    def _handle(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == _DATA:
            self._add(self._streams[stream], payload)
        elif kind == _HEADERS:
            headers: dict[Any, Any] = dict(self._decoder.decode(payload))
            if flags & _END_STREAM:
                self._end(stream, headers)
        elif kind in (_SETTINGS, _PING) and not flags & _ACK:
            self._out += frame(kind, _ACK, 0, payload if kind == _PING else b"")
        elif kind in (_RST_STREAM, _GOAWAY):
            raise CallFailedError(f"the server ended a stream or the connection: {payload!r}")

    def _add(self, stream: _Stream, payload: bytes) -> None:
        stream.pending += payload
        while len(stream.pending) >= MESSAGE_HEAD:
            end = MESSAGE_HEAD + int.from_bytes(stream.pending[1:MESSAGE_HEAD])
            if end > len(stream.pending):
                return
            message = bytes(stream.pending[MESSAGE_HEAD:end])
            del stream.pending[:end]
            stream.on_message(message)

    def _end(self, number: int, trailers: dict[Any, Any]) -> None:
        stream = self._streams.pop(number)
        if stream.endless or trailers.get("grpc-status") != "0":
            raise CallFailedError(f"{trailers.get('grpc-status')}: {trailers.get('grpc-message')}")


class Connections:
    """Several connections that are waited for together."""

    def __init__(self, connections: Iterable[Connection]) -> None:
        self._selector = selectors.DefaultSelector()
        self.all = list(connections)
        for connection in self.all:
            self._selector.register(connection, selectors.EVENT_READ, connection)

    def pump(self, timeout_s: float) -> None:
        """Send what is to be sent, then handle what has come, waiting at most so long for it."""
        for connection in self.all:
            connection.flush()
        for key, _ in self._selector.select(timeout_s):
            key.data.receive()

    def close(self) -> None:
        """Cut all of them."""
        for connection in self.all:
            connection.close()
        self._selector.close()
