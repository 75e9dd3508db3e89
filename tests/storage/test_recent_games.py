"""What a worker remembers: the games used last, as it saw them last, and no more of them."""

from __future__ import annotations

from dataclasses import replace

from mextrain_service.storage.cache import RecentGames
from mextrain_service.storage.record import Header
from tests.storage.games import new_hosted_game, played

ONE, TWO, THREE = (new_hosted_game(f"game-{name}".ljust(22, "x")) for name in ("1", "2", "3"))

BODY = b"as it is stored"


def test_the_game_unused_for_longest_is_forgotten_when_there_is_no_room() -> None:
    recent = RecentGames(capacity=2)
    recent.put(ONE, BODY)
    recent.put(TWO, BODY)
    assert ONE is recent.get(ONE.game_id)
    recent.put(THREE, BODY)
    kept = [recent.get(game.game_id) for game in (ONE, TWO, THREE)]
    assert [ONE, None, THREE] == kept
    assert 2 == len(recent)


def test_a_game_that_was_read_as_it_is_remembered_counts_as_used() -> None:
    recent = RecentGames(capacity=2)
    recent.put(ONE, BODY)
    recent.put(TWO, BODY)
    assert ONE is recent.read(ONE.game_id, Header.of(ONE, 0), BODY)
    recent.put(THREE, BODY)
    kept = [recent.get(game.game_id) for game in (ONE, TWO, THREE)]
    assert [ONE, None, THREE] == kept


def test_what_the_store_has_replaces_a_later_version_that_is_remembered() -> None:
    recent = RecentGames(capacity=2)
    recent.put(played(ONE, 2).game, BODY)
    recent.put(ONE, BODY)
    assert ONE is recent.get(ONE.game_id)


def test_a_forgotten_game_is_not_remembered() -> None:
    recent = RecentGames(capacity=2)
    recent.put(ONE, BODY)
    recent.forget(ONE.game_id)
    recent.forget(TWO.game_id)
    assert recent.get(ONE.game_id) is None


def test_a_memory_without_room_remembers_nothing() -> None:
    recent = RecentGames(capacity=0)
    recent.put(ONE, BODY)
    assert recent.get(ONE.game_id) is None


def test_a_game_is_decoded_again_unless_the_very_commit_is_remembered() -> None:
    recent = RecentGames(capacity=2)
    recent.put(ONE, BODY)
    assert ONE is recent.read(ONE.game_id, Header.of(ONE, 5), BODY)
    assert recent.read(ONE.game_id, Header.of(replace(ONE, version=1), 0), BODY) is None
    assert recent.read(ONE.game_id, Header.of(replace(ONE, link=b"fork!!"), 0), BODY) is None
    assert recent.read(ONE.game_id, Header.of(replace(ONE, stamp=b"any"), 0), BODY) is None
    assert recent.read(TWO.game_id, Header.of(TWO, 0), BODY) is None
    assert recent.read(ONE.game_id, Header.of(ONE, 5), b"damaged") is None
