"""Everything that an operator may set, read once at start-up from ``MEXTRAIN_…`` variables."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mextrain_service.settings.auth import AuthSettings
from mextrain_service.settings.fields import Concern, split
from mextrain_service.settings.games import GameSettings, LimitSettings, WatchSettings
from mextrain_service.settings.tracing import TracingSettings
from mextrain_service.storage.addresses import parse_address

PREFIX = "MEXTRAIN_"
"""What the name of each variable begins with: ``MEXTRAIN_<CONCERN>_<SETTING>``."""

IN_FILES = (("redis", "url"), ("auth", "signing_key"))
"""Required secrets, by concern and setting; each may be in a file that ``<SETTING>_FILE`` names."""

CLIENT_VARIABLES = frozenset(
    {"MEXTRAIN_ENDPOINT", "MEXTRAIN_PLATFORM_KEY", "MEXTRAIN_OPERATOR_KEY"}
)
"""Variables of the same prefix that the client commands read; not settings of the service."""


class LogFormat(Enum):
    """What a log line looks like."""

    AUTO = "auto"
    JSON = "json"
    CONSOLE = "console"


class LogLevel(Enum):
    """The least level that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Transport(Enum):
    """What carries calls to the service."""

    GRPC = "grpc"
    ENVOY = "envoy"


class ServerSettings(Concern):
    """The gRPC port and the life of a worker."""

    host: str = Field(
        default="127.0.0.1", description="Address the gRPC port listens on.", min_length=1
    )
    port: int = Field(default=7300, ge=0, le=65535, description="gRPC port; 0 picks a free one.")
    workers: int = Field(
        default=0,
        ge=0,
        le=64,
        description="Worker processes that `mextrain serve` starts; 0 for one per usable core.",
    )
    transport: Transport = Field(
        default=Transport.GRPC,
        description="What carries calls: `grpc`, gRPC's own library; or `envoy`, experimental, "
        "with each worker inside an Envoy, which is faster; see `docs/transport.md`.",
    )
    reflection: bool = Field(
        default=True, description="Answer gRPC reflection, so that grpcurl works."
    )
    drain_delay_s: float = Field(
        default=5.0,
        ge=0,
        le=300,
        description="After SIGTERM: how long to answer NOT_SERVING, in seconds, before the port "
        "closes, so that load balancers look elsewhere first.",
    )
    grace_s: float = Field(
        default=10.0,
        ge=0,
        le=300,
        description="After the drain delay: how long calls in flight may take to end, in seconds.",
    )
    max_connection_age_s: int = Field(
        default=300,
        ge=1,
        le=86_400,
        description="How old a connection may get, in seconds; clients then reconnect and so "
        "spread over new replicas. At the front it is up to a fifth more, by chance.",
    )
    max_connection_age_grace_s: int = Field(
        default=30,
        ge=1,
        le=3_600,
        description="How long the calls of such a connection may take to end, in seconds.",
    )
    keepalive_s: int = Field(
        default=60,
        ge=10,
        le=3_600,
        description="How often a quiet connection is pinged, in seconds, to find dead peers.",
    )
    tls_cert_file: Path | None = Field(
        default=None,
        description="Certificate of the gRPC port and of the HTTP front, then those above it, PEM; "
        "without it they are not encrypted. This file and the next two are read again when others "
        "are put in their place.",
    )
    tls_key_file: Path | None = Field(
        default=None, description="Private key of that certificate, PEM."
    )
    tls_client_ca_file: Path | None = Field(
        default=None,
        description="Certificates that sign those of clients, PEM. With it, clients without such a "
        "certificate are rejected (mTLS). Clients still need their credential.",
    )


class RedisSettings(Concern):
    """Where live games are stored."""

    url: SecretStr = Field(
        description="Redis 7+ or Valkey: `redis://host:6379/0` or `unix:///path`, "
        "`redis+sentinel://host:26379,host:26379/service`, or `redis+cluster://host:6379,host:6379`"
        "; `rediss` for TLS. Required for `mextrain worker`; without it `mextrain serve` starts "
        "its own Valkey.",
    )
    url_file: Path | None = Field(
        default=None,
        description="File that holds this address instead, as it may hold a password. It is read "
        "once, at start-up.",
    )
    timeout_ms: int = Field(
        default=1_000,
        ge=10,
        le=60_000,
        description="How long the answer to one command may take, in milliseconds; it is not "
        "repeated when it takes longer.",
    )
    connect_timeout_ms: int = Field(
        default=1_000,
        ge=10,
        le=60_000,
        description="How long opening a connection may take, in milliseconds.",
    )
    max_connections: int = Field(
        default=64,
        ge=1,
        le=10_000,
        description="Connections that one worker opens at most; of a Cluster, to each node.",
    )
    wait_replicas: int = Field(
        default=0,
        ge=0,
        le=16,
        description="Replicas that must have a change before it is acknowledged; see "
        "`docs/durability.md` for the guarantees.",
    )
    wait_ms: int = Field(
        default=500,
        ge=1,
        le=60_000,
        description="How long a change waits for them, in milliseconds, before its caller gets "
        "`STORE_UNAVAILABLE`; less than the timeout.",
    )
    ping_interval_ms: int = Field(
        default=1_000,
        ge=50,
        le=60_000,
        description="How often readiness checks the store, in milliseconds; at least every 250 "
        "while the store does not respond.",
    )

    @field_validator("url")
    @classmethod
    def _scheme(cls, url: SecretStr) -> SecretStr:
        parse_address(url.get_secret_value())
        return url


class MetricsSettings(Concern):
    """The operator's HTTP port: metrics, liveness, readiness."""

    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address the HTTP port listens on."
    )
    port: int = Field(
        default=7390,
        ge=0,
        le=65535,
        description="HTTP port of the first worker, the next ones count up; 0 picks free ones.",
    )


class FrontSettings(Concern):
    """The HTTP front that `mextrain serve` starts beside the workers."""

    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address the HTTP port listens on."
    )
    port: int = Field(
        default=7380,
        ge=0,
        le=65535,
        description="Port for REST, gRPC, gRPC-Web and Connect; 0 picks a free one.",
    )
    admin_port: int = Field(
        default=7381,
        ge=0,
        le=65535,
        description="Port of Envoy's own pages, on 127.0.0.1 only; 0 picks a free one.",
    )
    metrics_port: int = Field(
        default=7382,
        ge=0,
        le=65535,
        description="Port of the front for `/ready` and `/stats/prometheus`, on "
        "`MEXTRAIN_METRICS_HOST`; 0 picks a free one.",
    )
    threads: int = Field(
        default=1, ge=1, le=64, description="Threads of Envoy that take connections."
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(split)] = Field(
        default=("*",),
        description="Origins of web pages that may call from a browser, comma-separated; `*` for "
        "all. Credentials are bearer tokens, never cookies, so a page can only use its own.",
    )
    cleartext: bool = Field(
        default=False,
        description="Serve HTTP without encryption although there is a certificate, "
        "`MEXTRAIN_SERVER_TLS_CERT_FILE`: for where something before the front ends TLS. Without "
        "a certificate it is cleartext anyway.",
    )
    workers_ca_file: Path | None = Field(
        default=None,
        description="Certificates that sign those of the workers, PEM. With it, `mextrain front` "
        "encrypts its way to them and shows its own certificate; theirs must have the name that it "
        "knows them by.",
    )
    request_timeout_s: float = Field(
        default=10.0,
        ge=0.1,
        le=300,
        description="How long a request, its headers and its body, may take to arrive, in seconds; "
        "then it is refused with 408.",
    )
    max_connections: int = Field(
        default=10_000,
        ge=1,
        le=1_000_000,
        description="Connections that a front has open at once; it closes more at once.",
    )
    max_calls: int = Field(
        default=8_192,
        ge=1,
        le=1_000_000,
        description="Calls and streams that a front carries at once, to all workers together; it "
        "refuses more with 503.",
    )
    access_log: bool = Field(
        default=True,
        description="Write a JSON line for each request to standard error; not done where logs "
        "are for a person at a terminal, who sees the workers' lines.",
    )


class LoggingSettings(Concern):
    """What is logged, and how it looks."""

    level: LogLevel = Field(
        default=LogLevel.INFO,
        description="Lowest level written: `debug`, `info`, `warning` or `error`.",
    )
    format: LogFormat = Field(
        default=LogFormat.AUTO,
        description="`json`, `console`, or `auto`: console on a terminal, JSON elsewhere.",
    )


class Settings(BaseSettings):
    """All settings. Immutable; every secret is in a type that does not print it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        frozen=True,
        extra="forbid",
    )

    server: ServerSettings = Field(default_factory=ServerSettings)
    redis: RedisSettings
    auth: AuthSettings
    metrics: MetricsSettings = Field(default_factory=MetricsSettings)
    front: FrontSettings = Field(default_factory=FrontSettings)
    logging: LoggingSettings = Field(default_factory=LoggingSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    games: GameSettings = Field(default_factory=GameSettings)
    watch: WatchSettings = Field(default_factory=WatchSettings)
    tracing: TracingSettings = Field(default_factory=TracingSettings)

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.limits.default_deadline_ms > self.limits.max_deadline_ms:
            message = "MEXTRAIN_LIMITS_DEFAULT_DEADLINE_MS is above MEXTRAIN_LIMITS_MAX_DEADLINE_MS"
            raise ValueError(message)
        _require_tls_agrees(self.server, self.front)
        if self.redis.wait_replicas and self.redis.wait_ms >= self.redis.timeout_ms:
            message = "MEXTRAIN_REDIS_WAIT_MS is not below MEXTRAIN_REDIS_TIMEOUT_MS"
            raise ValueError(message)
        watch = self.watch
        if not watch.min_heartbeat_s <= watch.heartbeat_s <= watch.max_heartbeat_s:
            message = (
                "MEXTRAIN_WATCH_HEARTBEAT_S is not between MEXTRAIN_WATCH_MIN_HEARTBEAT_S "
                "and MEXTRAIN_WATCH_MAX_HEARTBEAT_S"
            )
            raise ValueError(message)
        return self


def _require_tls_agrees(server: ServerSettings, front: FrontSettings) -> None:
    """Raise ValueError unless the settings of encryption go together."""
    if (server.tls_cert_file is None) != (server.tls_key_file is None):
        message = "MEXTRAIN_SERVER_TLS_CERT_FILE and MEXTRAIN_SERVER_TLS_KEY_FILE go together"
        raise ValueError(message)
    if server.tls_client_ca_file is None:
        return
    if server.tls_cert_file is None:
        message = "MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE needs MEXTRAIN_SERVER_TLS_CERT_FILE"
        raise ValueError(message)
    if front.cleartext:
        message = (
            "MEXTRAIN_FRONT_CLEARTEXT would let in clients without a certificate, whom "
            "MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE keeps out"
        )
        raise ValueError(message)


class FrontAloneSettings(BaseSettings):
    """What a front reads that runs by itself; the rest may be there and is the workers'."""

    model_config = SettingsConfigDict(**{**Settings.model_config, "extra": "ignore"})

    server: ServerSettings = Field(default_factory=ServerSettings)
    metrics: MetricsSettings = Field(default_factory=MetricsSettings)
    front: FrontSettings = Field(default_factory=FrontSettings)
    logging: LoggingSettings = Field(default_factory=LoggingSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)

    @model_validator(mode="after")
    def _agree(self) -> Self:
        _require_tls_agrees(self.server, self.front)
        return self


CONCERNS: dict[str, type[BaseModel]] = {
    "server": ServerSettings,
    "redis": RedisSettings,
    "auth": AuthSettings,
    "metrics": MetricsSettings,
    "front": FrontSettings,
    "logging": LoggingSettings,
    "limits": LimitSettings,
    "games": GameSettings,
    "watch": WatchSettings,
    "tracing": TracingSettings,
}
"""The concerns in the order of the documentation."""


def variable(concern: str, setting: str) -> str:
    """Return the name of the variable that holds a setting: ``MEXTRAIN_SERVER_PORT``."""
    return f"{PREFIX}{concern}_{setting}".upper()


def variables() -> tuple[str, ...]:
    """Return the name of every variable, by concern."""
    return tuple(
        variable(concern, setting)
        for concern, model in CONCERNS.items()
        for setting in model.model_fields
    )
