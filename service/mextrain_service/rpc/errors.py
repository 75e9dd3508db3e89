"""Why a call fails before it reaches a use case."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Self

from mextrain_service.application.errors import FieldInvalidError, FieldViolation


class TransportError(Exception):
    """The base of what the transport raises on purpose. Nothing was changed."""


class TileMalformedError(FieldInvalidError):
    """A tile of a request is not two ends of 0 to 18 pips.

    Attributes:
        field: its path in the request.
        text: the tile as it was given.
    """

    def __init__(self, field: str, text: str, violations: Sequence[FieldViolation] = ()) -> None:
        super().__init__(violations)
        self.field = field
        self.text = text

    def among(self, violations: Sequence[FieldViolation]) -> Self:
        """Return this error with all violations of the request."""
        return type(self)(self.field, self.text, violations)


class MoveMalformedError(FieldInvalidError):
    """A move of a request has no action, or its notation cannot be read.

    Attributes:
        field: its path in the request.
        text: the notation as it was given, at most 40 characters of it.
        expected: what would have been right, in words.
    """

    def __init__(
        self, field: str, text: str, expected: str, violations: Sequence[FieldViolation] = ()
    ) -> None:
        super().__init__(violations)
        self.field = field
        self.text = text[:40]
        self.expected = expected

    def among(self, violations: Sequence[FieldViolation]) -> Self:
        """Return this error with all violations of the request."""
        return type(self)(self.field, self.text, self.expected, violations)


class RequestTooLargeError(TransportError):
    """The request has more bytes than the service reads.

    Attributes:
        size: bytes of the request.
        limit: bytes that are read.
    """

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"the request has {size} bytes; at most {limit} are read")
        self.size = size
        self.limit = limit


class DeadlineExceededError(TransportError):
    """The call took longer than it may.

    Attributes:
        limit_s: how long it might take, in seconds.
    """

    def __init__(self, limit_s: float) -> None:
        super().__init__(f"the call took longer than {limit_s:g} s")
        self.limit_s = limit_s


class RateLimitedError(TransportError):
    """There are more calls or streams than there may be, of one caller or for one game.

    Attributes:
        scope: ``caller``, ``game``, ``caller_streams`` or ``game_streams``.
        retry_after_s: when to try again, in seconds.
    """

    def __init__(self, scope: str, retry_after_s: float) -> None:
        who = "for this game" if scope.startswith("game") else "of this caller"
        what = "open streams" if scope.endswith("streams") else "calls"
        super().__init__(f"there are too many {what} {who}; come back later")
        self.scope = scope
        self.retry_after_s = retry_after_s


class OverloadedError(TransportError):
    """This worker carries as many calls as it may.

    Attributes:
        limit: how many that is.
        retry_after_s: when to try again, in seconds; drawn anew, so that those who came together
            do not return together.
    """

    def __init__(self, limit: int) -> None:
        super().__init__("this server has too much to do; another one may take the call")
        self.limit = limit
        self.retry_after_s = round(random.uniform(0.5, 1.0), 3)  # noqa: S311 - spreads load


class MethodNotServedError(TransportError):
    """There is no such method here.

    Attributes:
        method: its path.
    """

    def __init__(self, method: str) -> None:
        super().__init__(f"{method} is not served")
        self.method = method
