"""Writes Envoy's configuration from the template and the contract."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Final

from mextrain_service.front.own_errors import FIRST_CONTENT_TYPE, local_replies
from mextrain_service.front.served_pages import NOT_TRANSCODED, page_routes
from mextrain_service.front.strict_rest import script
from mextrain_service.rpc.contract import (
    SERVICE,
    Binding,
    Method,
    bindings,
    descriptor_set,
    methods,
)

_LONGEST_WAIT_MARGIN_S: Final = 5
_STREAMS_TO_REFUSE: Final = 100
_QUIET_STREAM_S: Final = 900
"""How long a stream may say nothing; longer than any interval of heartbeats that is accepted."""

WORKERS: Final = "workers"
"""The cluster of the workers, as routes name it."""

UNSERVED: Final = 501
"""What a call in gRPC is refused with whose method is not served."""

HEALTH_PATH: Final = "/healthz"
"""Where a load balancer asks at the clients' port: 200, or 503 once the front is to stop."""

_OWN_PAGES: Final = ("/ready", "/stats/prometheus")
"""What of Envoy's own pages may be read from elsewhere; the others change it."""

_ACCESS_LOG: Final = {
    "timestamp": "%START_TIME%",
    "logger": "mextrain.front",
    "level": "info",
    "event": "request",
    "call_id": "%REQ(X-REQUEST-ID)%",
    "protocol": "%PROTOCOL%",
    "verb": "%REQ(X-ENVOY-ORIGINAL-METHOD?:METHOD)%",
    "path": "%PATH(NQ:ORIG_OR_PATH)%",
    "grpc_path": "%PATH(NQ:PATH)%",
    "status": "%RESPONSE_CODE%",
    "grpc_status": "%DYNAMIC_METADATA(mextrain:grpc_status)%",
    "why": "%RESPONSE_CODE_DETAILS%",
    "flags": "%RESPONSE_FLAGS%",
    "ms": "%DURATION%",
    "worker": "%UPSTREAM_HOST%",
    "attempts": "%UPSTREAM_REQUEST_ATTEMPT_COUNT%",
    "bytes_in": "%BYTES_RECEIVED%",
    "bytes_out": "%BYTES_SENT%",
    "client": "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%",
}
"""What the access log tells of a request: no credential, no body, no query."""


@dataclass(frozen=True, slots=True)
class Address:
    """A TCP address."""

    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontTerms:
    """What differs from one front to the next.

    Attributes:
        listen: where clients connect.
        admin: where Envoy's own pages are; only this machine may reach it.
        operator: where those two of them are that probes and Prometheus ask for.
        workers: sockets of the workers on this machine, or one name that stands for all of them.
        cors_origins: origins of pages that may call from a browser; ``*`` for all.
        max_request_bytes: the largest body that is read.
        longest_call_s: after how long a call that does not stream is given up.
        drain_s: how long connections are asked to go before they are closed.
        request_timeout_s: how long a request may take to arrive.
        max_connection_age_s: after how long a connection is asked to go, at least.
        max_connections: connections that are open at once; more are closed at once.
        max_calls: calls and streams at once; more are refused.
        clients_socket: how the port is encrypted, as Envoy has it; None for cleartext.
        workers_socket: how the way to the workers is encrypted, likewise.
        access_log: write a line for each request to standard error.
    """

    listen: Address
    admin: Address
    operator: Address
    workers: tuple[Path, ...] | Address
    cors_origins: tuple[str, ...]
    max_request_bytes: int
    longest_call_s: float
    drain_s: float
    request_timeout_s: float
    max_connection_age_s: float
    max_connections: int
    max_calls: int
    clients_socket: dict[str, Any] | None = None
    workers_socket: dict[str, Any] | None = None
    access_log: bool = True


def configuration(terms: FrontTerms) -> str:
    """Return the whole of Envoy's configuration, in YAML."""
    template = Template((resources.files(__package__) / "envoy.yaml").read_text("utf-8"))
    values = {
        "listen": _tcp(terms.listen),
        "admin": _tcp(terms.admin),
        "operator": _tcp(terms.operator),
        "operator_routes": [_own_page(path) for path in _OWN_PAGES],
        "health_path": HEALTH_PATH,
        "discovery": "STRICT_DNS" if isinstance(terms.workers, Address) else "STATIC",
        "endpoints": _endpoints(terms.workers),
        "routes": _routes(terms),
        "services": [SERVICE.full_name],
        "descriptor_set": base64.b64encode(descriptor_set()).decode(),
        "max_request_bytes": terms.max_request_bytes,
        "cors_origins": [_origin(each) for each in terms.cors_origins],
        "drain_timeout": _seconds(terms.drain_s),
        "request_timeout": _seconds(terms.request_timeout_s),
        "max_connection_age": _seconds(terms.max_connection_age_s),
        "max_connections": terms.max_connections,
        "max_calls": terms.max_calls,
        "max_streams": terms.max_calls + _STREAMS_TO_REFUSE,
        "clients_socket": terms.clients_socket,
        "workers_socket": terms.workers_socket,
        "response_mutations": _ANSWER_HEADERS,
        "strict_rest": script(),
        "first_content_type": FIRST_CONTENT_TYPE,
        "local_replies": local_replies(),
        "access_log": [_ACCESS_LOG_TO_STDERR] if terms.access_log else [],
    }
    return template.substitute({name: json.dumps(value) for name, value in values.items()})


_ACCESS_LOG_TO_STDERR: Final = {
    "name": "envoy.access_loggers.stderr",
    "filter": {"not_health_check_filter": {}},
    "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.access_loggers.stream.v3.StderrAccessLog",
        "log_format": {"json_format": _ACCESS_LOG},
    },
}


def _tcp(address: Address) -> dict[str, Any]:
    return {"socket_address": {"address": address.host, "port_value": address.port}}


def _endpoints(workers: tuple[Path, ...] | Address) -> list[dict[str, Any]]:
    if isinstance(workers, Address):
        return [{"endpoint": {"address": _tcp(workers)}}]
    return [{"endpoint": {"address": {"pipe": {"path": str(path)}}}} for path in workers]


def _origin(origin: str) -> dict[str, Any]:
    return {"safe_regex": {"regex": ".*"}} if origin == "*" else {"exact": origin}


def _routes(terms: FrontTerms) -> list[dict[str, Any]]:
    """Return what is served, and what is said of all else; nothing but this leads to a worker.

    A REST call is routed twice: as it came, which tells the check of it what method it is for, and
    as the gRPC call that it became.
    """
    wait_s = terms.longest_call_s + _LONGEST_WAIT_MARGIN_S
    return [
        _refusal({"prefix": "/", "headers": [_TWO_HOSTS]}, 400, "there are two hosts"),
        _refusal({"prefix": "/", "headers": [_IS_CODED]}, 415),
        _refusal({"prefix": f"/{SERVICE.full_name}/", "headers": [_IS_JSON]}, 415),
        *(_head_route(method, wait_s) for method in methods() if method.has_head),
        *(_route(method, wait_s) for method in methods()),
        *page_routes(),
        _refusal({"prefix": "/", "headers": [_IS_GRPC]}, UNSERVED),
        *(_rest_route(binding, wait_s) for binding in bindings()),
        _NOTHING,
    ]


def _route(method: Method, wait_s: float) -> dict[str, Any]:
    """Return the route of a gRPC call, also of one that came in another language."""
    unchecked = {_LUA: {"@type": f"{_LUA_TYPE}PerRoute", "disabled": True}}
    return {
        "match": {"path": method.path},
        "route": {"cluster": WORKERS, **_terms(method, wait_s)},
        "typed_per_filter_config": unchecked | (_STREAM_HEADERS if method.streams else {}),
    }


def _head_route(method: Method, wait_s: float) -> dict[str, Any]:
    """Return the route of a gRPC call that came by HEAD, whose answer loses its body."""
    came = {"name": "x-envoy-original-method", "string_match": {"exact": "HEAD"}}
    return {
        "match": {"path": method.path, "headers": [came]},
        "route": {"cluster": WORKERS, **_terms(method, wait_s)},
        "typed_per_filter_config": _checked({"head": True}) | _NOT_COMPRESSED,
    }


def _rest_route(binding: Binding, wait_s: float) -> dict[str, Any]:
    """Return the route of a REST call as it came."""
    verb = {"name": ":method", "string_match": {"exact": binding.verb}}
    more = _STREAM_HEADERS if binding.streams else {}
    if binding.verb == "HEAD":
        more = _NOT_COMPRESSED
    return {
        "match": {"safe_regex": {"regex": binding.pattern("[^/]+")}, "headers": [verb]},
        "route": {"cluster": WORKERS, "timeout": _seconds(wait_s)},
        "typed_per_filter_config": _checked({"method": binding.method}) | more,
    }


def _checked(context: dict[str, Any]) -> dict[str, Any]:
    """Return what tells the script of REST what it is asked for; see ``strict_rest.lua``."""
    return {_LUA: {"@type": f"{_LUA_TYPE}PerRoute", "filter_context": context}}


def _terms(method: Method, wait_s: float) -> dict[str, Any]:
    if method.streams:
        return {"timeout": "0s", "idle_timeout": _seconds(_QUIET_STREAM_S)}
    # A call that never left may go to another worker; one that may have arrived only if it reads.
    retried = "connect-failure,refused-stream" + (",reset" if method.reads else "")
    return {
        "timeout": _seconds(wait_s),
        "retry_policy": {
            "retry_on": retried,
            "num_retries": 2,
            "host_selection_retry_max_attempts": 3,
            "retry_host_predicate": [_NOT_THE_SAME_WORKER],
            "retry_back_off": {"base_interval": "0.025s", "max_interval": "0.25s"},
        },
    }


def _own_page(path: str) -> dict[str, Any]:
    reads = {"name": ":method", "string_match": {"exact": "GET"}}
    return {"match": {"path": path, "headers": [reads]}, "route": {"cluster": "own_pages"}}


_NOT_THE_SAME_WORKER: Final = {
    "name": "envoy.retry_host_predicates.previous_hosts",
    "typed_config": {
        "@type": "type.googleapis.com/"
        "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"
    },
}


def _header(name: str, value: str, action: str) -> dict[str, Any]:
    return {"append": {"header": {"key": name, "value": value}, "append_action": action}}


_FILTERS: Final = "type.googleapis.com/envoy.extensions.filters.http"
_LUA: Final = "envoy.filters.http.lua"
_LUA_TYPE: Final = f"{_FILTERS}.lua.v3.Lua"
_FRESH_AND_WHOLE: Final = "no-cache, no-transform, no-store"

_ANSWER_HEADERS: Final = [
    _header("x-content-type-options", "nosniff", "OVERWRITE_IF_EXISTS_OR_ADD"),
    # Hands and tokens are in answers; pages say themselves how long they are kept.
    _header("cache-control", "no-store", "ADD_IF_ABSENT"),
    _header("vary", "Origin", "APPEND_IF_EXISTS_OR_ADD"),
]

_STREAM_HEADERS: Final[dict[str, Any]] = {
    "envoy.filters.http.header_mutation": {
        "@type": f"{_FILTERS}.header_mutation.v3.HeaderMutationPerRoute",
        "mutations": {
            "response_mutations": [
                _header("cache-control", _FRESH_AND_WHOLE, "OVERWRITE_IF_EXISTS_OR_ADD"),
                _header("x-accel-buffering", "no", "OVERWRITE_IF_EXISTS_OR_ADD"),
            ]
        },
    }
}
"""For proxies that would hold events back to compress them, or until there are more."""

_NOT_COMPRESSED: Final[dict[str, Any]] = {
    "envoy.filters.http.compressor": {
        "@type": f"{_FILTERS}.compressor.v3.CompressorPerRoute",
        "disabled": True,
    }
}

_NOTHING: Final = {
    "match": {"prefix": "/"},
    "route": {"cluster": "nothing", "cluster_not_found_response_code": "NOT_FOUND"},
    "typed_per_filter_config": NOT_TRANSCODED,
}
"""Not found; a browser that asks in advance, or from elsewhere, is answered as it is anywhere."""

_TWO_HOSTS: Final = {"name": ":authority", "string_match": {"contains": ","}}
"""Envoy joins two headers ``Host`` by a comma, which no host has."""

_IS_CODED: Final = {
    "name": "content-encoding",
    "string_match": {"safe_regex": {"regex": "gzip|identity"}},
    "invert_match": True,
}
"""A body in a coding that is not taken off."""

_IS_GRPC: Final = {
    "name": "content-type",
    "string_match": {"safe_regex": {"regex": r"application/(grpc|connect|proto).*"}},
}

_IS_JSON: Final = {
    "name": "content-type",
    "string_match": {"safe_regex": {"regex": r"application/(connect\+)?json.*"}},
}
"""A call in Connect's JSON, which nothing behind reads."""


def _refusal(match: dict[str, Any], status: int, why: str = "") -> dict[str, Any]:
    body = {"body": {"inline_string": why}} if why else {}
    return {
        "match": match,
        "direct_response": {"status": status, **body},
        "typed_per_filter_config": NOT_TRANSCODED,
    }


def _seconds(seconds: float) -> str:
    return f"{seconds:g}s"
