"""Holds what was acknowledged and what was told against the history and the record of a game."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from mextrain.v1 import event_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import (
    Event,
    Move,
    RecordedMove,
    parse_record,
    redact,
    replay,
)
from mextrain_service.client.event_from_proto import read_events
from tests.soak.tally import SoakFault, Tally
from tests.soak.watcher import Watcher

Acknowledged = tuple[int, Move] | None
"""A seat and its move; None for a deal."""

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
        (entry.seat, entry.move) if isinstance(entry, RecordedMove) else None
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
    told = [tuple(read_events(group)) for _, group in groupby(history, lambda each: each.version)]
    if not steps:
        return
    if told != [tuple(redact(event, watcher.seat) for event in step) for step in steps]:
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
