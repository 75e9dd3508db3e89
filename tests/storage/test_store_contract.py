"""What the application may rely on of a store, on each kind of Redis: behaviour, never commands."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mextrain_engine import Phase
from mextrain_service.application.model import Dealt, GameId, HostedGame
from mextrain_service.application.ports import (
    GameExistsError,
    GameNotFoundError,
    GameStore,
    LogPosition,
    VersionConflictError,
)
from mextrain_service.storage import RedisGameStore
from tests.storage.conftest import RETENTION, empty
from tests.storage.games import after, log_of, new_hosted_game, played
from tests.storage.library import Redis

NOBODYS = GameId("there-is-no-such-game0")


@pytest.fixture
def store(client: Redis) -> RedisGameStore:
    """A store as one worker has it."""
    return RedisGameStore(client, RETENTION)


@pytest.fixture
def other_worker(client: Redis) -> RedisGameStore:
    """The store of another worker: the same Redis, a memory of its own."""
    return RedisGameStore(client, RETENTION)


async def _commit_all(store: GameStore, game: HostedGame, entries: int) -> HostedGame:
    """Play a stored game on, one commit per entry."""
    for entry in played(game, entries).log:
        newer = after(game, entry)
        await store.commit(newer, base=game, entries=[entry])
        game = newer
    return game


async def test_a_created_game_is_loaded_by_another_worker(
    store: GameStore, other_worker: GameStore
) -> None:
    game = new_hosted_game()
    await store.create(game)
    assert game == await other_worker.load(game.game_id)
    assert () == await log_of(other_worker, game.game_id)


async def test_create_is_refused_and_changes_nothing_when_the_id_is_taken(
    store: GameStore,
) -> None:
    game = new_hosted_game()
    await store.create(game)
    game = await _commit_all(store, game, 3)
    with pytest.raises(GameExistsError):
        await store.create(replace(new_hosted_game(), created_ms=1, updated_ms=1))
    assert game == await store.load(game.game_id)
    assert 3 == len(await log_of(store, game.game_id) or ())


async def test_one_of_many_creators_of_an_id_succeeds(store: GameStore) -> None:
    games = [replace(new_hosted_game(), secret=bytes([at]) * 32) for at in range(20)]
    results = await asyncio.gather(*map(store.create, games), return_exceptions=True)
    created = [game for game, error in zip(games, results, strict=True) if error is None]
    assert [await store.load(games[0].game_id)] == created
    assert 19 == sum(isinstance(error, GameExistsError) for error in results)


async def test_a_commit_is_seen_by_another_worker(
    store: GameStore, other_worker: GameStore
) -> None:
    game = new_hosted_game()
    await store.create(game)
    game = await _commit_all(store, game, 5)
    assert game == await other_worker.load(game.game_id)


async def test_a_whole_match_is_kept_entry_by_entry(store: GameStore) -> None:
    match = played(new_hosted_game(), 5_000)
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 5_000)
    assert match.game == game == await store.load(game.game_id)
    assert match.log == await log_of(store, game.game_id)


async def test_a_batch_is_committed_as_one(store: GameStore) -> None:
    game = new_hosted_game()
    await store.create(game)
    batch = played(game, 40)
    await store.commit(batch.game, base=game, entries=batch.log)
    assert batch.game == await store.load(game.game_id)
    assert batch.log == await log_of(store, game.game_id)


async def test_a_commit_without_entries_is_refused_as_its_version_would_not_tell_of_it(
    store: GameStore,
) -> None:
    game = new_hosted_game()
    await store.create(game)
    renamed = replace(game, seats=(replace(game.seats[0], display_name="Ann"), *game.seats[1:]))
    with pytest.raises(ValueError, match="at least one entry"):
        await store.commit(renamed, base=game, entries=[])
    assert game == await store.load(game.game_id)


@pytest.mark.parametrize(
    "base",
    [
        new_hosted_game(),
        played(new_hosted_game(), 1).game,
        played(new_hosted_game(), 3).game,
        replace(played(new_hosted_game(), 2).game, link=b"fork!!"),
        replace(played(new_hosted_game(), 2).game, stamp=b"any"),
    ],
    ids=["before it", "just before it", "after it", "another log", "another commit"],
)
async def test_a_commit_is_refused_and_changes_nothing_when_it_is_based_on_another_commit(
    store: GameStore, base: HostedGame
) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 2)
    change = played(base, 1)
    with pytest.raises(VersionConflictError):
        await store.commit(change.game, base=base, entries=change.log)
    with pytest.raises(VersionConflictError):
        await store.delete(base, None)
    assert game == await store.load(game.game_id)
    assert 2 == len(await log_of(store, game.game_id) or ())


async def test_a_reader_is_told_nothing_new_only_of_the_very_commit_that_it_has_read(
    store: GameStore,
) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 3)
    reading = await store.read_on(game.game_id, LogPosition())
    assert reading is not None
    mark = reading.mark
    assert await store.read_on(game.game_id, mark) is None
    stamped = await store.read_on(game.game_id, replace(mark, stamp=b"any"))
    linked = await store.read_on(game.game_id, replace(mark, link=b"fork!!"))
    assert stamped is not None
    assert linked is not None
    assert (game, ()) == (stamped.game, stamped.entries)
    assert (game, None) == (linked.game, linked.entries)


async def test_the_log_leads_on_from_a_place_of_its_own_history_only(store: GameStore) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 3)
    reading = await store.read_on(game.game_id, LogPosition())
    assert reading is not None
    later = await _commit_all(store, game, 2)
    own = await store.read_on(game.game_id, reading.mark)
    fork = await store.read_on(game.game_id, replace(reading.mark, link=b"fork!!"))
    assert own is not None
    assert fork is not None
    assert 2 == len(own.entries or ())
    assert later == own.game == fork.game
    assert fork.entries is None


async def test_a_game_that_is_settled_comes_with_its_whole_log(store: GameStore) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 4)
    settled = await store.settle(game.game_id)
    assert (game, await log_of(store, game.game_id)) == (settled.game, settled.entries)


async def test_one_of_many_racing_writers_wins_and_all_others_learn_it(
    store: GameStore, other_worker: GameStore
) -> None:
    game = played(new_hosted_game(), 1).game
    await store.create(new_hosted_game())
    await store.commit(game, base=new_hosted_game(), entries=[Dealt()])
    rivals = [played(game, 1, seed=seed) for seed in range(40)]

    async def write(number: int) -> bool:
        rival = rivals[number]
        try:
            await (store, other_worker)[number % 2].commit(
                replace(rival.game, stamp=bytes((1, 1, number))),
                base=game,
                entries=rival.log,
            )
        except VersionConflictError:
            return False
        return True

    won = await asyncio.gather(*map(write, range(len(rivals))))
    assert 1 == sum(won)
    winner = rivals[won.index(True)]
    assert winner.game.state == (await store.load(game.game_id)).state
    assert (Dealt(), *winner.log) == await log_of(store, game.game_id)


async def test_writers_that_look_again_lose_no_entry(
    store: GameStore, other_worker: GameStore
) -> None:
    await store.create(new_hosted_game())

    async def write_some(own: GameStore, count: int) -> None:
        game = await own.load(new_hosted_game().game_id)
        while count:
            change = played(game, 1)
            try:
                await own.commit(change.game, base=game, entries=change.log)
            except VersionConflictError:
                game = await own.load(game.game_id)
            else:
                game, count = change.game, count - 1

    await asyncio.gather(*(write_some(own, 10) for own in (store, other_worker) * 3))
    game = await store.load(new_hosted_game().game_id)
    assert (60, 60) == (game.version, len(await log_of(store, game.game_id) or ()))


async def test_a_game_that_is_not_there_is_not_found(store: GameStore) -> None:
    for ask in (store.load, store.cached, store.settle):
        with pytest.raises(GameNotFoundError):
            await ask(NOBODYS)
    game = replace(played(new_hosted_game(), 1).game, game_id=NOBODYS)
    with pytest.raises(GameNotFoundError):
        await store.commit(game, base=new_hosted_game(), entries=[Dealt()])
    with pytest.raises(GameNotFoundError):
        await store.load(NOBODYS)


async def test_recall_gives_what_this_worker_committed_last(store: GameStore) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 4)
    assert game is await store.cached(game.game_id)


async def test_recall_may_be_stale_and_load_makes_it_fresh(
    store: GameStore, other_worker: GameStore
) -> None:
    old = new_hosted_game()
    await store.create(old)
    game = await _commit_all(other_worker, await other_worker.load(old.game_id), 2)
    assert old == await store.cached(old.game_id)
    assert game == await store.load(old.game_id) == await store.cached(old.game_id)


async def test_recall_asks_the_store_when_this_worker_has_not_seen_the_game(
    store: GameStore, other_worker: GameStore
) -> None:
    game = new_hosted_game()
    await other_worker.create(game)
    assert game == await store.cached(game.game_id)


async def test_a_stale_game_is_not_written_over_a_new_one_of_the_same_id(
    store: GameStore, other_worker: GameStore, client: Redis
) -> None:
    old = new_hosted_game()
    await store.create(old)
    await empty(client)
    new = replace(old, secret=b"another" * 4 + b"one!", stamp=b"any")
    await other_worker.create(new)
    remembered = await store.cached(old.game_id)
    change = played(remembered, 1)
    with pytest.raises(VersionConflictError):
        await store.commit(change.game, base=remembered, entries=change.log)
    assert new == await store.load(old.game_id)


async def test_ping_returns_when_the_store_answers(store: GameStore) -> None:
    await store.ping()


async def test_the_phase_of_a_match_that_is_over_is_kept(store: GameStore) -> None:
    await store.create(new_hosted_game())
    game = await _commit_all(store, new_hosted_game(), 5_000)
    assert Phase.FINISHED is (await store.load(game.game_id)).state.phase
