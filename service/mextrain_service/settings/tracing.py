"""The settings of traces."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from pydantic import Field, field_validator

from mextrain_service.settings.fields import Concern

_NEEDED: Final = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.grpc")


class TracingSettings(Concern):
    """Traces for an OpenTelemetry collector; see `docs/observability.md`."""

    enabled: bool = Field(
        default=False,
        description="Send traces. Needs the extra `tracing`: `pip install 'mextrain[tracing]'`.",
    )
    endpoint: str = Field(
        default="http://127.0.0.1:4317",
        pattern=r"^https?://[^\s/]+$",
        description="Where the collector takes OTLP over gRPC: `http://host:port`, or `https` for "
        "TLS.",
    )
    sample_ratio: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Share of the traces that start here to sample. For traces that a caller "
        "started, the caller decides.",
    )

    @field_validator("enabled")
    @classmethod
    def _installed(cls, enabled: bool) -> bool:
        if enabled and not all(map(_is_installed, _NEEDED)):
            raise ValueError("needs what is not installed: pip install 'mextrain[tracing]'")
        return enabled


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package around it is missing
        return False
