"""Hosted games for the tests of the storage: made by hand or by random play of the real engine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mextrain_engine import (
    Phase,
    RuleSet,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    permutation,
    round_seed,
    set_size,
    skip_turn,
)
from mextrain_service.application.chain import first_link, next_link
from mextrain_service.application.model import (
    STAMP_BYTES,
    Dealt,
    GameId,
    HostedGame,
    LogEntry,
    Moved,
    PlatformId,
    PlayerId,
    Receipt,
    SeatHolder,
    SeatKind,
    Skipped,
    TablePolicy,
)
from mextrain_service.application.ports import GameStore, LogPosition

CREATED_MS = 1_796_000_000_000
RULES = RuleSet()


@dataclass(frozen=True, slots=True)
class Played:
    """A game and the log that led to it."""

    game: HostedGame
    log: tuple[LogEntry, ...]


def new_hosted_game(
    name: str = "q1w2e3r4t5y6u7i8o9p0as", *, rules: RuleSet = RULES, seats: int = 4
) -> HostedGame:
    """Return a game at version 0 with a person on each seat; its secret follows from its name."""
    holders = tuple(
        SeatHolder(kind=SeatKind.PERSON, player_id=PlayerId(f"player-{seat}"))
        for seat in range(seats)
    )
    return HostedGame(
        game_id=GameId(name),
        platform_id=PlatformId("acme"),
        version=0,
        link=first_link(GameId(name), CREATED_MS),
        stamp=b"\0" * STAMP_BYTES,
        seats=holders,
        policy=TablePolicy(),
        secret=random.Random(name).randbytes(32),
        state=new_game(rules, seats),
        receipts=(),
        creation=None,
        created_ms=CREATED_MS,
        updated_ms=CREATED_MS,
    )


def next_entry(game: HostedGame, choice: random.Random) -> LogEntry:
    """Return something that may happen next: the deal that is due, or any legal move."""
    if game.state.phase is Phase.AWAITING_DEAL:
        return Dealt()
    assert game.state.round is not None
    return Moved(game.state.round.turn, choice.choice(legal_moves(game.state)))


def after(game: HostedGame, entry: LogEntry) -> HostedGame:
    """Return the game one entry later, half a second on the clock."""
    state = _state_after(game, entry)
    return replace(
        game,
        version=game.version + 1,
        link=next_link(game.link, entry),
        stamp=(game.version + 1).to_bytes(STAMP_BYTES, "big"),
        state=state,
        updated_ms=game.updated_ms + 500,
    )


def played(game: HostedGame, entries: int, seed: int = 0) -> Played:
    """Play a game on at random for so many entries, or until it is over."""
    choice = random.Random(seed)
    log: list[LogEntry] = []
    while len(log) < entries and game.state.phase is not Phase.FINISHED:
        log.append(next_entry(game, choice))
        game = after(game, log[-1])
    return Played(game, tuple(log))


def with_receipts(game: HostedGame, count: int) -> HostedGame:
    """Return the game with the receipts of its last entries, one for each."""
    last = range(game.version - count, game.version)
    made = tuple(
        Receipt(_digest(f"key {at}")[:6], _digest(f"body {at}")[:4], before=at, after=at + 1)
        for at in last
    )
    return replace(game, receipts=made)


async def log_of(store: GameStore, game_id: GameId) -> tuple[LogEntry, ...] | None:
    """Return all entries of a game's log, oldest first; None if they do not lead to the game."""
    reading = await store.read_on(game_id, LogPosition())
    assert reading is not None
    return reading.entries


def moves_of(log: Sequence[LogEntry]) -> list[str]:
    """Return a log as text, for messages of failed tests."""
    return [str(entry.move) if isinstance(entry, Moved) else str(entry) for entry in log]


def _state_after(game: HostedGame, entry: LogEntry) -> State:
    match entry:
        case Dealt():
            size = set_size(game.state.rules.max_pip(game.state.seats))
            seed = round_seed(game.secret, len(game.state.results) + 1)
            return deal(game.state, permutation(seed, size)).state
        case Moved(seat, move):
            return apply(game.state, move, seat).state
        case Skipped():
            return skip_turn(game.state).state
        case _:
            return game.state


def _digest(text: str) -> bytes:
    return random.Random(text).randbytes(8)
