"""The objects of Kubernetes as an overlay makes them, rendered by kubectl itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
OVERLAYS = ("dev", "prod")

Object = dict[str, Any]


@cache
def rendered(overlay: str) -> tuple[Object, ...]:
    """Return every object of an overlay."""
    kubectl = Path(sys.executable).with_name("kubectl")
    done = subprocess.run(
        [kubectl, "kustomize", ROOT / "k8s" / "overlays" / overlay],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "deprecated" not in done.stderr.lower(), done.stderr
    return tuple(yaml.safe_load_all(done.stdout))


def of_kind(overlay: str, kind: str) -> tuple[Object, ...]:
    """Return the objects of a kind."""
    return tuple(each for each in rendered(overlay) if each["kind"] == kind)


def named(overlay: str, kind: str, name: str) -> Object:
    """Return the one object of that kind and name."""
    (found,) = (each for each in of_kind(overlay, kind) if each["metadata"]["name"] == name)
    return found


def templates(overlay: str) -> tuple[Object, ...]:
    """Return the templates of pods."""
    return tuple(each["spec"]["template"] for each in of_kind(overlay, "Deployment"))


def containers(template: Object) -> Iterator[Object]:
    """Return every container of a pod."""
    spec = template["spec"]
    yield from spec.get("initContainers", ())
    yield from spec["containers"]


def ports(template: Object) -> dict[str, int]:
    """Return a pod's ports by name."""
    return {
        port["name"]: port["containerPort"]
        for container in containers(template)
        for port in container.get("ports", ())
    }


def chosen(overlay: str, labels: Mapping[str, str]) -> tuple[Object, ...]:
    """Return the templates of the pods that a selector chooses."""
    return tuple(
        template
        for template in templates(overlay)
        if labels.items() <= template["metadata"]["labels"].items()
    )


def settings(overlay: str) -> dict[str, str]:
    """Return the variables of the one ConfigMap."""
    (found,) = of_kind(overlay, "ConfigMap")
    return dict(found["data"])


def label(obj: Object) -> str:
    """Return kind and name, for messages."""
    return f"{obj['kind']}/{obj['metadata']['name']}"
