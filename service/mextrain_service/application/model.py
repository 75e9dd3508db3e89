"""A hosted game: the engine's state and what a host must know beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NewType

from mextrain_engine import Move, State
from mextrain_engine.choice import Choice

GameId = NewType("GameId", str)
"""An unguessable name: 22 characters of URL-safe base64, 128 bits."""

PlatformId = NewType("PlatformId", str)
"""The platform that owns a game, as its API key names it: 1 to 32 characters."""

PlayerId = NewType("PlayerId", str)
"""A player's account as the platform names it: 1 to 64 characters; opaque here."""


class SeatKind(Choice):
    """Who sits on a seat."""

    PERSON = "person"
    BOT = "bot"
    OPEN = "open"


class BotLevel(Choice):
    """How well a bot plays."""

    PASS = "pass"
    RANDOM = "random"
    GREEDY = "greedy"
    PLANNER = "planner"


class DealBy(Choice):
    """Who deals the next round."""

    PLATFORM = "platform"
    SEATS = "seats"
    AUTOMATIC = "automatic"


class HandsShown(Choice):
    """When everyone is shown what was left in the hands, and the seed that tells it as well."""

    AFTER_ROUND = "after_round"
    AFTER_GAME = "after_game"


class ResignedSeats(Choice):
    """How a seat that nobody holds any more is played on."""

    BOT = "bot"
    SKIP = "skip"


class ClockKind(Choice):
    """What the time of a clock is for."""

    PER_TURN = "per_turn"
    BANK = "bank"


class OnTimeout(Choice):
    """What happens to a turn whose time is up."""

    WAIT = "wait"
    BOT = "bot"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A seat and who sits on it.

    Attributes:
        kind: person, bot or open.
        player_id: the account; empty for an open seat, a bot, and a person who came by invitation.
        display_name: what rivals may be shown; 0 to 64 characters.
        bot_level: how the bot plays; None unless it is one.
        token_generation: which issue of the seat's token is valid; 0 for a seat without one.
        stand_in: how the bot plays that plays for the person now; None when the person does.
        resigned: the person left for good; the seat is played on as the table's policy says.
    """

    kind: SeatKind
    player_id: PlayerId
    display_name: str = ""
    bot_level: BotLevel | None = None
    token_generation: int = 1
    stand_in: BotLevel | None = None
    resigned: bool = False

    @property
    def present(self) -> bool:
        """A person is to decide for the seat, now or when its turn comes."""
        return self.kind is SeatKind.PERSON and self.stand_in is None and not self.resigned


@dataclass(frozen=True, slots=True)
class TurnClock:
    """How long persons may take.

    Attributes:
        kind: whether the time is for each turn, or for all turns of the match.
        time_ms: that time, in milliseconds; 1 second to 30 days.
        increment_ms: what a bank gains with each turn, in milliseconds; 0 to 30 days.
        on_timeout: what happens to a turn whose time is up.
        forfeit_after: turns in a row that a seat may let pass before it counts as resigned; 0
            leaves it at ``MISSES_AT_MOST``.
    """

    kind: ClockKind
    time_ms: int
    increment_ms: int = 0
    on_timeout: OnTimeout = OnTimeout.BOT
    forfeit_after: int = 0


MISSES_AT_MOST = 100
"""Turns in a row after which a seat counts as resigned whatever the table says: a game that nobody
plays must end."""

MAX_CLOCK_MS = 30 * 86_400_000
"""The longest time of a clock, an increment, and what a bank can grow to: 30 days."""


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
        spectator_delay: how many turns spectators are behind; 0 to 100.
        hands_shown: when the hands of a round are shown to all.
        resigned_seats: how a seat is played on that was resigned.
        clock: how long persons may take; None for as long as they like.
    """

    deal_by: DealBy = DealBy.PLATFORM
    auto_forced_moves: bool = False
    auto_call: bool = False
    spectators: bool = False
    fixed_seed: bool = False
    spectator_delay: int = 0
    hands_shown: HandsShown = HandsShown.AFTER_ROUND
    resigned_seats: ResignedSeats = ResignedSeats.BOT
    clock: TurnClock | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof that a request was carried out, kept to answer its repetition.

    Attributes:
        key: 6 bytes: the caller's seat (255 for the platform), a digest of the caller and the
            request id.
        body: 4 bytes, a digest of the request; its last bit is 1 if that expects a version.
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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A log entry: the host ended the turn of a seat in its place.

    Attributes:
        seat: whose turn it was, 0-based.
    """

    seat: int


class SeatChange(Choice):
    """What became of a seat. All of it is public."""

    CLAIMED = "claimed"
    TOKEN_ROTATED = "token_rotated"
    RESIGNED = "resigned"
    STOOD_IN = "stood_in"
    RETURNED = "returned"
    REASSIGNED = "reassigned"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """A log entry: something became of a seat.

    It says what, not who: the holders as they are now are in the game.

    Attributes:
        seat: which seat, 0-based.
        change: what became of it.
        face: a digest of what everyone sees of the holder after it, ``FACE_BYTES`` long; empty in
            what is sent to clients.
    """

    seat: int
    change: SeatChange
    face: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EntropyAdded:
    """A log entry: a seat added to the chance of the next deal.

    Attributes:
        seat: who did, 0-based.
        entropy: what it added, 1 to 32 bytes.
    """

    seat: int
    entropy: bytes


LogEntry = Dealt | Moved | Skipped | SeatChanged | EntropyAdded
"""One entry of the append-only log. A game's version is the number of its entries."""

LINK_BYTES = 6
"""The length of a link: two histories of a game share one by a chance of 1 in 2**48. It takes eight
characters of a cursor, without padding."""

STAMP_BYTES = 3
"""The length of a stamp, which tells apart commits that share their log, and so their link."""

FACE_BYTES = 3
"""The length of the digest of a seat's holder in the log."""

MAX_ENTROPY_BYTES = 32
"""The most that one seat adds to a deal: as much as the service itself puts in."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """Where the clock of a table stands.

    Attributes:
        seat: whose time runs; None while no person is to decide.
        since_ms: when it began to run, in milliseconds since the epoch; 0 when none runs.
        timed_out: the time of this turn ran out, that was acted on, and the seat is waited for.
        banks_ms: what each seat had in its bank when its turn began; empty without banks.
        misses: turns in a row that each seat let pass.
    """

    seat: int | None
    since_ms: int
    timed_out: bool
    banks_ms: tuple[int, ...]
    misses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundEntropy:
    """What players added to the chance of one round.

    Attributes:
        number: the round, 1-based.
        by_seat: what each seat added; empty for one that added nothing.
    """

    number: int
    by_seat: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class HostedGame:
    """A game as it is hosted. Holds every secret; never leaves the application whole.

    Attributes:
        game_id: its name.
        platform_id: its owner.
        version: entries in its log.
        link: the link of the chain over its log, ``LINK_BYTES`` long; see ``chain``.
        stamp: tells its latest commit from any other that came to the same version,
            ``STAMP_BYTES`` long.
        seats: who sits where.
        policy: how the table is run.
        secret: 32 bytes from which each round's seed is derived; never shown.
        state: the engine's state.
        receipts: the latest requests of each caller, oldest first; see ``RECEIPTS_KEPT``.
        creation: the receipt of the request that made the game; it is kept for good.
        created_ms: when it was made, in milliseconds since the epoch.
        updated_ms: when its last entry was written.
        entropy: what players added to deals, by round; only rounds that anyone added to.
        clock: where the clock stands; None for a table without one.
    """

    game_id: GameId
    platform_id: PlatformId
    version: int
    link: bytes
    stamp: bytes
    seats: tuple[SeatHolder, ...]
    policy: TablePolicy
    secret: bytes
    state: State
    receipts: tuple[Receipt, ...]
    creation: Receipt | None
    created_ms: int
    updated_ms: int
    entropy: tuple[RoundEntropy, ...] = ()
    clock: ClockState | None = None


RECEIPTS_KEPT = 2
"""How many receipts a game keeps of each seat, and of its platform, for requests that say which
version they expect. An older one that is repeated is refused: the game has moved on since."""

UNGUARDED_RECEIPTS_KEPT = 8
"""The same for requests that do not say which version they expect: only a receipt keeps them from
being carried out twice. Receipts do not expire; a seat's own later requests push them out."""
