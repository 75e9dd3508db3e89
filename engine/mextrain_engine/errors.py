"""What the engine raises: text it cannot read, a move that is illegal here, rules that cannot be.

Each error carries its facts as data, so that a transport never has to take a message apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class EngineError(Exception):
    """The base of everything that the engine raises on purpose."""


class NotationError(EngineError, ValueError):
    """A text is not a tile, a move, a train or a record.

    Attributes:
        text: what was given.
        expected: what would have been right, in words.
    """

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"cannot read {text[:80]!r}: {expected}")
        self.text = text
        self.expected = expected


class Reason(Enum):
    """Why a move is refused. The value is stable: it is the reason on every transport."""

    GAME_FINISHED = "GAME_FINISHED"
    ROUND_NOT_DEALT = "ROUND_NOT_DEALT"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    TILE_NOT_IN_SET = "TILE_NOT_IN_SET"
    TILE_NOT_IN_HAND = "TILE_NOT_IN_HAND"
    NO_SUCH_TRAIN = "NO_SUCH_TRAIN"
    FIRST_TURN_OWN_TRAIN = "FIRST_TURN_OWN_TRAIN"
    OPENING_TRAIN_GOES_ON = "OPENING_TRAIN_GOES_ON"
    MEXICAN_TRAIN_NOT_YET = "MEXICAN_TRAIN_NOT_YET"
    OPPONENT_TRAINS_NEVER = "OPPONENT_TRAINS_NEVER"
    TRAIN_CLOSED = "TRAIN_CLOSED"
    TRAIN_NOT_STARTED = "TRAIN_NOT_STARTED"
    OWN_TRAIN_CLOSED = "OWN_TRAIN_CLOSED"
    OPEN_DOUBLE_FIRST = "OPEN_DOUBLE_FIRST"
    COVER_YOUR_DOUBLE = "COVER_YOUR_DOUBLE"
    ENDS_DO_NOT_MATCH = "ENDS_DO_NOT_MATCH"
    ONE_DOUBLE_PER_TURN = "ONE_DOUBLE_PER_TURN"
    PLAY_EXISTS = "PLAY_EXISTS"
    BONEYARD_EMPTY = "BONEYARD_EMPTY"
    ALREADY_DREW = "ALREADY_DREW"
    DRAW_NOT_ALLOWED = "DRAW_NOT_ALLOWED"
    DRAW_FIRST = "DRAW_FIRST"
    CALL_NOT_USED = "CALL_NOT_USED"
    CALL_NOT_DUE = "CALL_NOT_DUE"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that may not be made here, why, and the facts of it.

    Attributes:
        reason: the machine reason.
        message: one sentence in English that can be shown to the player who asked.
        facts: the facts in the sentence, each as text: tiles as ``12-5``, trains as a seat
            number or ``M``, pip values and counts as numbers. Only what that player may know.
    """

    reason: Reason
    message: str
    facts: Mapping[str, str] = field(default_factory=dict)


class IllegalMoveError(EngineError):
    """A move was applied that the rules refuse at this state. Nothing has changed.

    Attributes:
        refusal: the reason and its facts.
        index: the place of the refused move among several given at once, 0-based.
    """

    def __init__(self, refusal: Refusal, index: int = 0) -> None:
        super().__init__(f"{refusal.reason.value}: {refusal.message}")
        self.refusal = refusal
        self.index = index


@dataclass(frozen=True, slots=True)
class RuleSetProblem:
    """One thing that is wrong with a rule set.

    Attributes:
        code: stable and machine-readable, like ``HANDS_EXCEED_SET``.
        options: the names of the options that it concerns.
        message: one sentence with the numbers in it.
    """

    code: str
    options: tuple[str, ...]
    message: str


class RuleSetError(EngineError, ValueError):
    """A rule set cannot be played. Carries every problem at once, in a stable order.

    Attributes:
        problems: at least one.
    """

    def __init__(self, problems: tuple[RuleSetProblem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class DealError(EngineError, ValueError):
    """A round cannot be dealt now, or the permutation is not one of this game's tiles.

    Attributes:
        code: ``GAME_FINISHED``, ``ROUND_IN_PROGRESS`` or ``BAD_PERMUTATION``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
