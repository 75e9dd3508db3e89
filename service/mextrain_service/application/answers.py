"""What a caller is told of a game: built from an allow-list, with nothing in it to blank out.

Takes the whole secret game and gives only values that may leave; ``transport`` has converters for
these and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import is_

from mextrain_engine import (
    Event,
    Move,
    Phase,
    Refusal,
    RuleSet,
    Score,
    TileId,
    View,
    observe,
    redact,
    spectate,
)
from mextrain_service.application.callers import (
    Caller,
    OperatorCaller,
    PlatformCaller,
    viewer_seat,
)
from mextrain_service.application.chain import Position
from mextrain_service.application.clocks import banks_ms, turn_deadline_ms
from mextrain_service.application.fair_deal import RoundCommitment, commitments
from mextrain_service.application.model import (
    BotLevel,
    EntropyAdded,
    GameId,
    HandsShown,
    HostedGame,
    PlayerId,
    SeatChanged,
    SeatKind,
    TablePolicy,
)
from mextrain_service.application.outages import Moment


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A seat as the caller may see it.

    Attributes:
        kind: person, bot or open.
        player_id: the account, for the platform and the person itself; None for everyone else.
        display_name: what everyone may see.
        bot_level: how the bot plays; None unless it is one.
        stand_in: how the bot plays that plays for the person now; None when the person does.
        resigned: the person left for good.
        missed_turns: turns in a row that the seat let pass.
    """

    kind: SeatKind
    player_id: PlayerId | None
    display_name: str
    bot_level: BotLevel | None
    stand_in: BotLevel | None = None
    resigned: bool = False
    missed_turns: int = 0


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
        position: the place in the game's history.
        view: the table as the caller's seat sees it, or as everyone does.
        server_time_ms: when this was answered, in milliseconds since the epoch.
        turn_deadline_ms: when the turn of the seat to move runs out, likewise; None for never.
    """

    position: Position
    view: View
    server_time_ms: int
    turn_deadline_ms: int | None = None

    @property
    def version(self) -> int:
        """Entries in the game's log."""
        return self.position.version


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
        updated_ms: when its last entry was written; 0 where the caller may not know.
        banks_ms: what each seat has left in its bank of time, in milliseconds; empty without.
    """

    game_id: GameId
    rules: RuleSet
    seats: tuple[SeatAnswer, ...]
    policy: TablePolicy
    table: TableAnswer
    commitments: tuple[RoundCommitment, ...]
    created_ms: int
    updated_ms: int
    banks_ms: tuple[int, ...] = ()


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
        invitations: one for each open seat, in seat order.
    """

    game: GameAnswer
    tokens: tuple[IssuedToken, ...]
    invitations: tuple[IssuedToken, ...] = ()


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


def table_answer(game: HostedGame, caller: Caller, now: Moment) -> TableAnswer:
    """Return what the caller may know of the table now; access was checked before."""
    deadline_ms = None if game.clock is None else turn_deadline_ms(game, now.outages)
    position = Position(game.version, game.link)
    return TableAnswer(position, _view(game, caller), now.now_ms, deadline_ms)


def game_answer(game: HostedGame, caller: Caller, now: Moment) -> GameAnswer:
    """Return what the caller may know of the game now; access was checked before."""
    return GameAnswer(
        game_id=game.game_id,
        rules=game.state.rules,
        seats=seat_answers(game, caller),
        policy=game.policy,
        table=table_answer(game, caller, now),
        commitments=commitments(game),
        created_ms=game.created_ms,
        updated_ms=game.updated_ms,
        banks_ms=() if game.clock is None else banks_ms(game, now),
    )


def seat_answers(game: HostedGame, caller: Caller) -> tuple[SeatAnswer, ...]:
    """Return who sits where as the caller may know it, in seat order."""
    knows_all = isinstance(caller, PlatformCaller | OperatorCaller)
    own = viewer_seat(caller)
    misses = () if game.clock is None else game.clock.misses
    return tuple(
        [
            SeatAnswer(
                kind=holder.kind,
                player_id=holder.player_id if knows_all or seat == own else None,
                display_name=holder.display_name,
                bot_level=holder.bot_level,
                stand_in=holder.stand_in,
                resigned=holder.resigned,
                missed_turns=misses[seat] if misses else 0,
            )
            for seat, holder in enumerate(game.seats)
        ]
    )


def redacted(events: Iterable[TableEvent], caller: Caller) -> tuple[TableEvent, ...]:
    """Return what the caller may know of these events; access was checked before.

    What is not hidden is the same object, so that it can be told by it who is told the same.
    """
    seat, given = viewer_seat(caller), tuple(events)
    told = tuple([_redacted(each, seat) for each in given])
    return given if all(map(is_, told, given)) else told


def _redacted(told: TableEvent, seat: int | None) -> TableEvent:
    event = told.event
    known: TableFact
    match event:
        case SeatChanged():
            return told
        case EntropyAdded(owner):
            known = event if owner == seat else EntropyAdded(owner, b"")
        case _:
            known = redact(event, seat)
    return told if known is event else TableEvent(told.version, known)


def _view(game: HostedGame, caller: Caller) -> View:
    seat, state = viewer_seat(caller), game.state
    view = spectate(state) if seat is None else observe(state, seat)
    shown = game.policy.hands_shown is HandsShown.AFTER_ROUND or state.phase is Phase.FINISHED
    if shown or view.round is None:
        return view
    return view._replace(round=view.round._replace(shown_hands=None))
