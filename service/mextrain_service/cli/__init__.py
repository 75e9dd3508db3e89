"""The command line ``mextrain``: one file per command.

Knows a terminal, the client and how to start a service; nothing of rules or of how games are kept.
"""

from mextrain_service.cli.app import main

__all__ = ["main"]
