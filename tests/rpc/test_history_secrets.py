"""Change only what a caller may not know of a whole history, and every byte of it stays the same.

The positions of ``test_non_interference`` have no log. Here a round is played, then dealt again so
that all that was ever shown stays where it was and only tiles that the viewer has not seen change
places; both rounds have the same log, and both are asked for all that is told of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import (
    Event,
    IllegalMoveError,
    Phase,
    RuleSet,
    State,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    observe,
    preset,
    redact,
    set_size,
    spectate,
    tiles_in,
)
from mextrain_engine.tiles import PIPS
from mextrain_service.application.chain import Position, first_link, links_after
from mextrain_service.application.model import Dealt, LogEntry, Moved, TablePolicy
from tests.rpc.channels import playing, token_of
from tests.rpc.games import CREATED_MS, STORED_ID, Seated, hosted, store
from tests.rpc.serving import Client, House, Watching, worker
from tests.rpc.watchers import next_of

SEATS = 3
SOON = Duration(nanos=10_000_000)
CALL_ID = ("x-request-id", "the-same")
READS = (
    ("GetGame", pb.GetGameRequest),
    ("GetScore", pb.GetScoreRequest),
    ("ListEvents", pb.ListEventsRequest),
    ("ExportGame", pb.ExportGameRequest),
)


@dataclass(frozen=True, slots=True)
class Played:
    """A round under way.

    Attributes:
        order: the permutation that it was dealt by.
        log: the deal and the moves.
        state: what they led to.
    """

    order: tuple[int, ...]
    log: tuple[LogEntry, ...]
    state: State


@pytest.mark.parametrize("name", ["modern", "thoughtco", "wikihow", "masters_single"])
@pytest.mark.parametrize("viewer", [None, 0, 2])
async def test_hidden_tiles_change_no_byte_of_the_history(
    name: str, viewer: int | None, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one, other in _pairs(preset(name), viewer, random.Random(f"{name} {viewer}")):
        assert one.state != other.state
        assert await _told(house, monkeypatch, one, viewer) == await _told(
            house, monkeypatch, other, viewer
        )


async def test_round_that_is_over_is_told_to_everyone_alike(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = _play(preset("ehow"), random.Random(3), 10_000)
    assert Phase.FINISHED is over.state.phase
    told = [await _told(house, monkeypatch, over, viewer) for viewer in (None, 0, 1)]
    assert told[0]["ExportGame"] == told[1]["ExportGame"] == told[2]["ExportGame"]


@pytest.mark.parametrize(
    "planted",
    [
        "a hand in the view",
        "the next tile in a number",
        "the drawn tile in the event",
        "one byte more for an odd hand",
    ],
)
async def test_planted_leak_is_caught(
    planted: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _plant(planted, monkeypatch)
    for one, other in _pairs(preset("modern"), 0, random.Random(planted), plies=(20, 30, 40) * 4):
        told = [await _told(house, monkeypatch, each, 0) for each in (one, other)]
        if told[0] != told[1]:
            return
    pytest.fail("all histories were told alike")


def _plant(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an answer depend on what its reader may not know."""

    def leaky_observe(state: State, seat: int) -> View:
        shown, round_ = observe(state, seat), state.round
        if round_ is None:
            return shown
        match planted:
            case "a hand in the view":
                return shown._replace(hand=tuple(tiles_in(round_.hands[1])))
            case "the next tile in a number":
                return shown._replace(total_rounds=1 + round_.boneyard[0])
            case _:
                odd = sum(PIPS[tile_id] for tile_id in tiles_in(round_.hands[1])) % 2
                return shown._replace(total_rounds=200 if odd else 1)

    def leaky_redact(event: Event, _: int | None) -> Event:
        return redact(event, getattr(event, "seat", None))

    if planted == "the drawn tile in the event":
        monkeypatch.setattr("mextrain_service.application.answers.redact", leaky_redact)
    else:
        monkeypatch.setattr("mextrain_service.application.answers.observe", leaky_observe)


def _pairs(
    rules: RuleSet, viewer: int | None, chance: random.Random, plies: Sequence[int] = (4, 14, 26)
) -> Iterator[tuple[Played, Played]]:
    """Yield rounds, each with one that the viewer cannot tell from it; at least one."""
    found = 0
    for count in plies:
        for _ in range(40):
            one = _play(rules, chance, count)
            other = _dealt_anew(one, viewer, chance)
            if other is not None:
                found += 1
                yield one, other
                break
    assert found


def _play(rules: RuleSet, chance: random.Random, plies: int) -> Played:
    order = list(range(set_size(rules.max_pip(SEATS))))
    chance.shuffle(order)
    state = deal(new_game(rules, SEATS), order).state
    log: list[LogEntry] = [Dealt()]
    while state.phase is Phase.PLAYING and len(log) <= plies:
        assert state.round is not None
        move = chance.choice(legal_moves(state))
        log.append(Moved(state.round.turn, move))
        state = apply(state, move).state
    return Played(tuple(order), tuple(log), state)


def _dealt_anew(played: Played, viewer: int | None, chance: random.Random) -> Played | None:
    """Return the same history over another deal of the unseen tiles, if one can be found."""
    round_ = played.state.round
    if played.state.phase is not Phase.PLAYING or round_ is None:
        return None
    unseen = [*round_.boneyard]
    for seat, hand in enumerate(round_.hands):
        if seat != viewer:
            unseen += tiles_in(hand)
    for _ in range(60):
        moved = chance.sample(unseen, min(len(unseen), chance.randint(2, 12)))
        swap = dict(zip(moved, chance.sample(moved, len(moved)), strict=True))
        order = tuple(swap.get(tile, tile) for tile in played.order)
        state = _replayed(played, order)
        if state is not None and state != played.state and _same_to(viewer, state, played.state):
            return Played(order, played.log, state)
    return None


def _replayed(played: Played, order: tuple[int, ...], entries: int | None = None) -> State | None:
    state = deal(new_game(played.state.rules, SEATS), order).state
    for entry in played.log[1:entries]:
        assert isinstance(entry, Moved)
        try:
            state = apply(state, entry.move, entry.seat).state
        except IllegalMoveError:
            return None
    return state


def _same_to(viewer: int | None, one: State, other: State) -> bool:
    if viewer is None:
        return spectate(one) == spectate(other)
    return observe(one, viewer) == observe(other, viewer)


async def _told(
    house: House, monkeypatch: pytest.MonkeyPatch, played: Played, viewer: int | None
) -> dict[str, bytes]:
    """Return every answer about the history that the viewer gets, as bytes."""
    for module in ("mextrain_service.application.fair_deal", "mextrain_engine.record"):
        monkeypatch.setattr(f"{module}.attempts", lambda *_: iter([played.order]))
    await house.redis.flushall()
    async with worker(house) as nobody:
        half = 1 + len(played.log) // 2
        seated = await _stored(house, nobody, played, half)
        who = seated.spectator if viewer is None else seated.seats[viewer]
        acme = nobody.bearing(house.key.text)
        live = who.watch(seated.game_id, cursor=_cursor_at(played, half))
        assert (await next_of(live)).HasField("heartbeat")
        await _go_on(house, played, half)
        told = {"WatchGame live": await _heard_live(live, len(played.log))}
        for name, kind in READS:
            told[name] = await _asked(who, name, kind(game_id=seated.game_id))
        for after in (None, 0, len(played.log) // 2, len(played.log)):
            cursor = _cursor_at(played, after)
            told[f"WatchGame after {after}"] = await _watched(who, seated.game_id, cursor)
            told[f"PlayGames after {after}"] = await _on_channel(acme, seated, who, cursor)
        return told


def _cursor_at(played: Played, version: int | None) -> str:
    """Return the cursor of a version; empty for None."""
    if version is None:
        return ""
    first = first_link(STORED_ID, CREATED_MS)
    return Position(version, [first, *links_after(first, played.log)][version]).cursor


async def _watched(who: Client, game_id: str, cursor: str) -> bytes:
    """Return the messages of a watch up to the first heartbeat, or its end."""
    stream = who.watch(game_id, cursor=cursor, heartbeat_interval=SOON)
    told: list[bytes] = []
    async for message in stream:
        told.append(message.SerializeToString(deterministic=True))
        if message.HasField("heartbeat"):
            break
    stream.cancel()
    return b"|".join(told)


async def _on_channel(platform: Client, seated: Seated, who: Client, cursor: str) -> bytes:
    """Return what is told and answered on a channel: moves of all kinds, a heartbeat, its end."""
    async with playing(Client(platform.stub, platform.channel, (*platform.metadata, CALL_ID))) as s:
        await s.open(1, seated.game_id, token_of(who), cursor=cursor, heartbeat_interval=SOON)
        await s.until(1, "heartbeat", "end")
        for move in ("pass", "0-0@M", "12-12@0", "call"):
            answer = await s.play(1, move, expected_version=1)
            assert answer.HasField("error")
        return b"|".join(
            each.SerializeToString(deterministic=True)
            for each in s.heard
            if not each.HasField("heartbeat")
        )


async def _heard_live(stream: Watching, until: int) -> bytes:
    """Return the events up to a version, whatever messages they came in."""
    told: list[bytes] = []
    version = 0
    while version < until:
        batch = (await next_of(stream)).events
        told += [event.SerializeToString(deterministic=True) for event in batch.events]
        version = batch.version
    stream.cancel()
    return b"|".join(told)


async def _asked(who: Client, name: str, request: object) -> bytes:
    method = getattr(who.stub, name)
    answer = await method(request, metadata=(*who.metadata, CALL_ID))
    told: bytes = answer.SerializeToString(deterministic=True)
    return told


async def _stored(house: House, nobody: Client, played: Played, entries: int) -> Seated:
    """Store the game and the beginning of its log as the service would have."""
    before = hosted(new_game(played.state.rules, SEATS), policy=TablePolicy(spectators=True))
    seated = await store(house, nobody, before)
    state = _replayed(played, played.order, entries)
    assert state is not None
    link = links_after(before.link, played.log[:entries])[-1]
    after = replace(before, version=entries, link=link, state=state)
    await house.store().commit(after, base=before, entries=played.log[:entries])
    return seated


async def _go_on(house: House, played: Played, entries: int) -> None:
    """Store the rest of the log."""
    before = await house.store().load(STORED_ID)
    link = links_after(before.link, played.log[entries:])[-1]
    after = replace(before, version=len(played.log), link=link, state=played.state)
    await house.store().commit(after, base=before, entries=played.log[entries:])
