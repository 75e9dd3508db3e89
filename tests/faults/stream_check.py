"""Holds one watcher's stream, stitched over its resumptions, to the final record of its game.

Pure. A reset begins a new segment; within one, nothing may be missing, told twice or of another
history. What was told before a reset counts only for itself: the reset has taken it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.faults.findings import Findings
from tests.faults.history import ABSENT, Fact, Final, History, Message, Stream

LOOKS_AGAIN_S = 3.5
"""So long a worker takes at most until it looks again at a quiet game that is watched."""

_FORKED = frozenset({"HISTORY_CHANGED"})
"""Reasons of resets that only a store which went back can bring about."""


def check_stream(stream: Stream, truth: Final, history: History, found: Findings) -> None:
    """Count what is wrong with a stream.

    Args:
        stream: of one watcher.
        truth: the final record of its game.
        history: all that was seen.
        found: takes what is wrong.
    """
    where = f"game {stream.game}, {stream.viewer}"
    segments = _segments(stream.messages)
    for before, segment in zip([None, *segments], segments, strict=False):
        _check_reset(before, segment[0], history, stream, found)
        _check_places(segment, where, found)
        _check_tiles(segment, where, found)
        if _is_deleted(segment) and not history.returns:
            found.add("gaps", f"{where}: told that the game is no more")
    if truth.version == ABSENT or (segments and _is_deleted(segments[-1])):
        return
    if segments and _was_gone_before_the_return(stream, history):
        return
    if segments:
        _check_last(segments[-1], truth, where, found)
        _check_view(segments[-1][0], stream, history, found)
    if not stream.left and not _reached(stream, truth):
        last = stream.messages[-1].version if stream.messages else None
        found.add("gaps", f"{where}: told up to {last} of {truth.version}")


def _segments(messages: Sequence[Message]) -> list[list[Message]]:
    segments: list[list[Message]] = []
    for message in messages:
        if message.kind == "reset" or not segments:
            segments.append([])
        segments[-1].append(message)
    return segments


def _check_reset(
    before: list[Message] | None, first: Message, history: History, stream: Stream, found: Findings
) -> None:
    if before is None or _is_deleted(before):
        return
    found.resets += 1
    where = f"game {stream.game}, {stream.viewer}: reset at {first.version}, {first.reason}"
    if first.reason == "HISTORY_GONE":
        found.add_corrupt(stream.game, f"{stream.viewer} is reset at {first.version} with it gone")
    elif first.reason in _FORKED and not history.returns:
        found.add("splices", f"{where}, though the store never went back")
    elif first.reason not in _FORKED:
        found.add("gaps", where)


def _is_deleted(segment: list[Message]) -> bool:
    return segment[-1].kind == "end" and segment[-1].reason == "DELETED"


def _was_gone_before_the_return(stream: Stream, history: History) -> bool:
    """Tell whether a watcher could not hear that the store went back.

    Its match was over, and the end was lost; or its token was given in the lost history.
    """
    last, back_s = stream.messages[-1], max(history.returns, default=0.0)
    gone = stream.left or last.kind == "end"
    return bool(back_s) and gone and last.heard_s < back_s + LOOKS_AGAIN_S


def _check_places(segment: list[Message], where: str, found: Findings) -> None:
    """Hold versions to follow each other, and heartbeats to name what was told."""
    first = segment[0]
    told = first.facts[0].version - 1 if first.facts else first.version
    for message in segment:
        if message.facts and message.facts[0].version <= told:
            found.add("splices", f"{where}: {message.facts[0].version} is told again")
        for fact in message.facts:
            if fact.version > told + 1:
                found.add("gaps", f"{where}: {fact.version} follows {told}")
            told = max(told, fact.version)
        if message.version > told:
            found.add("gaps", f"{where}: {message.kind} at {message.version} after {told}")
            told = message.version
        elif message.version < told:
            found.add("splices", f"{where}: {message.kind} at {message.version} after {told}")


def _check_tiles(segment: list[Message], where: str, found: Findings) -> None:
    laid: set[str] = set()
    for fact in _facts(segment):
        if fact.kind == "round_dealt":
            laid.clear()
        elif fact.tile and fact.tile in laid:
            found.add("doubled", f"{where}: {fact.tile} is laid again at {fact.version}")
        elif fact.tile:
            laid.add(fact.tile)


def _check_last(segment: list[Message], truth: Final, where: str, found: Findings) -> None:
    """Hold what was told since the last reset to the final record.

    Where nobody plays any more, a turn may end by its time when the record was read already.
    """
    told = _facts(segment)
    later = [fact for fact in told if fact.version > truth.version]
    if later and "TIMED_OUT" in later[0].text:
        told = told[: -len(later)]
    if not told:
        return
    first, last = told[0].version, told[-1].version
    expected = [fact for fact in truth.facts if first <= fact.version <= last]
    if told == expected:
        return
    wrong = [fact.version for fact in told if fact not in set(expected)]
    if wrong:
        found.add("splices", f"{where}: {wrong[0]} is not what the record has")
    elif _versions(told) == _versions(expected) and len(told) < len(expected):
        found.add("gaps", f"{where}: something of {first} to {last} is missing")


def _check_view(first: Message, stream: Stream, history: History, found: Findings) -> None:
    """Hold the table of the last reset to what its viewer was shown since the store went back."""
    since = max(history.returns, default=0.0)
    place = (stream.game, stream.viewer, first.version)
    for sight in history.sights:
        if (
            first.digest
            and sight.seen_s > since
            and place == (sight.game, sight.viewer, sight.version)
            and sight.digest != first.digest
        ):
            found.add("splices", f"game {stream.game}, {stream.viewer}: {first.version} is another")
            return


def _reached(stream: Stream, truth: Final) -> bool:
    return bool(stream.messages) and stream.messages[-1].version >= truth.version


def _facts(segment: list[Message]) -> list[Fact]:
    return [fact for message in segment for fact in message.facts]


def _versions(facts: list[Fact]) -> set[int]:
    return {fact.version for fact in facts}
