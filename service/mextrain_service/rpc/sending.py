"""Sends the messages of a stream, to those who take them."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc import aio

from mextrain_service.application.refused import READER_TOO_SLOW, Refused
from mextrain_service.rpc.time_limit import TimeLimit, TookTooLongError


class Sender:
    """The sending end of one stream."""

    def __init__(self, context: Any, begun_at: str, send_s: float) -> None:
        """Prepare to send.

        Args:
            context: the context of the call.
            begun_at: the place that its reader began at.
            send_s: how long it may take to make room for one message, in seconds. gRPC holds some
                64 KB for it beside that.
        """
        self._context = context
        self._resume = begun_at
        self._limit = TimeLimit(send_s)

    async def send(self, message: Any, resume: str) -> None:
        """Send a message when its reader has room for it.

        Args:
            message: the message, or its bytes.
            resume: where its reader goes on who has taken it.

        Raises:
            Refused: ``READER_TOO_SLOW``, the reader makes no room.
            asyncio.CancelledError: the reader is gone.
        """
        try:
            await self._limit.within(self._context.write(message))
        except TookTooLongError:
            raise Refused(READER_TOO_SLOW, resume=self._resume, retry_after_s=0.1) from None
        except aio.InternalError:
            # gRPC finds the stream closed before it has told us that the reader left.
            raise asyncio.CancelledError from None
        self._resume = resume
