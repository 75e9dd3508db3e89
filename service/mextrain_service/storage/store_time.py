"""What time it is at the store."""

from __future__ import annotations

from typing import Final

from mextrain_service.storage.asking import ask_once
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.keys import outages_key
from mextrain_service.storage.lua import Script

PLACES: Final = (0, 8, 16, 4, 12)
"""Borders whose masters are asked, in this order. Every worker asks the first as long as that one
answers, so that all of them go by one clock in a Cluster, too."""

_US: Final = 1_000

_TIME = Script("time")


async def store_time_ms(client: RedisCommands, place: int) -> float:
    """Return milliseconds since the epoch, to the microsecond, by the clock of a server.

    Args:
        client: leads to the store.
        place: whose server, as a border.

    Raises:
        StoreUnavailableError: it does not answer soon.
    """
    seconds, rest_us = await ask_once(lambda: _TIME.run(client, (outages_key(place),)))
    return int(seconds) * 1_000 + int(rest_us) / _US
