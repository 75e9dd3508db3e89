"""Live games in Redis: the application's `GameStore` on one snapshot and one log per game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from time import perf_counter
from typing import NoReturn, TypeVar

from mextrain_engine import Phase
from mextrain_service.application.chain import first_link, links_after
from mextrain_service.application.clocks import turn_deadline_ms
from mextrain_service.application.model import GameId, HostedGame, LogEntry, Receipt
from mextrain_service.application.ports import (
    GameExistsError,
    GameNotFoundError,
    LogPosition,
    LogReading,
    StoreUnavailableError,
    VersionConflictError,
)
from mextrain_service.storage.cache import RecentGames
from mextrain_service.storage.codec import (
    GameEncoder,
    decode_game,
    decode_receipt,
    encode_receipt,
)
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.failures import FAILURES, ask, fail, is_damage, is_lost_answer
from mextrain_service.storage.inspector import discard
from mextrain_service.storage.keys import game_keys, snapshot_key
from mextrain_service.storage.log_codec import decode_log, encode_log
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import Header, commit_name, split
from mextrain_service.storage.store_metrics import StoreMetrics, measured

_Answer = TypeVar("_Answer")

_CREATE = Script("create")
_COMMIT = Script("commit")
_SETTLE = Script("settle")
_READ_ON = Script("read_on")
_DELETE = Script("delete")
_DELETION = Script("deletion")

_DAY_S = 86_400

_REWRITTEN_LOG_BYTES = 512
"""A live game's log is rewritten while it costs no more than the snapshot, which is written anyway;
about four rounds of four seats. It takes the least memory when a game is young."""

_ANY_LOG_BYTES = 2**24
"""The log of a match that is over is rewritten once more: it grows no further."""


class _Verdict(IntEnum):
    """What the writing scripts answer."""

    WRITTEN = 1
    MISSING = 0
    CONFLICT = -1
    LOG_MISMATCH = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long a game is kept after its latest commit, and how many a worker remembers.

    Attributes:
        live_ttl_s: seconds until a game that is not over is dropped, counted from the deadline of
            its turn if there is one; 7 days.
        finished_ttl_s: seconds until a game that is over is dropped; 1 day.
        remembered_games: decoded games that a worker keeps for `cached`; a few KB each.
    """

    live_ttl_s: int = 7 * _DAY_S
    finished_ttl_s: int = _DAY_S
    remembered_games: int = 2_048


class RedisGameStore:
    """The `GameStore` of the service. Safe for any number of tasks on one event loop.

    When the connection breaks under a request, it is made once more. For a write that is safe,
    because it names the commit that it is based on: it cannot be made twice, and if it was made the
    first time, what is stored says so.
    """

    def __init__(
        self,
        client: RedisCommands,
        retention: Retention | None = None,
        metrics: StoreMetrics | None = None,
    ) -> None:
        """Serve games through a client, which stays the caller's to close."""
        self.metrics = metrics
        self._client = client if metrics is None else metrics.counting(client)
        self._retention = retention or Retention()
        self._recent = RecentGames(self._retention.remembered_games)
        self._encoder = GameEncoder(self._retention.remembered_games)

    @measured
    async def create(self, game: HostedGame, entries: Sequence[LogEntry] = ()) -> None:
        """Store a new game; see `GameStore`."""
        body, log = self._encoder.encode(game), encode_log(entries)
        header = Header.of(game, len(log))
        keys = game_keys(game.game_id)

        async def attempt() -> _Verdict:
            arguments = (header.to_bytes() + body, self._ttl_ms(game), log)
            return _Verdict(await _CREATE.run(self._client, keys[:2], arguments))

        verdict = await self._written(attempt, game)
        if verdict is _Verdict.CONFLICT:
            raise GameExistsError(game.game_id)
        self._recent.put(game, body)

    @measured
    async def load(self, game_id: GameId) -> HostedGame:
        """Return the game as last committed; see `GameStore`.

        Raises:
            StoredGameError: what is stored cannot be read.
        """
        key = snapshot_key(game_id)
        record = await ask(lambda: self._client.execute_command("GET", key), _fail)
        if record is None:
            self._recent.forget(game_id)
            raise GameNotFoundError(game_id)
        return self._game(game_id, *split(record))

    async def cached(self, game_id: GameId) -> HostedGame:
        """Return the game as this worker last saw it, else as `load` does; see `GameStore`."""
        started = perf_counter()
        game = self._recent.get(game_id) or await self.load(game_id)
        if self.metrics is not None:
            self.metrics.ended("cached", started)
        return game

    @measured
    async def commit(
        self, game: HostedGame, *, base: HostedGame, entries: Sequence[LogEntry]
    ) -> LogPosition | None:
        """Replace the snapshot and append the entries; see `GameStore`.

        Raises:
            CorruptGameError: the log is not as long as the snapshot says; nothing was written.
            ValueError: there are no entries, so that nobody would be told that the game has
                changed.
        """
        if not entries:
            raise ValueError("a commit has at least one entry: the version must tell of it")
        body, log = self._encoder.encode(game), encode_log(entries)
        header = Header.of(game, len(log))
        keys = game_keys(game.game_id)

        arguments = (
            commit_name(base),
            header.to_bytes(),
            body,
            log,
            self._ttl_ms(game),
            keys.channel,
            _ANY_LOG_BYTES if game.state.phase is Phase.FINISHED else _REWRITTEN_LOG_BYTES,
        )
        self._recent.forget(game.game_id)
        try:
            answer = await _COMMIT.run(self._client, keys[:2], arguments)
        except FAILURES as error:
            if not is_lost_answer(error):
                _fail(error)
            answer = None
        if answer is None:
            answer = await _once(lambda: _COMMIT.run(self._client, keys[:2], arguments))
            if answer == _Verdict.CONFLICT:
                answer = await self._settled_verdict(game)
                if answer is _Verdict.WRITTEN:  # the first time; how long the log is was not told
                    self._recent.put(game, body)
                    return None
        if answer > 0:
            self._recent.put(game, body)
            return LogPosition(game.version, int(answer), game.link, game.stamp)
        if answer == _Verdict.MISSING:
            raise GameNotFoundError(game.game_id)
        if answer == _Verdict.CONFLICT:
            raise VersionConflictError(game.game_id, base.version)
        raise CorruptGameError("the log of a game is not as long as its snapshot says")

    @measured
    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        """Return the game and what its log has beyond a mark; see `GameStore`.

        Raises:
            StoredGameError: the snapshot cannot be read, or a later release wrote the log.
        """
        name = commit_name(since) if since.link else b""
        keys = game_keys(game_id)
        answer = await ask(
            lambda: _READ_ON.run(self._client, keys[:2], (name, since.offset)), _fail
        )
        return self._reading(game_id, since, answer) if answer else None

    @measured
    async def settle(self, game_id: GameId) -> LogReading:
        """Return the game and its log when a commit that was answered is not more durable.

        See `GameStore`.

        Raises:
            StoredGameError: the snapshot cannot be read, or a later release wrote the log.
        """
        keys = game_keys(game_id)
        answer = await ask(lambda: _SETTLE.run(self._client, keys[:2]), _fail)
        reading = self._reading(game_id, LogPosition(), answer)
        if reading.entries is None:
            raise CorruptGameError("the log of a game does not lead to its snapshot")
        return reading

    @measured
    async def delete(self, game: HostedGame, receipt: Receipt | None) -> None:
        """Remove the game; see `GameStore`."""
        keys = game_keys(game.game_id)
        arguments = (
            commit_name(game),
            keys.channel,
            b"" if receipt is None else encode_receipt(receipt),
            1_000 * self._retention.finished_ttl_s,
        )

        async def attempt() -> _Verdict:
            names = (keys.snapshot, keys.log, keys.deletion)
            return _Verdict(await _DELETE.run(self._client, names, arguments))

        self._recent.forget(game.game_id)
        verdict = await ask(attempt, _fail)
        if verdict is _Verdict.MISSING:
            raise GameNotFoundError(game.game_id)
        if verdict is _Verdict.CONFLICT:
            raise VersionConflictError(game.game_id, game.version)

    @measured
    async def discard(self, game_id: GameId, receipt: Receipt | None) -> None:
        """Remove a game that cannot be read; see `GameStore`."""
        self._recent.forget(game_id)
        await discard(self._client, game_id, receipt, 1_000 * self._retention.finished_ttl_s)

    @measured
    async def deletion(self, game_id: GameId) -> Receipt | None:
        """Return the receipt of the request that removed the game; see `GameStore`."""
        names = (game_keys(game_id).deletion,)
        kept = bytes(await ask(lambda: _DELETION.run(self._client, names), _fail))
        return decode_receipt(kept) if kept else None

    @measured
    async def ping(self) -> None:
        """Return when the store answers; see `GameStore`."""
        await ask(lambda: self._client.execute_command("PING"), _fail)

    def _reading(self, game_id: GameId, since: LogPosition, answer: Sequence[bytes]) -> LogReading:
        if not answer[0]:
            self._recent.forget(game_id)
            raise GameNotFoundError(game_id)
        header, body = split(bytes(answer[0]))
        game = self._game(game_id, header, body)
        return LogReading(game, _continued(since, game, header, bytes(answer[1])), header.mark)

    def _game(self, game_id: GameId, header: Header, body: bytes) -> HostedGame:
        """Return the game that was read, decoded unless it is the one that is remembered."""
        game = self._recent.read(game_id, header, body)
        if game is None:
            game = decode_game(body, game_id=game_id, header=header)
            self._recent.put(game, body)
        return game

    async def _written(
        self,
        attempt: Callable[[], Awaitable[_Verdict]],
        game: HostedGame,
    ) -> _Verdict:
        """Make a write; if the connection broke, find out what became of it."""
        try:
            return await attempt()
        except FAILURES as error:
            if not is_lost_answer(error):
                _fail(error)
        verdict = await _once(attempt)
        return await self._settled_verdict(game) if verdict is _Verdict.CONFLICT else verdict

    async def _settled_verdict(self, game: HostedGame) -> _Verdict:
        """Tell whether a write took place whose answer was lost; see ``_verdict_of``."""
        keys = game_keys(game.game_id)
        settled = await ask(lambda: _SETTLE.run(self._client, keys[:2]), _fail)
        return _verdict_of(bytes(settled[0]), game)

    def _ttl_ms(self, game: HostedGame) -> int:
        kept = self._retention
        if game.state.phase is Phase.FINISHED:
            return 1_000 * kept.finished_ttl_s
        live_ms = 1_000 * kept.live_ttl_s
        if game.clock is None:
            return live_ms
        return live_ms + max(0, (turn_deadline_ms(game) or 0) - game.updated_ms)


def _continued(
    since: LogPosition, game: HostedGame, header: Header, log: bytes
) -> tuple[LogEntry, ...] | None:
    """Return the entries between a mark and the game, if that is what was read.

    The chain over them proves it: it leads to the link of the game only from the mark's own.
    """
    if since.offset + len(log) != header.log_bytes:
        return None
    try:
        entries = decode_log(log)
    except CorruptGameError:
        return None
    link = since.link or first_link(game.game_id, game.created_ms)
    links = links_after(link, entries)
    whole = since.version + len(entries) == game.version
    return entries if whole and (links[-1] if links else link) == game.link else None


async def _once(attempt: Callable[[], Awaitable[_Answer]]) -> _Answer:
    try:
        return await attempt()
    except FAILURES as error:
        _fail(error)


def _fail(error: Exception) -> NoReturn:
    """Raise the store's own error for a failure, or the failure itself if it is a bug."""
    if is_damage(error):
        raise CorruptGameError("a key of a game does not hold what belongs there") from error
    fail(error)


def _verdict_of(record: bytes, game: HostedGame) -> _Verdict:
    """Tell from what is stored whether a write took place whose answer was lost.

    Raises:
        StoreUnavailableError: others have written since, so that it cannot be told.
    """
    if not record:
        return _Verdict.MISSING
    stored, _ = split(record)
    if commit_name(stored.mark) == commit_name(game):
        return _Verdict.WRITTEN
    if stored.version > game.version:
        raise StoreUnavailableError("an answer was lost, and the game has moved on since")
    return _Verdict.CONFLICT
