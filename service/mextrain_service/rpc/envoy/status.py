"""How a call ends that does not end well, before or beside what the service has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import grpc


class EndedError(Exception):
    """The transport itself ends a call.

    Attributes:
        code: its status.
        details: why, in words.
    """

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self.code = code
        self.details = details
