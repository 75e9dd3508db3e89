"""Holds what was acknowledged and what was told against the history and the record of a game."""

from __future__ import annotations

from typing import Any

from mextrain.v1 import event_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import (
    Event,
    RecordedMove,
    format_move,
    parse_record,
    redact,
    replay,
)
from mextrain_service.application.answers import TableEvent
from mextrain_service.rpc.messages.events import event_messages
from tests.soak.tally import SoakFault, Tally
from tests.soak.watcher import Watcher

Acknowledged = tuple[int, str] | None
"""A seat and its move in notation; None for a deal."""

Steps = list[tuple[Event, ...]]
"""What the engine says happened, by version from 1; empty where the record is redacted."""


def check_record(
    export: pb.ExportGameResponse, acknowledged: list[Acknowledged], *, finished: bool
) -> Steps:
    """Return what happened by the record, which has what was acknowledged: once each, in order.

    Raises:
        SoakFault: it has something else.
    """
    record = parse_record(export.record)
    recorded: list[Acknowledged] = [
        (entry.seat, format_move(entry.move)) if isinstance(entry, RecordedMove) else None
        for entry in record.entries
    ]
    if recorded != acknowledged or export.version != len(acknowledged):
        message = f"acknowledged is {acknowledged}, recorded is\n{export.record}"
        raise SoakFault(message)
    if export.redacted:
        if finished:
            raise SoakFault("the record of a finished match is redacted")
        return []
    return [replayed.step.events for replayed in replay(record)]


async def check_stream(watcher: Watcher, game_id: str, steps: Steps, tally: Tally) -> None:
    """Return if a watcher was told what its history says, and that what the record leads to.

    Raises:
        SoakFault: it was told something else.
    """
    history = await _history(watcher, game_id)
    if watcher.began is None:
        raise SoakFault(f"game {game_id}: a watcher was told nothing")
    expected = [event for event in history if event.version > watcher.began]
    if expected != watcher.heard:
        message = f"game {game_id}, seat {watcher.seat}: the stream is not the history"
        raise SoakFault(message)
    tally.events += len(expected)
    if not steps:
        return
    if history != event_messages(
        TableEvent(version, redact(event, watcher.seat))
        for version, step in enumerate(steps, start=1)
        for event in step
    ):
        message = f"game {game_id}, seat {watcher.seat}: the history is not the record"
        raise SoakFault(message)
    tally.facts += len(history)


async def _history(watcher: Watcher, game_id: str) -> list[event_pb2.Event]:
    events: list[event_pb2.Event] = []
    request = pb.ListEventsRequest(game_id=game_id, page_size=200)
    while True:
        page: Any = await watcher.caller.ask("ListEvents", request)
        events += page.events
        if not page.next_page_token:
            return events
        request.page_token = page.next_page_token
