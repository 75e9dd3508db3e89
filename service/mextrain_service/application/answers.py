"""What a caller is told of a game: built from an allow-list, with nothing in it to blank out.

Takes the whole secret game and gives only values that may leave; ``transport`` has converters for
these and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mextrain_engine import (
    Event,
    Move,
    Refusal,
    RuleSet,
    Score,
    State,
    TileId,
    View,
    observe,
    redact,
    spectate,
)
from mextrain_service.application.access import viewer_seat
from mextrain_service.application.callers import Caller, PlatformCaller, SeatCaller
from mextrain_service.application.fair_deal import RoundCommitment, commitments
from mextrain_service.application.model import (
    BotLevel,
    EntropyAdded,
    GameId,
    HostedGame,
    PlayerId,
    SeatChanged,
    SeatHolder,
    SeatKind,
    TablePolicy,
)


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A seat as the caller may see it.

    Attributes:
        kind: person, bot or open.
        player_id: the account, for the platform and the person itself; None for everyone else.
        display_name: what everyone may see.
        bot_level: how the bot plays; None unless it is one.
    """

    kind: SeatKind
    player_id: PlayerId | None
    display_name: str
    bot_level: BotLevel | None


TableFact = Event | SeatChanged | EntropyAdded
"""Anything that can happen at a hosted table: in the game, or to a seat."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something that happened, as the caller may know it.

    Attributes:
        version: the game's version after the entry that caused it.
        event: what happened, redacted.
    """

    version: int
    event: TableFact


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The table at one version, as one caller may know it.

    Attributes:
        version: entries in the game's log.
        view: the table as the caller's seat sees it, or as everyone does.
        server_time_ms: when this was answered, in milliseconds since the epoch.
    """

    version: int
    view: View
    server_time_ms: int


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """A game at one version, as one caller may know it.

    Attributes:
        game_id: its name.
        rules: every rule of the table.
        seats: who sits where, in seat order.
        policy: how the table is run.
        table: how it stands.
        commitments: one for each round dealt so far and one for the next, in order.
        created_ms: when the game was made, in milliseconds since the epoch.
        updated_ms: when its last entry was written.
    """

    game_id: GameId
    rules: RuleSet
    seats: tuple[SeatAnswer, ...]
    policy: TablePolicy
    table: TableAnswer
    commitments: tuple[RoundCommitment, ...]
    created_ms: int
    updated_ms: int


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """What a deal led to.

    Attributes:
        game: the game after it.
        events: what happened, in order, redacted for the caller.
    """

    game: GameAnswer
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """What moves led to.

    Attributes:
        table: the table after them.
        events: what happened, in order, redacted for the caller.
    """

    table: TableAnswer
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A credential for one game, shown once.

    Attributes:
        seat: whom it speaks for, 0-based; None for a spectator.
        token: the secret text.
        expires_ms: when it stops being accepted, in milliseconds since the epoch.
    """

    seat: int | None
    token: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class CreatedAnswer:
    """A new game and the credentials for it.

    Attributes:
        game: the game.
        tokens: one for each seat of a person, in seat order, then the spectator's if there is one.
    """

    game: GameAnswer
    tokens: tuple[IssuedToken, ...]


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """How a match stands.

    Attributes:
        version: the game's version that it is of.
        score: rounds, totals, places and winners.
        finished: the match is over.
    """

    version: int
    score: Score
    finished: bool


@dataclass(frozen=True, slots=True)
class SuggestionAnswer:
    """What a bot would do on a seat.

    Attributes:
        version: the game's version that it is for.
        move: a legal move; None when the seat may do nothing.
        refusal: why the seat may do nothing; None when it may do something.
    """

    version: int
    move: Move | None
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class LegalMovesAnswer:
    """What a seat may do now.

    Attributes:
        version: the game's version that it is of.
        moves: its legal moves, sorted; empty when it may do nothing.
        unplayable: each tile of its hand that can be laid nowhere, with why; empty when it is
            not the seat's turn.
        refusal: why it may do nothing; None when it may do something.
    """

    version: int
    moves: tuple[Move, ...]
    unplayable: tuple[tuple[TileId, Refusal], ...]
    refusal: Refusal | None


def table_answer(game: HostedGame, caller: Caller, now_ms: int) -> TableAnswer:
    """Return what the caller may know of the table now; access was checked before."""
    return TableAnswer(game.version, _view(game.state, caller), now_ms)


def game_answer(game: HostedGame, caller: Caller, now_ms: int) -> GameAnswer:
    """Return what the caller may know of the game now; access was checked before."""
    return GameAnswer(
        game_id=game.game_id,
        rules=game.state.rules,
        seats=tuple(_seat_answer(holder, caller, seat) for seat, holder in enumerate(game.seats)),
        policy=game.policy,
        table=table_answer(game, caller, now_ms),
        commitments=commitments(game.state, game.secret),
        created_ms=game.created_ms,
        updated_ms=game.updated_ms,
    )


def redacted(events: Iterable[TableEvent], caller: Caller) -> tuple[TableEvent, ...]:
    """Return what the caller may know of these events; access was checked before."""
    seat = viewer_seat(caller)
    return tuple(TableEvent(each.version, _redacted(each.event, seat)) for each in events)


def _redacted(event: TableFact, seat: int | None) -> TableFact:
    match event:
        case SeatChanged():
            return event
        case EntropyAdded(owner):
            return event if owner == seat else EntropyAdded(owner, b"")
        case _:
            return redact(event, seat)


def _view(state: State, caller: Caller) -> View:
    seat = viewer_seat(caller)
    return spectate(state) if seat is None else observe(state, seat)


def _seat_answer(holder: SeatHolder, caller: Caller, seat: int) -> SeatAnswer:
    match caller:
        case PlatformCaller():
            known = True
        case SeatCaller(seat=own):
            known = own == seat
        case _:
            known = False
    return SeatAnswer(
        kind=holder.kind,
        player_id=holder.player_id if known else None,
        display_name=holder.display_name,
        bot_level=holder.bot_level,
    )
