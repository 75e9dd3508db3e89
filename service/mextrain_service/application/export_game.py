"""Use case: take a game away as a record, a text that replays to the same state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar, assert_never

from mextrain_engine import (
    Phase,
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    commitment,
    round_seed,
)
from mextrain_engine.events import DealVoided
from mextrain_engine.record import Entry
from mextrain_engine.record_text import record_lines
from mextrain_engine.redaction import redacting
from mextrain_service.application.access import Action
from mextrain_service.application.callers import Caller, viewer_seat
from mextrain_service.application.entropy import entropy_of
from mextrain_service.application.history import replayed
from mextrain_service.application.model import (
    Dealt,
    EntropyAdded,
    GameId,
    HandsShown,
    HostedGame,
    LogEntry,
    Moved,
    SeatChanged,
    Skipped,
)
from mextrain_service.application.ports import GameStore
from mextrain_service.application.spectating import read_history_shown

_Item = TypeVar("_Item")

_STRETCH = 100
"""Actions that are replayed, or written, at a time: some 2 ms."""


@dataclass(frozen=True, slots=True)
class ExportAnswer:
    """A game as a text.

    Attributes:
        record: the record, one line for each action.
        version: the game's version that it is of.
        redacted: something is left out that is hidden as yet.
    """

    record: str
    version: int
    redacted: bool


class ExportGame:
    """Writes records."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(self, caller: Caller, game_id: GameId) -> ExportAnswer:
        """Return the record, without what is hidden from the caller as yet.

        Raises as ``read_history_shown`` does.
        """
        game, entries = await read_history_shown(self._store, caller, Action.EXPORT_GAME, game_id)
        void = {
            each.version
            for each in await replayed(game, entries)
            if isinstance(each.event, DealVoided)
        }
        whole = Record(
            rules=game.state.rules,
            seats=game.state.seats,
            entries=tuple(await _gathered(_recorded(game, entries, void))),
        )
        record = await _redacted(whole, viewer_seat(caller))
        if _hides_seeds(game):
            record = replace(record, entries=tuple(map(_without_seed, record.entries)))
        text = "".join(await _gathered(record_lines(record)))
        return ExportAnswer(text, game.version, redacted=record != whole)


async def _redacted(record: Record, seat: int | None) -> Record:
    """Return what a viewer may know of a record; other calls have their turns meanwhile."""
    steps = redacting(record, seat)
    while True:
        try:
            for _ in range(_STRETCH):
                next(steps)
        except StopIteration as end:
            redacted: Record = end.value
            return redacted
        await asyncio.sleep(0)


async def _gathered(items: Iterator[_Item]) -> list[_Item]:
    """Return all of them in order; other calls have their turns meanwhile."""
    gathered: list[_Item] = []
    while stretch := list(islice(items, _STRETCH)):
        gathered += stretch
        await asyncio.sleep(0)
    return gathered


def _recorded(game: HostedGame, entries: Sequence[LogEntry], void: set[int]) -> Iterator[Entry]:
    """Yield the actions of a record; a deal and those that were void before it are one.

    Args:
        game: the game.
        entries: its whole log.
        void: the versions at which a deal was void.
    """
    number = 0
    for version, entry in enumerate(entries, start=1):
        match entry:
            case Dealt() if version not in void:
                number += 1
                seed = round_seed(game.secret, number)
                entropy = entropy_of(game.entropy, number)
                yield RecordedDeal(number, commitment(seed), seed, entropy)
            case Dealt():
                continue
            case Moved(seat, move):
                yield RecordedMove(seat, move)
            case Skipped(seat):
                yield RecordedSkip(seat)
            case SeatChanged() | EntropyAdded():
                continue  # who sits where is no matter of the rules; entropy is told by the deal
            case _:
                assert_never(entry)


def _hides_seeds(game: HostedGame) -> bool:
    """Tell whether the rounds that are over keep their seeds to themselves until the match is."""
    after_game = game.policy.hands_shown is HandsShown.AFTER_GAME
    return after_game and game.state.phase is not Phase.FINISHED


def _without_seed(entry: Entry) -> Entry:
    return replace(entry, seed=None) if isinstance(entry, RecordedDeal) else entry
