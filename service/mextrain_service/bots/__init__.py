"""Bots: pure functions from what a seat may see, its legal moves and a seed to one of those moves.

Knows views, never states: what a bot could cheat with cannot be handed to it.
"""

from mextrain_service.bots.players import SeatBots
from mextrain_service.bots.train_search import TrainPlan, heaviest_train, longest_train

__all__ = ["SeatBots", "TrainPlan", "heaviest_train", "longest_train"]
