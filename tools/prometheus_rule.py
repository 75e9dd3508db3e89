"""Writes the rules of Prometheus as the object that its operator reads in Kubernetes.

The rules under ``deploy/prometheus/rules`` are the only ones; this puts them into another envelope.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[1]
RULES: Final = ROOT / "deploy" / "prometheus" / "rules"
WRITTEN: Final = ROOT / "k8s" / "overlays" / "prod" / "rules.yaml"

_HEAD: Final = "# Written by `make kubernetes-rules` from deploy/prometheus/rules. Do not edit.\n"


class _Dumper(yaml.SafeDumper):
    """Lays texts of several lines out as such."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def prometheus_rule() -> str:
    """Return the object, in YAML."""
    groups = [
        group
        for path in sorted(RULES.glob("*.yml"), reverse=True)
        for group in yaml.safe_load(path.read_text("utf-8"))["groups"]
    ]
    rule = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "mextrain"},
        "spec": {"groups": groups},
    }
    return _HEAD + yaml.dump(rule, Dumper=_Dumper, sort_keys=False, width=110, allow_unicode=True)


def main() -> int:
    """Write it."""
    WRITTEN.write_text(prometheus_rule(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
