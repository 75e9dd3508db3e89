"""One match: created, played by its seats, watched by everyone, and held to its record."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from mextrain.v1 import game_pb2, move_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.rule_options_pb2 import ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import RuleSet

from mextrain_client import format_move
from mextrain_engine import PRESETS
from tests.soak.caller import Caller
from tests.soak.checking import Acknowledged, check_record, check_stream
from tests.soak.newsreader import Item
from tests.soak.tally import SoakFault, Tally
from tests.soak.watcher import Watcher

_LOST_ANSWERS: Final = 0.02
_REPEATED: Final = 0.02
_KEPT: Final = 0.5
_CATCH_UP_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a soak have in common.

    Attributes:
        endpoint: where the service is.
        platform_key: of the platform that makes the games.
        tally: what is counted.
        time_is_up: whether matches stop where they stand.
        think_s: the mean time from one move to the next, in seconds.
        news: what the platform's feed must tell.
    """

    endpoint: str
    platform_key: str
    tally: Tally
    time_is_up: Callable[[], bool]
    think_s: float
    news: set[Item]


class Match:
    """A match and all who take part in it."""

    def __init__(self, terms: Terms, seed: str) -> None:
        self._terms = terms
        self._tally = terms.tally
        self._chance = random.Random(seed)
        self._callers: list[Caller] = []
        self._acknowledged: list[Acknowledged] = []
        self._platform = self._caller(terms.platform_key)
        self._game_id = ""
        self._seats: list[Caller] = []

    async def run(self) -> None:
        """Play the match to its end, or until the time is up, and check all that was told of it.

        Raises:
            SoakFault: a promise was broken.
        """
        try:
            created = await self._create()
            async with self._watched(created) as watchers:
                view = await self._play(created.game.view)
                for watcher in watchers:
                    watcher.stop_at(view.version)
            await self._check(watchers, finished=view.phase == view_pb2.PHASE_FINISHED)
            if self._chance.random() > _KEPT:
                await self._delete()
        finally:
            await asyncio.gather(*(caller.close() for caller in self._callers))

    def _caller(self, credential: str) -> Caller:
        caller = Caller(self._terms.endpoint, credential, self._tally, self._chance)
        self._callers.append(caller)
        return caller

    def _id(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))

    async def _create(self) -> pb.CreateGameResponse:
        rounds = self._chance.randint(1, 2)
        request = pb.CreateGameRequest(
            preset=self._chance.choice(sorted(PRESETS)),
            overrides=RuleSet(rounds=ROUNDS_FIXED, round_count=rounds),
            seats=[
                game_pb2.Seat(person=game_pb2.Person(player_id=f"player-{seat}"))
                for seat in range(self._chance.randint(2, 4))
            ],
            # Nothing is automatic, so that each version is one acknowledged call.
            policy=game_pb2.TablePolicy(spectators=True),
            request_id=self._id(),
        )
        created: pb.CreateGameResponse = await self._platform.ask("CreateGame", request)
        self._tally.begun += 1
        self._game_id = created.game.game_id
        self._expect("CREATED")
        self._seats = [self._caller(access.token) for access in created.seat_tokens]
        return created

    @asynccontextmanager
    async def _watched(self, created: pb.CreateGameResponse) -> AsyncIterator[list[Watcher]]:
        """Watch the match as everyone who may; at the end wait until all were told all."""
        viewers: list[tuple[int | None, str]] = [
            *((access.seat, access.token) for access in created.seat_tokens),
            (None, created.spectator_token.token),
            (None, self._terms.platform_key),
        ]
        viewers.append(self._chance.choice(viewers))
        watchers = [
            Watcher(self._caller(token), self._game_id, seat, self._tally, self._chance)
            for seat, token in viewers
        ]
        async with asyncio.TaskGroup() as group:
            watching = [group.create_task(watcher.watch()) for watcher in watchers]
            yield watchers
            _, late = await asyncio.wait(watching, timeout=_CATCH_UP_S)
            if late:
                message = f"game {self._game_id}: {len(late)} watchers are not told the end"
                raise SoakFault(message)

    async def _play(self, view: view_pb2.View) -> view_pb2.View:
        """Deal and move until the match is over or the time is up; return the last view."""
        while view.phase != view_pb2.PHASE_FINISHED and not self._terms.time_is_up():
            await asyncio.sleep(self._chance.expovariate(1 / self._terms.think_s))
            before = view.version
            dealing = view.phase == view_pb2.PHASE_AWAITING_DEAL
            view = await (self._deal() if dealing else self._move(view))
            if view.version != before + 1:
                message = f"game {self._game_id}: version {view.version} follows {before}"
                raise SoakFault(message)
            self._tally.acknowledged += 1
        if view.phase == view_pb2.PHASE_FINISHED:
            self._tally.finished += 1
            self._expect("GAME_OVER")
        return view

    async def _deal(self) -> view_pb2.View:
        request = pb.DealRoundRequest(game_id=self._game_id, request_id=self._id())
        answer: pb.DealRoundResponse = await self._platform.ask("DealRound", request)
        self._acknowledged.append(None)
        self._expect("DEALT", answer.game.view.round.number)
        return answer.game.view

    async def _move(self, view: view_pb2.View) -> view_pb2.View:
        seat = view.round.turn
        caller = self._seats[seat]
        legal = await caller.ask("ListLegalMoves", pb.ListLegalMovesRequest(game_id=self._game_id))
        move = format_move(self._chance.choice(legal.moves))
        request = pb.PlayMoveRequest(
            game_id=self._game_id,
            moves=[move_pb2.Move(notation=move)],
            request_id=self._id(),
            expected_version=view.version if self._chance.random() < _KEPT else None,
        )
        first = not any(self._acknowledged)  # is lost, and repeated, in every match
        impatient = first or self._chance.random() < _LOST_ANSWERS
        answer: Any = await caller.ask("PlayMove", request, impatient=impatient)
        self._acknowledged.append((seat, move))
        if first or self._chance.random() < _REPEATED:
            self._tally.repeated += 1
            again = await caller.ask("PlayMove", request)
            if list(answer.events) != list(again.events):
                message = f"game {self._game_id}: another answer to the same request {request}"
                raise SoakFault(message)
        return answer.view  # type: ignore[no-any-return]

    async def _delete(self) -> None:
        request = pb.DeleteGameRequest(game_id=self._game_id, request_id=self._id())
        await self._platform.ask("DeleteGame", request)
        self._expect("DELETED")

    def _expect(self, kind: str, round_number: int = 0) -> None:
        self._terms.news.add((self._game_id, kind, round_number))

    async def _check(self, watchers: list[Watcher], *, finished: bool) -> None:
        export = await self._platform.ask("ExportGame", pb.ExportGameRequest(game_id=self._game_id))
        steps = check_record(export, self._acknowledged, finished=finished)
        for watcher in watchers:
            await check_stream(watcher, self._game_id, steps, self._tally)
