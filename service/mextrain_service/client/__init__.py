"""A thin client of the service in Python: typed answers, errors with reasons, safe repetition.

Knows the contract and nothing of the service behind it. Everything here is the engine's own
vocabulary: moves, views and events are those of ``mextrain_engine``.
"""

from mextrain_service.client.answers import (
    Changed,
    Created,
    Game,
    LegalMoves,
    Preset,
    ScoreSheet,
    Standing,
    Suggestion,
    Table,
    UnplayableTile,
)
from mextrain_service.client.client import MextrainClient
from mextrain_service.client.errors import MextrainError
from mextrain_service.client.holders import Bot, Person
from mextrain_service.client.seat_events import EntropyAdded, SeatChange, SeatChanged, TableFact
from mextrain_service.client.updates import (
    Ended,
    Exported,
    Happened,
    News,
    NewsBatch,
    Reset,
    Update,
)

__all__ = [
    "Bot",
    "Changed",
    "Created",
    "Ended",
    "EntropyAdded",
    "Exported",
    "Game",
    "Happened",
    "LegalMoves",
    "MextrainClient",
    "MextrainError",
    "News",
    "NewsBatch",
    "Person",
    "Preset",
    "Reset",
    "ScoreSheet",
    "SeatChange",
    "SeatChanged",
    "Standing",
    "Suggestion",
    "Table",
    "TableFact",
    "UnplayableTile",
    "Update",
]
