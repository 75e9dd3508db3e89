"""Takes TCP ports before anything is started on them, so that a clash is said clearly."""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Iterator


class PortUnavailableError(Exception):
    """A port cannot be listened on."""


@contextlib.contextmanager
def reserved_port(host: str, port: int) -> Iterator[int]:
    """Hold a port for processes that will share it by ``SO_REUSEPORT``.

    The socket that holds it is bound and does not listen, so it gets no connection, and the port
    stays ours while all of the workers are down.

    Args:
        host: a name or address of this machine.
        port: 0 picks a free one.

    Yields:
        the port's number.

    Raises:
        PortUnavailableError: another process listens there, or the address is not this machine's.
    """
    require_free(host, port)
    with _bound(host, port, shared=True) as holder:
        yield int(holder.getsockname()[1])


def require_free(host: str, port: int) -> None:
    """Return if nobody listens on the port now; 0 is always free.

    Raises:
        PortUnavailableError: somebody does, or the address is not this machine's.
    """
    with _bound(host, port, shared=False) as probe:
        try:
            probe.listen(1)
        except OSError as error:
            raise _unavailable(host, port, error) from error


@contextlib.contextmanager
def held_port(host: str) -> Iterator[int]:
    """Hold a free port, so that nobody else is given it, until its own program is about to start.

    Yields:
        the port's number.

    Raises:
        PortUnavailableError: the address is not this machine's.
    """
    with _bound(host, 0, shared=False) as holder:
        yield int(holder.getsockname()[1])


def free_ports(host: str, count: int) -> tuple[int, ...]:
    """Return ``count`` different ports that nobody uses now; nothing holds them."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(_bound(host, 0, shared=False)) for _ in range(count)]
        return tuple(int(probe.getsockname()[1]) for probe in probes)


def _bound(host: str, port: int, *, shared: bool) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        holder = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _unavailable(host, port, error) from error
    try:
        # Connections that still linger from a service just stopped do not count as a clash.
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind(address)
    except OSError as error:
        holder.close()
        raise _unavailable(host, port, error) from error
    return holder


def _unavailable(host: str, port: int, error: OSError) -> PortUnavailableError:
    where = f"{host}:{port}"
    match error.errno:
        case errno.EADDRINUSE:
            why = "is already in use; stop what uses it, or choose another port (0 for a free one)"
        case errno.EACCES:
            why = "needs more rights than this user has; choose a port above 1023"
        case errno.EADDRNOTAVAIL:
            why = "is not an address of this machine"
        case _:
            why = f"cannot be listened on: {error.strerror or error}"
    return PortUnavailableError(f"{where} {why}")
