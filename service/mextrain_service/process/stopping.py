"""How a process is asked to stop: once politely, twice at once."""

from __future__ import annotations

import asyncio
import signal

import structlog

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What asks a process to stop: an orchestrator, Ctrl-C, a terminal that is closed."""


class Stopping:
    """The wish to stop, and the wish to stop at once.

    Attributes:
        asked: set by the first of ``SIGNALS``.
        force_stop: set by the second one; delays and grace are then cut short.
    """

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.force_stop = asyncio.Event()

    def on_signal(self, number: signal.Signals) -> None:
        """Note one more signal."""
        structlog.get_logger("mextrain.process").info("stopping", signal=number.name)
        (self.force_stop if self.asked.is_set() else self.asked).set()

    def listen(self) -> None:
        """Take the signals; without this, they would end the process where it stands."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.on_signal, number)
