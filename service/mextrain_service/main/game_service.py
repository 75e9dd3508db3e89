"""Puts the game service together: use cases, servicer, and what stands before it.

Knows the application's and the transport's parts by their constructors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grpc import aio
    from prometheus_client import CollectorRegistry

    from mextrain_service.application.ports import GameStore
    from mextrain_service.main.settings import Settings


def interceptors(
    settings: Settings, registry: CollectorRegistry
) -> Sequence[aio.ServerInterceptor[Any, Any]]:
    return ()


def add_game_service(server: aio.Server, store: GameStore, settings: Settings) -> None:
    return
