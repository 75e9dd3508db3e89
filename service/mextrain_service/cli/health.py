"""``mextrain health``: whether what runs in this container, or on this machine, is well."""

from __future__ import annotations

import http.client
import os
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from mextrain_service.cli.complaints import CliError

_TIMEOUT_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class _Part:
    """Something that may run here.

    Attributes:
        name: what a person calls it.
        host_variable: which variable says where its page is; empty if it is always on 127.0.0.1.
        port_variable: which variable says at which port.
        default_port: its port if no variable does.
        live: the page that answers 200 while it lives.
        ready: the page that answers 200 while it takes calls.
    """

    name: str
    host_variable: str
    port_variable: str
    default_port: int
    live: str
    ready: str


_PARTS: Final = (
    _Part("worker", "MEXTRAIN_METRICS_HOST", "MEXTRAIN_METRICS_PORT", 7390, "/healthz", "/readyz"),
    _Part("front", "", "MEXTRAIN_FRONT_ADMIN_PORT", 7381, "/ready", "/ready"),
)


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("health")(health)


def health(
    ready: Annotated[
        bool, typer.Option("--ready", help="Check readiness, not only liveness.")
    ] = False,
) -> None:
    """Exit with 0 if the worker and the front that run here are well, whichever there are."""
    answers = {part.name: _ask(part, part.ready if ready else part.live) for part in _PARTS}
    running = {name: answer for name, answer in answers.items() if answer is not None}
    if not running:
        raise CliError("Neither a worker nor a front answers here.")
    for name, (status, text) in running.items():
        if status != http.client.OK:
            raise CliError(f"The {name} is not well: {text or status}.")
    print(*(f"{name}: {text or 'ok'}" for name, (_, text) in running.items()), sep="\n")


def _ask(part: _Part, page: str) -> tuple[int, str] | None:
    """Return the status and first line of a page; None if nothing listens, status 0 if it hangs."""
    port = int(os.environ.get(part.port_variable) or part.default_port)
    host = os.environ.get(part.host_variable) or "127.0.0.1"
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - asked, not listened on
    connection = http.client.HTTPConnection(everywhere.get(host, host), port, timeout=_TIMEOUT_S)
    try:
        connection.request("GET", page)
        answer = connection.getresponse()
        return answer.status, answer.read(200).decode("utf-8", "replace").strip()
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException) as error:
        return 0, f"no answer from port {port} ({error})"
    finally:
        connection.close()
