"""One channel of a stream: a seat, what is asked on it in order, and what is told on it."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, nullcontext

from mextrain.v1.channel_pb2 import ChannelAnswer, ChannelClosed, ChannelOpened, MovesMade

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
from mextrain_service.rpc.channels.doors import Doors
from mextrain_service.rpc.channels.pending_request import Answering, PendingRequest
from mextrain_service.rpc.messages.channels import (
    moves_on_channel,
    open_channel_query,
)
from mextrain_service.rpc.time_limit import TimeLimit, TookTooLongError


class Channel:
    """A channel, from the ask that opens it to the one that closes it.

    Attributes:
        number: what the platform calls it.
    """

    def __init__(self, number: int, opening: PendingRequest, answering: Answering) -> None:
        """Prepare a channel that ``opening`` asks for."""
        self.number = number
        self._answering = answering
        self._opening: PendingRequest | None = opening
        self._closing: PendingRequest | None = None
        self._failure: Exception | None = None
        self._asks: asyncio.Queue[PendingRequest | None] = asyncio.Queue()

    def ask(self, asked: PendingRequest) -> None:
        """Let something be done after all that was asked before."""
        self._asks.put_nowait(asked)

    def finish(self) -> None:
        """Let the channel be closed after all that was asked before."""
        self._asks.put_nowait(None)

    async def run(self, platform: PlatformCaller, use_case: PlayGames, doors: Doors) -> None:
        """Open the channel, do what is asked on it, and return when it is to be closed."""
        assert self._opening is not None, "a channel is run once"
        message = self._opening.message.open
        try:
            query = open_channel_query(message)
            bearer = await self._bearer_of(message.token, platform, doors)
            doors.admit(bearer)
            taking = use_case.taken(platform, bearer, query, watched=not message.unwatched)
            async with taking as seat:
                with doors.streaming(seat.holder), self._telling(seat.watch):
                    self._opening.answer(ChannelAnswer(opened=ChannelOpened(version=seat.version)))
                    self._opening = None
                    await self._carry_out(_Player(seat, query.game_id, use_case, doors))
        except Exception as error:  # noqa: BLE001 - whatever it is, the platform must hear of it
            self._failure = error

    async def _bearer_of(self, token: str, platform: PlatformCaller, doors: Doors) -> Caller:
        """Return whose token it is; one that is refused counts as a call of the platform."""
        try:
            return await doors.caller_of(f"Bearer {token}")
        except Refused:
            doors.admit(platform)
            raise

    def close(self) -> None:
        """Say why the channel is closed, once its number is free again, and refuse the rest."""
        if self._closing is not None:
            self._closing.answer(ChannelAnswer(closed=ChannelClosed()))
        elif self._failure is not None and self._opening is not None:
            self._opening.refuse(self._failure)
        elif self._failure is not None:
            closed = ChannelClosed(status=self._answering.status_of(self._failure))
            answer = ChannelAnswer(channel=self.number, closed=closed)
            self._answering.outbox.put(answer.SerializeToString())
        while not self._asks.empty():
            asked = self._asks.get_nowait()
            if asked is not None:
                asked.refuse(channel_invalid("NOT_OPEN", "the number of an open channel"))

    async def _carry_out(self, player: _Player) -> None:
        """Do what is asked until the channel is to be closed."""
        while (asked := await self._asks.get()) is not None:
            if asked.kind == "close":
                self._closing = asked
                return
            await player.carry_out(asked)

    def _telling(self, watch: GameWatch | None) -> AbstractContextManager[None]:
        """Tell what happens, as long as the context is open."""
        if watch is None:
            return nullcontext()
        return self._answering.teller.telling(self.number, watch, self._fail)

    def _fail(self, error: Exception) -> None:
        """Close the channel, as nothing more can be told on it."""
        self._failure = error
        self.finish()


class _Player:
    """Who makes the moves of a channel."""

    def __init__(self, seat: TakenSeat, game_id: GameId, use_case: PlayGames, doors: Doors) -> None:
        self._seat = seat
        self._game_id = game_id
        self._use_case = use_case
        self._doors = doors
        self._limit = TimeLimit(doors.ask_s)

    async def carry_out(self, asked: PendingRequest) -> None:
        try:
            version = await self._play(asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the platform must hear of it
            asked.refuse(error)
        else:
            asked.answer(ChannelAnswer(made=MovesMade(version=version)))

    async def _play(self, asked: PendingRequest) -> int:
        if asked.kind != "play":
            raise channel_invalid("IN_USE", "an open channel is played on, or closed")
        asked_for = moves_on_channel(asked.message.play)
        self._doors.admit(self._seat.holder)
        try:
            return await self._limit.within(
                self._use_case.play(self._seat, self._game_id, *asked_for)
            )
        except TookTooLongError:
            raise Refused(DEADLINE_EXCEEDED, limit_s=self._doors.ask_s) from None


def channel_invalid(code: str, description: str) -> InvalidRequestError:
    """Return what is wrong with the number of a channel."""
    return invalid_field("channel", code, description)
