"""A thin client of the service in Python: typed answers, errors with reasons, safe repetition.

Everything here is the engine's own vocabulary: moves, views and events are those of
``mextrain_engine``.
"""

from mextrain_service.client.answers import (
    Changed,
    Claimed,
    Contributed,
    Created,
    Game,
    GamePage,
    GameState,
    GameSummary,
    LegalMoves,
    Preset,
    ScoreSheet,
    Standing,
    Substituted,
    Suggestion,
    Table,
    UnplayableTile,
)
from mextrain_service.client.channels import (
    CloseChannel,
    Closed,
    Heard,
    Made,
    OpenChannel,
    Opened,
    PlayOnChannel,
    Refused,
)
from mextrain_service.client.client import MextrainClient
from mextrain_service.client.errors import MextrainError
from mextrain_service.client.holders import (
    Bot,
    Holder,
    Level,
    OpenSeat,
    Person,
    Returning,
    Seat,
    Substitute,
)
from mextrain_service.client.policies import Bank, Clock, Policy
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
    "Bank",
    "Bot",
    "Changed",
    "Claimed",
    "Clock",
    "CloseChannel",
    "Closed",
    "Contributed",
    "Created",
    "Ended",
    "EntropyAdded",
    "Exported",
    "Game",
    "GamePage",
    "GameState",
    "GameSummary",
    "Happened",
    "Heard",
    "Holder",
    "LegalMoves",
    "Level",
    "Made",
    "MextrainClient",
    "MextrainError",
    "News",
    "NewsBatch",
    "OpenChannel",
    "OpenSeat",
    "Opened",
    "Person",
    "PlayOnChannel",
    "Policy",
    "Preset",
    "Refused",
    "Reset",
    "Returning",
    "ScoreSheet",
    "Seat",
    "SeatChange",
    "SeatChanged",
    "Standing",
    "Substitute",
    "Substituted",
    "Suggestion",
    "Table",
    "TableFact",
    "UnplayableTile",
    "Update",
]
