"""What an operator sees of games: enough to run them, nothing of what is hidden in them."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from mextrain.v1 import game_service_pb2, move_pb2, tile_pb2, train_pb2

from mextrain_service.process.logs import LOGGED_KEYS
from tests.polling import WITHIN_S
from tests.worker.processes import fetch, log_lines, served
from tests.worker.table import Table, bearer, channel_to, failure_of, new_table, reason_of

_PLAYERS = 4
_MOVES = 60
_IDS = ("call_id", "game_id", "request_id", "timestamp")
_TILE = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])|high|low|@M|@\d")
_HIDDEN_WORDS = re.compile(r"hand|boneyard|secret|token|permutation|tile\(")


@dataclass(frozen=True)
class Seen:
    """All that a service showed its operator over a good part of a game.

    Attributes:
        log: everything it wrote.
        metrics: its metrics at the end.
        calls: the canonical lines.
        table: the game.
    """

    log: str
    metrics: str
    calls: list[dict[str, object]]
    table: Table


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    folder = tmp_path_factory.mktemp("observed")
    with served(folder, "--workers=1", MEXTRAIN_LOGGING_LEVEL="debug") as service:
        with channel_to(service.running.endpoint) as channel:
            table = new_table(channel, service.running.platform_key, _PLAYERS)
            _play(table)
            _misbehave(table)
        metrics = fetch(service.running.metrics_urls[0])[1]
        service.stop()
        log = service.logged()
    calls = [line for line in log_lines(log) if line["event"] == "call"]
    return Seen(log, metrics, calls, table)


def _play(table: Table) -> None:
    for number in range(_MOVES):
        seat, move = table.next_move()
        table.play(seat, table.play_request(move, request_id=f"move-{number}"))


def _misbehave(table: Table) -> None:
    """Ask for what is refused, quoting tiles wherever there is room for them."""
    seat, _ = table.next_move()
    other = (seat + 1) % _PLAYERS
    tile = tile_pb2.Tile(high=18, low=18)  # of no set that this game is played with
    train = train_pb2.TrainReference(seat=0)
    play = move_pb2.Move(play_tile=move_pb2.PlayTile(tile=tile, train=train))
    nonsense = move_pb2.Move(notation="12-5@M and 3-3@1")
    for who, move in ((other, play), (seat, nonsense), (seat, play)):
        failure_of(partial(table.play, who, table.play_request(move)))
    forged = failure_of(
        lambda: table.stub.GetGame(
            game_service_pb2.GetGameRequest(game_id="hand (12-5)"),
            metadata=(*bearer("mxk_local_12-5"), ("x-request-id", "hand {12-5}")),
            timeout=WITHIN_S,
        )
    )
    assert reason_of(forged) == "TOKEN_INVALID"


def test_every_call_has_one_line_that_says_who_what_how_and_how_long(seen: Seen) -> None:
    played = [line for line in seen.calls if line["method"] == "PlayMove" and line["code"] == "OK"]
    assert len(played) == _MOVES
    for number, line in enumerate(played):
        assert line["game_id"] == seen.table.game_id
        assert line["request_id"] == f"move-{number}"
        assert line["version"] == number + 2
        assert isinstance(line["seat"], int)
        assert isinstance(line["ms"], float)
        assert line["call_id"]
    (created,) = [line for line in seen.calls if line["method"] == "CreateGame"]
    assert created["platform_id"] == "local"


def test_a_refused_call_has_its_reason_in_its_line(seen: Seen) -> None:
    refused = [line for line in seen.calls if line["code"] != "OK"]
    assert [line["reason"] for line in refused[:2]] == ["NOT_YOUR_TURN", "MOVE_MALFORMED"]
    assert refused[-1]["reason"] == "TOKEN_INVALID"


def test_a_line_has_no_key_but_the_ones_that_are_allowed(seen: Seen) -> None:
    assert all(set(line) <= LOGGED_KEYS for line in log_lines(seen.log))


def test_the_log_holds_no_tile_no_hand_and_no_credential(seen: Seen) -> None:
    for line in log_lines(seen.log):
        shown = " ".join(str(value) for key, value in line.items() if key not in _IDS)
        assert _TILE.search(shown) is None, shown
        assert _HIDDEN_WORDS.search(shown) is None, shown
    assert {line.get("game_id") for line in seen.calls} <= {seen.table.game_id, None}
    assert all(re.fullmatch(r"[0-9a-f]{16}", str(line["call_id"])) for line in seen.calls)
    for credential in (seen.table.platform_key, *seen.table.tokens):
        assert credential not in seen.log
        assert credential.rpartition(".")[2] not in seen.log


def test_the_metrics_hold_no_tile_no_hand_and_no_credential(seen: Seen) -> None:
    own = "\n".join(line for line in seen.metrics.splitlines() if line.startswith("mextrain_"))
    assert _TILE.search(own) is None
    assert _HIDDEN_WORDS.search(own) is None
    assert seen.table.game_id not in own
    assert not any(
        credential in own for credential in (seen.table.platform_key, *seen.table.tokens)
    )


def test_the_metrics_count_calls_moves_and_refusals(seen: Seen) -> None:
    lines = seen.metrics.splitlines()
    assert f'mextrain_call_seconds_count{{code="OK",method="PlayMove"}} {_MOVES}.0' in lines
    assert 'mextrain_call_errors_total{method="PlayMove",reason="NOT_YOUR_TURN"} 1.0' in lines
    made = sum(
        float(line.rpartition(" ")[2])
        for line in lines
        if line.startswith("mextrain_moves_total") and 'result="made"' in line
    )
    assert made == _MOVES
    assert "mextrain_conflicts_total 0.0" in lines
    assert any(line.startswith("mextrain_store_seconds_count{") for line in lines)


def test_an_answer_carries_the_request_id_that_it_was_asked_with(tmp_path: Path) -> None:
    mine = str(uuid.uuid4())
    with (
        served(tmp_path, "--workers=1") as service,
        channel_to(service.running.endpoint) as channel,
    ):
        stub = new_table(channel, service.running.platform_key).stub
        _, call = stub.ListPresets.with_call(
            game_service_pb2.ListPresetsRequest(),
            metadata=(("x-request-id", mine),),
            timeout=WITHIN_S,
        )
        assert dict(call.trailing_metadata())["x-request-id"] == mine
        refused = failure_of(
            lambda: stub.GetGame(
                game_service_pb2.GetGameRequest(game_id="none"),
                metadata=(("x-request-id", mine),),
                timeout=WITHIN_S,
            )
        )
        assert dict(refused.trailing_metadata() or ())["x-request-id"] == mine


def test_every_metric_is_documented(seen: Seen) -> None:
    document = (Path(__file__).parents[2] / "docs" / "observability.md").read_text()
    named = set(re.findall(r"^# TYPE (mextrain_\w+)", seen.metrics, re.MULTILINE))
    assert {"mextrain_call_seconds", "mextrain_deadline_lag_seconds"} <= named
    assert {name for name in named if f"| `{name}`" not in document} == set()
