"""HTTP as bytes, for what no client would send."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.polling import WITHIN_S


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    """Open a connection to the address."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), WITHIN_S) as connection:
        yield connection


def answered(url: str, *lines: str, body: bytes = b"") -> bytes:
    """Return all that comes back to a request of these lines until the front closes."""
    with connected(url) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode() + body)
        return rest_of(connection)


def rest_of(connection: socket.socket) -> bytes:
    """Return all that comes until the other end closes, in whatever way."""
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return found
