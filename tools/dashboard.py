"""Writes the dashboard for Grafana: the JSON that it wants around rows and panels."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tools.dashboard_panels import ROWS, Panel

WRITTEN: Final = (
    Path(__file__).resolve().parents[1] / "deploy" / "grafana" / "dashboards" / "mextrain.json"
)

_WIDTH: Final = 24
_HEIGHT: Final = 7
_SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


def dashboard() -> dict[str, Any]:
    """Return what Grafana reads."""
    return {
        "uid": "mextrain",
        "title": "Mextrain",
        "tags": ["mextrain"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": [_source_variable()]},
        "annotations": {"list": []},
        "panels": list(_laid_out()),
    }


def _source_variable() -> dict[str, Any]:
    return {
        "name": "datasource",
        "label": "Prometheus",
        "type": "datasource",
        "query": "prometheus",
        "current": {"text": "Prometheus", "value": "prometheus"},
    }


def _laid_out() -> Iterator[dict[str, Any]]:
    number, y = 0, 0
    for row in ROWS:
        number += 1
        place = {"h": 1, "w": _WIDTH, "x": 0, "y": y}
        yield {"id": number, "type": "row", "title": row.title, "gridPos": place, "panels": []}
        y += 1
        across = 6 if row.panels[0].single else 3
        width, height = _WIDTH // across, 4 if row.panels[0].single else _HEIGHT
        for at, panel in enumerate(row.panels):
            number += 1
            line, column = divmod(at, across)
            spot = {"h": height, "w": width, "x": column * width, "y": y + line * height}
            yield {"id": number, "gridPos": spot, **_panel(panel)}
        y += height * -(-len(row.panels) // across)


def _panel(panel: Panel) -> dict[str, Any]:
    return {
        "type": "stat" if panel.single else "timeseries",
        "title": panel.title,
        "description": panel.says,
        "datasource": _SOURCE,
        "targets": [
            {
                "refId": chr(ord("A") + at),
                "datasource": _SOURCE,
                "expr": query.text,
                "legendFormat": query.legend,
                "range": not panel.single,
                "instant": panel.single,
            }
            for at, query in enumerate(panel.queries)
        ],
        "fieldConfig": {"defaults": _defaults(panel), "overrides": []},
        "options": _STAT_OPTIONS if panel.single else _LINE_OPTIONS,
    }


def _defaults(panel: Panel) -> dict[str, Any]:
    found: dict[str, Any] = {"unit": panel.unit, "thresholds": _thresholds(panel.bounds)}
    if panel.single:
        return {**found, "color": {"mode": "thresholds"}}
    lines: dict[str, Any] = {"lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}
    if panel.stacked:
        lines |= {"fillOpacity": 40, "stacking": {"mode": "normal", "group": "A"}}
    return {**found, "min": 0, "custom": lines}


def _thresholds(bounds: tuple[float, float] | None) -> dict[str, Any]:
    steps: list[tuple[str, float | None]] = [("green", None)]
    if bounds is not None:
        amber, red = bounds
        if amber < red:
            steps = [("green", None), ("orange", amber), ("red", red)]
        else:
            steps = [("red", None), ("orange", red), ("green", amber)]
    return {
        "mode": "absolute",
        "steps": [{"color": color, "value": value} for color, value in steps],
    }


_STAT_OPTIONS: Final = {
    "colorMode": "value",
    "graphMode": "none",
    "textMode": "auto",
    "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
}
_LINE_OPTIONS: Final = {
    "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
    "tooltip": {"mode": "multi", "sort": "desc"},
}


def text() -> str:
    """Return the file's text."""
    return json.dumps(dashboard(), indent=1) + "\n"


def main() -> int:
    """Write it."""
    WRITTEN.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
