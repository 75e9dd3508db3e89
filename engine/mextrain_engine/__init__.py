"""Mexican Train dominoes: the rules, pure and complete, usable alone.

    >>> from mextrain_engine import RuleSet, apply, deal, legal_moves, new_game
    >>> state = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> state, events = apply(state, legal_moves(state)[0])

No input or output, no clock, no chance: tiles come as a permutation, time as moves.
"""

from mextrain_engine.deal import deal, hub_value, new_game
from mextrain_engine.errors import (
    DealError,
    EngineError,
    IllegalMoveError,
    NotationError,
    Reason,
    Refusal,
    RuleSetError,
    RuleSetProblem,
)
from mextrain_engine.events import Event, PassCause, RoundEnd, redact
from mextrain_engine.fairness import commitment, permutation, round_seed
from mextrain_engine.integrity import Integrity, integrity
from mextrain_engine.legal import legal_moves
from mextrain_engine.moves import (
    CALL,
    DRAW,
    MEXICAN,
    PASS,
    Move,
    MoveKind,
    Seat,
    format_move,
    format_train,
    parse_move,
    play,
)
from mextrain_engine.presets import PRESETS, preset
from mextrain_engine.record import (
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    RecordError,
    Replayed,
    deal_from_seed,
    replay,
)
from mextrain_engine.record_text import format_record, parse_record
from mextrain_engine.redaction import redact_record
from mextrain_engine.refusals import explain
from mextrain_engine.ruleset import MAX_SEATS, MIN_SEATS, RULES_REVISION, RuleSet, by_players
from mextrain_engine.scoring import Outcome, Score, hand_points, outcome, score
from mextrain_engine.state import Owed, Phase, Round, RoundResult, State, Step
from mextrain_engine.tiles import (
    TileId,
    double,
    format_tile,
    is_double,
    mask_of,
    parse_tile,
    set_size,
    tile,
    tiles_in,
)
from mextrain_engine.turn import apply, apply_all, skip_turn
from mextrain_engine.validation import check, check_seats
from mextrain_engine.views import RoundView, TrainView, View, observe, spectate

__all__ = [
    "CALL",
    "DRAW",
    "MAX_SEATS",
    "MEXICAN",
    "MIN_SEATS",
    "PASS",
    "PRESETS",
    "RULES_REVISION",
    "DealError",
    "EngineError",
    "Event",
    "IllegalMoveError",
    "Integrity",
    "Move",
    "MoveKind",
    "NotationError",
    "Outcome",
    "Owed",
    "PassCause",
    "Phase",
    "Reason",
    "Record",
    "RecordError",
    "RecordedDeal",
    "RecordedMove",
    "RecordedSkip",
    "Refusal",
    "Replayed",
    "Round",
    "RoundEnd",
    "RoundResult",
    "RoundView",
    "RuleSet",
    "RuleSetError",
    "RuleSetProblem",
    "Score",
    "Seat",
    "State",
    "Step",
    "TileId",
    "TrainView",
    "View",
    "apply",
    "apply_all",
    "by_players",
    "check",
    "check_seats",
    "commitment",
    "deal",
    "deal_from_seed",
    "double",
    "explain",
    "format_move",
    "format_record",
    "format_tile",
    "format_train",
    "hand_points",
    "hub_value",
    "integrity",
    "is_double",
    "legal_moves",
    "mask_of",
    "new_game",
    "observe",
    "outcome",
    "parse_move",
    "parse_record",
    "parse_tile",
    "permutation",
    "play",
    "preset",
    "redact",
    "redact_record",
    "replay",
    "round_seed",
    "score",
    "set_size",
    "skip_turn",
    "spectate",
    "tile",
    "tiles_in",
]
