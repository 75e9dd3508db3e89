"""What a real worker, front and exporter show Prometheus, each after it had something to show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import promql_parser as promql

TARGET_LABELS = {"job", "instance", "namespace", "pod"}
"""What Prometheus adds to every series."""

_OWN = {"up": set(), "ALERTS": {"alertname", "alertstate", "severity"}}
_MACRO = re.compile(r"\$__\w+")
_SAMPLE = re.compile(r"^([a-zA-Z_]\w*)(?:\{(.*)\})? [^ ]+$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="(?:[^"\\]|\\.)*"')
_NO_LABELS: set[str] = set()


def labels_by_metric(*expositions: str) -> dict[str, set[str]]:
    """Return the labels of each series' name, histograms by their parts."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for text in expositions:
        for name, labels in _SAMPLE.findall(text):
            found[name] |= set(_LABEL.findall(labels))
    return {**found, **_OWN}


def parsed(query: str) -> promql.Expr:
    """Return a query as Prometheus understands it, Grafana's macros replaced."""
    return promql.parse(_MACRO.sub("1m", query))


def asked(expression: object) -> Iterator[tuple[str, set[str]]]:
    """Yield each metric that a query asks for, with the labels that it is chosen by."""
    match expression:
        case promql.VectorSelector():
            matchers = expression.matchers
            names = {each.name for each in matchers.matchers} - {"__name__"}
            yield str(expression.name), names
        case promql.MatrixSelector():
            yield from asked(expression.vector_selector)
        case promql.SubqueryExpr() | promql.ParenExpr() | promql.UnaryExpr():
            yield from asked(expression.expr)
        case promql.AggregateExpr():
            yield from asked(expression.expr)
        case promql.BinaryExpr():
            yield from asked(expression.lhs)
            yield from asked(expression.rhs)
        case promql.Call():
            for argument in expression.args:
                yield from asked(argument)


def grouped(expression: object) -> Iterator[tuple[set[str], object]]:
    """Yield the labels by which parts of a query are summed up, each with what is summed up."""
    match expression:
        case promql.AggregateExpr():
            if expression.modifier is not None:
                yield set(expression.modifier.labels), expression.expr
            yield from grouped(expression.expr)
        case promql.SubqueryExpr() | promql.ParenExpr() | promql.UnaryExpr():
            yield from grouped(expression.expr)
        case promql.BinaryExpr():
            yield from grouped(expression.lhs)
            yield from grouped(expression.rhs)
        case promql.Call():
            for argument in expression.args:
                yield from grouped(argument)


def unknown(query: str, known: Mapping[str, set[str]]) -> set[str]:
    """Return what a query asks for that nothing shows: metrics, and labels of them."""
    expression = parsed(query)
    found = {name for name, _ in asked(expression) if name not in known}
    for name, labels in asked(expression):
        own = known.get(name, _NO_LABELS) | TARGET_LABELS
        found |= {f"{name}{{{label}}}" for label in labels - own}
    for labels, inner in grouped(expression):
        own = {label for name, _ in asked(inner) for label in known.get(name, _NO_LABELS)}
        found |= {f"by ({label})" for label in labels - own - TARGET_LABELS}
    return found
