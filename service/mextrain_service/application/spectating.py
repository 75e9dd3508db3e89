"""What a spectator who is kept behind may know of a game: the game as it was some turns ago."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain_engine import Phase
from mextrain_service.application.access import Action
from mextrain_service.application.callers import Caller
from mextrain_service.application.delay import TurnsSeen, is_delayed
from mextrain_service.application.history import game_at, replayed
from mextrain_service.application.model import GameId, HostedGame, LogEntry
from mextrain_service.application.ports import GameStore
from mextrain_service.application.reading import read_game, read_game_and_log


async def read_game_shown(
    store: GameStore, caller: Caller, action: Action, game_id: GameId
) -> HostedGame:
    """Return the game as the caller may see it: as last committed, or as it was some turns ago.

    The log is read only for those who are kept behind. Raises as ``read_game_and_log`` does.
    """
    game = await read_game(store, caller, action, game_id)
    if is_delayed(caller, game) and game.state.phase is Phase.PLAYING:
        game, _ = await read_history_shown(store, caller, action, game_id)
    return game


async def read_history_shown(
    store: GameStore, caller: Caller, action: Action, game_id: GameId
) -> tuple[HostedGame, Sequence[LogEntry]]:
    """Return the game as the caller may see it, and the entries that led to it.

    Raises as ``read_game_and_log`` does.
    """
    game, entries = await read_game_and_log(store, caller, action, game_id)
    if not is_delayed(caller, game) or game.state.phase is not Phase.PLAYING:
        return game, entries
    turns = TurnsSeen()
    turns.note(await replayed(game, entries))
    version = turns.shown(game)
    return await game_at(game, entries, version), entries[:version]
