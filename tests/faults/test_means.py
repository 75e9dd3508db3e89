"""The means by which faults are brought about do what they say."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from tests.faults.proxy import Proxy
from tests.faults.skewed import set_ahead
from tests.faults.store import KEEPING, Store
from tests.storage.valkeys import HOST, eventually, free_ports

_ROOT = Path(__file__).parents[2]
_SOON_S = 0.1


@contextmanager
def _echo() -> Iterator[int]:
    """Send back whatever comes; yields the port."""
    with socket.create_server((HOST, 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=_send_back, args=(connection,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)


def _send_back(connection: socket.socket) -> None:
    with connection:
        while data := connection.recv(100):
            connection.sendall(data)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with _echo() as port:
        opened = Proxy(port, random.Random(1))
        opened.open()
        yield opened
        opened.close()


@contextmanager
def _connected(proxy: Proxy) -> Iterator[socket.socket]:
    with socket.create_connection((HOST, proxy.port), timeout=10) as connection:
        yield connection


def _answer(connection: socket.socket) -> bytes:
    """Return what comes back; nothing if the connection is dropped instead."""
    try:
        connection.sendall(b"ping")
        return connection.recv(100)
    except ConnectionError:
        return b""


def test_proxy_carries_what_is_sent_both_ways(proxy: Proxy) -> None:
    with _connected(proxy) as connection:
        assert b"ping" == _answer(connection)


def test_proxy_keeps_what_is_sent_while_it_holds_and_carries_it_afterwards(proxy: Proxy) -> None:
    with _connected(proxy) as connection:
        assert b"ping" == _answer(connection)
        proxy.hold()
        connection.sendall(b"later")
        connection.settimeout(_SOON_S)
        with pytest.raises(TimeoutError):
            connection.recv(100)
        connection.settimeout(10)
        proxy.carry()
        assert b"later" == connection.recv(100)


def test_proxy_drops_what_it_held_and_each_new_connection_while_it_refuses(proxy: Proxy) -> None:
    with _connected(proxy) as old:
        assert b"ping" == _answer(old)
        proxy.refuse()
        assert b"" == _answer(old)
        with _connected(proxy) as new:
            assert b"" == _answer(new)
        proxy.carry()
        with _connected(proxy) as new:
            assert b"ping" == _answer(new)


def test_proxy_drops_the_connection_instead_of_a_reply_that_is_to_be_lost(proxy: Proxy) -> None:
    proxy.lose_replies(1.0)
    with _connected(proxy) as connection:
        assert b"" == _answer(connection)


@pytest.mark.parametrize("ahead_s", [90.0, -90.0])
def test_clock_of_a_process_is_off_by_what_its_file_says(ahead_s: float, tmp_path: Path) -> None:
    file = tmp_path / "clock"
    set_ahead(file, ahead_s)
    asked = (
        "import sys, time, pathlib; from tests.faults.skewed import follow; "
        "follow(pathlib.Path(sys.argv[1])); print(time.time(), time.time_ns() / 1e9)"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked, str(file)], cwd=_ROOT, capture_output=True, check=True
    )
    for clock in map(float, told.stdout.split()):
        assert abs(clock - time.time() - ahead_s) < abs(ahead_s) / 2


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(free_ports(1)[0], tmp_path / "store", KEEPING)
    opened.start()
    yield opened
    opened.close()


def _writes(store: Store) -> bool:
    try:
        return bool(store.ask("SET", "key", "x" * 100) == "OK")
    except RedisError:
        return False


def test_store_refuses_writes_while_its_disk_is_full_and_takes_them_again(store: Store) -> None:
    assert _writes(store)
    store.fill_disk()
    eventually(lambda: not _writes(store), "a write is refused")
    assert "x" * 100 == store.ask("GET", "key")
    store.free_disk()
    eventually(lambda: _writes(store), "a write is taken")


def test_store_lacks_what_it_took_since_when_the_tail_of_its_file_was_cut(store: Store) -> None:
    store.ask("SET", "before", "1")
    size = store.written()
    store.ask("SET", "since", "1")
    eventually(lambda: store.written() > size, "it is written")
    store.kill()
    store.cut(size)
    store.start()
    assert ["1", None] == store.ask("MGET", "before", "since")
