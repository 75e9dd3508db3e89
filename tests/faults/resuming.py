"""The one place that knows by what a stream is resumed."""

from __future__ import annotations

from typing import Any


def place_after(message: Any) -> dict[str, Any]:
    """Return the fields of a request that go on after the last message that was told.

    Args:
        message: of a watch or of a channel; None if nothing was told yet, which begins anew.
    """
    if message is None:
        return {}
    told = getattr(message, next(_set_fields(message)))
    return {"cursor": told.game.view.cursor if hasattr(told, "game") else told.cursor}


def _set_fields(message: Any) -> Any:
    return (name for name in ("events", "reset", "heartbeat", "end") if message.HasField(name))
