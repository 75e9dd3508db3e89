"""A stream of many seats: reads what is asked, hands it to channels, ends when all is answered."""

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
from mextrain_service.rpc.channels.doors import Doors
from mextrain_service.rpc.channels.fan_out import FanOut
from mextrain_service.rpc.channels.pending_request import Answering, PendingRequest
from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.error_status import kind_of, status_of
from mextrain_service.rpc.messages.channels import asks_of
from mextrain_service.rpc.sending import Sender

MOST_ASKS = 256
"""Asks of one stream that are under way at once; while there are more, none is read."""

_log = structlog.get_logger("mextrain.errors")


class ChannelStream:
    """One stream, from its beginning to its end."""

    def __init__(
        self,
        platform: PlatformStream,
        use_case: PlayGames,
        doors: Doors,
        sender: Sender,
        call_id: str,
    ) -> None:
        """Take who asks, what carries asks out, what they pass, and where answers go.

        Args:
            platform: the platform whose stream it is.
            use_case: carries asks out.
            doors: what each ask passes.
            sender: sends answers.
            call_id: what the log calls the stream.
        """
        self._platform = platform
        self._use_case = use_case
        self._doors = doors
        self._outbox = SendQueue(sender)
        self._room = asyncio.Semaphore(MOST_ASKS)
        self._teller = FanOut(self._outbox)
        self._answering = Answering(
            self._outbox,
            self._teller,
            partial(_status_told, call_id),
            doors.meter,
            self._room.release,
        )
        self._channels: dict[int, Channel] = {}

    async def run(self, requests: AsyncIterator[PlayGamesRequest]) -> None:
        """Serve until the last ask is answered. What was asked is answered, however it ends.

        Raises:
            InvalidRequestError: a message asks nothing, or too much at once.
            Refused: ``READER_TOO_SLOW``, nobody takes the answers.
            Refused: ``SHUTTING_DOWN``, this worker is about to stop.
        """
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._outbox.deliver())
                telling = group.create_task(self._teller.run())
                failure = await self._serve(requests)
                telling.cancel()
                self._outbox.finish()
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        self._platform.require_open()
        if failure is not None:
            raise failure

    async def _serve(self, requests: AsyncIterator[PlayGamesRequest]) -> BaseException | None:
        """Read what is asked; return when all of it is answered, with why no more is read."""
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
        async for request in requests:
            for ask in asks_of(request):
                await self._room.acquire()
                self._take(PendingRequest(ask, self._answering), channels)

    def _take(self, asked: PendingRequest, channels: asyncio.TaskGroup) -> None:
        number = asked.message.channel
        channel = self._channels.get(number)
        if channel is not None:
            channel.ask(asked)
        elif asked.kind == "open" and number:
            channel = self._channels[number] = Channel(number, asked, self._answering)
            channels.create_task(self._run(channel))
        else:
            asked.refuse(channel_invalid("NOT_OPEN", "the number of an open channel, from 1 on"))

    async def _run(self, channel: Channel) -> None:
        try:
            await channel.run(self._platform.caller, self._use_case, self._doors)
        finally:
            del self._channels[channel.number]
        channel.close()


def _status_told(call_id: str, error: Exception) -> Status:
    """Return what the platform is told of what went wrong; a fault's cause goes to the log."""
    if kind_of(error) is INTERNAL:
        _log.error("fault", method="PlayGames", call_id=call_id, exc_info=error)
    return status_of(error, call_id)
