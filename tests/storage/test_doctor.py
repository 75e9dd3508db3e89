"""The doctor finds what is wrong with what is stored, mends what it may, and harms nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mextrain_engine import Integrity, Phase, integrity
from mextrain_service.application.model import (
    ClockKind,
    ClockState,
    HostedGame,
    OnTimeout,
    TurnClock,
)
from mextrain_service.storage import RedisGameStore
from mextrain_service.storage.cluster_client import ClusterClient
from mextrain_service.storage.codec import encode_game
from mextrain_service.storage.deadlines import deadlines_of
from mextrain_service.storage.diagnosis import Fault
from mextrain_service.storage.doctor import MAX_FINDINGS, Doctor, Report, Treatment
from mextrain_service.storage.game_index import RedisGameIndex, lists_of
from mextrain_service.storage.keys import deadlines_key, game_keys
from mextrain_service.storage.log_codec import encode_log
from mextrain_service.storage.record import HEADER_BYTES, SCHEMA
from tests.storage.games import new_hosted_game, played
from tests.storage.library import Redis

LOOKING = Treatment(replays=True)
MENDING = Treatment(mends=True, ttl_s=100, grace_s=0)

GAME = new_hosted_game()
KEYS = game_keys(GAME.game_id)
MIDDLE = played(GAME, 50)


async def _store(client: Redis, game: HostedGame = GAME, entries: int = 50) -> HostedGame:
    store, index = RedisGameStore(client), RedisGameIndex(client)
    await index.note(None, game)
    await store.create(game)
    change = played(game, entries)
    if change.log:
        await store.commit(change.game, base=game, entries=change.log)
    return change.game


async def _report(client: Redis, treatment: Treatment = LOOKING) -> Report:
    return await Doctor(client, treatment).examine()


def _faults(report: Report) -> list[tuple[str, Fault]]:
    return [(finding.key, finding.fault) for finding in report.findings]


def _without_stale(faults: list[tuple[str, Fault]]) -> list[tuple[str, Fault]]:
    return [(key, fault) for key, fault in faults if fault is not Fault.STALE_ENTRY]


async def test_nothing_is_wrong_with_games_as_the_store_leaves_them(client: Redis) -> None:
    for number in range(30):
        await _store(client, new_hosted_game(f"game-{number}"), 20 * (number % 3))
    over = await _store(client, new_hosted_game("long"), 5_000)
    report = await _report(client)
    assert Phase.FINISHED is over.state.phase
    assert ([], True) == (report.findings, report.sound)
    assert (30, 1) == (report.live, report.over)
    assert (31, 31) == (report.keys["snapshots"], report.keys["logs"])
    assert report.keys["lists of players"] == 4
    assert (3 if isinstance(client.inner, ClusterClient) else 1) == report.nodes


async def test_a_key_of_an_unknown_name_is_nobodys_and_is_left_alone(client: Redis) -> None:
    await client.set("mt:what-is-this", "1")
    await client.set("another-program", "1")
    report = await _report(client, MENDING)
    assert [("mt:what-is-this", Fault.NO_OWNER)] == _faults(report)
    assert not report.sound
    assert 1 == await client.exists("mt:what-is-this")


@pytest.mark.parametrize("forever", ["snapshot", "log", "both"])
async def test_keys_that_would_live_for_ever_get_an_end(client: Redis, forever: str) -> None:
    await _store(client)
    for key in {"snapshot": [KEYS.snapshot], "log": [KEYS.log]}.get(
        forever, [KEYS.snapshot, KEYS.log]
    ):
        await client.persist(key)
    assert [(KEYS.snapshot, Fault.NO_TTL)] == _faults(await _report(client))
    report = await _report(client, MENDING)
    assert report.sound
    assert report.findings[0].mended
    ends = [await client.pexpiretime(key) for key in (KEYS.snapshot, KEYS.log)]
    assert ends[0] == ends[1] > 0
    assert [] == (await _report(client)).findings


async def test_a_log_without_its_snapshot_is_an_orphan_and_is_removed(client: Redis) -> None:
    await _store(client)
    await client.delete(KEYS.snapshot)
    found = _faults(await _report(client))
    assert [(KEYS.log, Fault.LOG_WITHOUT_SNAPSHOT)] == _without_stale(found)
    assert (await _report(client, MENDING)).sound
    assert 0 == await client.exists(KEYS.log)


async def test_keys_that_end_apart_end_together_at_the_later_time(client: Redis) -> None:
    await _store(client)
    late = await client.pexpiretime(KEYS.snapshot)
    await client.pexpireat(KEYS.log, late - 60_000)
    assert [(KEYS.snapshot, Fault.ENDS_APART)] == _faults(await _report(client))
    assert (await _report(client, MENDING)).sound
    assert [late, late] == [await client.pexpiretime(key) for key in (KEYS.snapshot, KEYS.log)]


async def test_a_deletion_that_would_live_for_ever_gets_an_end(client: Redis) -> None:
    await client.set(KEYS.deletion, b"receipt")
    report = await _report(client, MENDING)
    assert [(KEYS.deletion, Fault.NO_TTL)] == _faults(report)
    assert 0 < await client.ttl(KEYS.deletion) <= MENDING.ttl_s


async def test_a_key_of_another_kind_is_told(client: Redis) -> None:
    await client.hset(KEYS.snapshot, "field", "value")
    assert [(KEYS.snapshot, Fault.WRONG_KIND)] == _faults(await _report(client, MENDING))
    assert 1 == await client.exists(KEYS.snapshot)


async def _record(client: Redis) -> bytes:
    record = await client.get(KEYS.snapshot)
    assert isinstance(record, bytes)
    return record


async def _spoil(client: Redis, key: str, spoiled: bytes) -> None:
    await client.set(key, spoiled, keepttl=True)


async def test_a_missing_log_is_told_and_nothing_is_put_in_its_place(client: Redis) -> None:
    await _store(client)
    await client.delete(KEYS.log)
    report = await _report(client, MENDING)
    assert [(KEYS.snapshot, Fault.SNAPSHOT_WITHOUT_LOG)] == _faults(report)
    assert not report.sound
    assert 0 == await client.exists(KEYS.log)


async def test_a_snapshot_that_cannot_be_read_is_told(client: Redis) -> None:
    await _store(client)
    await _spoil(client, KEYS.snapshot, b"\x01 no snapshot at all")
    assert [(KEYS.snapshot, Fault.SNAPSHOT_UNREADABLE)] == _faults(await _report(client))


async def test_a_snapshot_of_a_later_release_is_told_apart(client: Redis) -> None:
    await _store(client)
    record = await _record(client)
    await _spoil(client, KEYS.snapshot, bytes([SCHEMA + 1]) + record[1:])
    assert [(KEYS.snapshot, Fault.NEWER_SCHEMA)] == _faults(await _report(client))


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        (encode_log(MIDDLE.log)[:-1], Fault.LOG_LENGTH),
        (encode_log(MIDDLE.log[:-1]) + b"\xff" * len(encode_log(MIDDLE.log[-1:])), None),
    ],
)
async def test_a_log_that_was_damaged_is_told(
    client: Redis, log: bytes, fault: Fault | None
) -> None:
    await _store(client)
    await _spoil(client, KEYS.log, log)
    assert [(KEYS.snapshot, fault or Fault.LOG_UNREADABLE)] == _faults(await _report(client))


@pytest.mark.parametrize(
    ("log", "whole", "entries"),
    [
        (encode_log(MIDDLE.log), True, 50),
        (encode_log(MIDDLE.log[:-1]), False, 49),
        (encode_log(MIDDLE.log) + b"\xff", False, 50),
        (b"", False, 0),
    ],
)
async def test_what_is_left_of_a_damaged_game_is_told(
    client: Redis, log: bytes, whole: bool, entries: int
) -> None:
    game = await _store(client)
    await _spoil(client, KEYS.log, log)
    if whole:
        await _spoil(client, KEYS.snapshot, (await _record(client))[:-20])
    if not log:
        await client.delete(KEYS.log)
    (left,) = (await _report(client, MENDING)).damaged
    assert (game.game_id, 50, not whole) == (left.game_id, left.version, left.snapshot_readable)
    assert (bool(log), whole, entries) == (left.log, left.log_whole, left.entries)
    assert await client.pexpiretime(KEYS.snapshot) == left.ends_ms
    expected = ("", None, None) if whole else ("acme", 1, game.state.phase)
    assert expected == (left.platform_id, left.round_number, left.phase)


async def test_nothing_is_left_to_tell_of_sound_games(client: Redis) -> None:
    await _store(client)
    await client.persist(KEYS.log)
    assert [] == (await _report(client)).damaged


async def test_a_log_that_leads_elsewhere_is_told_when_it_is_replayed(client: Redis) -> None:
    await _store(client)
    other = await RedisGameStore(client).load(GAME.game_id)
    record = await _record(client)
    results = played(GAME, 49).game
    body = encode_game(replace(other, state=results.state))
    await _spoil(client, KEYS.snapshot, record[:HEADER_BYTES] + body)
    assert [] == _faults(await _report(client, Treatment()))
    assert [(KEYS.snapshot, Fault.LOG_LEADS_ELSEWHERE)] == _faults(await _report(client))


async def test_a_state_that_play_cannot_lead_to_is_told_without_a_tile(
    client: Redis,
) -> None:
    game = await _store(client)
    assert game.state.round is not None
    hands = list(game.state.round.hands)
    hands[0] &= hands[0] - 1
    unsound = game.state._replace(round=game.state.round._replace(hands=tuple(hands)))
    assert integrity(unsound) & Integrity.TILE_LOST
    record = await _record(client)
    await _spoil(
        client, KEYS.snapshot, record[:HEADER_BYTES] + encode_game(replace(game, state=unsound))
    )
    report = await _report(client, Treatment())
    assert [(KEYS.snapshot, Fault.STATE_UNSOUND)] == _faults(report)
    assert "TILE_LOST" in report.findings[0].detail


async def test_a_report_lists_some_findings_and_counts_all(client: Redis) -> None:
    if isinstance(client.inner, ClusterClient):
        return  # one kind of Redis is enough for counting
    await client.mset({f"mt:odd-{number}": "1" for number in range(MAX_FINDINGS + 5)})
    report = await _report(client)
    assert (MAX_FINDINGS, MAX_FINDINGS + 5) == (
        len(report.findings),
        report.counts[Fault.NO_OWNER],
    )


async def test_an_entry_whose_game_is_no_more_is_told_tolerated_and_dropped(
    client: Redis,
) -> None:
    await _store(client)
    assert (await _report(client)).sound
    for key in (deadlines_key(3), "mt:games:acme:0", f"mt:player:acme:{'a' * 22}"):
        await client.zadd(key, {GAME.game_id: 1, "gone": 2})
        await client.expire(key, 100)
    report = await _report(client)
    assert {Fault.STALE_ENTRY: 3} == dict(report.counts)
    assert report.sound
    assert {Fault.STALE_ENTRY: 3} == +(await _report(client, MENDING)).mended
    assert [GAME.game_id.encode()] == await client.zrange(deadlines_key(3), 0, -1)
    assert [] == (await _report(client)).findings


async def test_a_list_of_another_kind_or_without_an_end_is_told(client: Redis) -> None:
    await client.set(deadlines_key(1), "1")
    await _store(client)
    await client.zadd("mt:games:zero:2", {GAME.game_id: 1})
    expected = [(deadlines_key(1), Fault.WRONG_KIND), ("mt:games:zero:2", Fault.NO_TTL)]
    assert expected == sorted(_faults(await _report(client, MENDING)))
    assert 0 < await client.ttl("mt:games:zero:2") <= MENDING.ttl_s


async def test_a_game_that_is_missing_on_a_list_is_told_and_put_back(client: Redis) -> None:
    game = await _store(client)
    lists = [key for key, _ in lists_of(game)]
    assert 5 == len(lists)
    for key in lists[:2]:
        await client.zrem(key, game.game_id)
    assert [(KEYS.snapshot, Fault.NOT_LISTED)] * 2 == _faults(await _report(client))
    assert (await _report(client, MENDING)).sound
    assert [] == (await _report(client)).findings
    assert all([await client.zscore(key, game.game_id) for key in lists])


async def test_a_full_list_of_a_player_may_have_dropped_a_game(client: Redis) -> None:
    game = await _store(client)
    key, most = lists_of(game)[1]
    await client.zrem(key, game.game_id)
    await client.zadd(key, {f"other-{number}": number for number in range(most)})
    assert Fault.NOT_LISTED not in (await _report(client)).counts


async def test_a_game_whose_clock_nobody_would_look_at_is_told_and_scheduled(
    client: Redis,
) -> None:
    clock = TurnClock(ClockKind.PER_TURN, 60_000, on_timeout=OnTimeout.SKIP)
    policy = replace(GAME.policy, clock=clock)
    running = ClockState(
        seat=0, since_ms=GAME.created_ms, timed_out=False, banks_ms=(), misses=(0,) * 4
    )
    await _store(client, replace(GAME, policy=policy, clock=running))
    assert [(KEYS.snapshot, Fault.NO_DEADLINE)] == _faults(await _report(client))
    assert (await _report(client, MENDING)).sound
    assert await client.zscore(deadlines_of(GAME.game_id), GAME.game_id)
