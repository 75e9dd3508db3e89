"""Alerts: the rules hold by promtool, each is tested, and each has its page in the runbook."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from mextrain_service.collectors import LATENCY_BUCKETS_S
from mextrain_service.rpc.contract import methods
from mextrain_service.rpc.error_status import CODE_OF_REASON
from tests.deploy.manifests import ROOT
from tests.deploy.servers import DEPLOY

PROMETHEUS = DEPLOY / "prometheus"
_RUNBOOK = "docs/operations.md"
_SEVERITIES = {"page", "ticket"}


@cache
def groups() -> tuple[dict[str, Any], ...]:
    return tuple(
        group
        for path in sorted((PROMETHEUS / "rules").glob("*.yml"))
        for group in yaml.safe_load(path.read_text("utf-8"))["groups"]
    )


def rules() -> Iterator[dict[str, Any]]:
    for group in groups():
        yield from group["rules"]


def alerts() -> dict[str, dict[str, Any]]:
    return {rule["alert"]: rule for rule in rules() if "alert" in rule}


def _promtool(*words: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("promtool")
    assert program, "promtool is missing: `make system` installs it"
    return subprocess.run(
        [program, *words], cwd=PROMETHEUS, capture_output=True, text=True, check=False, timeout=100
    )


@pytest.mark.parametrize(
    "words",
    [
        ("check", "config", "prometheus.yml"),
        ("test", "rules", "tests/objectives.yml"),
        ("test", "rules", "tests/alerts.yml"),
    ],
)
def test_rules_hold(words: tuple[str, ...]) -> None:
    done = _promtool(*words)
    assert 0 == done.returncode, done.stdout + done.stderr


def test_every_alert_fires_in_a_unit_test() -> None:
    fired = {
        case["alertname"]
        for path in (PROMETHEUS / "tests").glob("*.yml")
        for test in yaml.safe_load(path.read_text("utf-8"))["tests"]
        for case in test.get("alert_rule_test", ())
        if case["exp_alerts"]
    }
    assert alerts().keys() == fired


def test_groups_have_names_of_their_own() -> None:
    """In Kubernetes they are one object."""
    names = [group["name"] for group in groups()]
    assert sorted(set(names)) == sorted(names)


def _entries() -> dict[str, str]:
    """Return the runbook's entries by alert."""
    text = (ROOT / _RUNBOOK).read_text("utf-8")
    parts = re.split(r"^### (Mextrain\w+)$", text, flags=re.MULTILINE)
    return {
        name: body.partition("\n## ")[0]
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_alert_has_an_entry_in_the_runbook_and_every_entry_an_alert() -> None:
    assert list(alerts()) == list(_entries()), "in the same order"


@pytest.mark.parametrize("name", sorted(alerts()))
def test_alert_says_who_is_to_look_when_and_where(name: str) -> None:
    rule, entry = alerts()[name], _entries()[name]
    assert rule["labels"]["severity"] in _SEVERITIES
    assert f"**Means** ({rule['labels']['severity']}" in entry
    assert "**Look" in entry
    assert "**do" in entry.lower()
    annotations = rule["annotations"]
    assert {"summary", "description", "runbook_url"} == annotations.keys()
    assert f"{_RUNBOOK}#{name.lower()}" == annotations["runbook_url"]


def test_objectives_count_every_method_that_answers_once_and_no_stream() -> None:
    matchers = {
        found for rule in rules() for found in re.findall(r'method!~"([^"]+)"', rule["expr"])
    }
    (streams,) = matchers
    for method in methods():
        name = method.path.rpartition("/")[2]
        assert method.streams == bool(re.fullmatch(streams, name)), name


def test_objectives_count_the_same_failures_on_streams_as_of_calls() -> None:
    """Of asks the reason is known, of calls the code. A stream to be resumed is no failure."""
    (bad,) = {
        found for rule in rules() for found in re.findall(r'outcome=~"([^"]+)"', rule["expr"])
    }
    (codes,) = {found for rule in rules() for found in re.findall(r'code=~"([^"]+)"', rule["expr"])}
    reasons = {reason for reason, code in CODE_OF_REASON.items() if code in codes.split("|")}
    assert reasons - {"SHUTTING_DOWN"} == set(bad.split("|"))


def test_times_of_the_objectives_are_bounds_of_the_histograms() -> None:
    asked = {
        float(bound)
        for rule in rules()
        for bound in re.findall(r'_bucket\{[^}]*le="([^"]+)"', rule["expr"])
    }
    assert {0.1, 0.5} == asked
    assert asked <= set(LATENCY_BUCKETS_S)


def test_objectives_in_the_document_are_those_of_the_rules() -> None:
    text = (ROOT / _RUNBOOK).read_text("utf-8")
    budgets = {
        rule["labels"]["slo"]: float(re.fullmatch(r"vector\((.+)\)", rule["expr"])[1])  # type: ignore[index]
        for rule in rules()
        if rule.get("record") == "mextrain:slo_budget:ratio"
    }
    assert {"availability", "move-latency", "delivery"} == budgets.keys()
    for slo, budget in budgets.items():
        (row,) = re.findall(rf"^\| `{slo}` \|.*$", text, re.MULTILINE)
        assert f"| 1 in {round(1 / budget):,} |" in row
        assert f"| {100 - 100 * budget:g} % |" in row
