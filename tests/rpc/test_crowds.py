"""Many who come at the same moment, as when a worker died that had all of them."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import grpc
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.rpc.server import ServerLimits, build_server
from tests.rpc.serving import Bounds, House, opened

CALLERS = 3_000
"""Three times as many as gRPC lets wait before it ends calls by chance."""


async def test_nobody_of_a_crowd_is_turned_away_by_chance(house: House) -> None:
    async with opened(house, bounds=Bounds(max_calls=CALLERS)) as door:
        server = build_server(door, ServerLimits(max_concurrent_calls=CALLERS))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        with ThreadPoolExecutor(1) as beside:
            made = threading.Event()
            calls = asyncio.get_running_loop().run_in_executor(beside, _codes, port, made)
            made.wait()  # the loop takes none of them meanwhile
            assert {grpc.StatusCode.OK: CALLERS} == await calls
        await server.stop(None)


def _codes(port: int, made: threading.Event) -> Counter[grpc.StatusCode]:
    """Make all calls at once, and set the event then; return how they end."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = GameServiceStub(channel)
        calls = [
            stub.ListPresets.future(pb.ListPresetsRequest(), timeout=60) for _ in range(CALLERS)
        ]
        made.set()
        return Counter(call.code() for call in calls)
