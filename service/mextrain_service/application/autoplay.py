"""Plays on where no person is to decide: for bots, for those who left, and what policy automates.

One change does a bounded amount of work: it is one step of the event loop, which nobody else gets
meanwhile. What is then left goes on in further changes (``going_on``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from mextrain_engine import CALL, Move, Phase, State, legal_moves
from mextrain_service.application.bots import BotPlayer, bot_thinking
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import BotLevel, HostedGame, OnTimeout
from mextrain_service.application.own_actions import (
    BotMove,
    Call,
    Deal,
    ForcedMove,
    OwnAction,
    Skip,
    own_action,
)

WORK_PER_CHANGE = 10_000
"""What one change may cost, in units of about a microsecond on an idle core. It is counted and not
timed, so that the same change comes out the same on every machine."""

WORK_PER_ENTRY = 40
"""What an entry of the log costs: its move, its events, and its part of the commit."""

WORK_PER_DEAL = 600
"""What a deal costs."""

WORK_PER_CHOICE = 120
"""What a bot's choice costs beside what it tells of itself: the legal moves and the view."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A bot's choice that was made ahead of the change that makes the move.

    Attributes:
        version: the game's version that it was made at.
        state: the engine's state that it was made in.
        move: what it came to.
    """

    version: int
    state: State
    move: Move

    def fits(self, draft: Draft) -> bool:
        """Tell whether the table stands as it did when the choice was made."""
        return self.version == draft.version and self.state == draft.state


class Autoplay:
    """Carries one change of a table on until somebody is to decide or it has cost enough.

    Attributes:
        work: what the change has cost so far, in units of about a microsecond.
    """

    def __init__(self, draft: Draft, bots: BotPlayer, thought: Thought | None = None) -> None:
        """Take the table with what was entered so far, and a choice that was made ahead."""
        self._draft = draft
        self._bots = bots
        self._thought = thought
        self.work = WORK_PER_ENTRY * len(draft.entries)
        self._played_for: int | None = None

    def play_on(self) -> None:
        """Do what is not left to a person now, as much of it as one change may cost.

        A last tile is announced with the move that left it, for the next move would be too late.
        """
        while (action := self._next_action()) is not None:
            if self.work >= WORK_PER_CHANGE and not isinstance(action, Call):
                return
            if not self._do(action):
                return

    def finish_turn(self, on_timeout: OnTimeout) -> None:
        """Bring the turn of the seat to move to its end, as the table does when time is up.

        What a bot plays of it, ``play_on`` does.
        """
        if on_timeout is OnTimeout.SKIP:
            self._draft.skip()

    def _next_action(self) -> OwnAction | None:
        draft, round_ = self._draft, self._draft.state.round
        if round_ is not None and draft.state.phase is Phase.PLAYING:
            if 0 <= round_.uncalled == self._played_for:
                return Call(round_.uncalled)
            if not draft.seats[round_.turn].present:
                return own_action(draft.policy, draft.state, draft.seats, timed_out=False)
        return own_action(draft.policy, draft.state, draft.seats, timed_out=draft.turn_timed_out)

    def _do(self, action: OwnAction) -> bool:
        """Do it; return False when it costs more than is left, and nothing was done."""
        before = len(self._draft.entries)
        match action:
            case Deal():
                self._draft.deal()
                self.work += WORK_PER_DEAL * (len(self._draft.entries) - before)
                return True
            case Call(seat):
                self._draft.move(seat, CALL)
            case Skip():
                self._draft.skip()
                self.work += WORK_PER_ENTRY  # whether it can be skipped was tried out before
            case ForcedMove(seat, move):
                self._draft.move(seat, move)
            case BotMove(seat, level):
                choice = self._choice(seat, level)
                if choice is None:
                    return False
                self._played_for = seat
                self._draft.move(seat, choice)
            case _:
                assert_never(action)
        self.work += WORK_PER_ENTRY
        return True

    def _choice(self, seat: int, level: BotLevel) -> Move | None:
        """Return a bot's choice; None when it takes more work than is left."""
        draft = self._draft
        legal = legal_moves(draft.state)
        if len(legal) == 1:
            return legal[0]
        thought = self._thought
        if thought is not None and thought.fits(draft):
            return thought.move
        if level is BotLevel.PLANNER:
            return None  # it takes several times what a change may
        thinking = bot_thinking(self._bots, draft.state, seat, level, draft.secret, draft.version)
        self.work += WORK_PER_CHOICE
        while self.work < WORK_PER_CHANGE:
            try:
                self.work += next(thinking)
            except StopIteration as end:
                move: Move = end.value
                return move
        return None


def play_on(draft: Draft, bots: BotPlayer) -> None:
    """Carry a change on until a person is to decide or it costs enough; see ``Autoplay``."""
    Autoplay(draft, bots).play_on()


def choice_ahead(game: HostedGame) -> BotMove | None:
    """Return the choice that a table makes next, if a bot is to make one."""
    timed_out = game.clock is not None and game.clock.timed_out
    action = own_action(game.policy, game.state, game.seats, timed_out=timed_out)
    if not isinstance(action, BotMove) or len(legal_moves(game.state)) == 1:
        return None
    return action
