"""Writes that wait until replicas have them: what is asked for, and what came of it.

What each level promises is in `docs/durability.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from redis.exceptions import RedisError

AWAITS_REPLICAS = "awaits_replicas"
"""The option of `execute_command` that marks a write which must be as durable as is asked for."""


class TooFewReplicasError(RedisError):
    """The master has a write, and fewer replicas than asked for have it in time."""


@dataclass(frozen=True, slots=True)
class Durability:
    """How many replicas have a write before it counts.

    Attributes:
        replicas: that must have it; 0 leaves it to the master.
        wait_ms: how long to wait for them, in milliseconds.
    """

    replicas: int = 0
    wait_ms: int = 500

    @property
    def command(self) -> tuple[str, int, int]:
        """What to send after the write, over the same connection."""
        return ("WAIT", self.replicas, self.wait_ms)

    def require(self, reached: int) -> None:
        """Return if so many replicas are enough.

        Raises:
            TooFewReplicasError: they are not.
        """
        if reached < self.replicas:
            raise TooFewReplicasError(f"{reached} of {self.replicas} replicas have the write")
