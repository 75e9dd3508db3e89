"""Watching by the client and by the command: everything once, in order, to the end."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import grpc
import pytest

from mextrain_engine import Phase, events, parse_record
from mextrain_engine.record import replay
from mextrain_service.client import (
    Bot,
    Ended,
    Happened,
    MextrainClient,
    MextrainError,
    News,
    Policy,
    Reset,
)
from mextrain_service.client.following import followed
from mextrain_service.client.rules_proto import OptionValue
from tests.cli.conftest import Mextrain

BOTS = (Bot("random", "Ada"), Bot("random", "Bea"))
SHORT: dict[str, OptionValue] = {"rounds": "fixed", "round_count": 1}


def created(platform: MextrainClient) -> str:
    game = platform.create_game(
        BOTS, overrides=SHORT, fixed_seed=7, policy=Policy(spectators=True)
    ).game
    return game.game_id


def test_watch_tells_everything_once_in_order_to_the_end(platform: MextrainClient) -> None:
    game_id = created(platform)
    dealing = threading.Timer(0.1, platform.deal_round, [game_id])
    dealing.start()
    updates = list(platform.watch(game_id, from_start=True))
    dealing.join()
    *happened, end = updates
    told = [each for each in happened if isinstance(each, Happened)]
    assert Ended("FINISHED", told[-1].version) == end
    assert list(range(1, end.version + 1)) == [each.version for each in told]
    assert told == list(platform.events(game_id))
    assert isinstance(told[-1].events[-1], events.GameEnded)
    assert told[10:] == list(platform.events(game_id, 10))


def test_watch_without_a_version_begins_with_the_table(platform: MextrainClient) -> None:
    game_id = created(platform)
    first = next(platform.watch(game_id))
    assert isinstance(first, Reset)
    assert ("BEGINNING", 0) == (first.reason, first.game.table.version)


def test_exported_record_replays_to_the_end(platform: MextrainClient) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    exported = platform.export(game_id)
    *_, last = replay(parse_record(exported.record))
    assert not exported.redacted
    assert Phase.FINISHED is last.step.state.phase


def test_feed_tells_the_platform_of_its_games(platform: MextrainClient) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    platform.delete_game(game_id)
    kinds = ["CREATED", "DEALT", "ROUND_OVER", "GAME_OVER", "DELETED"]
    own: list[News] = []
    cursors: list[str] = []
    for batch in platform.watch_games():
        own += [news for news in batch.news if news.game_id == game_id]
        cursors.append(batch.cursor)
        if own and own[-1].kind == "DELETED":
            break
    assert kinds == [news.kind for news in own]
    assert [1, 1] == [news.round for news in own if news.round is not None]
    other = created(platform)
    later: list[tuple[str, str]] = []
    for batch in platform.watch_games(cursors[-1]):
        later += [(news.game_id, news.kind) for news in batch.news]
        if (other, "CREATED") in later:
            break
    assert game_id not in dict(later), "what was told before is not told again"


def test_game_that_is_not_there_is_no_matter_of_patience(platform: MextrainClient) -> None:
    with pytest.raises(MextrainError) as error:
        next(platform.watch("A" * 22))
    assert "GAME_NOT_FOUND" == error.value.reason


def test_command_follows_a_game_to_its_end(on_service: Mextrain, platform: MextrainClient) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    shown = on_service("watch", game_id, "--after=start")
    assert 0 == shown.returncode, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("Round 1: ")
    assert "The match is over." == lines[-1]
    assert all(lines)


def test_command_prints_one_object_for_each_update_when_asked(
    on_service: Mextrain, platform: MextrainClient
) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    shown = on_service("watch", game_id, "--after=start", "--json")
    assert 0 == shown.returncode, shown.stderr
    updates = [json.loads(line) for line in shown.stdout.splitlines()]
    assert list(range(1, len(updates))) == [update["version"] for update in updates[:-1]]
    assert "RoundDealt" == updates[0]["events"][0]["event"]
    assert "FINISHED" == updates[-1]["end"]


def test_command_complains_when_there_is_no_such_game(on_service: Mextrain) -> None:
    refused = on_service("watch", "A" * 22)
    assert 1 == refused.returncode
    assert "unknown game" in refused.stderr


class Stream:
    """A stream that says what a test lets it say, then ends in one way or another."""

    def __init__(self, *messages: str, failure: str = "") -> None:
        self._messages = messages
        self._failure = failure
        self.cancelled = threading.Event()

    def __iter__(self) -> Iterator[str]:
        yield from self._messages
        if self._failure == "silence":
            self.cancelled.wait(10)
            raise _Failed(grpc.StatusCode.CANCELLED)
        if self._failure:
            raise _Failed(grpc.StatusCode[self._failure])

    def cancel(self) -> None:
        self.cancelled.set()


class _Failed(grpc.RpcError):
    def __init__(self, code: grpc.StatusCode) -> None:
        super().__init__()
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return ""

    def trailing_metadata(self) -> tuple[Any, ...]:
        return ()


def _following(*streams: Stream, patience_s: float = 5) -> Iterator[str]:
    left = iter(streams)
    opened: Callable[[], Stream] = lambda: next(left)  # noqa: E731
    return followed(opened, "here:1", patience_s=patience_s, silence_s=0.05)


def test_stream_is_opened_again_however_it_was_cut_off() -> None:
    cuts = ("", "UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN", "silence")
    streams = [Stream(str(at), failure=cut) for at, cut in enumerate(cuts)]
    heard = _following(*streams, Stream("6"))
    assert [str(at) for at in range(7)] == list(islice(heard, 7))
    assert all(stream.cancelled.is_set() for stream in streams)


def test_stream_is_not_opened_again_when_that_is_no_help() -> None:
    with pytest.raises(MextrainError) as error:
        list(_following(Stream("1", failure="PERMISSION_DENIED"), Stream("2")))
    assert "PERMISSION_DENIED" == error.value.reason


def test_stream_that_stays_away_is_given_up() -> None:
    away = [Stream(failure="UNAVAILABLE") for _ in range(50)]
    with pytest.raises(MextrainError) as error:
        list(_following(*away, patience_s=0.2))
    assert "UNAVAILABLE" == error.value.reason
