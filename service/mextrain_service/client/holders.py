"""Who is to sit on a seat of a new game, and how that is written.

Knows persons and bots; nothing of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mextrain.v1 import game_pb2

Level = Literal["pass", "random", "greedy", "planner"]
"""How well a bot plays."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the platform.

    Attributes:
        player_id: the account as the platform names it, 1 to 64 characters.
        display_name: what the others are shown, up to 64 characters.
    """

    player_id: str
    display_name: str = ""


@dataclass(frozen=True, slots=True)
class Bot:
    """A seat that the service plays.

    Attributes:
        level: how well.
        display_name: what the others are shown, up to 64 characters.
    """

    level: Level = "greedy"
    display_name: str = ""


def write_seat(holder: Person | Bot) -> game_pb2.Seat:
    """Return the message of a seat."""
    match holder:
        case Person(player_id, display_name):
            return game_pb2.Seat(
                person=game_pb2.Person(player_id=player_id, display_name=display_name)
            )
        case Bot(level, display_name):
            return game_pb2.Seat(
                bot=game_pb2.Bot(level=write_level(level), display_name=display_name)
            )


def write_level(level: Level) -> game_pb2.BotLevel.ValueType:
    """Return the number of a level."""
    return game_pb2.BotLevel.Value(f"BOT_LEVEL_{level.upper()}")
