"""Lets no caller have more than their share of a worker, or take what another needs.

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
from mextrain_service.application.streams import counted
from mextrain_service.rpc.rates import Rates

_STREAM_RETRY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """What each may do on one worker. A rate of 0 is none; calls are counted by the second.

    Attributes:
        platform_per_s: calls of a platform, with any of its keys.
        player_per_s: calls with one token of a seat, or of a player of their platform.
        spectators_per_s: calls of all spectators of a game, who share one token.
        anonymous_per_s: calls without a credential, or with one that is refused, from one address.
        burst_s: how many seconds' worth of calls may come at once.
        streams_per_player: streams and channels that a seat has open at once; 0 for any number.
        streams_per_game: streams that the spectators of a game have open at once; 0 for any number.
    """

    platform_per_s: float = 0
    player_per_s: float = 0
    spectators_per_s: float = 0
    anonymous_per_s: float = 0
    burst_s: float = 3
    streams_per_player: int = 0
    streams_per_game: int = 0


class CallerRates:
    """How much each caller may still have.

    What is counted is named by the credential alone, never by the game that a request names: so
    nobody uses up what belongs to a game or a seat of others.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._platforms = Rates(limits.platform_per_s, limits.burst_s)
        self._players = Rates(limits.player_per_s, limits.burst_s)
        self._spectators = Rates(limits.spectators_per_s, limits.burst_s)
        self._anonymous = Rates(limits.anonymous_per_s, limits.burst_s)
        self._streams: Counter[Hashable] = Counter()

    def admit(self, caller: Caller, address: Callable[[], str]) -> None:
        """Count one thing that is asked.

        Args:
            caller: who asks.
            address: says where it comes from.

        Raises:
            Refused: ``RATE_LIMITED``, it comes too soon.
        """
        wait_s = self._wait_s(caller, address)
        if wait_s > 0:
            scope = "spectators" if isinstance(caller, SpectatorCaller) else "caller"
            raise Refused(RATE_LIMITED[scope], retry_after_s=wait_s)

    @contextmanager
    def streaming(self, caller: Caller) -> Iterator[None]:
        """Count a stream, or a channel of one, while the context is open.

        Raises:
            Refused: ``RATE_LIMITED``, there are as many as there may be.
        """
        key, most, scope = self._stream_limit(caller)
        if most and self._streams[key] >= most:
            raise Refused(RATE_LIMITED[scope], retry_after_s=_STREAM_RETRY_S)
        with counted(self._streams, key):
            yield

    def _wait_s(self, caller: Caller, address: Callable[[], str]) -> float:
        match caller:
            case PlatformCaller(platform_id):
                return self._platforms.wait_s(platform_id)
            case SeatCaller(game_id, seat, generation):  # as a tuple, which is hashed in no time
                return self._players.wait_s((game_id, seat, generation))
            case InvitedCaller() | PlayerCaller():
                return self._players.wait_s(caller)
            case SpectatorCaller(game_id):
                return self._spectators.wait_s(game_id)
            case OperatorCaller():
                return 0.0
            case Anonymous():
                return self._anonymous.wait_s(address())
            case _:
                assert_never(caller)

    def _stream_limit(self, caller: Caller) -> tuple[Hashable, int, str]:
        """Return what a stream is counted under, how many there may be, and the scope of that."""
        match caller:
            case SeatCaller():
                return caller, self._limits.streams_per_player, "caller_streams"
            case SpectatorCaller(game_id):
                return game_id, self._limits.streams_per_game, "spectator_streams"
            case _:
                return caller, 0, ""
