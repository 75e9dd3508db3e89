"""The driver that plays through the service: a real port, a real Valkey, a token for each seat.

Every answer comes over the wire; only the exact deal, which no request can name, is put into the
store behind the worker's back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Protocol, Self, TypeVar

from grpc import aio
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.rule_set_pb2 import RuleSet as RuleSetMessage
from mextrain.v1.tile_pb2 import Tile

from mextrain_client import format_move, format_tile, format_train
from mextrain_engine import Phase, RuleSet, deal, redact
from mextrain_service.application.model import Dealt, GameId
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.rpc.messages.rules import rule_set_message
from tests.rpc.refusing import read
from tests.rpc.serving import Client, House, persons, worker
from tests.scenarios.case import Refused
from tests.scenarios.driver import Seen, Sheet
from tests.scenarios.notation import line, line_of_message, word
from tests.storage.library import open_redis

_Answer = TypeVar("_Answer")


class Behind(Protocol):
    """What a driver needs of the service that it plays through."""

    house: House
    platform: Client

    def run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for something that is done."""
        ...


class Service:
    """A worker over a Valkey of its own, in a thread of its own, for drivers that wait."""

    def __enter__(self) -> Self:
        self._valkey = EmbeddedValkey()
        self._valkey.start()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.run(self._open())
        return self

    def __exit__(self, *failure: object) -> None:
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._valkey.close()

    def run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for something that is done on the worker's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=100)

    async def _open(self) -> None:
        self._stack = AsyncExitStack()
        redis = open_redis(self._valkey.url)
        self._stack.push_async_callback(redis.aclose)
        self.house = House(redis)
        nobody = await self._stack.enter_async_context(worker(self.house))
        self.platform = nobody.bearing(self.house.key.text)


class GrpcDriver:
    """A game behind the contract."""

    def __init__(self, service: Behind) -> None:
        self._service = service
        self._game_id = ""
        self._seats: dict[int, Client] = {}

    def problems(self, rules: RuleSet, seats: int) -> tuple[str, ...]:
        """Return the codes of what is wrong with a rule set; each is told once."""
        request = pb.ExplainRulesRequest(overrides=_message(rules), players=seats)
        try:
            self._service.run(self._ask("ExplainRules", request))
        except aio.AioRpcError as error:
            refused = read(error)
            assert refused.reason == "RULE_SET_INVALID", refused
            return tuple(refused.facts["problems"].split(","))
        return ()

    def start(self, rules: RuleSet, seats: int) -> None:
        """Make a game and keep the token of each seat."""
        request = pb.CreateGameRequest(overrides=_message(rules), seats=persons(seats))
        created = self._service.run(self._ask("CreateGame", request))
        self._game_id = created.game.game_id
        platform = self._service.platform
        self._seats = {token.seat: platform.bearing(token.token) for token in created.seat_tokens}

    def deal(self, permutation: Sequence[int]) -> tuple[str, ...]:
        """Deal the next round by putting it into the store."""
        return self._service.run(self._deal(permutation))

    def play(self, moves: Sequence[str], seat: int) -> tuple[str, ...] | Refused:
        """Make moves at once, all or none."""
        try:
            answer = self._service.run(self._seats[seat].play(self._game_id, *moves))
        except aio.AioRpcError as error:
            refused = read(error)
            return Refused(refused.reason, refused.facts)
        return tuple(
            line_of_message(event)
            for event in answer.events
            if event.WhichOneof("fact") not in {"seat_changed", "entropy_added"}
        )

    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the moves that a seat may make."""
        answer = self._service.run(self._seats[seat].legal_moves(self._game_id))
        return tuple(map(format_move, answer.moves))

    def view(self) -> Seen:
        """Return the table, each hand as its own seat is shown it."""
        answers = self._service.run(self._views())
        view = answers[0].view
        assert view.HasField("round"), "nothing was dealt"
        table = view.round
        return Seen(
            phase=word(view, "phase"),
            round=table.number,
            hub=table.hub,
            starter=table.starter,
            turn=table.turn if table.HasField("turn") else -1,
            first_turn=table.first_turn,
            hands={seat: _tiles(each.view.hand) for seat, each in answers.items()},
            counts=tuple(table.hand_counts),
            boneyard=table.boneyard_count,
            trains={format_train(train.train): tuple(train.pips) for train in table.trains},
            markers=tuple(train.train.seat for train in table.trains if train.marked),
            open_doubles=tuple(map(format_train, table.open_doubles)),
            deferred=tuple(
                format_train(train.train) for train in table.trains if train.deferred_double
            ),
            owed=word(table, "owed"),
            called=tuple(table.called),
            call_due=table.call_due if table.HasField("call_due") else -1,
        )

    def sheet(self) -> Sheet:
        """Return the score sheet."""
        answer = self._service.run(self._service.platform.score(self._game_id))
        sheet = answer.score
        last = sheet.rounds[-1]
        return Sheet(
            end=word(last, "end"),
            out=tuple(last.out),
            points=tuple(last.points),
            totals=tuple(standing.total for standing in sheet.standings),
            zero_rounds=tuple(standing.zero_rounds for standing in sheet.standings),
            places=tuple(standing.place for standing in sheet.standings),
            winners=tuple(sheet.winners),
        )

    async def _ask(self, method: str, request: Any) -> Any:
        platform = self._service.platform
        return await getattr(platform.stub, method)(request, metadata=platform.metadata)

    async def _views(self) -> dict[int, Any]:
        return {seat: await client.get_game(self._game_id) for seat, client in self._seats.items()}

    async def _deal(self, permutation: Sequence[int]) -> tuple[str, ...]:
        store = self._service.house.store()
        game = await store.load(GameId(self._game_id))
        step = deal(game.state, permutation)
        if step.state.phase is not Phase.AWAITING_DEAL or step.state != game.state:
            after = replace(game, version=game.version + 1, state=step.state)
            await store.commit(after, base=game, entries=[Dealt()])
        return tuple(line(redact(event, None)) for event in step.events)


def _message(rules: RuleSet) -> RuleSetMessage:
    """Return the rules with every option named, so that nothing is left to a preset."""
    return rule_set_message(rules)


def _tiles(tiles: Iterable[Tile]) -> tuple[str, ...]:
    return tuple(map(format_tile, sorted(tiles, key=lambda tile: (tile.high, tile.low))))
