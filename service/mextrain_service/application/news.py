"""News of a game, as its platform wants to hear of all of its games: few, and of weight.

There is no tile in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mextrain_engine.events import DealVoided, GameEnded, RoundDealt, RoundEnded
from mextrain_service.application.model import GameId, HostedGame, SeatChange, SeatChanged

if TYPE_CHECKING:
    from mextrain_service.application.answers import TableEvent


class NewsKind(Enum):
    """What there is to tell."""

    CREATED = "created"
    DEALT = "dealt"
    ROUND_OVER = "round_over"
    GAME_OVER = "game_over"
    SEAT_CHANGED = "seat_changed"
    DEADLINE_PASSED = "deadline_passed"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class GameNews:
    """One thing that happened to a game.

    Attributes:
        kind: what it was.
        game_id: which game.
        version: the game's version after it.
        time_ms: when, in milliseconds since the epoch.
        round: the number of the round that was dealt or is over, 1-based; None for others.
        seat: the seat that changed, or whose time was up, 0-based; None for others.
        change: what became of the seat; None for others.
    """

    kind: NewsKind
    game_id: GameId
    version: int
    time_ms: int
    round: int | None = None
    seat: int | None = None
    change: SeatChange | None = None


def brings_news(before: HostedGame | None, after: HostedGame) -> bool:
    """Tell whether a change may be worth telling; most moves are not.

    Args:
        before: the game before it; None if it is created.
        after: the game after it.
    """
    if before is None or before.seats != after.seats:
        return True
    if before.clock is not after.clock and (
        before.clock is None or after.clock is None or before.clock.misses != after.clock.misses
    ):
        return True
    stood, stands = before.state, after.state
    return stood.phase is not stands.phase or len(stood.results) != len(stands.results)


def news_of(game_id: GameId, events: Iterable[TableEvent], time_ms: int) -> Iterator[GameNews]:
    """Yield what is worth telling of what happened, in order.

    Args:
        game_id: of which game.
        events: what happened, in order; all of each version.
        time_ms: when it was committed.
    """
    told = list(events)
    void = {each.version for each in told if isinstance(each.event, DealVoided)}
    for each in told:
        match each.event:
            case RoundDealt(number=number) if each.version not in void:
                yield GameNews(NewsKind.DEALT, game_id, each.version, time_ms, round=number)
            case RoundEnded(number=number):
                yield GameNews(NewsKind.ROUND_OVER, game_id, each.version, time_ms, round=number)
            case GameEnded():
                yield GameNews(NewsKind.GAME_OVER, game_id, each.version, time_ms)
            case SeatChanged(seat, SeatChange.TIMED_OUT):
                kind = NewsKind.DEADLINE_PASSED
                yield GameNews(kind, game_id, each.version, time_ms, seat=seat)
            case SeatChanged(seat, change):
                kind = NewsKind.SEAT_CHANGED
                yield GameNews(kind, game_id, each.version, time_ms, seat=seat, change=change)
            case _:
                continue
