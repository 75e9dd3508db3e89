"""What a worker remembers: the latest versions of the games used last, and no more of them."""

from __future__ import annotations

from dataclasses import replace

from mextrain_service.storage.cache import RecentGames
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


def test_an_answer_that_was_overtaken_does_not_replace_a_later_version() -> None:
    recent = RecentGames(capacity=2)
    later = played(ONE, 2).game
    recent.put(later, BODY)
    recent.put(ONE, BODY)
    assert later is recent.get(ONE.game_id)


def test_a_new_game_of_an_old_id_replaces_it_whatever_its_version() -> None:
    recent = RecentGames(capacity=2)
    recent.put(played(ONE, 2).game, BODY)
    again = replace(ONE, created_ms=ONE.created_ms + 1)
    recent.put(again, BODY)
    assert again is recent.get(ONE.game_id)


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


def test_what_is_stored_as_it_is_remembered_need_not_be_decoded() -> None:
    recent = RecentGames(capacity=2)
    recent.put(ONE, BODY)
    assert ONE is recent.read(ONE.game_id, ONE.version, BODY)
    assert recent.read(ONE.game_id, ONE.version + 1, BODY) is None
    assert recent.read(ONE.game_id, ONE.version, b"as another history led to it") is None
    assert recent.read(TWO.game_id, TWO.version, BODY) is None
