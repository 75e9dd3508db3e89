"""What a command says when it cannot do what was asked: a sentence and a way out, never a trace."""

from __future__ import annotations

from mextrain_client import MextrainError
from mextrain_engine import EngineError
from mextrain_service.local.self_started import SelfStartError


class CliError(Exception):
    """The command cannot go on, for a reason that the person at the terminal can act on.

    Attributes:
        message: what is wrong, one sentence.
        advice: what to do about it; empty if there is nothing to say.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


EXPECTED = (CliError, MextrainError, EngineError, SelfStartError)
"""Errors that are said in words; anything else is a fault of the program."""

_ADVICE = {
    "UNAVAILABLE": "Start one with `mextrain serve`, or name another with --endpoint.",
    "UNAUTHENTICATED": "Give the platform's key with --key or MEXTRAIN_PLATFORM_KEY.",
    "TOKEN_INVALID": "Check the key that was given with --key or MEXTRAIN_PLATFORM_KEY.",
    "FIXED_SEED_DISABLED": "Leave --seed out, or add --own for a service of this command's own.",
    "GAME_DAMAGED": "`mextrain doctor` says what is left of it.",
    "STORE_UNAVAILABLE": "The service is there but its Redis is not; try again in a moment.",
}


def in_words(error: Exception) -> CliError:
    """Return the complaint that an expected error amounts to."""
    match error:
        case CliError():
            return error
        case MextrainError(reason=reason, message=message, problems=problems):
            found = "".join(f"\n  {field}: {problem}" for field, problem in problems)
            return CliError(message + found, _ADVICE.get(reason, ""))
        case SelfStartError():
            return CliError(f"The service did not start: {error}")
        case _:
            return CliError(str(error))
