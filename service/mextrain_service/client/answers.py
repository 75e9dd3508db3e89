"""What the client returns: the engine's views and events with what the service adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from mextrain_engine import Move, Phase, Refusal, RoundResult, RuleSet, TileId, View
from mextrain_service.client.holders import Seat
from mextrain_service.client.policies import Policy
from mextrain_service.client.seat_events import TableFact

GameState = Literal["open", "running", "finished"]
"""Where a game stands: a seat waits for someone, all are taken, or the match is over."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the caller may see of the table at one version.

    Attributes:
        version: counts the deals and moves of the game.
        view: the table as the engine shows it to the caller's seat. Its ``results`` are filled
            where the whole game was read, and empty after a move.
        totals: points over all rounds that are over, by seat.
        turn_deadline: when the turn of the seat to move runs out, in UTC; None without a clock.
        server_time: the clock of the service as it answered, in UTC, so that one's own need not be
            trusted.
        cursor: what to watch after.
    """

    version: int
    view: View
    totals: tuple[int, ...]
    turn_deadline: datetime | None
    server_time: datetime = field(compare=False)
    cursor: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the caller may see it.

    Attributes:
        game_id: its name.
        rules: every rule of the table.
        seats: who sits where, clockwise.
        policy: how the table is run.
        table: the table.
        results: the rounds that are over.
        commitments: the SHA-256 of each round's seed, by round, as far as they are published.
        seeds: the seeds of the rounds that are over and shown, by round number.
        entropy: what seats added to the rounds that are dealt, by round number, then by seat in
            order; only rounds that anyone added to.
        fixed_seed: the deals follow from a number that the creator gave.
        banks: what each seat has left in its bank of time as this is answered, by seat; empty
            without banks.
        created_at: when the game was created, in UTC.
        updated_at: when it was changed last, in UTC.
    """

    game_id: str
    rules: RuleSet
    seats: tuple[Seat, ...]
    policy: Policy
    table: Table
    results: tuple[RoundResult, ...]
    commitments: Mapping[int, bytes]
    seeds: Mapping[int, bytes]
    entropy: Mapping[int, Mapping[int, bytes]]
    fixed_seed: bool
    banks: tuple[timedelta, ...] = field(compare=False)
    created_at: datetime
    updated_at: datetime

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called, by seat; empty where nothing was given."""
        return tuple(seat.name for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Created:
    """A game that was created.

    Attributes:
        game: the game, not dealt yet unless the table deals by itself.
        seat_tokens: the token of each seat of a person, by seat.
        invitations: the token that takes an open seat, by seat.
        spectator_token: the token for those who watch; None without spectators.
        expires_at: when the first of the tokens stops being accepted, in UTC; None without any.
    """

    game: Game
    seat_tokens: Mapping[int, str]
    invitations: Mapping[int, str]
    spectator_token: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Changed:
    """What a move or a deal led to.

    Attributes:
        table: the table after it.
        events: what happened, in order, as the caller may know it.
    """

    table: Table
    events: tuple[TableFact, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat that was taken, or whose token was replaced.

    Attributes:
        game: the game after it: as the seat sees it, or as the platform does if it is the caller.
        events: what happened, in order: with the last open seat a round may be dealt.
        token: the token of the seat; the only one that is good from now on.
        expires_at: when the token stops being accepted, in UTC.
    """

    game: Game
    events: tuple[TableFact, ...]
    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Substituted:
    """A seat that was handed over.

    Attributes:
        game: the game after it, as the caller may see it.
        events: what happened, in order, as the caller may know it.
        token: the token of another person who got the seat; None for a bot and for the holder.
        expires_at: when the token stops being accepted, in UTC; None without one.
    """

    game: Game
    events: tuple[TableFact, ...]
    token: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Contributed:
    """Entropy that was added to a deal.

    Attributes:
        game: the game after it, as the caller may see it.
        events: what happened, in order.
        round_number: the round that it was added to, 1-based.
    """

    game: Game
    events: tuple[TableFact, ...]
    round_number: int


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game on a list.

    Attributes:
        game_id: its name.
        state: where it stands.
        rules_name: the name that its rules carry: that of the preset.
        seats: who sits where, clockwise, as the caller may know it.
        seat: the seat of the player whose games are listed, 0-based; None without a player.
        version: the version of the game.
        phase: where the match stands.
        round_number: the live round or the last one, 1-based; 0 before the first deal.
        total_rounds: how many rounds the match has.
        turn: the seat to move, 0-based; None when no round is live.
        turn_deadline: when its turn runs out, in UTC; None without a clock.
        created_at: when the game was created, in UTC.
        updated_at: when it was changed last, in UTC.
    """

    game_id: str
    state: GameState
    rules_name: str
    seats: tuple[Seat, ...]
    seat: int | None
    version: int
    phase: Phase
    round_number: int
    total_rounds: int
    turn: int | None
    turn_deadline: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class GamePage:
    """A part of a list of games.

    Attributes:
        games: those that came onto the list latest first; there may be none though more follow.
        next_page_token: what to ask with for the next page; empty when there is none.
        server_time: the clock of the service as it answered, in UTC.
    """

    games: tuple[GameSummary, ...]
    next_page_token: str
    server_time: datetime


@dataclass(frozen=True, slots=True)
class UnplayableTile:
    """A tile of the hand that goes nowhere, and why not on the seat's own train.

    Attributes:
        tile: the tile.
        refusal: the reason, in words and as data.
    """

    tile: TileId
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """What a seat may do now.

    Attributes:
        version: the version that this is of.
        moves: sorted; empty when the seat may do nothing.
        unplayable: the tiles that go nowhere.
        refusal: why the seat may do nothing; None when it may do something.
    """

    version: int
    moves: tuple[Move, ...]
    unplayable: tuple[UnplayableTile, ...]
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a bot would do on the caller's seat.

    Attributes:
        version: the version that this is for.
        move: a legal move; None when the seat may do nothing.
        refusal: why the seat may do nothing; None when it may do something.
    """

    version: int
    move: Move | None
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set that has a name.

    Attributes:
        name: lower case with underscores.
        summary: one or two sentences for someone who has to choose.
        rules: every option.
    """

    name: str
    summary: str
    rules: RuleSet


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands.

    Attributes:
        total: points over all rounds that are over.
        place: 1 is the best; equal seats share the better number.
        zero_rounds: rounds in which it went out.
    """

    total: int
    place: int
    zero_rounds: int


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a match, so far or final.

    Attributes:
        rounds: the rounds that are over.
        standings: by seat.
        winners: the winning seats; empty until the match is over.
        finished: the match is over.
    """

    rounds: tuple[RoundResult, ...]
    standings: tuple[Standing, ...]
    winners: tuple[int, ...]
    finished: bool
