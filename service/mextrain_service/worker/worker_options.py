"""Where a worker stands among the others of its machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Where a worker stands among others.

    Attributes:
        index: which one it is, from 0.
        shares_port: others listen on the same gRPC port.
        report_descriptor: the write end of a pipe to its supervisor; None without one.
        metrics_port: its HTTP port; None for the settings' one.
        socket: path of a Unix socket on which it listens as well, alone; None for none.
        port: its gRPC port; None for the settings' one.
        fronts: it is the HTTP front, too, inside Envoy.
    """

    index: int = 0
    shares_port: bool = False
    report_descriptor: int | None = None
    metrics_port: int | None = None
    socket: str | None = None
    port: int | None = None
    fronts: bool = False
