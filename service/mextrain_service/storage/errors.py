"""What a store raises when what it finds in Redis cannot be trusted."""

from __future__ import annotations

from mextrain_service.application.ports import (
    DamagedGameError,
    StoreError,
    StoreUnavailableError,
)


class StoredGameError(StoreError):
    """A stored game cannot be read as it is. Nothing was written."""


class CorruptGameError(StoredGameError, DamagedGameError):
    """The snapshot or the log is damaged, incomplete, or at odds with the other.

    Trying again does not help.
    """


class NewerSchemaError(StoredGameError, StoreUnavailableError):
    """The game was written by a later release, and this one would misread it or drop some of it.

    A worker of that release can serve it, so while releases change over, trying again helps.
    """
