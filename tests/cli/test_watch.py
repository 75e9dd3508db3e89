"""Watching by the client and by the command: everything once, in order, to the end."""

from __future__ import annotations

import json
import threading

import pytest
from mextrain.v1.feed_pb2 import GameNews, NewsKind
from mextrain.v1.game_pb2 import Bot, BotLevel, Seat, TablePolicy
from mextrain.v1.rule_options_pb2 import ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import RuleSet
from mextrain.v1.watch_pb2 import EndReason, ResetReason

from mextrain_client import MextrainClient, MextrainError
from mextrain_engine import Phase, parse_record
from mextrain_engine.record import replay
from tests.cli.conftest import Mextrain

BOTS = [
    Seat(bot=Bot(level=BotLevel.BOT_LEVEL_RANDOM, display_name=name)) for name in ("Ada", "Bea")
]
SHORT = RuleSet(rounds=ROUNDS_FIXED, round_count=1)


def created(platform: MextrainClient) -> str:
    game = platform.create_game(
        BOTS, overrides=SHORT, fixed_seed=7, policy=TablePolicy(spectators=True)
    ).game
    return game.game_id


def test_watch_tells_everything_once_in_order_to_the_end(platform: MextrainClient) -> None:
    game_id = created(platform)
    dealing = threading.Timer(0.1, platform.deal_round, [game_id])
    dealing.start()
    *updates, last = platform.watch_game(game_id, after_version=0)
    dealing.join()
    told = [event for update in updates for event in update.events.events]
    assert EndReason.END_REASON_FINISHED == last.end.reason
    assert list(range(1, last.end.version + 1)) == sorted({event.version for event in told})
    assert told == list(platform.events(game_id))
    assert told[-1].HasField("game_ended")
    later = [event for event in told if event.version > 10]
    assert later == list(platform.events(game_id, 10))


def test_watch_without_a_version_begins_with_the_table(platform: MextrainClient) -> None:
    game_id = created(platform)
    reset = next(platform.watch_game(game_id)).reset
    assert ResetReason.RESET_REASON_BEGINNING == reset.reason
    assert 0 == reset.game.view.version


def test_exported_record_replays_to_the_end(platform: MextrainClient) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    exported = platform.export_game(game_id)
    *_, last = replay(parse_record(exported.record))
    assert not exported.redacted
    assert Phase.FINISHED is last.step.state.phase


def test_feed_tells_the_platform_of_its_games(platform: MextrainClient) -> None:
    game_id = created(platform)
    platform.deal_round(game_id)
    platform.delete_game(game_id)
    kinds = ["CREATED", "DEALT", "ROUND_OVER", "GAME_OVER", "DELETED"]
    own: list[GameNews] = []
    cursors: list[str] = []
    for update in platform.watch_games():
        own += [news for news in update.news.news if news.game_id == game_id]
        cursors.append(update.news.cursor)
        if own and own[-1].kind == NewsKind.NEWS_KIND_DELETED:
            break
    assert [NewsKind.Value(f"NEWS_KIND_{kind}") for kind in kinds] == [news.kind for news in own]
    assert [1, 1] == [news.round for news in own if news.HasField("round")]
    other = created(platform)
    later: list[tuple[str, int]] = []
    for update in platform.watch_games(cursors[-1]):
        later += [(news.game_id, news.kind) for news in update.news.news]
        if (other, NewsKind.NEWS_KIND_CREATED) in later:
            break
    assert game_id not in dict(later), "what was told before is not told again"


def test_game_that_is_not_there_is_no_matter_of_patience(platform: MextrainClient) -> None:
    with pytest.raises(MextrainError) as error:
        next(platform.watch_game("A" * 22))
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
    versions = [update["events"]["version"] for update in updates[:-1]]
    assert sorted(set(versions)) == versions
    assert "roundDealt" in updates[0]["events"]["events"][0]
    assert "END_REASON_FINISHED" == updates[-1]["end"]["reason"]


def test_command_complains_when_there_is_no_such_game(on_service: Mextrain) -> None:
    refused = on_service("watch", "A" * 22)
    assert 1 == refused.returncode
    assert "unknown game" in refused.stderr
