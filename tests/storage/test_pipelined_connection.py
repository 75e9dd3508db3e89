"""One connection for many requests: who gets which answer, and what they are told without one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis.exceptions as failure
from redis import Redis

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import ConnectionLimits, open_client
from tests.storage.limits import PATIENT
from tests.storage.patience import loop_turns, patiently
from tests.worker.certificates import Authority

HASTY = ConnectionLimits(answer_timeout_s=0.3)


@contextlib.asynccontextmanager
async def _client(server: EmbeddedValkey, limits: ConnectionLimits = PATIENT) -> AsyncIterator[Any]:
    client = open_client(server.url, limits)
    try:
        yield client
    finally:
        await client.aclose()


def _reads(server: EmbeddedValkey) -> int:
    """Return how often the server has read from its connections."""
    with Redis.from_url(server.url) as another:
        stats: Any = another.info("stats")
    return int(stats["total_reads_processed"])


async def test_requests_of_one_turn_leave_together(own_server: EmbeddedValkey) -> None:
    async with _client(own_server) as client:
        await client.execute_command("PING")
        before = _reads(own_server)
        words = [str(number) for number in range(200)]
        answers = await asyncio.gather(*(client.execute_command("ECHO", word) for word in words))
        after = _reads(own_server)
    assert [word.encode() for word in words] == answers
    assert after - before < 20


async def test_answers_reach_those_who_asked_when_others_gave_up(
    own_server: EmbeddedValkey,
) -> None:
    assert own_server.pid is not None
    async with _client(own_server) as client:
        await client.execute_command("PING")
        os.kill(own_server.pid, signal.SIGSTOP)  # nothing is answered before some have given up
        asking = [
            asyncio.ensure_future(client.execute_command("ECHO", str(number)))
            for number in range(100)
        ]
        await loop_turns()
        for task in asking[::3]:
            task.cancel()
        await loop_turns()
        os.kill(own_server.pid, signal.SIGCONT)
        answers = await asyncio.gather(*asking, return_exceptions=True)
        later = await client.execute_command("ECHO", "later")
    for number, answer in enumerate(answers):
        if number % 3:
            assert str(number).encode() == answer
        else:
            assert isinstance(answer, asyncio.CancelledError)
    assert later == b"later"


async def test_refusal_concerns_only_the_request_that_is_refused(
    own_server: EmbeddedValkey,
) -> None:
    async with _client(own_server) as client:
        asked = [("ECHO", "one"), ("NO-SUCH-COMMAND",), ("ECHO", "two")]
        answers: list[Any] = await asyncio.gather(
            *(client.execute_command(*command) for command in asked), return_exceptions=True
        )
    assert (answers[0], answers[2]) == (b"one", b"two")
    assert isinstance(answers[1], failure.ResponseError)


async def test_all_who_wait_are_told_when_no_answer_comes_in_time(
    own_server: EmbeddedValkey,
) -> None:
    async with _client(own_server, HASTY) as client:
        await client.execute_command("PING")
        with Redis.from_url(own_server.url) as another:
            another.client_pause(60_000)
        asked = (client.execute_command("ECHO", str(number)) for number in range(5))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        own_server.kill()
    assert [failure.TimeoutError] * 5 == [type(answer) for answer in answers]


async def test_connection_is_opened_again_after_the_server_came_back(
    own_server: EmbeddedValkey,
) -> None:
    async with _client(own_server) as client:
        assert await client.execute_command("ECHO", "before") == b"before"
        own_server.kill()
        with pytest.raises((failure.ConnectionError, OSError)):
            await client.execute_command("ECHO", "meanwhile")
        own_server.start()
        answer, _ = await patiently(lambda: client.execute_command("ECHO", "after"))
    assert b"after" == answer


async def test_requests_share_a_connection_that_is_encrypted_too(
    own_server: EmbeddedValkey, tmp_path: Path
) -> None:
    authority = Authority("tests")
    issued = authority.issue("store")
    (tmp_path / "authority").write_bytes(authority.certificate)
    (tmp_path / "store").write_bytes(issued.certificate + issued.key)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "store")
    tunnels: list[asyncio.Task[None]] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = own_server.url.removeprefix("unix://").partition("?")[0]
        there, to = await asyncio.open_unix_connection(path)
        tunnels.append(asyncio.create_task(_pass_on(reader, to)))
        await _pass_on(there, writer)

    listener = await asyncio.start_server(tunnel, "127.0.0.1", 0, ssl=context)
    port = listener.sockets[0].getsockname()[1]
    url = f"rediss://localhost:{port}/0?ssl_ca_certs={tmp_path / 'authority'}"
    client = open_client(url, PATIENT)
    words = [str(number) for number in range(50)]
    answers = await asyncio.gather(*(client.execute_command("ECHO", word) for word in words))
    await client.aclose()
    listener.close()
    await asyncio.gather(*tunnels)
    assert [word.encode() for word in words] == answers


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass everything on until there is no more."""
    with contextlib.suppress(OSError):
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
    writer.close()


async def test_whoever_waits_is_told_when_the_client_is_closed(own_server: EmbeddedValkey) -> None:
    async with _client(own_server) as client:
        await client.execute_command("PING")
        waiting = asyncio.ensure_future(client.execute_command("BLPOP", "nothing", 0))
        await loop_turns()
        await client.aclose()
        with pytest.raises(failure.ConnectionError):
            await waiting
