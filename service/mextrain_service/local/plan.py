"""Decides everything about a service on one machine before its first worker starts."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mextrain_service.front.configuration import Address
from mextrain_service.front.planning import (
    FrontPlan,
    front_planned,
    http_url,
    why_no_front,
)
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.local.local_keys import LocalKeys, kept_keys, new_keys
from mextrain_service.process.ports import PortUnavailableError, require_free, reserved_port
from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.settings.model import MetricsSettings, Settings, Transport, variable
from mextrain_service.worker.envoy.programs import why_not_hosted

_KEYS_OF_THE_SETTINGS = (
    *("platform_keys", "platform_keys_file"),
    *("signing_key", "signing_key_file"),
)


class DataFolderError(Exception):
    """The folder for keys and games cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """What a person may say on the command line; the rest is in the settings.

    Attributes:
        host: address of the gRPC port; None for the settings' one.
        port: the gRPC port, 0 for a free one; None for the settings' one.
        workers: how many worker processes; None for the settings' number.
        redis_url: a Redis that is there; None for the settings' one, or else an own Valkey.
        data_dir: where an own Valkey keeps games, and the keys with them, over restarts; None to
            forget everything at stop.
        front: start the HTTP front too.
        http_port: its port; None for the settings' one, or a free one if ``port`` is 0.
        as_json: print one line of JSON instead of the banner.
        announce: let ``find_running`` find this service.
    """

    host: str | None = None
    port: int | None = None
    workers: int | None = None
    redis_url: str | None = None
    data_dir: str | None = None
    front: bool = True
    http_port: int | None = None
    as_json: bool = False
    announce: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """A service, ready to start its workers.

    Attributes:
        settings: of all workers.
        environment: the same as variables, for their processes.
        workers: how many.
        metrics_port: the HTTP port of the first one; 0 lets each take a free one.
        keys: the keys that were made here; None if the settings have their own.
        valkey: the own Valkey, started; None if the settings name a Redis.
        store: where games are kept, in words.
        front: the HTTP front that is a process of its own; None without one.
        fronts: each worker is the HTTP front, too.
        http_url: where the front is, whichever; empty without one.
        no_front: why there is none, in words; empty if there is one.
    """

    settings: Settings
    environment: dict[str, str]
    workers: int
    metrics_port: int
    keys: LocalKeys | None
    valkey: EmbeddedValkey | None
    store: str
    front: FrontPlan | None
    fronts: bool
    http_url: str
    no_front: str


@contextmanager
def planned(options: ServeOptions) -> Iterator[Plan]:
    """Take what must be ours before a worker starts, and give it back at the end.

    Raises:
        SettingsError: with every problem.
        DataFolderError: the folder is used by another service, or cannot be used.
        EmbeddedValkeyError: the own Valkey does not start.
        PortUnavailableError: a port is taken.
    """
    with ExitStack() as stack:
        folder = Path(options.data_dir) if options.data_dir is not None else None
        if folder is not None:
            stack.enter_context(_held(folder))
        keys = _keys(folder)
        valkey, url, store = None, options.redis_url or _given("redis", "url"), "in your Redis"
        if url is None and _given("redis", "url_file") is None:
            valkey = stack.enter_context(EmbeddedValkey(folder / "valkey" if folder else None))
            url = valkey.url
            store = f"in {folder}" if folder else "in memory, until this stops"
        _apply(options, url, keys)
        server = load().server
        port = stack.enter_context(reserved_port(server.host, server.port))
        os.environ[variable("server", "port")] = str(port)
        settings = load()
        workers = server.workers or _usable_cores()
        hosted = settings.server.transport is Transport.ENVOY
        no_front = _why_no_front(settings, hosted=hosted) if options.front else "left out"
        front, url_of_front = None, ""
        if not no_front and hosted:
            url_of_front = _shared_front(stack, settings, free=_may_move(options))
        elif not no_front:
            front = front_planned(stack, settings, workers, free=_may_move(options))
            url_of_front = front.url
        yield Plan(
            settings=settings,
            environment=dict(os.environ),
            workers=workers,
            metrics_port=_metrics_port(settings.metrics, workers, free=options.port == 0),
            keys=keys,
            valkey=valkey,
            store=store,
            front=front,
            fronts=hosted and not no_front,
            http_url=url_of_front,
            no_front=no_front,
        )


def _why_no_front(settings: Settings, *, hosted: bool) -> str:
    """Return why there is no front, in words; empty if there can be one.

    Raises:
        SettingsError: workers are to be inside Envoy, and cannot.
    """
    if not hosted:
        return why_no_front()
    if problem := why_not_hosted(settings):
        raise SettingsError((problem,))
    return ""


def _may_move(options: ServeOptions) -> bool:
    """Whether the front may be on any free port."""
    named = options.http_port is not None or _given("front", "port") is not None
    return options.port == 0 and not named


def _shared_front(stack: ExitStack, settings: Settings, *, free: bool) -> str:
    """Hold the port that all workers are the front on, and return its address."""
    front = settings.front
    port = stack.enter_context(reserved_port(front.host, 0 if free else front.port))
    os.environ[variable("front", "port")] = str(port)
    encrypted = settings.server.tls_cert_file is not None
    return http_url(Address(front.host, port), encrypted=encrypted)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Keep other services out of the folder."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        message = f"{folder} cannot be used: {error.strerror}"
        raise DataFolderError(message) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        message = f"{folder} is in use by another running service"
        raise DataFolderError(message) from None
    finally:
        os.close(lock)


def _keys(folder: Path | None) -> LocalKeys | None:
    """Return keys of our own, unless the settings bring any."""
    if any(_given("auth", name) for name in _KEYS_OF_THE_SETTINGS):
        return None
    if folder is None:
        return new_keys()
    try:
        return kept_keys(folder)
    except (OSError, ValueError) as error:
        raise DataFolderError(str(error)) from error


def _given(concern: str, setting: str) -> str | None:
    return os.environ.get(variable(concern, setting)) or None


def _apply(options: ServeOptions, redis_url: str | None, keys: LocalKeys | None) -> None:
    """Put into the environment, where the workers read it, what is decided here."""
    decided = {
        variable("redis", "url"): redis_url,
        variable("server", "host"): options.host,
        variable("server", "port"): options.port,
        variable("server", "workers"): options.workers,
        variable("front", "port"): options.http_port,
    }
    if keys is not None:
        decided[variable("auth", "platform_keys")] = keys.platform_entry()
        decided[variable("auth", "signing_key")] = keys.signing_key
        # Keys of our own mean a service to try things with: deals that can be repeated are
        # welcome, and there is no load balancer to wait for.
        os.environ.setdefault(variable("games", "allow_fixed_seed"), "true")
        os.environ.setdefault(variable("server", "drain_delay_s"), "0")
        for caller in ("platform", "player", "spectator", "anonymous"):
            os.environ.setdefault(variable("limits", f"{caller}_calls_per_s"), "0")
    os.environ.update({name: str(value) for name, value in decided.items() if value is not None})


def _usable_cores() -> int:
    if sys.platform == "linux":
        cores = len(os.sched_getaffinity(0))  # a container may be given fewer than there are
    else:
        cores = os.cpu_count() or 1
    return cores


def _metrics_port(settings: MetricsSettings, workers: int, *, free: bool) -> int:
    """Return the first of the workers' HTTP ports, or 0 if they had better take free ones.

    Raises:
        PortUnavailableError: the settings name a port, and it or one that follows is taken.
    """
    named = _given("metrics", "port") is not None
    if settings.port == 0 or (free and not named):
        return 0
    try:
        for index in range(workers):
            require_free(settings.host, settings.port + index)
    except PortUnavailableError:
        if named:
            raise
        return 0
    return settings.port
