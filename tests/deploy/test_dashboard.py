"""Dashboard and rules ask only for what a real service shows, and Prometheus answers each query."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import yaml

from tests.deploy.conftest import Shown
from tests.deploy.exported import TARGET_LABELS, asked, parsed, unknown
from tests.deploy.servers import DEPLOY, HOST
from tests.deploy.test_alerts import PROMETHEUS, rules
from tests.polling import eventually
from tests.storage.valkeys import free_ports
from tests.worker.processes import fetch
from tools.dashboard import WRITTEN, dashboard, text
from tools.dashboard_panels import ROWS, WINDOW, Query

_GRAFANA = DEPLOY / "grafana"
_QUERIES = {
    f"{row.title}: {panel.title}: {query.legend}": query
    for row in ROWS
    for panel in row.panels
    for query in panel.queries
}


def _known(shown: Shown) -> dict[str, set[str]]:
    """Return the labels of what is shown and of what the rules record from it."""
    known = dict(shown.labels)
    for rule in rules():
        if "record" in rule:
            labels = {each for name, _ in asked(parsed(rule["expr"])) for each in known[name]}
            known[rule["record"]] = (
                known.get(rule["record"], set()) | labels | set(rule.get("labels", ()))
            )
    return known


def test_dashboard_is_that_of_its_source() -> None:
    assert WRITTEN.read_text("utf-8") == text(), "run `make dashboard`"


def test_no_query_is_on_the_dashboard_twice_under_one_name() -> None:
    assert len(_QUERIES) == sum(len(panel.queries) for row in ROWS for panel in row.panels)


def _strangers(query: Query, known: Mapping[str, set[str]]) -> set[str]:
    """Return what a panel asks for, or names its series by, that nothing shows."""
    there = {label for metric, _ in asked(parsed(query.text)) for label in known.get(metric, ())}
    named = set(re.findall(r"\{\{(\w+)\}\}", query.legend))
    return unknown(query.text, known) | (named - there - TARGET_LABELS)


def test_panels_ask_for_what_is_shown_and_name_series_by_labels_that_there_are(
    shown: Shown,
) -> None:
    known = _known(shown)
    found = {name: _strangers(query, known) for name, query in _QUERIES.items()}
    assert {} == {name: strangers for name, strangers in found.items() if strangers}


def test_rules_ask_for_what_is_shown(shown: Shown) -> None:
    known = _known(shown)
    missing = {
        rule.get("alert") or rule["record"]: found
        for rule in rules()
        if (found := unknown(rule["expr"], known))
    }
    assert {} == missing


def test_a_metric_or_a_label_that_nothing_shows_is_found() -> None:
    known = {"mextrain_moves_total": {"kind"}, "mextrain_ready": set()}
    wrong = Query("sum by (kind) (rate(mextrain_move_total[1m]))", "{{sort}}")
    assert {"mextrain_move_total", "by (kind)", "sort"} == _strangers(wrong, known)
    assert {"mextrain_ready{phase}"} == unknown('mextrain_ready{phase="up"} > 0', known)


def test_panels_have_a_place_each_and_a_source_that_is_provisioned() -> None:
    panels = dashboard()["panels"]
    assert len(panels) == len({panel["id"] for panel in panels})
    cells = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    (variable,) = dashboard()["templating"]["list"]
    source = yaml.safe_load((_GRAFANA / "provisioning/datasources/prometheus.yml").read_text())
    assert variable["current"]["value"] == source["datasources"][0]["uid"]
    folder = yaml.safe_load((_GRAFANA / "provisioning/dashboards/mextrain.yml").read_text())
    mounted = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["grafana"][
        "volumes"
    ]
    path = folder["providers"][0]["options"]["path"]
    assert f"./grafana/dashboards:{path}:ro" in mounted


@contextlib.contextmanager
def _prometheus(folder: Path, targets: Mapping[str, str]) -> Iterator[str]:
    """Run a real Prometheus with the project's configuration, but for where the targets are."""
    found = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text("utf-8"))
    found["global"] |= {"scrape_interval": "1s", "scrape_timeout": "1s"}
    found["rule_files"] = [str(PROMETHEUS / "rules" / "*.yml")]
    del found["alerting"]
    for job in found["scrape_configs"]:
        job.pop("dns_sd_configs", None)
        if url := targets.get(job["job_name"]):
            assert urlsplit(url).path == job.get("metrics_path", "/metrics")
            job["static_configs"] = [{"targets": [urlsplit(url).netloc]}]
    file = folder / "prometheus.yml"
    file.write_text(yaml.safe_dump(found))
    program = shutil.which("prometheus")
    assert program, "prometheus is missing: `make system` installs it"
    (port,) = free_ports(1)
    words = [f"--config.file={file}", f"--storage.tsdb.path={folder}", "--log.level=warn"]
    words += [f"--web.listen-address={HOST}:{port}"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([program, *words], stdout=log, stderr=log)
    with process:
        try:
            yield f"http://{HOST}:{port}"
        finally:
            process.kill()


def _answer(url: str, query: str) -> list[Any]:
    status, body = fetch(f"{url}/api/v1/query?query={quote(query)}")
    return json.loads(body)["data"]["result"] if status == 200 else []


def _is_answered(url: str, query: Query) -> bool:
    return fetch(f"{url}/api/v1/query?query={quote(query.text.replace(WINDOW, '1m'))}")[0] == 200


def test_prometheus_reaches_all_and_answers_every_query(shown: Shown, tmp_path: Path) -> None:
    with _prometheus(tmp_path, shown.targets) as url:
        for job in shown.targets:
            assert eventually(partial(_answer, url, f'up{{job="{job}"}} == 1'), 60), job
        assert eventually(partial(_answer, url, "sum(mextrain_ready) == 1"), 60)
        refused = [name for name, query in _QUERIES.items() if not _is_answered(url, query)]
        assert [] == refused
        status, body = fetch(f"{url}/api/v1/rules")
        loaded = {
            rule["name"] for group in json.loads(body)["data"]["groups"] for rule in group["rules"]
        }
        assert (200, {rule.get("alert") or rule["record"] for rule in rules()}) == (status, loaded)
