"""Turns messages of the contract into the plain values of a history."""

from __future__ import annotations

import hashlib
from typing import Any

from google.protobuf import text_format
from mextrain.v1 import event_pb2, view_pb2, watch_pb2

from mextrain_engine import RecordedMove, format_move, parse_record
from tests.faults.history import Fact, Facts, Message

_HIDDEN = frozenset({"tile_drawn", "hub_sought"})
"""Events whose tile not everyone is told."""


def read_facts(events: Any) -> Facts:
    """Return events as everyone may know them."""
    return tuple(_read_fact(event) for event in events)


def _read_fact(event: event_pb2.Event) -> Fact:
    kind = event.WhichOneof("fact") or "unknown"
    fact: Any = getattr(event, kind)
    tile = f"{fact.tile.high}-{fact.tile.low}" if kind == "tile_played" else ""
    if kind in _HIDDEN:
        public = type(fact)()
        public.CopyFrom(fact)
        public.ClearField("tile")
        fact = public
    seat = fact.seat if "seat" in fact.DESCRIPTOR.fields_by_name else -1
    return Fact(event.version, kind, _text(fact), tile, seat)


def digest_of(view: view_pb2.View) -> str:
    """Return a digest of all that a view shows of the table itself."""
    table: Any = view_pb2.View()
    table.CopyFrom(view)
    for passing in ("server_time", "turn_deadline", "cursor"):
        if passing in table.DESCRIPTOR.fields_by_name:
            table.ClearField(passing)
    return hashlib.sha256(table.SerializeToString(deterministic=True)).hexdigest()[:16]


def read_message(message: Any, heard_s: float) -> Message | None:
    """Return a message of a watch or of a channel; None if it is of neither's telling."""
    if message.HasField("events"):
        batch = message.events
        return Message("events", batch.version, heard_s, read_facts(batch.events))
    if message.HasField("reset"):
        reset = message.reset
        reason = watch_pb2.ResetReason.Name(reset.reason).removeprefix("RESET_REASON_")
        view = reset.game.view
        return Message("reset", view.version, heard_s, reason=reason, digest=digest_of(view))
    if message.HasField("heartbeat"):
        return Message("heartbeat", message.heartbeat.version, heard_s)
    if message.HasField("end"):
        reason = watch_pb2.EndReason.Name(message.end.reason).removeprefix("END_REASON_")
        return Message("end", message.end.version, heard_s, reason=reason)
    return None


def read_entries(record: str) -> tuple[str, ...]:
    """Return the deals and moves of a record, as acknowledgements name what was asked."""
    return tuple(
        f"{entry.seat} {format_move(entry.move)}" if isinstance(entry, RecordedMove) else "deal"
        for entry in parse_record(record).entries
    )


def _text(message: Any) -> str:
    return text_format.MessageToString(message, as_one_line=True).strip()
