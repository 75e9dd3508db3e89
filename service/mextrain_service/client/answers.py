"""What the client returns: the engine's views and events with what the service adds to them.

Knows no message of the contract; ``from_proto`` fills these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mextrain_engine import Move, Refusal, RoundResult, RuleSet, TileId, View
from mextrain_service.client.seat_events import TableFact


@dataclass(frozen=True, slots=True)
class Table:
    """What the caller may see of the table at one version.

    Attributes:
        version: counts the deals and moves of the game.
        view: the table as the engine shows it to the caller's seat. Its ``results`` are filled
            where the whole game was read, and empty after a move.
        totals: points over all rounds that are over, by seat.
    """

    version: int
    view: View
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the caller may see it.

    Attributes:
        game_id: its name.
        rules: every rule of the table.
        names: what each seat is called, by seat; empty where nothing was given.
        table: the table.
        results: the rounds that are over.
        commitments: the SHA-256 of each round's seed, by round, as far as they are published.
        seeds: the seeds of the rounds that are over, by round number.
        fixed_seed: the deals follow from a number that the creator gave.
    """

    game_id: str
    rules: RuleSet
    names: tuple[str, ...]
    table: Table
    results: tuple[RoundResult, ...]
    commitments: Mapping[int, bytes]
    seeds: Mapping[int, bytes]
    fixed_seed: bool


@dataclass(frozen=True, slots=True)
class Created:
    """A game that was created.

    Attributes:
        game: the game, not dealt yet.
        seat_tokens: the token of each seat of a person, by seat.
        spectator_token: the token for those who watch; None without spectators.
    """

    game: Game
    seat_tokens: Mapping[int, str]
    spectator_token: str | None


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
