"""Traces: a span for each call within its caller's trace, and nothing hidden in any of them."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1 import move_pb2
from redis import Redis

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.rpc.call_spans import ATTRIBUTES
from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.settings.model import variables
from mextrain_service.worker.spans import STORE_ATTRIBUTES
from tests.polling import WITHIN_S
from tests.worker.collector import Collector, Span, collecting
from tests.worker.processes import log_lines, served
from tests.worker.table import Table, bearer, channel_to, failure_of, new_table

_MOVES = 30
_PLAYERS = 3
_TRACE, _CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_HTTP_TRACE = "2af7651916cd43dd8448eb211c80319c"
_UNSAMPLED = "1af7651916cd43dd8448eb211c80319c"
_TILE = re.compile(r"(?<![\w-])\d{1,2}-\d{1,2}(?![\w-])|high|low|@M|@\d")
_HIDDEN_WORDS = re.compile(r"hand|boneyard|secret|token|permutation|tile\(")
_SERVER, _CLIENT = 2, 3

_LOADED_WHEN_OFF = r"""
import asyncio, re, sys
import mextrain_service.worker.worker, mextrain_service.local.supervisor
from mextrain_service.settings.tracing import TracingSettings
from mextrain_service.worker.tracing import tracing

async def see():
    async with tracing(TracingSettings(), 0) as made:
        assert made is None

asyncio.run(see())
ours = re.compile(r"opentelemetry\.(exporter|sdk\.trace)|mextrain_service.worker.(spans|tracing)$")
print(*filter(ours.match, sys.modules))
"""
"""What makes and sends spans; the client of Redis loads other parts where they are installed."""


@dataclass(frozen=True)
class Traced:
    """What a service told its collector and its log over a part of a game."""

    collector: Collector
    log: list[dict[str, object]]
    table: Table

    def of_caller(self, method: str) -> Span:
        """Return the span of the one call that came with a trace."""
        (span,) = (each for each in self.collector.named(method) if each.trace_id == _TRACE)
        return span


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    folder = tmp_path_factory.mktemp("traced")
    with EmbeddedValkey() as valkey, collecting() as collector:
        switches = {
            "MEXTRAIN_TRACING_ENABLED": "true",
            "MEXTRAIN_TRACING_ENDPOINT": collector.endpoint,
        }
        words = ("--workers=1", f"--redis-url={valkey.url}")
        with served(folder, *words, **switches) as service:
            with channel_to(service.running.endpoint) as channel:
                table = new_table(channel, service.running.platform_key, _PLAYERS)
                for number in range(_MOVES):
                    seat, move = table.next_move()
                    table.play(seat, table.play_request(move, request_id=f"move-{number}"))
                _misbehave(table)
                _watch(table)
                _look(table, f"00-{_TRACE}-{_CALLER}-01")
                _look(table, f"00-{_UNSAMPLED}-{_CALLER}-00")
                _look_over_http(service.running.http_url, table)
                _break(valkey, table.game_id)
                failure_of(table.version)
            service.stop()
            return Traced(collector, log_lines(service.logged()), table)


def _look(table: Table, trace: str) -> None:
    table.stub.GetScore(
        pb.GetScoreRequest(game_id=table.game_id),
        metadata=(*bearer(table.tokens[0]), ("traceparent", trace), ("tracestate", "hand=12-5")),
        timeout=WITHIN_S,
    )


def _look_over_http(url: str, table: Table) -> None:
    headers = {
        "authorization": f"Bearer {table.tokens[0]}",
        "traceparent": f"00-{_HTTP_TRACE}-{_CALLER}-01",
    }
    request = urllib.request.Request(f"{url}/v1/games/{table.game_id}/score", headers=headers)
    with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
        assert 200 == answer.status


def _misbehave(table: Table) -> None:
    """Ask for what is refused, quoting tiles and credentials wherever there is room for them."""
    seat, move = table.next_move()
    nonsense = move_pb2.Move(notation="12-5@M and 3-3@1")
    for who, what in (((seat + 1) % _PLAYERS, move), (seat, nonsense)):
        failure_of(partial(table.play, who, table.play_request(what, request_id="12-5@M")))
    for game_id in ("12-5", "hand (12-5)", table.platform_key):
        failure_of(
            partial(
                table.stub.GetScore,
                pb.GetScoreRequest(game_id=game_id),
                metadata=(*bearer("mxk_local_12-5"), ("traceparent", "hand 12-5")),
                timeout=WITHIN_S,
            )
        )


def _watch(table: Table) -> None:
    """Hear of everything so far and of one more move, and go."""
    stream: Any = table.stub.WatchGame(
        pb.WatchGameRequest(game_id=table.game_id, after_version=0),
        metadata=bearer(table.tokens[0]),
        timeout=WITHIN_S,
    )
    next(stream)
    seat, move = table.next_move()
    table.play(seat, table.play_request(move))
    next(stream)
    stream.cancel()


def _break(valkey: EmbeddedValkey, game_id: str) -> None:
    """Leave a snapshot that cannot be read, beside the one that the worker remembers."""
    with Redis.from_url(valkey.url) as client:
        client.set(f"mt:{{{game_id}}}:s", b"\x01 12-5 no snapshot at all")


def test_each_call_is_one_span_with_how_it_ended(traced: Traced) -> None:
    made = [
        span
        for span in traced.collector.named("PlayMove")
        if span.attributes["rpc.response.status_code"] == "OK"
    ]
    assert _MOVES + 1 == len(made)
    for number, span in enumerate(made):
        assert _SERVER == span.kind
        assert traced.table.game_id == span.attributes["mextrain.game_id"]
        assert number + 2 == span.attributes["mextrain.version"]
        assert span.attributes["mextrain.seat"] in range(_PLAYERS)
        assert not span.parent_id


def test_span_belongs_to_the_trace_that_the_caller_began(traced: Traced) -> None:
    assert _CALLER == traced.of_caller("GetScore").parent_id


def test_front_hands_the_trace_on(traced: Traced) -> None:
    (span,) = (span for span in traced.collector.named("GetScore") if span.trace_id == _HTTP_TRACE)
    assert _CALLER == span.parent_id


def test_call_is_not_traced_when_its_caller_decided_so(traced: Traced) -> None:
    assert _UNSAMPLED not in {span.trace_id for span in traced.collector.spans}


def test_refusal_has_its_reason_and_is_no_fault_of_the_server(traced: Traced) -> None:
    refused = traced.collector.named("PlayMove")[_MOVES : _MOVES + 2]
    reasons = ["NOT_YOUR_TURN", "MOVE_MALFORMED"]
    assert reasons == [span.attributes["mextrain.reason"] for span in refused]
    assert not any(span.failed for span in refused)


def test_fault_of_the_server_is_an_error_that_says_its_reason_only(traced: Traced) -> None:
    (fault,) = (span for span in traced.collector.spans if span.failed)
    assert ("GetGame", "GAME_DAMAGED") == (fault.name, fault.status)
    assert "GAME_DAMAGED" == fault.attributes["mextrain.reason"]
    assert "DATA_LOSS" == fault.attributes["rpc.response.status_code"]


def test_work_of_the_store_is_below_the_call_with_its_round_trips(traced: Traced) -> None:
    first, *later = traced.collector.named("PlayMove")[:_MOVES]
    below = {each.name: each for each in traced.collector.children(first)}
    assert "store commit" in below
    for move in later:  # by now the server knows the script
        work = {each.name: each for each in traced.collector.children(move)}
        assert all(_CLIENT == each.kind for each in work.values())
        assert all(move.trace_id == each.trace_id for each in work.values())
        assert {"store commit"} == set(work), "what is remembered is no work"
        assert 1 == work["store commit"].attributes["mextrain.round_trips"]


def test_nothing_but_calls_begins_a_trace(traced: Traced) -> None:
    roots = [span for span in traced.collector.spans if not span.parent_id]
    assert all(_SERVER == span.kind for span in roots)


def test_stream_is_one_span_that_counts_its_messages(traced: Traced) -> None:
    (watched,) = traced.collector.named("WatchGame")
    messages = watched.attributes["mextrain.messages"]
    assert isinstance(messages, int)
    assert messages in (1, 2)  # whether the last one was taken, its reader did not stay to say
    assert "CANCELLED" == watched.attributes["rpc.response.status_code"]


def test_span_says_nothing_but_what_is_allowed(traced: Traced) -> None:
    for span in traced.collector.spans:
        allowed = ATTRIBUTES if span.kind == _SERVER else STORE_ATTRIBUTES
        assert set(span.attributes) <= allowed
        assert "events {" not in span.text
        assert "links {" not in span.text
        assert "trace_state" not in span.text


def test_span_holds_no_tile_no_hand_and_no_credential(traced: Traced) -> None:
    for span in traced.collector.spans:
        said = {key: value for key, value in span.attributes.items() if key != "mextrain.game_id"}
        shown = f"{span.name} {span.status} {' '.join(map(str, said.values()))}"
        assert _TILE.search(shown) is None, shown
        assert _HIDDEN_WORDS.search(shown) is None, shown
        assert span.attributes.get("mextrain.game_id") in (None, traced.table.game_id)
        for credential in (traced.table.platform_key, *traced.table.tokens):
            assert credential.rpartition(".")[2] not in span.text
            assert all(credential not in each for each in traced.collector.resources)


def test_log_line_of_a_call_names_its_span(traced: Traced) -> None:
    span = traced.of_caller("GetScore")
    (line,) = (line for line in traced.log if line.get("span_id") == span.span_id)
    assert ("call", "GetScore", _TRACE) == (line["event"], line["method"], line["trace_id"])
    damaged = next(line for line in traced.log if line.get("reason") == "GAME_DAMAGED")
    assert damaged["trace_id"] in {span.trace_id for span in traced.collector.named("GetGame")}


def test_worker_ends_soon_when_the_collector_is_away(tmp_path: Path) -> None:
    nowhere = {
        "MEXTRAIN_TRACING_ENABLED": "true",
        "MEXTRAIN_TRACING_ENDPOINT": "http://127.0.0.1:1",
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
    }
    with served(tmp_path, "--workers=1", **nowhere) as service:
        with channel_to(service.running.endpoint) as channel:
            new_table(channel, service.running.platform_key)
        assert service.stop() == 0
    events = [line["event"] for line in log_lines(service.logged())]
    assert "stopped" in events
    assert "Traceback" not in service.logged()


def test_nothing_of_it_is_loaded_when_it_is_off(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1") as service:
        with channel_to(service.running.endpoint) as channel:
            new_table(channel, service.running.platform_key)
        service.stop()
    assert not any("trace_id" in line for line in log_lines(service.logged()))
    printed = subprocess.run(
        [sys.executable, "-c", _LOADED_WHEN_OFF], capture_output=True, check=True, text=True
    )
    assert {"mextrain_service.worker.tracing"} == set(printed.stdout.split())


def test_worker_does_not_start_when_traces_are_wanted_and_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in variables():
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in sys.modules if name.startswith("opentelemetry")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.setenv("MEXTRAIN_TRACING_ENABLED", "true")
    with pytest.raises(SettingsError) as refused:
        load()
    assert any(
        problem.startswith("MEXTRAIN_TRACING_ENABLED: needs") and "mextrain[tracing]" in problem
        for problem in refused.value.problems
    )
