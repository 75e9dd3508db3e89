"""Addresses of Redis: one server, a master that Sentinels watch over, or a Cluster.

Its errors never repeat an address, as it may hold a password.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlunsplit

from redis.asyncio.connection import SSLConnection, parse_url

SINGLE_SCHEMES = ("redis", "rediss", "unix")
"""How the address of one server may begin: TCP, TCP with TLS, a Unix socket."""

SENTINEL_SCHEMES = ("redis+sentinel", "rediss+sentinel")
"""How an address may begin that names Sentinels; TLS is then used to them and to the master."""

CLUSTER_SCHEMES = ("redis+cluster", "rediss+cluster")
"""How an address may begin that names some nodes of a Cluster."""

SCHEMES = (*SINGLE_SCHEMES, *SENTINEL_SCHEMES, *CLUSTER_SCHEMES)
"""How an address may begin."""

_SENTINEL_PORT = 26_379
_NODE_PORT = 6_379
_LAST_PORT = 65_535
_PARTS = re.compile(r"([A-Za-z+]+):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
_PLACE = re.compile(
    r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+(?:%[\w.~-]+)?)\]|(?P<name>[^\s:\[\]]+))(?::(?P<port>\d{1,5})?)?",
    re.ASCII,
)
_SENTINEL_OPTIONS = ("sentinel_username", "sentinel_password")


@dataclass(frozen=True, slots=True)
class Host:
    """A place to connect to.

    Attributes:
        name: a host name or an address.
        port: 1 to 65535.
    """

    name: str
    port: int


@dataclass(frozen=True, slots=True)
class SingleAddress:
    """One server.

    Attributes:
        url: as the Redis client takes it.
    """

    url: str


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """A master that Sentinels watch over.

    Attributes:
        sentinels: at least one; they are asked in turn until one answers.
        service: what the Sentinels call the master.
        options: of connections to the master, as the Redis client names them.
        sentinel_options: of connections to the Sentinels.
        tls: connections are encrypted.
    """

    sentinels: tuple[Host, ...]
    service: str
    options: Mapping[str, Any]
    sentinel_options: Mapping[str, Any]
    tls: bool


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """A Cluster.

    Attributes:
        seeds: at least one node; the others are learned from whichever answers first.
        options: of connections to nodes, as the Redis client names them.
        tls: connections are encrypted.
    """

    seeds: tuple[Host, ...]
    options: Mapping[str, Any]
    tls: bool


Address = SingleAddress | SentinelAddress | ClusterAddress
"""Any address."""


def parse_address(text: str) -> Address:
    """Read an address.

    | form                                                     | what it names       |
    |----------------------------------------------------------|---------------------|
    | `redis://[user:password@]host[:6379][/db]`               | one server          |
    | `unix:///path/of/socket[?db=0]`                          | one server          |
    | `redis+sentinel://[…@]host[:26379],host…/service[/db]`   | master by Sentinels |
    | `redis+cluster://[…@]host[:6379],host…`                  | a Cluster           |

    `rediss` instead of `redis` means TLS, with the `ssl_…` options of the Redis client in the
    query. User and password are those of the servers; Sentinels have their own, given as
    `?sentinel_username=…&sentinel_password=…`.

    Raises:
        ValueError: it is of another form.

    >>> parse_address("redis+sentinel://one,two:26380/games").service
    'games'
    """
    parts = _split(text)
    if parts.scheme in SINGLE_SCHEMES:
        return SingleAddress(text)
    if parts.scheme in SENTINEL_SCHEMES:
        return _sentinel(parts)
    if parts.scheme in CLUSTER_SCHEMES:
        return _cluster(parts)
    raise ValueError(f"an address of Redis begins with one of {', '.join(SCHEMES)}")


def _split(text: str) -> SplitResult:
    """Return the parts of an address.

    Newer versions of ``urlsplit`` refuse what is no single host, such as ``one:7000,[::1]``.
    """
    found = _PARTS.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"an address of Redis begins with one of {', '.join(SCHEMES)}")
    scheme, places, path, query = found.groups(default="")
    return SplitResult(scheme.lower(), places, path, query, "")


def _sentinel(parts: SplitResult) -> SentinelAddress:
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("after the Sentinels, the address names the master: …/service")
    query = dict(parse_qsl(parts.query))
    sentinel_options = {
        name.removeprefix("sentinel_"): query.pop(name)
        for name in _SENTINEL_OPTIONS
        if name in query
    }
    tls = parts.scheme.startswith("rediss")
    options = _options(parts, database, query)
    shared = {name: value for name, value in options.items() if name.startswith("ssl_")}
    return SentinelAddress(
        sentinels=_hosts(parts, _SENTINEL_PORT),
        service=service,
        options=options,
        sentinel_options={**shared, **sentinel_options},
        tls=tls,
    )


def _cluster(parts: SplitResult) -> ClusterAddress:
    if parts.path.strip("/") not in {"", "0"}:
        raise ValueError("a Cluster has database 0 only")
    options = _options(parts, "", dict(parse_qsl(parts.query)))
    return ClusterAddress(_hosts(parts, _NODE_PORT), options, parts.scheme.startswith("rediss"))


def _hosts(parts: SplitResult, default_port: int) -> tuple[Host, ...]:
    places = parts.netloc.rpartition("@")[2].split(",")
    return tuple(_host(place.strip(), default_port) for place in places)


def _host(place: str, default_port: int) -> Host:
    found = _PLACE.fullmatch(place)
    port = int(found["port"] or default_port) if found else 0
    if found is None or not 1 <= port <= _LAST_PORT:
        raise ValueError("the address names hosts as host:port, separated by commas")
    return Host((found["ipv6"] or found["name"]).lower(), port)


def _options(parts: SplitResult, database: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Return what the client's own parser makes of all but the hosts."""
    user, at, _ = parts.netloc.rpartition("@")
    scheme = parts.scheme.partition("+")[0]
    like = urlunsplit((scheme, f"{user}{at}host", f"/{database}", urlencode(query), ""))
    try:
        options: dict[str, Any] = dict(parse_url(like))
    except (ValueError, TypeError):
        raise ValueError("the address has a database or an option that cannot be read") from None
    for own in ("host", "port"):
        options.pop(own, None)
    if options.pop("connection_class", None) is SSLConnection:
        options.pop("ssl", None)
    return options
