"""Who sits on a seat, or is to, and how that is written and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from mextrain.v1 import game_pb2

Level = Literal["pass", "random", "greedy", "planner"]
"""How well a bot plays."""

_LEVEL = "BOT_LEVEL_"


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the platform.

    Attributes:
        player_id: the account as the platform names it, 1 to 64 characters. In answers it is empty
            for everyone but the platform and the person, and for whoever came by an invitation.
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


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat that nobody has taken yet; no round is dealt while there is one."""


@dataclass(frozen=True, slots=True)
class Returning:
    """The person who holds the seat, and plays it again when a bot stood in."""


Holder = Person | Bot | OpenSeat
"""Who sits on a seat."""

Substitute = Bot | Person | Returning
"""Who plays a seat on: a bot, another person for good, or whoever holds it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as an answer tells it.

    Attributes:
        holder: who sits there.
        stand_in: how well the bot plays that plays for the person now; None when none does.
        resigned: the person left for good; the seat is played on as the policy says.
        missed_turns: turns in a row that it let pass until its time was up.
    """

    holder: Holder
    stand_in: Level | None = None
    resigned: bool = False
    missed_turns: int = 0

    @property
    def name(self) -> str:
        """What the others are shown; empty when nothing was given or nobody sits there."""
        return "" if isinstance(self.holder, OpenSeat) else self.holder.display_name


def write_seat(holder: Holder) -> game_pb2.Seat:
    """Return the message of a seat.

    Raises:
        ValueError: there is no such level.
    """
    match holder:
        case Person():
            return game_pb2.Seat(person=write_person(holder))
        case Bot():
            return game_pb2.Seat(bot=write_bot(holder))
        case OpenSeat():
            return game_pb2.Seat(open=game_pb2.OpenSeat())


def write_person(person: Person) -> game_pb2.Person:
    """Return the message of a person."""
    return game_pb2.Person(player_id=person.player_id, display_name=person.display_name)


def write_bot(bot: Bot) -> game_pb2.Bot:
    """Return the message of a bot.

    Raises:
        ValueError: there is no such level.
    """
    return game_pb2.Bot(level=write_level(bot.level), display_name=bot.display_name)


def write_level(level: Level) -> game_pb2.BotLevel.ValueType:
    """Return the number of a level.

    Raises:
        ValueError: there is no such level.
    """
    return game_pb2.BotLevel.Value(f"{_LEVEL}{level.upper()}")


def read_seat(message: game_pb2.Seat) -> Seat:
    """Return a seat and who sits on it."""
    return Seat(
        holder=_read_holder(message),
        stand_in=_read_level(message.stand_in) if message.stand_in else None,
        resigned=message.resigned,
        missed_turns=message.missed_turns,
    )


def _read_holder(message: game_pb2.Seat) -> Holder:
    match message.WhichOneof("holder"):
        case "person":
            return Person(message.person.player_id, message.person.display_name)
        case "bot":
            return Bot(_read_level(message.bot.level), message.bot.display_name)
        case _:
            return OpenSeat()


def _read_level(number: game_pb2.BotLevel.ValueType) -> Level:
    name = game_pb2.BotLevel.Name(number)
    return cast("Level", name.removeprefix(_LEVEL).lower())
