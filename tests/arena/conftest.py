"""The command line as a person starts it."""

from tests.cli.conftest import here

__all__ = ["here"]
