"""A hosted game: the engine's state and what a host must know beside it.

Knows the engine; nothing of how a game is stored or sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NewType

from mextrain_engine import Move, State

GameId = NewType("GameId", str)
"""An unguessable name: 22 characters of URL-safe base64, 128 bits."""

PlatformId = NewType("PlatformId", str)
"""The platform that owns a game, as its API key names it: 1 to 32 characters."""

PlayerId = NewType("PlayerId", str)
"""A player's account as the platform names it: 1 to 64 characters; opaque here."""


class SeatKind(Enum):
    """Who sits on a seat."""

    PERSON = "person"
    BOT = "bot"
    OPEN = "open"


class BotLevel(Enum):
    """How well a bot plays."""

    PASS = "pass"
    RANDOM = "random"
    GREEDY = "greedy"
    PLANNER = "planner"


class DealBy(Enum):
    """Who may deal the next round."""

    PLATFORM = "platform"
    SEATS = "seats"


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A seat and who sits on it.

    Attributes:
        kind: person, bot or open.
        player_id: the account; empty for an open seat.
        display_name: what rivals may be shown; 0 to 64 characters.
        bot_level: how the bot plays; None unless it is one.
        token_generation: which issue of the seat's token is valid; 0 for a seat without one.
    """

    kind: SeatKind
    player_id: PlayerId
    display_name: str = ""
    bot_level: BotLevel | None = None
    token_generation: int = 1


@dataclass(frozen=True, slots=True)
class TablePolicy:
    """How a table is run, beside the rules of the game.

    Attributes:
        deal_by: who may deal the next round.
        auto_forced_moves: the service makes a seat's move when there is just one.
        auto_call: the service announces the last tile for the seat that must.
        spectators: spectator tokens are issued and accepted.
        fixed_seed: the deals are derived from the seed that was given, for tests and
            demonstrations; such a game is marked as not fair.
    """

    deal_by: DealBy = DealBy.PLATFORM
    auto_forced_moves: bool = False
    auto_call: bool = False
    spectators: bool = False
    fixed_seed: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof that a request was carried out, kept to answer its repetition.

    Attributes:
        key: 6 bytes: the caller's seat (255 for the platform), a digest of the caller and the
            request id.
        body: 4 bytes, a digest of the request.
        before: the game's version before it.
        after: the game's version after it.
    """

    key: bytes
    body: bytes
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A log entry: the next round was dealt, by the permutation of the game's secret."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A log entry: a seat made a move.

    Attributes:
        seat: who moved, 0-based.
        move: what it did.
    """

    seat: int
    move: Move


LogEntry = Dealt | Moved
"""One entry of the append-only log. A game's version is the number of its entries."""


@dataclass(frozen=True, slots=True)
class HostedGame:
    """A game as it is hosted. Holds every secret; never leaves the application whole.

    Attributes:
        game_id: its name.
        platform_id: its owner.
        version: entries in its log.
        seats: who sits where.
        policy: how the table is run.
        secret: 32 bytes from which each round's seed is derived; never shown.
        state: the engine's state.
        receipts: the latest requests, oldest first, at most ``RECEIPTS_KEPT`` of each caller.
        creation: the receipt of the request that made the game; it is kept for good.
        created_ms: when it was made, in milliseconds since the epoch.
        updated_ms: when its last entry was written.
    """

    game_id: GameId
    platform_id: PlatformId
    version: int
    seats: tuple[SeatHolder, ...]
    policy: TablePolicy
    secret: bytes
    state: State
    receipts: tuple[Receipt, ...]
    creation: Receipt | None
    created_ms: int
    updated_ms: int


RECEIPTS_KEPT = 2
"""How many receipts a game keeps of each seat, and of its platform. A seat sends one request after
another, so what it can still repeat is its latest; an older one meets the version check."""
