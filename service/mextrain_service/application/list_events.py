"""Use case: read what happened in a game, page by page."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.access import Action
from mextrain_service.application.answers import TableEvent, redacted
from mextrain_service.application.callers import Caller
from mextrain_service.application.chain import Position
from mextrain_service.application.history import is_in_history, replayed
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameStore
from mextrain_service.application.refused import HISTORY_CHANGED, Refused
from mextrain_service.application.spectating import read_history_shown


@dataclass(frozen=True, slots=True)
class ListEventsQuery:
    """What is asked.

    Attributes:
        game_id: the game.
        after_version: only what happened after this version is told.
        page_size: events of a page, at least 1.
        start: how many of them earlier pages told.
        places: where the game was when the caller read of it before.
    """

    game_id: GameId
    after_version: int
    page_size: int
    start: int = 0
    places: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class EventPage:
    """A part of what happened.

    Attributes:
        events: in order, redacted for the caller.
        next_start: where the next page begins; None when this is the last one.
        position: where the game was when the page was read.
    """

    events: tuple[TableEvent, ...]
    next_start: int | None
    position: Position


class ListEvents:
    """Tells the history of a game as the caller may know it."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(self, caller: Caller, query: ListEventsQuery) -> EventPage:
        """Return one page.

        Raises:
            Refused: ``HISTORY_CHANGED``, a place that the caller names is of another history.
            Refused, StoreError: as ``read_history_shown`` says.
        """
        game, entries = await read_history_shown(
            self._store, caller, Action.LIST_EVENTS, query.game_id
        )
        if not all(is_in_history(game, entries, place) for place in query.places):
            raise Refused(HISTORY_CHANGED, version=game.version)
        events = [
            each for each in await replayed(game, entries) if each.version > query.after_version
        ]
        end = query.start + query.page_size
        return EventPage(
            events=redacted(events[query.start : end], caller),
            next_start=end if end < len(events) else None,
            position=Position.of(game),
        )
