"""What can be wrong with what is stored, and whether it is wrong with a game.

Pure: knows bytes, times and the application's model; nothing of Redis. What it says of a game names
invariants and lengths, never a tile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from mextrain_engine import EngineError, Phase, integrity
from mextrain_service.application.chain import links_of
from mextrain_service.application.draft import Draft, beginning
from mextrain_service.application.model import GameId, HostedGame, LogEntry, PlatformId
from mextrain_service.storage.codec import decode_game
from mextrain_service.storage.errors import CorruptGameError, NewerSchemaError
from mextrain_service.storage.log_codec import count_readable, decode_log
from mextrain_service.storage.record import Header, split


class Fault(Enum):
    """Something that is wrong; the value is stable and machine-readable."""

    NO_OWNER = "no_owner"
    NO_TTL = "no_ttl"
    WRONG_KIND = "wrong_kind"
    LOG_WITHOUT_SNAPSHOT = "log_without_snapshot"
    SNAPSHOT_WITHOUT_LOG = "snapshot_without_log"
    ENDS_APART = "ends_apart"
    SNAPSHOT_UNREADABLE = "snapshot_unreadable"
    LOG_UNREADABLE = "log_unreadable"
    LOG_LENGTH = "log_length"
    STATE_UNSOUND = "state_unsound"
    LOG_LEADS_ELSEWHERE = "log_leads_elsewhere"
    NEWER_SCHEMA = "newer_schema"
    STALE_ENTRY = "stale_entry"
    NOT_LISTED = "not_listed"
    NO_DEADLINE = "no_deadline"


MENDABLE = frozenset(
    {
        *(Fault.NO_TTL, Fault.LOG_WITHOUT_SNAPSHOT, Fault.ENDS_APART),
        *(Fault.STALE_ENTRY, Fault.NOT_LISTED, Fault.NO_DEADLINE),
    }
)
"""What can be repaired without losing anything. The rest is for a person to decide."""

TOLERATED = frozenset({Fault.STALE_ENTRY})
"""What play leaves behind: whoever uses such an entry looks at the game, and all of them end."""


DAMAGE = frozenset(
    {
        *(Fault.SNAPSHOT_WITHOUT_LOG, Fault.SNAPSHOT_UNREADABLE, Fault.STATE_UNSOUND),
        *(Fault.LOG_UNREADABLE, Fault.LOG_LENGTH, Fault.LOG_LEADS_ELSEWHERE),
    }
)
"""What a game cannot be played on with, or not be told from the beginning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        key: where.
        fault: what.
        detail: what exactly, in words; never anything that is hidden in a game.
        mended: it was repaired.
    """

    key: str
    fault: Fault
    detail: str
    mended: bool = False


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What lies in Redis of a game at one moment.

    Attributes:
        game_id: its name.
        snapshot: header and body; empty when absent.
        snapshot_ends_ms: since the epoch; -1 for never, -2 when absent.
        log: the entries as they are stored.
        log_ends_ms: as that of the snapshot.
    """

    game_id: GameId
    snapshot: bytes
    snapshot_ends_ms: int
    log: bytes
    log_ends_ms: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a game.

    Attributes:
        faults: each with its detail; empty for a sound game.
        game: the game, as far as it can be read.
    """

    faults: tuple[tuple[Fault, str], ...]
    game: HostedGame | None


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of a damaged game. Holds nothing that is hidden in a game.

    Attributes:
        game_id: which game.
        platform_id: whose it is; empty when the snapshot cannot be read.
        version: entries that its log should have; None when not even the header can be read.
        round_number: the live round or the last one, 1-based; None when the snapshot cannot be
            read, 0 before the first deal.
        phase: where the match stands; None when the snapshot cannot be read.
        log: whether the log is there.
        log_whole: whether it has all that led to the version, and nothing else.
        entries: of the log, that can be read from its beginning on.
        ends_ms: when it is dropped, since the epoch; None for never.
    """

    game_id: GameId
    platform_id: PlatformId
    version: int | None
    round_number: int | None
    phase: Phase | None
    log: bool
    log_whole: bool
    entries: int
    ends_ms: int | None

    @property
    def snapshot_readable(self) -> bool:
        """Whether the game can be read as it stood."""
        return self.phase is not None


_ABSENT = -2
_FOR_EVER = -1


def diagnose(stored: StoredGame, *, replaying: bool) -> Diagnosis:
    """Return everything that is wrong with a game that has a snapshot.

    Args:
        stored: the game.
        replaying: also play its log from the beginning and compare; costs some milliseconds.
    """
    faults = list(_pairing(stored))
    try:
        header, body = split(stored.snapshot)
        game = decode_game(body, game_id=stored.game_id, header=header)
    except NewerSchemaError as newer:
        return Diagnosis((*faults, (Fault.NEWER_SCHEMA, str(newer))), None)
    except CorruptGameError as damage:
        return Diagnosis((*faults, (Fault.SNAPSHOT_UNREADABLE, str(damage))), None)
    if flags := integrity(game.state):
        faults.append((Fault.STATE_UNSOUND, flags.name or f"{int(flags)}"))
    faults.extend(_log_faults(stored, header, game, replaying=replaying))
    return Diagnosis(tuple(faults), game)


def remains_of(stored: StoredGame, game: HostedGame | None) -> Remains:
    """Return what is left of a game.

    Args:
        stored: what lies in Redis of it.
        game: the game, if its snapshot can be read.
    """
    header, entries = _header_of(stored.snapshot), count_readable(stored.log)
    return Remains(
        game_id=stored.game_id,
        platform_id=PlatformId("") if game is None else game.platform_id,
        version=None if header is None else header.version,
        round_number=None if game is None else _round_number(game),
        phase=None if game is None else game.state.phase,
        log=stored.log_ends_ms != _ABSENT,
        log_whole=header is not None
        and (header.log_bytes, header.version) == (len(stored.log), entries),
        entries=entries,
        ends_ms=None if stored.snapshot_ends_ms < 0 else stored.snapshot_ends_ms,
    )


def _header_of(snapshot: bytes) -> Header | None:
    try:
        return Header.from_bytes(snapshot)
    except CorruptGameError:
        return None


def _round_number(game: HostedGame) -> int:
    return len(game.state.results) if game.state.round is None else game.state.round.number


def _pairing(stored: StoredGame) -> Iterator[tuple[Fault, str]]:
    """Yield what is wrong with the two keys as such."""
    ends = (stored.snapshot_ends_ms, stored.log_ends_ms)
    if stored.log_ends_ms == _ABSENT:
        yield Fault.SNAPSHOT_WITHOUT_LOG, "the log is absent"
    if _FOR_EVER in ends:
        which = " and ".join(
            name for name, end in zip(("snapshot", "log"), ends, strict=True) if end == _FOR_EVER
        )
        yield Fault.NO_TTL, f"{which} would live for ever"
    elif _ABSENT not in ends and ends[0] != ends[1]:
        yield Fault.ENDS_APART, f"snapshot and log end {abs(ends[0] - ends[1])} ms apart"


def _log_faults(
    stored: StoredGame, header: Header, game: HostedGame, *, replaying: bool
) -> Iterator[tuple[Fault, str]]:
    if stored.log_ends_ms == _ABSENT:
        return
    if len(stored.log) != header.log_bytes:
        yield Fault.LOG_LENGTH, f"{len(stored.log)} bytes instead of {header.log_bytes}"
        return
    try:
        entries = decode_log(stored.log)
    except CorruptGameError as damage:
        yield Fault.LOG_UNREADABLE, str(damage)
        return
    if len(entries) != header.version:
        yield Fault.LOG_LENGTH, f"{len(entries)} entries at version {header.version}"
    elif replaying and not _leads_to(game, entries):
        yield Fault.LOG_LEADS_ELSEWHERE, "played from the beginning, it ends in another state"
    elif game.link != links_of(game, entries)[-1]:
        yield Fault.LOG_LEADS_ELSEWHERE, "its chain ends in another link"


def _leads_to(game: HostedGame, entries: tuple[LogEntry, ...]) -> bool:
    table = Draft(beginning(game))
    try:
        table.repeat(entries)
    except (EngineError, AssertionError, RuntimeError):
        return False
    return table.state == game.state
