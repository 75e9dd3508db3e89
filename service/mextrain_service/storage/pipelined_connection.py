"""One connection over which many requests are under way at once.

A pool lends each request a connection for as long as it takes, which costs more than the request:
a lock, two timers, a write and a read each. Here, requests that come in one turn of the event loop
leave in one write, and answers that come together are read together, in the order of the requests.

The client library opens the connection: addresses, credentials, TLS and Sentinels are its matter.
Then its transport is taken over.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import redis.exceptions as failure
from hiredis import PushNotification, Reader, pack_command
from redis.asyncio import ConnectionPool

from mextrain_service.storage.breaker import Breaker

Command: TypeAlias = Sequence[str | bytes | int | float]

_NOT_YET: Final = object()

_YOUNG_S: Final = 1.0
"""A connection that leads to a replica so soon after it was opened: the next one would as well."""

_UNREACHABLE = (failure.RedisError, OSError)
"""What opening a connection fails with when the server is to blame."""


class PipelinedConnection:
    """Asks over one connection, opened when it is first needed and again after it broke.

    When it cannot be opened, or the server is silent, that is tried again in the background and
    all requests fail at once meanwhile.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        answer_timeout_s: float,
        *,
        leaves_replicas: bool = False,
        name: str = "",
    ) -> None:
        """Prepare to ask.

        Args:
            pool: gives the connection, and has it back when it is closed.
            answer_timeout_s: how long one answer may take, in seconds.
            leaves_replicas: a master that has become a replica counts as a broken connection,
                since another one leads to the new master.
            name: what the log calls the server.
        """
        self._pool = pool
        self._answer_timeout_s = answer_timeout_s
        self._leaves_replicas = leaves_replicas
        self._breaker = Breaker(self._reopen, name)
        self._line: _Line | None = None
        self._opening: asyncio.Task[_Line] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def ask(self, command: Command) -> Awaitable[Any]:
        """Send a command and return its answer, which is to be waited for.

        Raises:
            ResponseError: it is refused.
            TimeoutError: there is no answer in time; all that wait on this connection are told so.
            ConnectionError: the connection cannot be opened, or broke before the answer came.
            KnownAwayError: the server is away, and was before.
        """
        line = self._line
        if line is None or line.ended:
            return self._ask_anew(command)
        return line.ask(command)

    async def reach(self) -> None:
        """Return when a connection is open.

        Raises:
            TimeoutError, ConnectionError, KnownAwayError: as ``ask``.
        """
        if self._line is None or self._line.ended:
            await self._open_line()

    async def ask_together(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands with none of others between them, and return their answers.

        Raises:
            ResponseError: the first of them that was refused.
            TimeoutError, ConnectionError, KnownAwayError: as ``ask``.
        """
        line = self._line
        if line is None or line.ended:
            line = await self._open_line()
        asked = [line.ask(command) for command in commands]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return answers

    @property
    def is_away(self) -> bool:
        """Whether the server is known to be away."""
        return self._breaker.is_open

    async def aclose(self) -> None:
        """Close the connection; what is not answered yet fails."""
        await self._breaker.stop()
        if self._opening is not None:
            await asyncio.wait((self._opening,))
        if self._line is not None:
            self._line.end(failure.ConnectionError("the connection was given up"))
            await self._line.closed.wait()
        while self._closing:
            await asyncio.wait(self._closing)

    async def _ask_anew(self, command: Command) -> Any:
        return await (await self._open_line()).ask(command)

    async def _open_line(self) -> _Line:
        self._breaker.require_closed()
        if self._opening is None:
            self._opening = asyncio.create_task(self._opened())
            self._opening.add_done_callback(self._note_opened)
        return await asyncio.shield(self._opening)

    async def _reopen(self) -> None:
        self._line = await self._opened()

    async def _opened(self) -> _Line:
        connection: Any = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        return _Line(
            connection,
            self._answer_timeout_s,
            self._note_ended,
            lambda: self._give_back(connection),
            leaves_replicas=self._leaves_replicas,
        )

    def _note_opened(self, opening: asyncio.Task[_Line]) -> None:
        self._opening = None
        if opening.cancelled():
            return
        error = opening.exception()
        if error is None:
            self._line = opening.result()
        elif isinstance(error, _UNREACHABLE):
            self._breaker.trip(error)

    def _note_ended(self, line: _Line, error: Exception) -> None:
        """Fail what is asked next at once if a new connection would serve it no better."""
        silent = isinstance(error, failure.TimeoutError)
        if silent or (isinstance(error, _ReplicaError) and line.age_s < _YOUNG_S):
            self._breaker.trip(error)

    def _give_back(self, connection: Any) -> None:
        closing = asyncio.ensure_future(self._released(connection))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _released(self, connection: Any) -> None:
        await connection.disconnect(nowait=True)
        await self._pool.release(connection)


class _ReplicaError(failure.ConnectionError):
    """The master has become a replica."""


class _Line(asyncio.Protocol):
    """An open connection: what was asked on it and is not answered yet, in order.

    Attributes:
        ended: it takes no more requests.
        closed: set when its transport is closed as well.
    """

    def __init__(
        self,
        connection: Any,
        answer_timeout_s: float,
        on_ended: Callable[[_Line, Exception], None],
        on_closed: Callable[[], None],
        *,
        leaves_replicas: bool,
    ) -> None:
        self.ended = False
        self.closed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._answer_timeout_s = answer_timeout_s
        self._on_ended = on_ended
        self._on_closed = on_closed
        self._leaves_replicas = leaves_replicas
        self._opened_at = self._loop.time()
        self._out: list[bytes] = []
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._reader = Reader(
            protocolError=failure.InvalidResponse,
            replyError=connection._parser.parse_error,  # noqa: SLF001 - it has all the classes
            notEnoughData=_NOT_YET,
        )
        self._transport: asyncio.Transport = connection._writer.transport  # noqa: SLF001 - see above
        self._former = self._transport.get_protocol()
        self._transport.set_protocol(self)

    @property
    def age_s(self) -> float:
        """How long ago it was opened, in seconds."""
        return self._loop.time() - self._opened_at

    def ask(self, command: Command) -> asyncio.Future[Any]:
        """Send a command at the end of this turn of the event loop; return the coming answer."""
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._out.append(pack_command(tuple(command)))  # type: ignore[arg-type]  # of any length
        self._waiting.append((answer, self._loop.time()))
        if len(self._out) == 1:
            self._loop.call_soon(self._send)
        return answer

    def end(self, error: Exception) -> None:
        """Take no more requests, and fail those that wait."""
        if self.ended:
            return
        self.ended = True
        if self._timer is not None:
            self._timer.cancel()
        self._transport.abort()
        self._on_ended(self, error)
        while self._waiting:
            answer, _ = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(type(error)(*error.args))

    def data_received(self, data: bytes) -> None:
        """Hand answers to those who wait for them."""
        self._reader.feed(data)
        try:
            while (answer := self._reader.gets()) is not _NOT_YET:
                if not isinstance(answer, PushNotification):
                    self._hand_out(answer)
        except failure.InvalidResponse as error:
            self.end(failure.ConnectionError(str(error)))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail what waits, and let go of the connection."""
        self.end(failure.ConnectionError("the connection was closed by the server"))
        self._former.connection_lost(exc)  # whoever closes the library's connection waits for it
        self.closed.set()
        self._on_closed()

    def _send(self) -> None:
        if self.ended:
            return
        self._transport.write(b"".join(self._out))
        self._out.clear()
        if self._timer is None:
            self._timer = self._loop.call_later(self._answer_timeout_s, self._look_at_the_time)

    def _hand_out(self, given: Any) -> None:
        if not self._waiting:  # the line has ended, or the server answers what nobody asked
            return
        answer, _ = self._waiting.popleft()
        if isinstance(given, failure.ReadOnlyError) and self._leaves_replicas:
            given = _ReplicaError("the master has become a replica")
            self.end(given)
        if answer.done():  # whoever asked waits no longer
            return
        if isinstance(given, Exception):
            answer.set_exception(given)
        else:
            answer.set_result(given)

    def _look_at_the_time(self) -> None:
        """End the line if its oldest request waits for too long: all others wait behind it."""
        self._timer = None
        if not self._waiting:
            return
        rest_s = self._waiting[0][1] + self._answer_timeout_s - self._loop.time()
        if rest_s > 0:
            self._timer = self._loop.call_later(rest_s, self._look_at_the_time)
        else:
            self.end(failure.TimeoutError("there was no answer in time"))
