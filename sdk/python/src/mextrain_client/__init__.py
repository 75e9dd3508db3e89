"""Calls a Mextrain service: safe repetition, errors with reasons, streams that resume.

Requests and answers are the messages of the contract, ``mextrain.v1``.
"""

from mextrain_client.client import MextrainClient
from mextrain_client.errors import MextrainError, from_rpc_error, from_status
from mextrain_client.notation import format_move, format_tile, format_train

__all__ = [
    "MextrainClient",
    "MextrainError",
    "format_move",
    "format_tile",
    "format_train",
    "from_rpc_error",
    "from_status",
]
