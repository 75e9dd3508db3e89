"""Taking ports before anything listens on them."""

from __future__ import annotations

import socket

import pytest

from mextrain_service.process.ports import (
    PortUnavailableError,
    held_port,
    require_free,
    reserved_port,
)
from tests.polling import WITHIN_S

_HOST = "127.0.0.1"


def test_a_reserved_port_is_shared_by_those_that_ask_to_share_it() -> None:
    with reserved_port(_HOST, 0) as port, socket.socket() as worker:
        worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        worker.bind((_HOST, port))
        worker.listen()
        with socket.create_connection((_HOST, port), timeout=WITHIN_S):
            pass


def test_a_held_port_is_given_to_nobody_until_it_is_let_go() -> None:
    with held_port(_HOST) as port, socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind((_HOST, port))
    with socket.create_server((_HOST, port)) as own:
        assert port == own.getsockname()[1]


def test_a_port_is_refused_with_words_when_somebody_listens_there() -> None:
    with socket.create_server((_HOST, 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortUnavailableError) as refused, reserved_port(_HOST, port):
            pass
        assert f"{_HOST}:{port} is already in use" in str(refused.value)


def test_a_port_is_refused_even_when_who_listens_there_would_share_it() -> None:
    with (
        socket.create_server((_HOST, 0), reuse_port=True) as other,
        pytest.raises(PortUnavailableError),
    ):
        require_free(_HOST, other.getsockname()[1])


def test_an_address_is_refused_with_words_when_it_is_of_another_machine() -> None:
    with pytest.raises(PortUnavailableError) as refused:
        require_free("192.0.2.1", 7300)
    assert "is not an address of this machine" in str(refused.value)
