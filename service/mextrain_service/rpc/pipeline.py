"""What every call passes, from its bytes to its answer or its error, in one place and in order.

1. The call gets its ID, so that everything that is written about it can name it.
2. Its span begins, if traces are sent: what is done for the call becomes a part of it.
3. Its request is read. What cannot be read is refused in step 7, when it is known who sent it.
4. Too many calls at once are refused before any work is done for them.
5. Its time limit begins: it bounds all the work that follows, checking the credential too.
6. The credential is checked: nothing of the request counts before the caller is known.
7. A request that cannot be read is refused, with a reason for this caller alone.
8. The caller's and the game's rate are held, which needs both of them.
9. A player who comes with a token of the platform acts as their seat; this may ask the store.
10. The method is carried out.
11. However it ended: counted, logged, kept for operators if it failed, and its span is ended.
12. What went wrong goes to the caller as a status with reason and facts, and no more than that.

A check is a function that this file calls, not a layer around the rest: each layer would cost
every call a coroutine.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias

import grpc
import structlog
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from mextrain_service.application.callers import Caller, PlayerCaller, SeatCaller
from mextrain_service.application.model import GameId
from mextrain_service.application.refused import (
    INTERNAL,
    OVERLOADED,
    UNIMPLEMENTED,
    Refused,
    TokenSupersededError,
)
from mextrain_service.rpc.call import NOBODY, Call, Context
from mextrain_service.rpc.call_facts import log_facts
from mextrain_service.rpc.caller_rates import CallerRates
from mextrain_service.rpc.error_status import kind_of, status_of
from mextrain_service.rpc.metrics import CallMetrics
from mextrain_service.rpc.outcome import OK, Outcome, outcome_of
from mextrain_service.rpc.recent_errors import KeptErrors
from mextrain_service.rpc.request_limits import Read
from mextrain_service.rpc.time_limit import CallTimeLimits

if TYPE_CHECKING:
    from mextrain_service.rpc.call_spans import CallSpans

Serve: TypeAlias = Callable[[Any, Context], Awaitable[Any]]

DETAILS_KEY: Final = "grpc-status-details-bin"
"""Where gRPC carries a ``google.rpc.Status``."""

RETRY_AFTER_KEY: Final = "retry-after"
"""Where HTTP clients look for when to come back, in whole seconds; the front passes it on."""

FOR_PLAYERS: Final = frozenset({"ClaimSeat"})
"""Methods that name a game and are for players as such: who has no seat yet asks for one."""

_LAST_WORD_S: Final = 5.0
"""How long the status of a call may take to go out, in seconds."""

_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class SeatOfPlayer(Protocol):
    """Finds the seat of a player."""

    async def __call__(
        self, caller: PlayerCaller, game_id: GameId, *, fresh: bool = False
    ) -> SeatCaller:
        """Return it; see ``application.player_seats``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What the pipeline asks on the way.

    Attributes:
        authenticate: turns an ``authorization`` into a caller, or raises a ``Refused``.
        rates: how much each caller may still have.
        seat_of_player: finds the seat of a player who comes with a token of the platform.
        time_limits: ends calls that take too long.
        max_calls: how many calls may be under way at once, streams not counted.
    """

    authenticate: Callable[[str | None], Awaitable[Caller]]
    rates: CallerRates
    seat_of_player: SeatOfPlayer
    time_limits: CallTimeLimits
    max_calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Observers:
    """What hears of each call.

    Attributes:
        metrics: counts and times it.
        recent_errors: keeps the latest failures of each game.
        spans: traces it; None if no traces are sent.
    """

    metrics: CallMetrics
    recent_errors: KeptErrors
    spans: CallSpans | None = None


class Pipeline:
    """Carries calls out, in the order that the module names."""

    def __init__(self, checks: Checks, observers: Observers) -> None:
        self._authenticate = checks.authenticate
        self._rates = checks.rates
        self._seat_of_player = checks.seat_of_player
        self._time_limits = checks.time_limits
        self._max_calls = checks.max_calls
        self._calls = 0
        self._metrics = observers.metrics
        self._recent_errors = observers.recent_errors
        self._spans = observers.spans
        self._call_log = structlog.get_logger("mextrain.calls").bind()
        self._error_log = structlog.get_logger("mextrain.errors")

    def unary(self, name: str, read: Read, method: Any) -> Serve:
        """Return what serves a method that has one answer.

        Args:
            name: its own name, like ``PlayMove``.
            read: reads its request.
            method: the servicer's coroutine function; takes the request and the ``Call``.
        """
        seats = name not in FOR_PLAYERS

        async def serve(data: bytes, context: Context) -> Any:
            call, started = Call(name, context), perf_counter()
            span = None if self._spans is None else self._spans.begin(call)
            self._metrics.in_flight += 1
            try:
                call.request, unreadable = read(data)
                if self._calls >= self._max_calls:
                    raise _overloaded(self._max_calls)
                limit = self._time_limits.begin(context.time_remaining())
                self._calls += 1
                try:
                    caller = call.caller = await self._authenticate(call.credential)
                    if unreadable is not None:
                        raise unreadable
                    game_id = getattr(call.request, "game_id", "")
                    self._rates.admit(caller, call.address)
                    if seats and game_id and type(caller) is PlayerCaller:
                        call.response = await self._at_seat(call, caller, game_id, method)
                    else:
                        call.response = await method(call.request, call)
                except asyncio.CancelledError:
                    limit.raise_if_over()
                    raise
                finally:
                    self._calls -= 1
                    limit.end()
            except BaseException as error:
                await self._fail(call, started, span, error)
                raise
            self._end(call, started, span, OK)
            return call.response

        return serve

    def stream(self, name: str, read: Read, method: Any) -> Serve:
        """Return what serves a method that is answered by a stream; see ``unary``.

        A stream has no time limit but its caller's, and is no generator: one that is cut off would
        leave what is around it open until somebody collects it.
        """

        async def serve(data: Any, context: Context) -> None:
            call, started = Call(name, context), perf_counter()
            span = None if self._spans is None else self._spans.begin_stream(call)
            self._metrics.in_flight += 1
            try:
                call.request, unreadable = read(data)
                caller = call.caller = await self._authenticate(call.credential)
                if unreadable is not None:
                    raise unreadable
                game_id = getattr(call.request, "game_id", "")
                self._rates.admit(caller, call.address)
                if game_id and type(caller) is PlayerCaller:
                    call.caller = await self._seat_of_player(caller, GameId(game_id), fresh=True)
                with self._rates.streaming(call.caller):
                    await method(call.request, call)
            except BaseException as error:
                await self._fail(call, started, span, error)
                raise
            self._end(call, started, span, OK)

        return serve

    def unserved(self, path: str) -> Serve:
        """Return what refuses a method that there is not."""

        async def refuse(data: Any, context: Context) -> None:
            del data
            await self._refuse(Call("", context), Refused(UNIMPLEMENTED, method=path))

        return refuse

    async def _at_seat(self, call: Call, player: PlayerCaller, game_id: str, method: Any) -> Any:
        """Carry a call out as the seat of a player."""
        call.caller = await self._seat_of_player(player, GameId(game_id))
        try:
            return await method(call.request, call)
        except TokenSupersededError:  # the seat was looked up in what this worker remembers
            call.caller = await self._seat_of_player(player, GameId(game_id), fresh=True)
            return await method(call.request, call)

    async def _fail(self, call: Call, started: float, span: Any, error: BaseException) -> None:
        """End a call that failed or was cancelled; a caller who still waits is told why."""
        if isinstance(error, Refused) and call.caller is NOBODY and call.credential is not None:
            error = self._counted(error, call)
        outcome = outcome_of(error, call)
        self._end(call, started, span, outcome)
        if isinstance(error, Exception):
            self._recent_errors.note_call(call, outcome)
            await self._refuse(call, error)
        elif isinstance(error, asyncio.CancelledError):
            await _end_for_caller(call.context)

    def _counted(self, refused: Refused, call: Call) -> Refused:
        """Count a credential that is refused as a call without one; return what to tell."""
        try:
            self._rates.admit(NOBODY, call.address)
        except Refused as limited:
            return limited
        return refused

    def _end(self, call: Call, started: float, span: Any, outcome: Outcome) -> None:
        """Tell everyone who hears of calls how this one ended."""
        seconds = perf_counter() - started
        self._metrics.ended(call, outcome, seconds)
        facts = log_facts(call, outcome, seconds)
        if outcome is not OK and outcome.is_fault:  # the cause is in a line of its own
            self._call_log.error("call", **facts)
        else:
            self._call_log.info("call", **facts)
        if span is not None:
            span.end(outcome)

    async def _refuse(self, call: Call, error: Exception) -> NoReturn:
        """End a call with the status of an error; what was to go with its answer goes with that.

        A peer that does not take what was sent before does not take this either. It is waited for a
        little, then the call is dropped.
        """
        if kind_of(error) is INTERNAL:
            self._error_log.error("fault", method=call.method, call_id=call.id, exc_info=error)
        status = status_of(error, call.id)
        details = (DETAILS_KEY, status.SerializeToString())
        trailing = (*(call.context.trailing_metadata() or ()), details, *_retry_after(status))
        try:
            async with asyncio.timeout(_LAST_WORD_S):
                await call.context.abort(_CODES[status.code], status.message, trailing)
        except TimeoutError:
            raise asyncio.CancelledError from None
        raise AssertionError("abort returned")


async def _end_for_caller(context: Context) -> None:
    """End a cancelled call for a caller who still waits: gRPC tells those who left nothing anyway.

    Without this, a call that was cancelled from within would never end for its caller.
    """
    with suppress(Exception):
        async with asyncio.timeout(_LAST_WORD_S):
            await context.abort(grpc.StatusCode.CANCELLED, "the service cancelled the call", ())


def _overloaded(limit: int) -> Refused:
    """Return the refusal of a call; those that came together do not return together."""
    return Refused(OVERLOADED, limit=limit, retry_after_s=round(random.uniform(0.5, 1.0), 3))  # noqa: S311


def _retry_after(status: Status) -> Iterator[tuple[str, str]]:
    """Yield when to come back, if the status says so."""
    retry = RetryInfo()
    if any(detail.Unpack(retry) for detail in status.details):
        seconds = retry.retry_delay.ToTimedelta().total_seconds()
        yield RETRY_AFTER_KEY, str(max(1, math.ceil(seconds)))
