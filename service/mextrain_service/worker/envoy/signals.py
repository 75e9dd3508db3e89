"""Takes the signals of a process whose main thread is not Python's.

They are blocked in every thread before Envoy starts, so that it does not end where it stands; one
thread waits for them.
"""

from __future__ import annotations

import asyncio
import signal
from threading import Thread

from mextrain_service.process.stopping import SIGNALS, Stopping


def block() -> None:
    """Let no thread of this process, and of the program that it becomes, be ended by them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def listen(stopping: Stopping) -> None:
    """Take the signals in a thread that waits for them, and tell the running loop."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        while True:
            number = signal.Signals(signal.sigwait(SIGNALS))
            loop.call_soon_threadsafe(stopping.on_signal, number)

    Thread(target=wait, name="signals", daemon=True).start()
