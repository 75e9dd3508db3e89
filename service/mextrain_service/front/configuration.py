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
from mextrain_service.rpc.contract import SERVICE, Method, descriptor_set, methods

_HEALTH: Final = "/grpc.health.v1.Health/"
_REFLECTION: Final = "/grpc.reflection."
_LONGEST_WAIT_MARGIN_S: Final = 5
_QUIET_STREAM_S: Final = 900
"""How long a stream may say nothing; longer than any interval of heartbeats that is accepted."""

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
    "grpc_status": "%GRPC_STATUS%",
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
    """Return a route for each method; REST calls are routed after they became gRPC."""
    wait_s = terms.longest_call_s + _LONGEST_WAIT_MARGIN_S
    return [
        _refusal({"prefix": f"/{SERVICE.full_name}/", "headers": [_IS_JSON]}, 415),
        *(_route({"path": method.path}, **_terms(method, wait_s)) for method in methods()),
        _route({"prefix": _HEALTH}, timeout="0s"),
        _route({"prefix": _REFLECTION}, timeout="0s"),
        *page_routes(),
        # Where each REST call begins, before it becomes gRPC: for what a browser asks in advance.
        # The transcoder lets only gRPC get here, which a worker knows how to refuse.
        _route({"prefix": "/"}, timeout=_seconds(wait_s)),
    ]


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


def _route(match: dict[str, Any], **terms: Any) -> dict[str, Any]:
    return {"match": match, "route": {"cluster": "workers", **terms}}


_IS_JSON: Final = {
    "name": "content-type",
    "string_match": {"safe_regex": {"regex": r"application/(connect\+)?json.*"}},
}
"""A call in Connect's JSON, which nothing behind reads."""


def _refusal(match: dict[str, Any], status: int) -> dict[str, Any]:
    return {
        "match": match,
        "direct_response": {"status": status},
        "typed_per_filter_config": NOT_TRANSCODED,
    }


def _seconds(seconds: float) -> str:
    return f"{seconds:g}s"
