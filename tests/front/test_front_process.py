"""The front and what is behind it: killed, away, back again; and what is written of it all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from mextrain.v1 import game_service_pb2 as pb

from tests.front.rest import Answer, Rest, persons
from tests.front.speaking import RefusedError, over_connect, over_grpc, over_grpc_web
from tests.polling import eventually
from tests.worker.processes import Command, children, command, log_lines, served, workers
from tests.worker.table import failure_of, reason_of


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Command]:
    with served(tmp_path, "--workers=2") as running:
        yield running


@pytest.fixture
def host(service: Command) -> Rest:
    return Rest(service.running.http_url, service.running.platform_key)


def _named(service: Command, name: str) -> int:
    """Return the process of that program."""
    (pid,) = (
        pid
        for pid in children(service.process.pid)
        if name in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0]
    )
    return pid


def test_calls_go_on_when_a_worker_is_killed(service: Command, host: Rest) -> None:
    os.kill(min(workers(service.process.pid)), signal.SIGKILL)
    assert [200] * 40 == [host.get("/v1/presets").status for _ in range(40)]


def test_front_is_started_again_when_it_is_killed(service: Command, host: Rest) -> None:
    before = _named(service, "envoy")
    os.kill(before, signal.SIGKILL)

    assert eventually(lambda: _status(host) == 200)
    assert before != _named(service, "envoy")


def test_refusal_says_when_to_come_back_when_the_store_is_away(
    service: Command, host: Rest
) -> None:
    store = _named(service, "valkey")
    os.kill(store, signal.SIGSTOP)
    try:
        answer = host.get("/v1/games/abc")
    finally:
        os.kill(store, signal.SIGCONT)
    assert (503, "STORE_UNAVAILABLE") == answer.refused
    assert int(answer.headers["retry-after"]) >= 1


def test_refusal_says_when_to_come_back_when_every_worker_is_away(
    service: Command, host: Rest
) -> None:
    call = over_grpc(host.url.removeprefix("http://"), host.credential)
    stopped = workers(service.process.pid)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        answer = eventually(lambda: _refused(Rest(host.url, host.credential, timeout_s=1)))
        in_grpc = failure_of(lambda: call("ListPresets", pb.ListPresetsRequest()))
        with pytest.raises(RefusedError) as in_grpc_web:
            over_grpc_web(host)("ListPresets", pb.ListPresetsRequest())
        with pytest.raises(RefusedError) as in_connect:
            over_connect(host)("ListPresets", pb.ListPresetsRequest())
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert (503, "SERVICE_UNAVAILABLE") == answer.refused
    assert "1" == answer.headers["retry-after"]
    assert "0.5s" in [detail.get("retryDelay") for detail in answer.body["details"]]
    reason = "SERVICE_UNAVAILABLE"
    assert (reason, grpc.StatusCode.UNAVAILABLE) == (reason_of(in_grpc), in_grpc.code())
    assert (reason, "14") == (in_grpc_web.value.reason, in_grpc_web.value.code)
    assert (reason, "unavailable") == (in_connect.value.reason, in_connect.value.code)
    assert eventually(lambda: host.get("/v1/presets").status == 200)


def _refused(host: Rest) -> Answer | None:
    """Return what a call is refused with; None if it hangs, for the front has not noticed yet."""
    try:
        answer = host.get("/v1/presets")
    except TimeoutError:
        return None
    return answer if answer.status != 200 else None


def test_access_log_tells_of_a_request_and_of_no_secret(service: Command, host: Rest) -> None:
    created = host.post(
        "/v1/games", {"seats": persons("ada-the-player", "bob")}, x_request_id="mine"
    )
    assert "mine" == created.headers["x-request-id"]
    host.get("/v1/games/abc?secret=in-a-query")

    first, second = _written(service, 2)
    assert ("mine", "POST", "/v1/games", 200) == tuple(
        first[name] for name in ("call_id", "verb", "path", "status")
    )
    assert "/v1/games/abc" == second["path"]
    log = service.logged()
    assert host.credential not in log
    assert created.body["seatTokens"][0]["token"] not in log
    assert "ada-the-player" not in log
    assert "in-a-query" not in log
    by_worker = [line for line in log_lines(log) if line.get("method") == "CreateGame"]
    assert ["mine"] == [line["call_id"] for line in by_worker]


def test_access_log_has_the_code_of_a_refusal_in_whatever_language_it_came(
    service: Command, host: Rest
) -> None:
    nobody, unknown = Rest(host.url), pb.GetGameRequest(game_id="nowhere")
    nobody.get("/v1/games/nowhere")
    host.get("/v1/games/nowhere")
    host.post("/v1/games", {})
    host.get("/v1/games/nowhere:watch")
    for call in (
        over_grpc(host.url.removeprefix("http://"), host.credential),
        over_grpc_web(host),
        over_connect(host),
    ):
        with pytest.raises((RefusedError, grpc.RpcError)):
            call("GetGame", unknown)
    codes = [str(code.value[0]) for code in _CODES]
    assert codes == [line["grpc_status"] for line in _written(service, len(codes))]


_CODES = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.INVALID_ARGUMENT,
    *[grpc.StatusCode.NOT_FOUND] * 4,
)


def _written(service: Command, number: int) -> list[dict[str, object]]:
    """Return the last lines of the access log, once there are so many."""

    def lines() -> list[dict[str, object]]:
        found = log_lines(service.logged())
        return [line for line in found if line.get("logger") == "mextrain.front"]

    return eventually(lambda: found if len(found := lines()) >= number else None)[-number:]


def test_front_is_left_out_when_it_is_not_wanted(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1", "--no-front") as service:
        assert "" == service.running.http_url
        assert 2 == len(children(service.process.pid))


def test_serve_says_so_and_goes_on_when_envoy_is_missing(tmp_path: Path) -> None:
    (tmp_path / "envoy.py").write_text("raise ImportError")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    words = ("serve", "--port=0", "--workers=1")
    with command(tmp_path, *words, PYTHONPATH=os.pathsep.join(paths)) as service:
        assert service.process.stdout is not None
        lines = iter(service.process.stdout.readline, "")
        assert any("Envoy is not here" in line for line in lines)
        assert 0 == service.stop()


def _status(host: Rest) -> int:
    """Return the status of a call; 0 if nothing answers."""
    try:
        return host.get("/v1/presets").status
    except OSError:
        return 0
