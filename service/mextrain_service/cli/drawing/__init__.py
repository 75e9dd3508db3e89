"""How a table looks in a terminal: trains, hands, score sheets and events, for rich."""

from mextrain_service.cli.drawing.chapters import print_chapters
from mextrain_service.cli.drawing.dominoes import Hand, TrainLine
from mextrain_service.cli.drawing.scores import score_sheet, standings
from mextrain_service.cli.drawing.story import tell, tell_all
from mextrain_service.cli.drawing.table import draw_table

__all__ = [
    "Hand",
    "TrainLine",
    "draw_table",
    "print_chapters",
    "score_sheet",
    "standings",
    "tell",
    "tell_all",
]
