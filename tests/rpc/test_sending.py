from __future__ import annotations

import asyncio
from typing import NoReturn

import pytest
from grpc import aio

from mextrain_service.rpc.sending import Sender


class _ClosedContext:
    """A call whose reader left, of which gRPC has not told yet."""

    async def write(self, message: object) -> NoReturn:
        raise aio.InternalError(f"cannot send {message}")


async def test_stream_counts_as_cancelled_and_not_as_faulty_when_its_reader_is_gone() -> None:
    sender = Sender(_ClosedContext(), begun_at="1", send_s=5)

    with pytest.raises(asyncio.CancelledError):
        await sender.send("a message", resume="2")
