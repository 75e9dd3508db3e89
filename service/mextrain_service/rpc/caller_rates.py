"""Lets no caller and no game have more than their share of a worker.

How often is enough, ``rates`` counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import assert_never

from mextrain_service.application.callers import (
    Anonymous,
    Caller,
    InvitedCaller,
    OperatorCaller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
    SpectatorCaller,
)
from mextrain_service.application.refused import RATE_LIMITED, Refused
from mextrain_service.rpc.rates import Rates

_STREAM_RETRY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """What each may do on one worker. A rate of 0 is none; calls are counted by the second.

    Attributes:
        platform_per_s: calls of a platform, with any of its keys.
        player_per_s: calls of a seat, or of a player with a token of their platform.
        anonymous_per_s: calls without a credential from one address.
        game_per_s: calls that name one game, of whoever.
        burst_s: how many seconds' worth of calls may come at once.
        streams_per_player: streams that a seat or a player has open at once; 0 for any number.
        streams_per_game: streams that watch one game at once; 0 for any number.
    """

    platform_per_s: float = 0
    player_per_s: float = 0
    anonymous_per_s: float = 0
    game_per_s: float = 0
    burst_s: float = 3
    streams_per_player: int = 0
    streams_per_game: int = 0


class CallerRates:
    """How much each caller and each game may still have."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._platforms = Rates(limits.platform_per_s, limits.burst_s)
        self._players = Rates(limits.player_per_s, limits.burst_s)
        self._anonymous = Rates(limits.anonymous_per_s, limits.burst_s)
        self._games = Rates(limits.game_per_s, limits.burst_s)
        self._streams: Counter[Hashable] = Counter()

    def admit(self, caller: Caller, game_id: str, peer: Callable[[], str] = str) -> None:
        """Count one thing that is asked.

        Args:
            caller: who asks.
            game_id: of which game; empty for none.
            peer: says where it comes from, as gRPC writes it.

        Raises:
            Refused: ``RATE_LIMITED``, it comes too soon.
        """
        wait_s, scope = self._caller_wait_s(caller, peer), "caller"
        if game_id and not wait_s:
            wait_s, scope = self._games.wait_s(game_id), "game"
        if wait_s > 0:
            raise Refused(RATE_LIMITED[scope], retry_after_s=wait_s)

    @contextmanager
    def streaming(self, caller: Caller, game_id: str) -> Iterator[None]:
        """Count a stream while the context is open.

        Raises:
            Refused: ``RATE_LIMITED``, there are as many as there may be.
        """
        keys = tuple(self._stream_keys(caller, game_id))
        self._streams.update(keys)
        try:
            yield
        finally:
            self._streams.subtract(keys)
            for key in keys:
                if not self._streams[key]:
                    del self._streams[key]

    def _caller_wait_s(self, caller: Caller, peer: Callable[[], str]) -> float:
        match caller:
            case PlatformCaller(platform_id):
                return self._platforms.wait_s(platform_id)
            case SeatCaller(game_id=game_id, seat=seat):
                return self._players.wait_s((game_id, seat))
            case InvitedCaller(game_id=game_id, seat=seat):
                return self._players.wait_s((game_id, "invited", seat))
            case PlayerCaller():
                return self._players.wait_s(caller)
            case SpectatorCaller():  # they share one token; their game's rate is theirs
                return 0.0
            case OperatorCaller():
                return 0.0
            case Anonymous():
                return self._anonymous.wait_s(_address(peer()))
            case _:
                assert_never(caller)

    def _stream_keys(self, caller: Caller, game_id: str) -> Iterator[Hashable]:
        """Yield what a stream is counted under.

        Raises:
            Refused: ``RATE_LIMITED``, there are as many as there may be.
        """
        most = self._limits
        if isinstance(caller, SeatCaller):
            own = (caller.game_id, caller.seat)
            self._require_room(own, most.streams_per_player, "caller_streams")
            yield own
        if game_id:
            self._require_room(game_id, most.streams_per_game, "game_streams")
            yield game_id

    def _require_room(self, key: Hashable, most: int, scope: str) -> None:
        if most and self._streams[key] >= most:
            raise Refused(RATE_LIMITED[scope], retry_after_s=_STREAM_RETRY_S)


def _address(peer: str) -> str:
    """Return whom a call comes from, without the port."""
    return peer.rpartition(":")[0]
