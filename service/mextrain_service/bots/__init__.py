"""Bots: pure functions from a seat's view, its legal moves and a seed to one of those moves."""

from mextrain_service.bots.players import SeatBots
from mextrain_service.bots.train_search import TrainPlan, heaviest_train, longest_train

__all__ = ["SeatBots", "TrainPlan", "heaviest_train", "longest_train"]
