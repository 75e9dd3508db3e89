"""Measure how long one step of a worker's event loop takes at the worst tables.

``make bench-steps``; with ``JSON=1`` one JSON object. The use cases of a worker run in this process
over a real Valkey, without a transport. A step is timed by the CPU time of its thread, so that the
load of other processes counts as little as can be. At each table a round is dealt or the last
person resigns, and all that the table then does by itself is waited for; a long match is read. The
work of a run is the same each time, so that of several runs the quickest counts.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from asyncio import events
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.report import report
from mextrain_engine import RuleSet, new_game
from mextrain_service.application.callers import PlatformCaller, SeatCaller
from mextrain_service.application.chain import first_link, new_stamp
from mextrain_service.application.create_game import CreationSettings
from mextrain_service.application.list_events import ListEventsQuery
from mextrain_service.application.model import (
    BotLevel,
    DealBy,
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
    ResignedSeats,
    SeatHolder,
    SeatKind,
    TablePolicy,
)
from mextrain_service.application.own_actions import goes_on
from mextrain_service.application.resign_seat import ResignSeatCommand
from mextrain_service.application.streams import OpenStreams, StreamSettings
from mextrain_service.application.use_cases import Dependencies, UseCases, build_use_cases
from mextrain_service.auth.seat_tokens import SeatTokens, SigningKey
from mextrain_service.bots import SeatBots
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import RedisDeadlines, RedisGameIndex, RedisGameStore, open_client
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.feed import RedisFeed
from mextrain_service.storage.outages import RedisOutages
from mextrain_service.worker import collector
from mextrain_service.worker.clock import GameClock, SystemClock

PLATFORM = PlatformCaller(PlatformId("benchmark"))
_LOOK_S = 0.01
_MS = 1_000

NOTES = {
    "greedy_14_ms": "a round of fourteen greedy bots on a double-18 set",
    "huge_hands_ms": "a round of two greedy bots with ninety tiles each",
    "resigned_14_skip_ms": "the last of fourteen resigns at a table that skips resigned seats",
    "planners_4_ms": "a round of four planners",
    "suggestion_ms": "a planner's suggestion to one of four",
    "match_ms": "a match of four greedy bots on a double-18 set, dealt by itself",
    "export_ms": "the record of that match",
    "events_ms": "a page of 500 events of it",
    "match_entries": "entries in the log of that match",
}


@dataclass(slots=True)
class _Longest:
    """The longest step so far, in seconds of CPU time."""

    s: float = 0.0


@contextmanager
def _timed_steps() -> Iterator[_Longest]:
    """Time each step of event loops as long as the context is open."""
    longest, run = _Longest(), events.Handle._run

    def timed(handle: events.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest.s = max(longest.s, time.thread_time() - began)

    events.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield longest
    finally:
        events.Handle._run = run  # type: ignore[method-assign]


class _NoMeter:
    """Nobody looks after streams here."""

    def opened(self, method: str) -> None: ...

    def closed(self, method: str) -> None: ...

    def delivered(self, method: str, lag_s: float) -> None: ...


class _House:
    """A worker without a transport, and the longest steps that it took."""

    def __init__(self, url: str, longest: _Longest) -> None:
        self._longest = longest
        self._games = 0
        client = open_client(url)
        self.store = RedisGameStore(client)
        wall = SystemClock()
        clock = GameClock(wall, RedisOutages(client))
        streams = OpenStreams(StreamSettings(), _NoMeter())
        self.use_cases: UseCases = build_use_cases(
            Dependencies(
                store=self.store,
                clock=clock,
                issuer=SeatTokens([SigningKey("benchmark", bytes(32))], 3_600, wall),
                bots=SeatBots(),
                notifier=RedisChangeNotifier(client),
                feed=RedisFeed(client),
                streams=streams,
                deadlines=RedisDeadlines(client),
                index=RedisGameIndex(client),
            ),
            CreationSettings(game_id_key=bytes(32), fixed_seed_allowed=True),
        )

    async def seat(
        self, rules: RuleSet, holders: Sequence[SeatHolder], policy: TablePolicy | None = None
    ) -> GameId:
        """Store a new game with these seats."""
        self._games += 1
        game_id = GameId(f"steps-{self._games:016}")
        game = _game(game_id, rules, holders, policy or TablePolicy())
        await self.store.create(game)
        return game.game_id

    async def longest_ms(self, game_id: GameId, call: Callable[[], Awaitable[object]]) -> float:
        """Make a call, wait until the table waits, and return the longest step of it, in ms."""
        self._longest.s = 0.0
        await call()
        while goes_on(await self.store.load(game_id)):  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(_LOOK_S)
        return self._longest.s * _MS


def _game(
    game_id: GameId, rules: RuleSet, holders: Sequence[SeatHolder], policy: TablePolicy
) -> HostedGame:
    now_ms = SystemClock().now_ms()
    return HostedGame(
        game_id=game_id,
        platform_id=PLATFORM.platform_id,
        version=0,
        link=first_link(game_id, now_ms),
        stamp=new_stamp(),
        seats=tuple(holders),
        policy=policy,
        secret=bytes(range(32)),
        state=new_game(rules, len(holders)),
        receipts=(),
        creation=None,
        created_ms=now_ms,
        updated_ms=now_ms,
    )


def _bot(level: BotLevel) -> SeatHolder:
    return SeatHolder(SeatKind.BOT, PlayerId(""), bot_level=level)


def _person(*, resigned: bool = False) -> SeatHolder:
    return SeatHolder(SeatKind.PERSON, PlayerId("ann"), "Ann", resigned=resigned)


def _wide(seats: int, hand: int) -> RuleSet:
    """Return rules with a double-18 set and hands of one size."""
    return RuleSet(
        min_players=seats,
        max_players=seats,
        max_pip_by_players=(18,) * 13,
        hand_size_by_players=(hand,) * 13,
        round_count=19,
    )


async def _measured(house: _House) -> dict[str, float | int]:
    figures: dict[str, float | int] = {}

    async def deal(game_id: GameId) -> float:
        return await house.longest_ms(
            game_id, lambda: house.use_cases.deal_round(PLATFORM, game_id)
        )

    greedy = _bot(BotLevel.GREEDY)
    figures["greedy_14_ms"] = await deal(await house.seat(_wide(14, 13), [greedy] * 14))
    figures["huge_hands_ms"] = await deal(await house.seat(_wide(2, 90), [greedy] * 2))
    skipped = [_person(), *[_person(resigned=True)] * 13]
    policy = TablePolicy(resigned_seats=ResignedSeats.SKIP)
    game_id = await house.seat(_wide(14, 5), skipped, policy)
    await deal(game_id)
    resign = ResignSeatCommand(game_id, 0)
    figures["resigned_14_skip_ms"] = await house.longest_ms(
        game_id, lambda: house.use_cases.resign_seat(PLATFORM, resign)
    )
    planner = _bot(BotLevel.PLANNER)
    figures["planners_4_ms"] = await deal(await house.seat(RuleSet(), [planner] * 4))
    figures["suggestion_ms"] = await _suggested(house, deal)
    figures |= await _match(house, deal)
    return figures


async def _suggested(house: _House, deal: Callable[[GameId], Awaitable[float]]) -> float:
    """Return the longest step of a planner's suggestion to a person among greedy bots."""
    game_id = await house.seat(RuleSet(), [_person(), *[_bot(BotLevel.GREEDY)] * 3])
    await deal(game_id)
    caller, level = SeatCaller(game_id, 0, 1), BotLevel.PLANNER
    return await house.longest_ms(
        game_id, lambda: house.use_cases.suggest_move(caller, game_id, level)
    )


async def _match(
    house: _House, deal: Callable[[GameId], Awaitable[float]]
) -> dict[str, float | int]:
    """Return the longest steps of a whole match, and of reading it."""
    automatic = TablePolicy(deal_by=DealBy.AUTOMATIC)
    game_id = await house.seat(_wide(4, 15), [_bot(BotLevel.GREEDY)] * 4, automatic)
    found: dict[str, float | int] = {"match_ms": await deal(game_id)}
    query = ListEventsQuery(game_id, after_version=0, page_size=500)
    use_cases = house.use_cases
    found["export_ms"] = await house.longest_ms(
        game_id, lambda: use_cases.export_game(PLATFORM, game_id)
    )
    found["events_ms"] = await house.longest_ms(
        game_id, lambda: use_cases.list_events(PLATFORM, query)
    )
    return found | {"match_entries": (await house.store.load(game_id)).version}


async def _main(url: str, longest: _Longest, repetitions: int) -> dict[str, float | int]:
    house = _House(url, longest)
    runs = [await _measured(house) for _ in range(repetitions)]
    figures = {name: min(run[name] for run in runs) for name in runs[0]}
    await house.use_cases.going_on.finish()
    await house.use_cases.announcer.finish()
    return figures


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="Measure the longest step of the event loop.")
    parser.add_argument("--repetitions", type=int, default=5, help="runs; the least one counts")
    repetitions = parser.parse_args().repetitions
    collector.freeze()
    with EmbeddedValkey() as valkey, _timed_steps() as longest:
        figures = asyncio.run(_main(valkey.url, longest, repetitions))
    report("The longest step of the event loop, in ms of CPU time", figures, NOTES)


if __name__ == "__main__":
    main()
