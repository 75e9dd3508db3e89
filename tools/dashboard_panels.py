"""What is on the dashboard: rows, panels, queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WINDOW: Final = "$__rate_interval"
"""What Grafana replaces by a time that fits the scrape interval and the picture's width."""

_UNARY: Final = 'method!~"Watch.+|PlayGames"'
_FRONT: Final = 'envoy_http_conn_manager_prefix="front"'
_WORKERS: Final = 'envoy_cluster_name="workers"'


@dataclass(frozen=True, slots=True)
class Query:
    """A query of PromQL, and what its series are called: text with ``{{label}}``."""

    text: str
    legend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A picture of some queries.

    Attributes:
        title: what it shows.
        unit: Grafana's name of the unit: ``s``, ``ops``, ``percentunit``, ``bytes``, ``short``.
        queries: at least one.
        says: how to read it.
        single: the latest value as a number, instead of lines over time.
        stacked: areas on top of each other.
        bounds: values from which it is amber, then red; descending if less is worse.
    """

    title: str
    unit: str
    queries: tuple[Query, ...]
    says: str = ""
    single: bool = False
    stacked: bool = False
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Panels that belong together."""

    title: str
    panels: tuple[Panel, ...]


def _rate(metric: str, *by: str, matching: str = "") -> str:
    by_labels = f" by ({', '.join(by)})" if by else ""
    return f"sum{by_labels} (rate({metric}{{{matching}}}[{WINDOW}]))".replace("{}", "")


def _quantile(quantile: float, metric: str, *by: str, matching: str = "") -> str:
    rate = _rate(f"{metric}_bucket", "le", *by, matching=matching)
    return f"histogram_quantile({quantile}, {rate})"


def _quantiles(metric: str, matching: str = "") -> tuple[Query, ...]:
    return tuple(
        Query(_quantile(quantile, metric, matching=matching), f"p{round(100 * quantile)}")
        for quantile in (0.5, 0.9, 0.99)
    )


ROWS: Final = (
    Row(
        "How it stands",
        (
            Panel(
                title="Error budget left of 30 days",
                unit="percentunit",
                queries=(Query("mextrain:slo_budget_left:ratio", "{{slo}}"),),
                says="Below zero the objective was missed.",
                single=True,
                bounds=(0.5, 0.1),
            ),
            Panel(
                title="Alerts",
                unit="short",
                queries=(
                    Query(
                        'sum(ALERTS{alertname=~"Mextrain.+",alertstate="firing"}) or vector(0)',
                        "firing",
                    ),
                ),
                single=True,
                bounds=(1, 3),
            ),
            Panel(
                title="Ready workers",
                unit="short",
                queries=(Query("sum(mextrain_ready)", "ready"),),
                single=True,
                bounds=(1, 0),
            ),
            Panel(
                title="Moves made",
                unit="ops",
                queries=(Query(_rate("mextrain_moves_total", matching='result="made"'), "moves"),),
                single=True,
            ),
            Panel(
                title="Streams",
                unit="short",
                queries=(Query("sum by (method) (mextrain_watchers)", "{{method}}"),),
                single=True,
            ),
            Panel(
                title="Releases",
                unit="short",
                queries=(Query("count by (version) (mextrain_build_info)", "{{version}}"),),
                says="Workers of each release; more than one during an update only.",
                single=True,
            ),
        ),
    ),
    Row(
        "Calls",
        (
            Panel(
                title="Calls by method",
                unit="ops",
                queries=(
                    Query(
                        _rate("mextrain_call_seconds_count", "method", matching=_UNARY),
                        "{{method}}",
                    ),
                ),
                stacked=True,
            ),
            Panel(
                title="Latency of moves",
                unit="s",
                queries=_quantiles("mextrain_call_seconds", 'method="PlayMove",code="OK"'),
                says="At the worker, the network apart. The objective: 99 % within 0.1 s.",
            ),
            Panel(
                title="99th percentile by method",
                unit="s",
                queries=(
                    Query(
                        _quantile(0.99, "mextrain_call_seconds", "method", matching=_UNARY),
                        "{{method}}",
                    ),
                ),
            ),
            Panel(
                title="Share of bad events",
                unit="percentunit",
                queries=(
                    Query("mextrain:slo_errors:ratio5m", "{{slo}}"),
                    Query("mextrain:slo_budget:ratio", "budget of {{slo}}"),
                ),
                says="By objective, over five minutes, beside what each may spend on average.",
            ),
            Panel(
                title="Errors by reason",
                unit="ops",
                queries=(Query(_rate("mextrain_call_errors_total", "reason"), "{{reason}}"),),
                says="Most answer callers. INTERNAL, STORE_UNAVAILABLE, OVERLOADED are ours.",
            ),
            Panel(
                title="Concurrent calls of each worker",
                unit="short",
                queries=(Query("mextrain:calls_in_flight:avg2m", "{{instance}}"),),
                says="But for streams. More than 8 wait for each other.",
            ),
        ),
    ),
    Row(
        "Play",
        (
            Panel(
                title="Moves by kind",
                unit="ops",
                queries=(
                    Query(
                        _rate("mextrain_moves_total", "kind", matching='result="made"'), "{{kind}}"
                    ),
                ),
                stacked=True,
            ),
            Panel(
                title="Rejected moves",
                unit="ops",
                queries=(
                    Query(
                        _rate("mextrain_moves_total", "result", matching='result!="made"'),
                        "{{result}}",
                    ),
                ),
            ),
            Panel(
                title="Streams by method",
                unit="short",
                queries=(Query("sum by (method) (mextrain_watchers)", "{{method}}"),),
            ),
            Panel(
                title="Delivery lag of watchers",
                unit="s",
                queries=_quantiles("mextrain_delivery_lag_seconds", 'method="WatchGame"'),
                says="From the commit of a change. The objective: 99 % within 0.5 s.",
            ),
            Panel(
                title="Delay of deadlines",
                unit="s",
                queries=_quantiles("mextrain_deadline_lag_seconds"),
                says="MEXTRAIN_GAMES_SWEEP_MS (0.5 s) is usual.",
            ),
            Panel(
                title="Clock skew of workers against Redis",
                unit="s",
                queries=(Query("mextrain_clock_skew_seconds", "{{instance}}"),),
                says="Games go by the clock of Redis; a wrong one of a worker harms nobody.",
            ),
            Panel(
                title="Retries",
                unit="ops",
                queries=(
                    Query(_rate("mextrain_conflicts_total"), "commits that came second"),
                    Query(_rate("mextrain_deadline_failures_total"), "deadlines"),
                    Query(_rate("mextrain_feed_promises_kept_total"), "news of dead workers"),
                ),
                says="Nothing is lost by any of it; much of it has a cause.",
            ),
        ),
    ),
    Row(
        "Many seats on one stream (PlayGames)",
        (
            Panel(
                title="Channel requests by kind",
                unit="ops",
                queries=(
                    Query(
                        _rate("mextrain_channel_request_seconds_count", "request"), "{{request}}"
                    ),
                ),
                stacked=True,
            ),
            Panel(
                title="Channel requests by outcome",
                unit="ops",
                queries=(
                    Query(
                        _rate("mextrain_channel_request_seconds_count", "outcome"), "{{outcome}}"
                    ),
                ),
            ),
            Panel(
                title="Latency of moves on streams",
                unit="s",
                queries=_quantiles(
                    "mextrain_channel_request_seconds", 'request="play",outcome="OK"'
                ),
            ),
        ),
    ),
    Row(
        "Redis",
        (
            Panel(
                title="Requests of workers",
                unit="ops",
                queries=(
                    Query(_rate("mextrain_store_seconds_count", "operation"), "{{operation}}"),
                ),
                stacked=True,
            ),
            Panel(
                title="99th percentile by operation",
                unit="s",
                queries=(
                    Query(_quantile(0.99, "mextrain_store_seconds", "operation"), "{{operation}}"),
                ),
            ),
            Panel(
                title="Requests without response",
                unit="ops",
                queries=(
                    Query(
                        _rate(
                            "mextrain_store_seconds_count",
                            "operation",
                            matching='result="unavailable"',
                        ),
                        "{{operation}}",
                    ),
                ),
            ),
            Panel(
                title="Memory",
                unit="bytes",
                queries=(
                    Query("redis_memory_used_bytes", "used at {{instance}}"),
                    Query("redis_memory_max_bytes", "maxmemory of {{instance}}"),
                ),
                says="At maxmemory moves are refused; nothing is thrown away.",
            ),
            Panel(
                title="Keys",
                unit="short",
                queries=(Query('redis_db_keys{db="db0"}', "{{instance}}"),),
                says="Two for each game, and lists of games by player and platform.",
            ),
            Panel(
                title="Connections and replicas",
                unit="short",
                queries=(
                    Query("redis_connected_clients", "clients of {{instance}}"),
                    Query("redis_connected_slaves", "replicas of {{instance}}"),
                ),
            ),
        ),
    ),
    Row(
        "Workers and fronts",
        (
            Panel(
                title="Cores used",
                unit="short",
                queries=(
                    Query(
                        "sum by (instance) (rate(process_cpu_seconds_total"
                        f'{{job="mextrain-worker"}}[{WINDOW}]))',
                        "{{instance}}",
                    ),
                ),
                says="A worker can use one.",
            ),
            Panel(
                title="Memory",
                unit="bytes",
                queries=(
                    Query('process_resident_memory_bytes{job="mextrain-worker"}', "{{instance}}"),
                ),
            ),
            Panel(
                title="HTTP responses of fronts",
                unit="ops",
                queries=(
                    Query(
                        _rate(
                            "envoy_http_downstream_rq_xx",
                            "envoy_response_code_class",
                            matching=_FRONT,
                        ),
                        "{{envoy_response_code_class}}xx",
                    ),
                ),
                stacked=True,
            ),
            Panel(
                title="Workers as fronts see them",
                unit="short",
                queries=(
                    Query(
                        f"min(envoy_cluster_membership_healthy{{{_WORKERS}}})", "healthy, at least"
                    ),
                    Query(f"max(envoy_cluster_membership_total{{{_WORKERS}}})", "found, at most"),
                ),
            ),
            Panel(
                title="Calls that fronts retried",
                unit="ops",
                queries=(
                    Query(
                        _rate("envoy_cluster_upstream_rq_retry", matching=_WORKERS), "sent again"
                    ),
                    Query(
                        _rate("envoy_cluster_upstream_cx_connect_fail", matching=_WORKERS),
                        "connections that failed",
                    ),
                ),
            ),
            Panel(
                title="Connections of clients",
                unit="short",
                queries=(
                    Query(
                        f"sum by (instance) (envoy_http_downstream_cx_active{{{_FRONT}}})",
                        "{{instance}}",
                    ),
                ),
            ),
        ),
    ),
)
"""The dashboard, from top to bottom."""
