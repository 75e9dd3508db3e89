"""How long persons may take: what a clock shows, when it runs out, and what a change makes of it.

Arithmetic on moments that are handed in; knows neither what time it is nor who looks after it.
"""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_engine import Phase, State
from mextrain_service.application.model import (
    MAX_CLOCK_MS,
    MISSES_AT_MOST,
    ClockKind,
    ClockState,
    HostedGame,
    SeatHolder,
    TablePolicy,
    TurnClock,
)
from mextrain_service.application.outages import NO_OUTAGES, Moment, Outages
from mextrain_service.application.own_actions import goes_on

TAKEN_UP_AFTER_MS = 2_000
"""A table that should go on by itself and has not for so long, is taken up by any worker."""


@dataclass(frozen=True, slots=True)
class TurnsPassed:
    """What a change meant for the clock.

    Attributes:
        turn_over: the turn that was on at the start of the change ended, or a round was dealt.
        timed_out: the seat whose time was up and that was acted on; None if there is none.
        renewed: the seats that somebody else took.
    """

    turn_over: bool = False
    timed_out: int | None = None
    renewed: frozenset[int] = frozenset()


def new_clock(policy: TablePolicy, seats: int) -> ClockState | None:
    """Return the clock of a new game; None for a table without one."""
    if policy.clock is None:
        return None
    banks = (policy.clock.time_ms,) * seats if policy.clock.kind is ClockKind.BANK else ()
    return ClockState(seat=None, since_ms=0, timed_out=False, banks_ms=banks, misses=(0,) * seats)


def clock_after(
    game: HostedGame, state: State, seats: tuple[SeatHolder, ...], passed: TurnsPassed, now: Moment
) -> ClockState | None:
    """Return where the clock stands after a change; None for a table without one.

    Args:
        game: the game before it.
        state: the engine's state after it.
        seats: who sits where after it.
        passed: what it meant for the clock.
        now: when it was made.
    """
    if game.policy.clock is None:
        return None
    before = game.clock or new_clock(game.policy, len(seats))
    assert before is not None, "a table with a clock has a state of it"
    running = seat_on_clock(state, seats)
    goes_on = (
        running is not None
        and running == before.seat
        and not passed.turn_over
        and running not in passed.renewed
        and not _waits_for_the_table(game)
    )
    return ClockState(
        seat=running,
        since_ms=before.since_ms if goes_on else 0 if running is None else now.now_ms,
        timed_out=goes_on and (before.timed_out or passed.timed_out is not None),
        banks_ms=_banks_after(before, game.policy.clock, passed, now),
        misses=_misses_after(before, passed),
    )


def seat_on_clock(state: State, seats: tuple[SeatHolder, ...]) -> int | None:
    """Return the seat whose turn a person is to make; None when there is none."""
    if state.phase is not Phase.PLAYING or state.round is None:
        return None
    turn = state.round.turn
    return turn if seats[turn].present else None


def turn_deadline_ms(game: HostedGame, outages: Outages = NO_OUTAGES) -> int | None:
    """Return when the turn of the seat to move runs out, in milliseconds since the epoch.

    It may be past: then it is about to be acted on, or the table waits. None where no time runs.
    Without the outages since the turn began it is too early by as long as they took.
    """
    clock, rule = game.clock, game.policy.clock
    if clock is None or rule is None or clock.seat is None:
        return None
    allowed_ms = clock.banks_ms[clock.seat] if clock.banks_ms else rule.time_ms
    return outages.end_ms(clock.since_ms, allowed_ms)


def banks_ms(game: HostedGame, now: Moment) -> tuple[int, ...]:
    """Return what each seat has left in its bank now, in milliseconds; empty without banks."""
    clock = game.clock
    if clock is None or not clock.banks_ms:
        return ()
    used_ms = now.outages.counted_ms(clock.since_ms, now.now_ms)
    return tuple(
        max(0, bank - used_ms) if seat == clock.seat else bank
        for seat, bank in enumerate(clock.banks_ms)
    )


def misses_of(game: HostedGame, seat: int) -> int:
    """Return how many turns in a row a seat let pass."""
    return game.clock.misses[seat] if game.clock is not None else 0


def must_forfeit(game: HostedGame, seat: int) -> bool:
    """Tell whether the turn that the seat now lets pass is one too many."""
    rule = game.policy.clock
    allowed = (rule.forfeit_after if rule is not None else 0) or MISSES_AT_MOST
    return misses_of(game, seat) + 1 >= allowed


def due_ms(game: HostedGame, outages: Outages = NO_OUTAGES) -> int | None:
    """Return when the service has to act on a game by itself; None when it never has to.

    That is when the time of a turn is up. A table that goes on by itself is due right away, but
    for what the worker that made the last commit needs to go on with it (``going_on``). Without
    the outages it is never too late: good for looking at the game, not for acting on it.
    """
    return next_due_ms(game, outages, goes_on=goes_on(game))


def next_due_ms(game: HostedGame, outages: Outages = NO_OUTAGES, *, goes_on: bool) -> int | None:
    """Return the same for a game of which it is known whether its table goes on by itself."""
    if goes_on:
        return game.updated_ms + TAKEN_UP_AFTER_MS
    if game.clock is None or game.clock.timed_out:
        return None
    return turn_deadline_ms(game, outages)


def _waits_for_the_table(game: HostedGame) -> bool:
    """Tell whether a seat's turn has begun, but the table itself is to make its first move.

    The clock then begins with the commit that leaves the turn to the person.
    """
    clock = game.clock
    begun = clock is not None and not clock.timed_out and clock.since_ms == game.updated_ms
    return begun and goes_on(game)


def _banks_after(
    before: ClockState, rule: TurnClock, passed: TurnsPassed, now: Moment
) -> tuple[int, ...]:
    """Take what the turn that ended has used out of its bank, and add the increment."""
    seat = before.seat
    if seat is None or not before.banks_ms or not passed.turn_over:
        return before.banks_ms
    left = max(0, before.banks_ms[seat] - now.outages.counted_ms(before.since_ms, now.now_ms))
    bank = min(left + rule.increment_ms, MAX_CLOCK_MS)
    return (*before.banks_ms[:seat], bank, *before.banks_ms[seat + 1 :])


def _misses_after(before: ClockState, passed: TurnsPassed) -> tuple[int, ...]:
    """Count a turn that was let pass; a turn that was made in time starts the count anew."""
    misses = list(before.misses)
    if passed.timed_out is not None:
        misses[passed.timed_out] += 1
    elif before.seat is not None and passed.turn_over and not before.timed_out:
        misses[before.seat] = 0
    for seat in passed.renewed:
        misses[seat] = 0
    return tuple(misses)
