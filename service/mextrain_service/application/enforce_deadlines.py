"""Use case: act on games whose time is up, whichever worker set their deadline.

An entry among the deadlines is a reason to look at a game and no more; what is due, the game says.
That it happens once, however many workers look, follows from the version check of the commit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from mextrain_service.application.autoplay import Autoplay, Thought
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.clocks import due_ms, must_forfeit, seat_on_clock
from mextrain_service.application.draft import Draft
from mextrain_service.application.going_on import GoingOn
from mextrain_service.application.model import GameId, HostedGame, SeatChange
from mextrain_service.application.own_actions import goes_on
from mextrain_service.application.ports import (
    Clock,
    Deadlines,
    DueGame,
    GameNotFoundError,
)

GAMES_AT_ONCE = 50
"""Games that are claimed together; a worker that dies with them leaves them to the others."""

SOON_MS = 1_000
"""When a game is looked at again of which it cannot be told when it is due: an outage is on."""


@dataclass(frozen=True, slots=True)
class Enforced:
    """A deadline that was acted on.

    Attributes:
        game_id: of which game.
        late_ms: how long after it was due, in milliseconds.
    """

    game_id: GameId
    late_ms: int


@dataclass(frozen=True, slots=True)
class NotEnforced:
    """A game that could not be looked at; it is tried again in some seconds.

    Attributes:
        game_id: which game.
        cause: what was in the way.
    """

    game_id: GameId
    cause: Exception


class EnforceDeadlines:
    """Looks through all deadlines once."""

    def __init__(
        self, deadlines: Deadlines, going_on: GoingOn, clock: Clock, bots: BotPlayer
    ) -> None:
        self._deadlines = deadlines
        self._going_on = going_on
        self._clock = clock
        self._bots = bots

    async def __call__(self, first_partition: int = 0) -> AsyncIterator[Enforced | NotEnforced]:
        """Act on every game that is due now, and yield what came of each that was.

        Args:
            first_partition: where to begin, so that workers do not all go the same way.

        Raises:
            StoreUnavailableError: the deadlines cannot be read.
        """
        count = self._deadlines.partitions
        for partition in range(count):
            async for outcome in self._partition((first_partition + partition) % count):
                yield outcome

    async def _partition(self, partition: int) -> AsyncIterator[Enforced | NotEnforced]:
        while due := await self._deadlines.claim(partition, self._clock.now_ms(), GAMES_AT_ONCE):
            for each in due:
                outcome = await self._look_at(each)
                if outcome is not None:
                    yield outcome
            if len(due) < GAMES_AT_ONCE:
                return

    async def _look_at(self, due: DueGame) -> Enforced | NotEnforced | None:
        late: list[int] = []

        def decide(game: HostedGame, ahead: Thought | None) -> Draft | None:
            late.clear()
            now = self._clock.moment(due.game_id)
            due_at = due_ms(game, now.outages)
            if due_at is None or due_at > now.now_ms:
                return None
            late.append(now.now_ms - due_at)
            return self._acted_on(game, ahead)

        try:
            game = await self._going_on.act(due.game_id, decide)
            await self._deadlines.reschedule(due, self._next_look_ms(game), self._clock.now_ms())
        except GameNotFoundError:
            await self._deadlines.reschedule(due, None, self._clock.now_ms())
            return None
        except Exception as cause:  # noqa: BLE001 - one broken game must not keep the others waiting
            return NotEnforced(due.game_id, cause)
        return Enforced(due.game_id, late[0]) if late else None

    def _next_look_ms(self, game: HostedGame) -> int | None:
        """Return when the game is to be looked at next: never later than it is due."""
        now = self._clock.moment(game.game_id)
        due_at = due_ms(game, now.outages)
        if due_at is None or not now.is_out:
            return due_at
        return min(due_at, now.now_ms + SOON_MS)

    def _acted_on(self, game: HostedGame, ahead: Thought | None) -> Draft:
        """Return the game after what its table does when time is up, or goes on by itself."""
        draft = Draft(game)
        autoplay = Autoplay(draft, self._bots, ahead)
        if not goes_on(game):
            _let_pass(game, draft, autoplay)
        autoplay.play_on()
        return draft


def _let_pass(game: HostedGame, draft: Draft, autoplay: Autoplay) -> None:
    """Note that the seat's time was up, and do what the table does then."""
    seat, rule = seat_on_clock(game.state, game.seats), game.policy.clock
    assert seat is not None, "a deadline is that of a seat"
    assert rule is not None, "a deadline comes from a clock"
    draft.change_seat(seat, SeatChange.TIMED_OUT)
    if must_forfeit(game, seat):
        gone = replace(game.seats[seat], resigned=True)
        draft.change_seat(seat, SeatChange.RESIGNED, gone)
    else:
        autoplay.finish_turn(rule.on_timeout)
