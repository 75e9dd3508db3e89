"""Use case: read what happened in a game, page by page."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.access import Action
from mextrain_service.application.answers import TableEvent, redacted
from mextrain_service.application.callers import Caller
from mextrain_service.application.history import replayed
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameStore
from mextrain_service.application.spectating import read_history_shown


@dataclass(frozen=True, slots=True)
class ListEventsQuery:
    """What is asked.

    Attributes:
        game_id: the game.
        after_version: only what happened after this version is told.
        page_size: events of a page, at least 1.
        start: how many of them earlier pages told.
    """

    game_id: GameId
    after_version: int
    page_size: int
    start: int = 0


@dataclass(frozen=True, slots=True)
class EventPage:
    """A part of what happened.

    Attributes:
        events: in order, redacted for the caller.
        next_start: where the next page begins; None when this is the last one.
        version: the game's version when the page was read.
    """

    events: tuple[TableEvent, ...]
    next_start: int | None
    version: int


class ListEvents:
    """Tells the history of a game as the caller may know it."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(self, caller: Caller, query: ListEventsQuery) -> EventPage:
        """Return one page. Raises as ``read_history_shown`` does."""
        game, entries = await read_history_shown(
            self._store, caller, Action.LIST_EVENTS, query.game_id
        )
        events = [
            each for each in await replayed(game, entries) if each.version > query.after_version
        ]
        end = query.start + query.page_size
        return EventPage(
            events=redacted(events[query.start : end], caller),
            next_start=end if end < len(events) else None,
            version=game.version,
        )
