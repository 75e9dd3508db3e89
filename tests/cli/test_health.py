"""``mextrain health`` says of a worker and a front what their own pages say."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from mextrain_service.cli.app import app
from mextrain_service.cli.complaints import CliError
from mextrain_service.local.discovery import Running
from mextrain_service.process.ports import free_ports


@pytest.fixture(autouse=True)
def _nothing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics_port, admin_port = free_ports("127.0.0.1", 2)
    monkeypatch.setenv("MEXTRAIN_METRICS_PORT", str(metrics_port))
    monkeypatch.setenv("MEXTRAIN_FRONT_ADMIN_PORT", str(admin_port))


@contextmanager
def _pages(pages: dict[str, tuple[HTTPStatus, bytes]]) -> Iterator[int]:
    """A stand-in for Envoy's own pages, on a real port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = pages[self.path]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(
    ("words", "said"), [([], "worker: ok\n"), (["--ready"], "worker: ready\n")]
)
def test_worker_is_well_while_it_serves(
    words: list[str], said: str, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = urlsplit(service.metrics_urls[0]).port
    monkeypatch.setenv("MEXTRAIN_METRICS_PORT", str(port))
    monkeypatch.setenv("MEXTRAIN_METRICS_HOST", "0.0.0.0")  # noqa: S104 - asked
    result = CliRunner().invoke(app, ["health", *words])
    assert (0, said) == (result.exit_code, result.output)


def test_one_part_that_is_not_well_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"/ready": (HTTPStatus.SERVICE_UNAVAILABLE, b"DRAINING\n")}
    with _pages(pages) as front:
        monkeypatch.setenv("MEXTRAIN_FRONT_ADMIN_PORT", str(front))
        result = CliRunner().invoke(app, ["health"])
    assert isinstance(result.exception, CliError)
    assert "The front is not well: DRAINING." == result.exception.message


def test_living_worker_that_takes_no_calls_is_well_but_not_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = {
        "/healthz": (HTTPStatus.OK, b"ok\n"),
        "/readyz": (HTTPStatus.SERVICE_UNAVAILABLE, b"store_unavailable\n"),
    }
    with _pages(pages) as worker:
        monkeypatch.setenv("MEXTRAIN_METRICS_PORT", str(worker))
        live = CliRunner().invoke(app, ["health"])
        ready = CliRunner().invoke(app, ["health", "--ready"])
    assert 0 == live.exit_code
    assert isinstance(ready.exception, CliError)
    assert "The worker is not well: store_unavailable." == ready.exception.message


def test_place_where_nothing_runs_is_not_well() -> None:
    result = CliRunner().invoke(app, ["health"])
    assert isinstance(result.exception, CliError)
