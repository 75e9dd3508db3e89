"""Draws the dashboard as one page: a line for each series, a number where one is enough.

It stands in for Grafana where there is none, and looks about like it.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tools.dashboard_panels import ROWS, Panel, Row

_COLORS: Final = (
    *("#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#b877d9", "#e02f44", "#37872d", "#8ab8ff"),
    *("#fade2a", "#96d98d", "#c0d8ff", "#ffa6b0"),
)
_WIDTH: Final = 560
_HEIGHT: Final = 170
_LEFT: Final = 64
_STYLE: Final = """
body{margin:0;padding:14px;width:1780px;background:#111217;color:#ccccdc;font:13px sans-serif}
h1{font-size:20px;margin:4px 0 10px} h2{font-size:15px;margin:14px 0 6px;font-weight:500}
.row{display:grid;gap:8px} .panel{background:#181b1f;border:1px solid #25282d;padding:8px}
h3{font-size:13px;margin:0 0 4px;font-weight:500} .number{font-size:26px;font-weight:500}
.legend{font-size:11px;color:#9fa7b3} .legend b{font-weight:400;margin-right:10px}
.of{font-size:12px;color:#9fa7b3;margin-right:14px} svg text{fill:#9fa7b3;font:11px sans-serif}
"""


@dataclass(frozen=True, slots=True)
class Series:
    """A line.

    Attributes:
        name: what it is called.
        points: seconds since the beginning, and values; in order.
    """

    name: str
    points: tuple[tuple[float, float], ...]


def page(found: Mapping[Panel, Sequence[Series]], seconds: float) -> str:
    """Return the page in HTML.

    Args:
        found: the series of each panel.
        seconds: how long the time is that it shows.
    """
    rows = "".join(_row(row, found, seconds) for row in ROWS)
    return f'<!doctype html><meta charset="utf-8"><style>{_STYLE}</style><h1>Mextrain</h1>{rows}'


def _row(row: Row, found: Mapping[Panel, Sequence[Series]], seconds: float) -> str:
    across = 6 if row.panels[0].single else 3
    panels = "".join(_panel(panel, found[panel], seconds) for panel in row.panels)
    grid = f"grid-template-columns:repeat({across},1fr)"
    return f'<h2>{html.escape(row.title)}</h2><div class="row" style="{grid}">{panels}</div>'


def _panel(panel: Panel, series: Sequence[Series], seconds: float) -> str:
    body = _numbers(panel, series) if panel.single else _lines(panel, series, seconds)
    return f'<div class="panel"><h3>{html.escape(panel.title)}</h3>{body}</div>'


def _numbers(panel: Panel, series: Sequence[Series]) -> str:
    return (
        "".join(
            f'<span class="number" style="color:{_color(panel, each.points[-1][1])}">'
            f"{_text(each.points[-1][1], panel.unit)}</span> "
            f'<span class="of">{html.escape(each.name)}</span>'
            for each in series
        )
        or '<span class="number">no data</span>'
    )


def _color(panel: Panel, value: float) -> str:
    if panel.bounds is None:
        return "#73bf69"
    amber, red = panel.bounds
    amount, at_amber, at_red = (value, amber, red) if amber < red else (-value, -amber, -red)
    return "#e02f44" if amount >= at_red else "#ff780a" if amount >= at_amber else "#73bf69"


def _lines(panel: Panel, series: Sequence[Series], seconds: float) -> str:
    if not series:
        return f'<svg width="{_WIDTH}" height="{_HEIGHT}"><text x="250" y="90">no data</text></svg>'
    layers = list(_stacked(series)) if panel.stacked else [(each, None) for each in series]
    top = max(max(value for _, value in each.points) for each, _ in layers) or 1.0
    shapes = "".join(
        _shape(each.points, below, top, seconds, _COLORS[at % len(_COLORS)])
        for at, (each, below) in reversed(list(enumerate(layers)))
    )
    names = "".join(
        f'<b><span style="color:{_COLORS[at % len(_COLORS)]}">▬</span> {html.escape(each.name)}</b>'
        for at, each in enumerate(series)
    )
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}">{_axes(panel, top, seconds)}{shapes}</svg>'
        f'<div class="legend">{names}</div>'
    )


def _stacked(
    series: Sequence[Series],
) -> Iterator[tuple[Series, tuple[tuple[float, float], ...] | None]]:
    """Yield each series raised by those below it, and what it stands on."""
    floor: dict[float, float] = {}
    for each in series:
        below = tuple((at, floor.get(at, 0.0)) for at, _ in each.points)
        for at, value in each.points:
            floor[at] = floor.get(at, 0.0) + value
        yield Series(each.name, tuple((at, floor[at]) for at, _ in each.points)), below


def _shape(
    points: Sequence[tuple[float, float]],
    below: Sequence[tuple[float, float]] | None,
    top: float,
    seconds: float,
    color: str,
) -> str:
    line = [_spot(at, value, top, seconds) for at, value in points]
    if below is None:
        return f'<polyline points="{" ".join(line)}" fill="none" stroke="{color}"/>'
    base = [_spot(at, value, top, seconds) for at, value in reversed(below)]
    outline = f'<polyline points="{" ".join(line)}" fill="none" stroke="{color}"/>'
    area = f'<polygon points="{" ".join(line + base)}" fill="{color}" fill-opacity=".4"/>'
    return area + outline


def _spot(at: float, value: float, top: float, seconds: float) -> str:
    x = _LEFT + at / seconds * (_WIDTH - _LEFT - 8)
    y = (_HEIGHT - 18) - value / top * (_HEIGHT - 30)
    return f"{x:.1f},{y:.1f}"


def _axes(panel: Panel, top: float, seconds: float) -> str:
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = (_HEIGHT - 18) - share * (_HEIGHT - 30)
        label = _text(share * top, panel.unit)
        lines.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - 8}" y1="{y}" y2="{y}" stroke="#2b2f36"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>'
        )
    for share in (0.0, 0.5, 1.0):
        x = _LEFT + share * (_WIDTH - _LEFT - 8)
        anchor = ("start", "middle", "end")[int(2 * share)]
        ago = round((1 - share) * seconds)
        text = f"{ago} s ago" if ago else "now"
        lines.append(f'<text x="{x}" y="{_HEIGHT - 3}" text-anchor="{anchor}">{text}</text>')
    return "".join(lines)


def _text(value: float, unit: str) -> str:
    match unit:
        case "percentunit":
            return f"{100 * value:.3g} %"
        case "s":
            return f"{1_000 * value:.3g} ms" if value < 1 else f"{value:.3g} s"
        case "bytes":
            return f"{value / 2**20:.4g} MiB"
        case "ops":
            return f"{value:.3g}/s"
        case _:
            return f"{value:.4g}"
