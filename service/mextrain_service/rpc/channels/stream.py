"""A stream of many seats: reads requests, hands them to channels, ends when all are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import structlog
from google.rpc.status_pb2 import Status
from mextrain.v1.game_service_pb2 import PlayGamesRequest

from mextrain_service.application.play_games import PlatformStream, PlayGames
from mextrain_service.application.refused import INTERNAL
from mextrain_service.rpc.channels.channel import Channel, channel_invalid
from mextrain_service.rpc.channels.fan_out import FanOut
from mextrain_service.rpc.channels.pending_request import Answering, PendingRequest
from mextrain_service.rpc.channels.request_checks import RequestChecks
from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.error_status import kind_of, status_of
from mextrain_service.rpc.messages.channels import requests_of
from mextrain_service.rpc.sending import Sender

MAX_PENDING_REQUESTS = 256
"""Most requests of one stream under way at once; until one is answered, no more are read."""

_log = structlog.get_logger("mextrain.errors")


class ChannelStream:
    """One stream, from its beginning to its end."""

    def __init__(
        self,
        platform: PlatformStream,
        use_case: PlayGames,
        checks: RequestChecks,
        sender: Sender,
        call_id: str,
    ) -> None:
        """Take the platform, what checks and carries out requests, and where responses go.

        Args:
            platform: the platform whose stream it is.
            use_case: carries requests out.
            checks: the checks of each request.
            sender: sends responses.
            call_id: the ID of the stream in the log.
        """
        self._platform = platform
        self._use_case = use_case
        self._checks = checks
        self._queue = SendQueue(sender)
        self._room = asyncio.Semaphore(MAX_PENDING_REQUESTS)
        self._fan_out = FanOut(self._queue)
        self._answering = Answering(
            self._queue,
            self._fan_out,
            partial(_status_told, call_id),
            checks.meter,
            self._room.release,
        )
        self._channels: dict[int, Channel] = {}

    async def run(self, requests: AsyncIterator[PlayGamesRequest]) -> None:
        """Serve until the last request is answered. All requests that were read get a response.

        Raises:
            InvalidRequestError: a message has no requests, or too many.
            Refused: ``READER_TOO_SLOW``, the caller does not read the responses.
            Refused: ``SHUTTING_DOWN``, this worker is about to stop.
        """
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._queue.deliver())
                telling = group.create_task(self._fan_out.run())
                failure = await self._serve(requests)
                telling.cancel()
                self._queue.finish()
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        self._platform.require_open()
        if failure is not None:
            raise failure

    async def _serve(self, requests: AsyncIterator[PlayGamesRequest]) -> BaseException | None:
        """Read requests; return when all are answered, with the error that ended the reading."""
        async with asyncio.TaskGroup() as channels:
            reading = asyncio.create_task(self._read(requests, channels))
            try:
                with self._platform.woken(reading.cancel):
                    await asyncio.wait({reading})
            finally:
                reading.cancel()
            for channel in self._channels.values():
                channel.finish()
        return None if reading.cancelled() else reading.exception()

    async def _read(
        self, requests: AsyncIterator[PlayGamesRequest], channels: asyncio.TaskGroup
    ) -> None:
        async for message in requests:
            for request in requests_of(message):
                await self._room.acquire()
                self._take(PendingRequest(request, self._answering), channels)

    def _take(self, request: PendingRequest, channels: asyncio.TaskGroup) -> None:
        number = request.message.channel
        channel = self._channels.get(number)
        if channel is not None:
            channel.put(request)
        elif request.kind == "open" and number:
            channel = self._channels[number] = Channel(number, request, self._answering)
            channels.create_task(self._run(channel))
        else:
            request.refuse(
                channel_invalid("NOT_OPEN", "this channel is not open; numbers start at 1")
            )

    async def _run(self, channel: Channel) -> None:
        try:
            await channel.run(self._platform.caller, self._use_case, self._checks)
        finally:
            del self._channels[channel.number]
        channel.close()


def _status_told(call_id: str, error: Exception) -> Status:
    """Return the status of an error; the cause of a fault goes to the log."""
    if kind_of(error) is INTERNAL:
        _log.error("fault", method="PlayGames", call_id=call_id, exc_info=error)
    return status_of(error, call_id)
