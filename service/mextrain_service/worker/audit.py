"""Writes down who saw what is hidden."""

from __future__ import annotations

from typing import Any

import structlog

from mextrain_service.application.model import GameId

LOGGER = "mextrain.audit"
"""The logger of audit events, so that they can be kept apart; they are written at every level."""


class LoggedAudit:
    """The ``Audit`` of the service: a line of the log for each event."""

    def __init__(self) -> None:
        self._log: Any = structlog.get_logger(LOGGER)

    def hands_revealed(self, operator: str, game_id: GameId, version: int, call_id: str) -> None:
        """Write that an operator is about to be shown hands."""
        self._log.critical(
            "hands revealed",
            operator=operator,
            game_id=game_id,
            version=version,
            call_id=call_id,
        )

    def hands_refused(self, operator: str, game_id: GameId, call_id: str) -> None:
        """Write that an operator wanted to see hands and may not."""
        self._log.critical("hands refused", operator=operator, game_id=game_id, call_id=call_id)
