"""A store that goes back in time: what it had of a game is kept, and put back later."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.model import GameId
from mextrain_service.storage.keys import game_keys
from tests.rpc.games import Seated
from tests.rpc.serving import Client
from tests.rpc.watchers import everywhere
from tests.storage.library import Redis


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the store had it.

    Attributes:
        game_id: the game.
        dumps: what its keys held, by name.
    """

    game_id: str
    dumps: dict[str, bytes | None]

    async def put_back(self, redis: Redis) -> None:
        """Let the store lose all that came after it."""
        for key, dump in self.dumps.items():
            assert dump is not None, "the game was there"
            await redis.restore(key, 600_000, dump, replace=True)


async def keep(redis: Redis, game_id: str) -> Kept:
    """Keep a game as the store has it now."""
    names = game_keys(GameId(game_id))[:2]
    return Kept(game_id, {name: await redis.dump(name) for name in names})


def at_worker(seated: Seated, nobody: Client) -> Seated:
    """Return a game with everyone at another worker."""
    (platform,) = everywhere(seated.platform, [nobody])
    seats = {seat: everywhere(each, [nobody])[0] for seat, each in seated.seats.items()}
    (spectator,) = everywhere(seated.spectator, [nobody])
    return Seated(seated.game_id, platform, seats, spectator)


async def make_last_move(seated: Seated) -> None:
    """Make the last legal move of the seat to move, where others make the first."""
    game = await seated.platform.get_game(seated.game_id)
    mover = seated.seats[game.view.round.turn]
    legal = await mover.legal_moves(seated.game_id)
    await mover.play_moves(seated.game_id, legal.moves[-1])
