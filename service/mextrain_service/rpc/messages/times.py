"""Moments and spans of time as messages."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def timestamp(milliseconds: int) -> Timestamp:
    """Return a moment, given in milliseconds since the epoch."""
    seconds, rest = divmod(milliseconds, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)


def duration(milliseconds: int) -> Duration:
    """Return a span of time, not below zero."""
    seconds, rest = divmod(milliseconds, 1000)
    return Duration(seconds=seconds, nanos=rest * 1_000_000)


def milliseconds(message: Duration) -> int:
    """Return a span of time in milliseconds; what is less than one is left out."""
    return message.seconds * 1000 + message.nanos // 1_000_000
