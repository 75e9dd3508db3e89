"""How far behind spectators are kept while a round is live."""

from __future__ import annotations

from collections.abc import Iterable

from mextrain_engine import Phase
from mextrain_engine.events import RoundDealt, TurnStarted
from mextrain_service.application.answers import TableEvent
from mextrain_service.application.callers import Caller, SpectatorCaller
from mextrain_service.application.model import HostedGame


def is_delayed(caller: Caller, game: HostedGame) -> bool:
    """Tell whether the caller may see the game only as it was some turns ago."""
    return isinstance(caller, SpectatorCaller) and game.policy.spectator_delay > 0


class TurnsSeen:
    """The turns of the live round, as far as spectators are kept behind them."""

    def __init__(self) -> None:
        self._starts: list[int] = []

    def note(self, events: Iterable[TableEvent]) -> None:
        """Take in what happened, in order."""
        for each in events:
            match each.event:
                case RoundDealt():
                    self._starts = []
                case TurnStarted():
                    self._starts.append(each.version)
                case _:
                    pass

    def shown(self, game: HostedGame) -> int:
        """Return the version at which spectators see the game.

        That is where the last turn but so many began as the policy says, the turn of the seat to
        move counted; the deal, when there were fewer; and the latest when no round is live. It is 0
        when a round is live of which nothing was noted.

        Args:
            game: the game after all that was noted.
        """
        delay = game.policy.spectator_delay
        if not delay or game.state.phase is not Phase.PLAYING:
            return game.version
        return self._starts[max(0, len(self._starts) - delay)] if self._starts else 0
