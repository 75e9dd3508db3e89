"""Plays deploy/compose.yaml by podman: as much of ``docker compose`` as its words need.

``python -m tests.image.play_compose up --detach --wait`` in the folder of the file. Every key of
the file has its line here, and one that has none ends it; services whose image is not here are left
out.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import yaml

from tests.image.container import engine
from tests.polling import eventually

Service = dict[str, Any]

PROJECT: Final = "mextrain"
ALL: Final = f"--filter=label=project={PROJECT}"


def main() -> int:
    """Do what the words say."""
    match sys.argv[1:]:
        case ["up", "--detach", "--wait"]:
            _up(yaml.safe_load(Path("compose.yaml").read_text("utf-8")))
        case ["down", "--volumes"]:
            _down()
        case words:
            raise SystemExit(f"docker compose {words}: not played here")
    return 0


def containers(service: str) -> list[str]:
    """Return the names of a service's containers."""
    words = ("ps", "--all", "--format={{.Names}}", ALL, f"--filter=label=service={service}")
    return engine(*words)[1].split()


def _up(file: dict[str, Any]) -> None:
    for name, options in file["networks"].items():
        internal = ["--internal"] if options.get("internal") else []
        engine("network", "create", f"--label=project={PROJECT}", *internal, f"{PROJECT}_{name}")
    for name in file["volumes"]:
        engine("volume", "create", f"--label=project={PROJECT}", f"{PROJECT}_{name}")
    left = dict(file["services"])
    for name, service in file["services"].items():
        if engine("image", "exists", _image(service), may_fail=True)[0] != 0:
            sys.stderr.write(f"{name} is left out: {_image(service)} is not here\n")
            del left[name]
    while left:
        name = next(
            name for name in left if not left.keys() & left[name].get("depends_on", {}).keys()
        )
        _start(name, left.pop(name), file["secrets"])


def _start(name: str, service: Service, secrets: dict[str, dict[str, str]]) -> None:
    """Start all containers of a service, and wait until each is well."""
    given: list[str] = []
    for secret in service.get("secrets", ()):
        path = Path(secrets[secret]["file"]).resolve()
        given.append(f"--volume={path}:/run/secrets/{secret}:ro")
    given += [word for key, value in service.items() for word in _options(name, key, value)]
    words = service.get("command", ())
    for number in range(1, service.get("deploy", {}).get("replicas", 1) + 1):
        container = f"{PROJECT}-{name}-{number}"
        labels = (f"--label=project={PROJECT}", f"--label=service={name}")
        started = ("run", "--detach", "--pull=never", f"--name={container}", *labels, *given)
        engine(*started, _image(service), *words)
        if "healthcheck" in service:
            _await_health(container)


def _await_health(container: str) -> None:
    eventually(lambda: engine("healthcheck", "run", container, may_fail=True)[0] == 0)


def _options(service: str, key: str, value: Any) -> Iterable[str]:
    """Return podman's options for a key of a service."""
    if key == "networks":
        return (f"--network={PROJECT}_{each}:alias={service}" for each in value)
    if key not in _OPTIONS:
        raise SystemExit(f"{service}.{key}: not played here")
    return _OPTIONS[key](value)


def _each(option: str) -> Callable[[Any], Iterable[str]]:
    return lambda values: (f"--{option}={each}" for each in values)


def _of_logging(value: Any) -> Iterable[str]:
    return f"--log-driver={value['driver']}", f"--log-opt=max-size={value['options']['max-size']}"


def _of_health(value: Any) -> Iterable[str]:
    given = {**value, "cmd": " ".join(value["test"])}
    del given["test"]
    return (f"--health-{name.replace('_', '-')}={each}" for name, each in given.items())


def _volume(text: str) -> str:
    if text.startswith("./"):
        return f"{Path.cwd()}/{text.removeprefix('./')}"
    return f"{PROJECT}_{text}"


_OPTIONS: Final[dict[str, Callable[[Any], Iterable[str]]]] = {
    "cap_drop": _each("cap-drop"),
    "command": lambda _: (),
    "depends_on": lambda _: (),
    "deploy": lambda value: (f"--{k}={v}" for k, v in value["resources"]["limits"].items()),
    "entrypoint": lambda value: [f"--entrypoint={json.dumps(value)}"],
    "environment": lambda value: (f"--env={name}={each}" for name, each in value.items()),
    "healthcheck": _of_health,
    "image": lambda _: (),
    "logging": _of_logging,
    "ports": _each("publish"),
    "read_only": lambda _: ("--read-only", "--read-only-tmpfs=false"),
    "restart": lambda value: [f"--restart={value}"],
    "secrets": lambda _: (),
    "security_opt": lambda value: (f"--security-opt={x.removesuffix(':true')}" for x in value),
    "stop_grace_period": lambda value: [f"--stop-timeout={value.removesuffix('s')}"],
    "tmpfs": _each("tmpfs"),
    "user": lambda value: [f"--user={value}"],
    "volumes": lambda values: (f"--volume={_volume(each)}" for each in values),
    "working_dir": lambda value: [f"--workdir={value}"],
}
"""podman's options for the keys; those without any are read elsewhere."""


def _image(service: Service) -> str:
    """Return the name of an image, with the default that the file gives a variable."""
    found = re.fullmatch(r"\$\{(\w+):-(.*)\}", service["image"])
    return os.environ.get(found[1], found[2]) if found else str(service["image"])


def _down() -> None:
    for container in engine("ps", "--all", "--quiet", ALL)[1].split():
        engine("rm", "--force", "--time=0", container)
    for kind in ("volume", "network"):
        for name in engine(kind, "ls", "--quiet", ALL)[1].split():
            engine(kind, "rm", "--force", name)


if __name__ == "__main__":
    sys.exit(main())
