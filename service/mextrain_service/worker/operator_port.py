"""The operator's HTTP port: metrics, liveness, readiness, and an index that lists itself.

Runs on the event loop of the calls, so that a loop that hangs fails its liveness probe.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

_REQUEST_LIMIT_BYTES: Final = 8_192
_REQUEST_TIMEOUT_S: Final = 5.0
_TEXT: Final = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    """An answer.

    Attributes:
        body: its text, as bytes.
        status: the HTTP status.
        content_type: what the body is.
    """

    body: bytes
    status: HTTPStatus = HTTPStatus.OK
    content_type: str = _TEXT


@dataclass(frozen=True, slots=True)
class Route:
    """A path and what answers it.

    Attributes:
        title: what it shows, for the index.
        page: makes the answer; called for each request, must not block.
    """

    title: str
    page: Callable[[], Page]


@contextlib.asynccontextmanager
async def operator_port(host: str, port: int, routes: Mapping[str, Route]) -> AsyncIterator[int]:
    """Serve the routes, and an index of them at ``/``, while the context is open.

    Args:
        host: address to listen on.
        port: TCP port; 0 picks a free one.
        routes: by path, each beginning with ``/``.

    Yields:
        the port it listens on.

    Raises:
        OSError: the address cannot be listened on.
    """
    every = {"/": Route("this page", lambda: _index(every)), **routes}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError, ValueError):
            await _answer(reader, writer, every)
        writer.close()

    server = await asyncio.start_server(answer, host, port, limit=_REQUEST_LIMIT_BYTES)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, routes: Mapping[str, Route]
) -> None:
    async with asyncio.timeout(_REQUEST_TIMEOUT_S):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            page, method = _refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE), "GET"
        else:
            page, method = _dispatch(head.split(b"\r\n", 1)[0].decode("latin-1"), routes)
        writer.write(_encode(page, with_body=method != "HEAD"))
        await writer.drain()


def _dispatch(request_line: str, routes: Mapping[str, Route]) -> tuple[Page, str]:
    match request_line.split(" "):
        case [("GET" | "HEAD") as method, target, version] if version.startswith("HTTP/1."):
            route = routes.get(target.split("?", 1)[0])
            return (route.page() if route else _refusal(HTTPStatus.NOT_FOUND)), method
        case [method, _, version] if version.startswith("HTTP/1."):
            return _refusal(HTTPStatus.METHOD_NOT_ALLOWED), method
        case _:
            return _refusal(HTTPStatus.BAD_REQUEST), "GET"


def _refusal(status: HTTPStatus) -> Page:
    return Page(f"{status.phrase}\n".encode(), status)


def _encode(page: Page, *, with_body: bool) -> bytes:
    head = (
        f"HTTP/1.1 {page.status.value} {page.status.phrase}\r\n"
        f"Content-Type: {page.content_type}\r\n"
        f"Content-Length: {len(page.body)}\r\n"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    ).encode()
    return head + page.body if with_body else head


def _index(routes: Mapping[str, Route]) -> Page:
    rows = "".join(
        f'<li><a href="{html.escape(path)}">{html.escape(path)}</a> — {html.escape(route.title)}'
        for path, route in routes.items()
    )
    text = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mextrain worker</title>'
        "<style>body{font:16px system-ui;margin:2em;color-scheme:light dark}</style>"
        f"<h1>Mextrain worker</h1><ul>{rows}</ul></html>\n"
    )
    return Page(text.encode(), content_type="text/html; charset=utf-8")
