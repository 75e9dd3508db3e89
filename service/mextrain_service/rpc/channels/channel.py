"""One channel of a stream: a seat, its requests in order, and the events sent on it."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, nullcontext

from mextrain.v1.channel_pb2 import ChannelClosed, ChannelOpened, ChannelResponse, MovesPlayed

from mextrain_service.application.callers import Caller, PlatformCaller
from mextrain_service.application.model import GameId
from mextrain_service.application.play_games import PlayGames, TakenSeat
from mextrain_service.application.refused import (
    DEADLINE_EXCEEDED,
    InvalidRequestError,
    Refused,
    invalid_field,
)
from mextrain_service.application.watch_game import GameWatch
from mextrain_service.rpc.channels.pending_request import Answering, PendingRequest
from mextrain_service.rpc.channels.request_checks import RequestChecks
from mextrain_service.rpc.messages.channels import (
    moves_on_channel,
    open_channel_query,
)
from mextrain_service.rpc.time_limit import TimeLimit, TookTooLongError


class Channel:
    """A channel, from the request that opens it to the one that closes it.

    Attributes:
        number: the number that the platform chose for it.
    """

    def __init__(self, number: int, opening: PendingRequest, answering: Answering) -> None:
        """Prepare the channel that ``opening`` requests."""
        self.number = number
        self._answering = answering
        self._opening: PendingRequest | None = opening
        self._closing: PendingRequest | None = None
        self._failure: Exception | None = None
        self._requests: asyncio.Queue[PendingRequest | None] = asyncio.Queue()

    def put(self, request: PendingRequest) -> None:
        """Queue a request after all earlier ones."""
        self._requests.put_nowait(request)

    def finish(self) -> None:
        """Close the channel after all earlier requests."""
        self._requests.put_nowait(None)

    async def run(
        self, platform: PlatformCaller, use_case: PlayGames, checks: RequestChecks
    ) -> None:
        """Open the channel, carry out its requests, and return when it is to be closed."""
        assert self._opening is not None, "a channel is run once"
        message = self._opening.message.open
        try:
            query = open_channel_query(message)
            bearer = await self._bearer_of(message.token, platform, checks)
            checks.admit(bearer)
            taking = use_case.taken(platform, bearer, query, watched=not message.play_only)
            async with taking as seat:
                with checks.streaming(seat.holder), self._telling(seat.watch):
                    self._opening.answer(
                        ChannelResponse(opened=ChannelOpened(version=seat.version))
                    )
                    self._opening = None
                    await self._carry_out(_Player(seat, query.game_id, use_case, checks))
        except Exception as error:  # noqa: BLE001 - the platform must learn of any failure
            self._failure = error

    async def _bearer_of(
        self, token: str, platform: PlatformCaller, checks: RequestChecks
    ) -> Caller:
        """Return the caller of a token; an invalid token counts as a call of the platform."""
        try:
            return await checks.caller_of(f"Bearer {token}")
        except Refused:
            checks.admit(platform)
            raise

    def close(self) -> None:
        """Send why the channel is closed, once its number is free again, and refuse the rest."""
        if self._closing is not None:
            self._closing.answer(ChannelResponse(closed=ChannelClosed()))
        elif self._failure is not None and self._opening is not None:
            self._opening.refuse(self._failure)
        elif self._failure is not None:
            closed = ChannelClosed(status=self._answering.status_of(self._failure))
            response = ChannelResponse(channel=self.number, closed=closed)
            self._answering.queue.put(response.SerializeToString())
        while not self._requests.empty():
            request = self._requests.get_nowait()
            if request is not None:
                request.refuse(channel_invalid("NOT_OPEN", "this channel is not open"))

    async def _carry_out(self, player: _Player) -> None:
        """Carry out requests until the channel is to be closed."""
        while (request := await self._requests.get()) is not None:
            if request.kind == "close":
                self._closing = request
                return
            await player.carry_out(request)

    def _telling(self, watch: GameWatch | None) -> AbstractContextManager[None]:
        """Send events, as long as the context is open."""
        if watch is None:
            return nullcontext()
        return self._answering.fan_out.telling(self.number, watch, self._fail)

    def _fail(self, error: Exception) -> None:
        """Close the channel, as nothing more can be sent on it."""
        self._failure = error
        self.finish()


class _Player:
    """Makes the moves of a channel."""

    def __init__(
        self, seat: TakenSeat, game_id: GameId, use_case: PlayGames, checks: RequestChecks
    ) -> None:
        self._seat = seat
        self._game_id = game_id
        self._use_case = use_case
        self._checks = checks
        self._limit = TimeLimit(checks.request_timeout_s)

    async def carry_out(self, request: PendingRequest) -> None:
        try:
            version = await self._play(request)
        except Exception as error:  # noqa: BLE001 - the platform must learn of any failure
            request.refuse(error)
        else:
            request.answer(ChannelResponse(played=MovesPlayed(version=version)))

    async def _play(self, request: PendingRequest) -> int:
        if request.kind != "play":
            raise channel_invalid("IN_USE", "the channel is open already: play on it, or close it")
        moves = moves_on_channel(request.message.play)
        self._checks.admit(self._seat.holder)
        try:
            return await self._limit.within(self._use_case.play(self._seat, self._game_id, *moves))
        except TookTooLongError:
            raise Refused(DEADLINE_EXCEEDED, limit_s=self._checks.request_timeout_s) from None


def channel_invalid(code: str, description: str) -> InvalidRequestError:
    """Return the error for an invalid channel number."""
    return invalid_field("channel", code, description)
