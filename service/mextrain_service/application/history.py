"""What has happened at a table, derived from its log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from mextrain_engine import EngineError
from mextrain_service.application.answers import TableEvent
from mextrain_service.application.chain import Position, links_of
from mextrain_service.application.draft import Draft, beginning
from mextrain_service.application.model import (
    BotLevel,
    Dealt,
    HostedGame,
    LogEntry,
    SeatChange,
    SeatChanged,
    SeatHolder,
)
from mextrain_service.application.refused import HistoryGoneError

_STRETCH = 100
"""Entries replayed at a time, some 2 ms: then other calls of this worker have their turn."""


async def replayed(game: HostedGame, entries: Sequence[LogEntry]) -> list[TableEvent]:
    """Return all that ever happened, in order, unredacted; cost O(entries), some 20 µs each.

    Args:
        game: the game, whatever its version.
        entries: its log from the first entry on.

    Raises:
        HistoryGoneError: the log cannot be replayed by the rules of today.
    """
    return (await _replay(game, entries)).events


async def game_at(game: HostedGame, entries: Sequence[LogEntry], version: int) -> HostedGame:
    """Return a game as it was at an earlier version, so far as its log tells; cost O(entries).

    Names and receipts are those of now; no clock runs, and ``updated_ms`` is 0 for an unknown time.

    Args:
        game: the game.
        entries: its log from the first entry on.
        version: the last version that counts.

    Raises:
        HistoryGoneError: the log cannot be replayed by the rules of today.
    """
    draft = await _replay(game, entries[:version])
    return replace(
        game,
        version=draft.version,
        link=draft.link,
        state=draft.state,
        seats=_seats_at(game, entries, version),
        updated_ms=game.updated_ms if version == game.version else 0,
        clock=None,
    )


def _seats_at(
    game: HostedGame, entries: Sequence[LogEntry], version: int
) -> tuple[SeatHolder, ...]:
    """Return the seats as they were held at a version; a stand-in's level is not in the log."""
    seats = list(game.seats)
    for seat in {entry.seat for entry in entries[version:] if isinstance(entry, SeatChanged)}:
        holder = replace(seats[seat], resigned=False, stand_in=None)
        for entry in entries[:version]:
            if isinstance(entry, SeatChanged) and entry.seat == seat:
                holder = _held_after(entry.change, holder, seats[seat].stand_in)
        seats[seat] = holder
    return tuple(seats)


def _held_after(change: SeatChange, holder: SeatHolder, level: BotLevel | None) -> SeatHolder:
    match change:
        case SeatChange.RESIGNED:
            return replace(holder, resigned=True, stand_in=None)
        case SeatChange.STOOD_IN:
            return replace(holder, stand_in=level or BotLevel.GREEDY)
        case SeatChange.RETURNED | SeatChange.CLAIMED | SeatChange.REASSIGNED:
            return replace(holder, resigned=False, stand_in=None)
        case SeatChange.TOKEN_ROTATED | SeatChange.TIMED_OUT:
            return holder
        case _:
            assert_never(change)


def is_in_history(game: HostedGame, entries: Sequence[LogEntry], place: Position) -> bool:
    """Tell whether the history of a game leads through a place; cost O(entries).

    Args:
        game: the game.
        entries: its log from the first entry on.
        place: a place in any history of it.
    """
    if place.version > len(entries):
        return False
    return place.link == links_of(game, entries[: place.version])[-1]


def played_on(game: HostedGame, entries: Sequence[LogEntry]) -> Draft:
    """Return the table after these entries: what happened by them, and the links of the chain.

    Args:
        game: the game before the first of them, as it was committed.
        entries: whole commits.

    Raises:
        HistoryGoneError: the log cannot be replayed by the rules of today.
    """
    draft = Draft(game)
    try:
        draft.repeat(entries)
    except EngineError as error:
        raise HistoryGoneError(game.version) from error
    return draft


async def change_between(
    game: HostedGame, entries: Sequence[LogEntry], before: int, after: int
) -> Draft:
    """Return the table as a change left it that was made earlier, between two versions.

    Args:
        game: the game now.
        entries: all of its log, oldest first.
        before: the version before the change; the table's events are those from here on.
        after: the version after it, at most ``len(entries)``.

    Raises:
        HistoryGoneError: the log cannot be replayed by the rules of today.
    """
    earlier = await _replay(game, entries[:before])
    start = replace(
        beginning(game),
        version=before,
        link=earlier.link,
        state=earlier.state,
        entropy=earlier.entropy,
    )
    return await _played_on(Draft(start), entries[before:after])


async def _replay(game: HostedGame, entries: Sequence[LogEntry]) -> Draft:
    return await _played_on(Draft(beginning(game)), entries)


async def _played_on(draft: Draft, entries: Sequence[LogEntry]) -> Draft:
    for stretch in _stretches(entries):
        try:
            draft.repeat(stretch)
        except EngineError as error:
            raise HistoryGoneError(draft.version) from error
        await asyncio.sleep(0)
    return draft


def _stretches(entries: Sequence[LogEntry]) -> Iterator[Sequence[LogEntry]]:
    """Cut a log into parts; deals of one round that follow each other stay together."""
    start = 0
    while start < len(entries):
        end = start + _STRETCH
        while end < len(entries) and isinstance(entries[end], Dealt):
            end += 1
        yield entries[start:end]
        start = end
