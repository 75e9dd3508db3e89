"""The operator's HTTP port, spoken to byte by byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from mextrain_service.worker.operator_port import Page, Route, operator_port

_HOST = "127.0.0.1"


@pytest.fixture
async def port() -> AsyncIterator[int]:
    routes = {"/ok": Route("says <ok>", lambda: Page(b"fine\n"))}
    async with operator_port(_HOST, 0, routes) as bound:
        yield bound


async def _ask(port: int, request: bytes) -> tuple[str, bytes]:
    reader, writer = await asyncio.open_connection(_HOST, port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode(), body


async def test_a_page_is_answered_with_its_length(port: int) -> None:
    head, body = await _ask(port, b"GET /ok HTTP/1.1\r\nHost: x\r\n\r\n")
    assert head.startswith("HTTP/1.1 200 OK")
    assert "Content-Length: 5" in head
    assert body == b"fine\n"


async def test_a_page_is_answered_without_its_body_when_only_the_head_is_asked_for(
    port: int,
) -> None:
    head, body = await _ask(port, b"HEAD /ok HTTP/1.1\r\n\r\n")
    assert "Content-Length: 5" in head
    assert body == b""


async def test_the_index_lists_every_page_and_itself(port: int) -> None:
    _, body = await _ask(port, b"GET / HTTP/1.1\r\n\r\n")
    assert b'href="/ok"' in body
    assert b'href="/"' in body
    assert b"says &lt;ok&gt;" in body


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /nowhere HTTP/1.1", "404"),
        (b"POST /ok HTTP/1.1", "405"),
        (b"GET /ok HTTP/2", "400"),
        (b"nonsense", "400"),
    ],
)
async def test_what_is_not_a_page_is_refused(port: int, request_line: bytes, status: str) -> None:
    head, _ = await _ask(port, request_line + b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status}")


async def test_a_request_is_refused_when_its_head_is_too_long(port: int) -> None:
    head, _ = await _ask(port, b"GET /ok HTTP/1.1\r\nX: " + b"x" * 20_000)
    assert head.startswith("HTTP/1.1 431")


async def test_the_port_goes_on_when_a_client_goes_away_in_the_middle(port: int) -> None:
    _, writer = await asyncio.open_connection(_HOST, port)
    writer.write(b"GET /o")
    writer.close()
    head, _ = await _ask(port, b"GET /ok HTTP/1.1\r\n\r\n")
    assert head.startswith("HTTP/1.1 200")
