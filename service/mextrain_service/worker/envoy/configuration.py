"""Makes the configuration of a front into that of an Envoy with the service in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from mextrain_service.front.configuration import UNSERVED, WORKERS, Address
from mextrain_service.rpc.envoy.headers import CALL_HEADER

APPLICATION: Final = "mextrain_service.worker.envoy.application:application"
"""What ``pyvoy`` runs; its module is imported inside Envoy."""

_LISTENER: Final = "front"
_ROUTER: Final = "envoy.filters.http.router"
_TYPE: Final = "type.googleapis.com/envoy."
_QUIET_S: Final = 900
_KEEPALIVE_TIMEOUT_S: Final = 20
_LEFT_FLAGS: Final = ("DC", "DR")
"""Envoy's words for a caller that closed its connection, or gave up one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTerms:
    """What differs from one host to the next.

    Attributes:
        module: the shared library of ``pyvoy``.
        admin: the socket of Envoy's own pages.
        left: the pipe that Envoy writes the names of calls to whose callers are gone.
        more: where else it listens.
        max_streams: calls at once on one connection.
        max_connection_age_s: after how long a connection is asked to go, in seconds.
        keepalive_s: how often a quiet connection is pinged, in seconds.
        application: what runs inside, as ``module:name``.
    """

    module: Path
    admin: Path
    left: Path
    more: tuple[Address, ...]
    max_streams: int
    max_connection_age_s: int
    keepalive_s: int
    application: str = APPLICATION


def hosting_configuration(front: str, terms: HostTerms) -> str:
    """Return the configuration in JSON.

    Args:
        front: that of a front, in YAML, whose listener is to be the worker's.
        terms: see there.
    """
    whole: dict[str, Any] = yaml.load(front, _LOADER)  # noqa: S506 - a safe loader
    whole["admin"]["address"] = {"pipe": {"path": str(terms.admin), "mode": 0o600}}
    resources = whole["static_resources"]
    listener = _named(resources["listeners"], _LISTENER)
    listener["additional_addresses"] = [_address(each) for each in terms.more]
    # Pages of the operator's that each worker has on a port of its own are not needed here.
    resources["listeners"] = [listener]
    resources["clusters"] = [_named(resources["clusters"], WORKERS)]
    port = listener["address"]["socket_address"]["port_value"]
    _host(listener["filter_chains"][0]["filters"][0]["typed_config"], terms, port)
    return json.dumps(whole)


_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _named(items: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(item for item in items if item["name"] == name)


def _address(address: Address) -> dict[str, Any]:
    return {
        "address": {"socket_address": {"address": address.host, "port_value": address.port}},
    }


def _host(connections: dict[str, Any], terms: HostTerms, grpc_port: int) -> None:
    """Put the service where requests would leave for a worker.

    Args:
        connections: the configuration of the listener's connections.
        terms: see there.
        grpc_port: where all services are served; elsewhere, what a front serves.
    """
    for log in connections["access_log"]:
        log["filter"] = _both(log.get("filter"), _NEVER_CAME_HERE)
    connections["access_log"].append(_callers_that_left(terms.left))
    http2 = connections["http2_protocol_options"]
    http2["max_concurrent_streams"] = terms.max_streams
    http2["connection_keepalive"] = {
        "interval": f"{terms.keepalive_s}s",
        "timeout": f"{_KEEPALIVE_TIMEOUT_S}s",
    }
    common = connections["common_http_protocol_options"]
    common["max_connection_duration"] = f"{terms.max_connection_age_s}s"
    filters = connections["http_filters"]
    at = next(index for index, each in enumerate(filters) if each["name"] == _ROUTER)
    filters[at:at] = [_NAMED_CALLS, _service(terms)]
    connections["early_header_mutation_extensions"] = [_MARKED_PORT]
    (host,) = connections["route_config"]["virtual_hosts"]
    routes = host["routes"]
    last = next(index for index, each in enumerate(routes) if _refuses_grpc(each))
    routes.insert(last, _all_of_grpc(grpc_port))
    for route in routes:
        _route(route)


def _route(route: dict[str, Any]) -> None:
    """Leave to the service what would go to a worker, and only that."""
    if route.get("route", {}).get("cluster") != WORKERS:
        route.setdefault("typed_per_filter_config", {})[_SERVICE_FILTER] = {
            "@type": f"{_TYPE}config.route.v3.FilterConfig",
            "disabled": True,
        }
    elif route["route"].get("timeout") == "0s":
        route["route"].setdefault("idle_timeout", f"{_QUIET_S}s")


def _refuses_grpc(route: dict[str, Any]) -> bool:
    """Whether a route is the one of gRPC calls of methods that a front does not serve."""
    return bool(route.get("direct_response", {}).get("status") == UNSERVED)


def _all_of_grpc(port: int) -> dict[str, Any]:
    """Return the route of those methods, at the port for gRPC."""
    came = {"name": _PORT, "string_match": {"exact": str(port)}}
    speaks = {"name": "content-type", "string_match": {"prefix": "application/grpc"}}
    return {
        "match": {"prefix": "/", "headers": [came, speaks]},
        "route": {"cluster": WORKERS, "timeout": "0s"},
    }


_SERVICE_FILTER: Final = "mextrain"


def _service(terms: HostTerms) -> dict[str, Any]:
    settings = {
        "app": terms.application,
        "interface": "asgi",
        "lifespan": True,
        "loop": "uvloop",
    }
    return {
        "name": _SERVICE_FILTER,
        "typed_config": {
            "@type": f"{_TYPE}extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
            "dynamic_module_config": {"module": {"local": {"filename": str(terms.module)}}},
            "filter_name": "pyvoy",
            "filter_config": {
                "@type": "type.googleapis.com/google.protobuf.StringValue",
                "value": json.dumps(settings),
            },
        },
    }


def _set(key: str, value: str) -> dict[str, Any]:
    return {
        "append": {
            "header": {"key": key, "value": value},
            "append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
        }
    }


_PORT: Final = "x-mextrain-port"

_MARKED_PORT: Final = {
    "name": "envoy.http.early_header_mutation.header_mutation",
    "typed_config": {
        "@type": f"{_TYPE}extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
        "mutations": [_set(_PORT, "%DOWNSTREAM_LOCAL_PORT%")],
    },
}
"""Which port a request came to, for its route."""

_CALL: Final = CALL_HEADER.decode()

_NAMED_CALLS: Final = {
    "name": "envoy.filters.http.header_mutation",
    "typed_config": {
        "@type": f"{_TYPE}extensions.filters.http.header_mutation.v3.HeaderMutation",
        "mutations": {
            "request_mutations": [
                _set(_CALL, "%UNIQUE_ID%"),
                # Who speaks gRPC takes trailers, and so do the filters that speak it for others.
                _set("te", "trailers"),
            ]
        },
    },
}


_NEVER_CAME_HERE: Final = {
    "header_filter": {"header": {"name": _CALL, "present_match": True, "invert_match": True}}
}
"""Requests that the service knows nothing of; of the others it writes a line itself."""


def _both(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    return other if one is None else {"and_filter": {"filters": [one, other]}}


def _callers_that_left(pipe: Path) -> dict[str, Any]:
    return {
        "name": "envoy.access_loggers.file",
        "filter": {"response_flag_filter": {"flags": list(_LEFT_FLAGS)}},
        "typed_config": {
            "@type": f"{_TYPE}extensions.access_loggers.file.v3.FileAccessLog",
            "path": str(pipe),
            "log_format": {
                "text_format_source": {"inline_string": f"%REQ({_CALL})%\n"},
            },
        },
    }
