"""A watcher who leaves its stream at random and comes back after the last version it was told."""

from __future__ import annotations

import random
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import event_pb2, game_service_pb2, watch_pb2

from tests.soak.caller import Caller
from tests.soak.tally import SoakFault, Tally
from tests.soak.wandering import Wanderer, wander

_HEARTBEAT: Final = Duration(seconds=1)


class Watcher:
    """Stitches one stream together from many.

    Attributes:
        caller: who watches.
        seat: as which seat; None for a spectator and for the platform.
        began: the version after which it began.
        heard: all that it was told, in order.
    """

    def __init__(
        self, caller: Caller, game_id: str, seat: int | None, tally: Tally, chance: random.Random
    ) -> None:
        self.caller = caller
        self.seat = seat
        self.began: int | None = None if chance.random() < 0.2 else 0
        self.heard: list[event_pb2.Event] = []
        self._game_id = game_id
        self._seen = self.began
        self._cursor = ""
        self._goal: int | None = None
        self._ended = False
        self._tally = tally
        self._chance = chance

    def stop_at(self, version: int) -> None:
        """Watch no further than to this version, the last one that there will be."""
        self._goal = version

    async def watch(self) -> None:
        """Watch until the match is over or the last version is told.

        Raises:
            SoakFault: something was left out, told twice or out of order.
        """
        await wander(
            lambda: self.caller.watch("WatchGame", self._request()),
            self._hear,
            self._is_done,
            Wanderer(self.caller, self._tally, self._chance),
        )

    def _is_done(self) -> bool:
        return self._ended or (self._goal is not None and self._seen == self._goal)

    def _request(self) -> Any:
        return game_service_pb2.WatchGameRequest(
            game_id=self._game_id,
            after_version=0 if self.began == 0 else None,
            cursor=self._cursor,
            heartbeat_interval=_HEARTBEAT,
        )

    def _hear(self, message: Any) -> None:
        match message.WhichOneof("update"):
            case "events":
                self._hear_events(message.events)
            case "reset":
                self._hear_reset(message.reset)
            case "heartbeat" if message.heartbeat.version != self._seen:
                raise self._fault(f"a heartbeat speaks of version {message.heartbeat.version}")
            case "end":
                self._hear_end(message.end)

    def _hear_events(self, batch: watch_pb2.EventBatch) -> None:
        for event in batch.events:
            if self._seen is None or not 0 <= event.version - self._seen <= 1:
                raise self._fault(f"version {event.version} follows")
            self._seen = event.version
        told = {event.version for event in batch.events}
        if told & {event.version for event in self.heard[-1:]}:
            raise self._fault("the events of a version are in several messages, or told twice")
        if batch.version != self._seen:
            raise self._fault(f"a message up to version {batch.version} ends before it")
        self._cursor = batch.cursor
        self.heard += batch.events

    def _hear_reset(self, reset: watch_pb2.WatchReset) -> None:
        if self._seen is not None or reset.reason != watch_pb2.RESET_REASON_BEGINNING:
            raise self._fault(f"a reset came: {watch_pb2.ResetReason.Name(reset.reason)}")
        self.began = self._seen = reset.game.view.version
        self._cursor = reset.game.view.cursor

    def _hear_end(self, end: watch_pb2.WatchEnd) -> None:
        if end.reason != watch_pb2.END_REASON_FINISHED or end.version != self._seen:
            raise self._fault(f"the end is {watch_pb2.EndReason.Name(end.reason)}, {end.version}")
        self._ended = True

    def _fault(self, what: str) -> SoakFault:
        return SoakFault(f"game {self._game_id}, seat {self.seat}, after {self._seen}: {what}")
