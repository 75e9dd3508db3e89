"""The manifests: valid for several versions of Kubernetes, restricted, and consistent."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from mextrain_service.rpc.contract import methods
from mextrain_service.settings.games import WatchSettings
from tests.deploy.manifests import (
    OVERLAYS,
    ROOT,
    Object,
    chosen,
    containers,
    label,
    named,
    of_kind,
    ports,
    rendered,
    settings,
    templates,
)
from tools.prometheus_rule import WRITTEN, prometheus_rule

VERSIONS = ("1.32.0", "1.34.0", "1.35.0", "1.37.0")
"""Of Kubernetes, the oldest and the newest that the manifests are for among them."""

_OWN_SCHEMAS = {"HTTPRoute", "ServiceMonitor", "PrometheusRule"}
_STOP_MARGIN_S = 5


@cache
def _schemas(version: str) -> Any:
    package = importlib.resources.files("kubernetes_validate")
    return package / "kubernetes-json-schema" / f"v{version}-local-strict"


@cache
def _definitions(version: str) -> Any:
    text = (_schemas(version) / "_definitions.json").read_text("utf-8")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    resource: Resource[Any] = Resource.from_contents({**dialect, **json.loads(text)})
    return Registry().with_resource("_definitions.json", resource)


@cache
def _validator(kind: str, api_version: str, version: str) -> Draft202012Validator:
    if kind in _OWN_SCHEMAS:
        text = (ROOT / "third_party" / "crds" / f"{kind.lower()}.json").read_text("utf-8")
        return Draft202012Validator(json.loads(text))
    group, _, number = api_version.rpartition("/")
    stem = f"{group.partition('.')[0]}-{number}" if group else number
    text = (_schemas(version) / f"{kind.lower()}-{stem}.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text), registry=_definitions(version))


_COMPONENT = "app.kubernetes.io/component"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_object_is_valid_to_the_letter(overlay: str, version: str) -> None:
    problems = [
        f"{label(each)}: {error.json_path}: {error.message}"
        for each in rendered(overlay)
        for error in _validator(each["kind"], each["apiVersion"], version).iter_errors(each)
    ]
    assert [] == problems


@pytest.mark.parametrize("kind", sorted(_OWN_SCHEMAS))
def test_a_field_that_no_version_knows_is_found(kind: str) -> None:
    (found, *_) = of_kind("prod", kind)
    wrong = {**found, "spec": {**found["spec"], "replicaz": 1}}
    assert list(_validator(kind, found["apiVersion"], VERSIONS[0]).iter_errors(wrong))


def test_a_field_of_kubernetes_own_objects_that_no_version_knows_is_found() -> None:
    found = named("prod", "Deployment", "mextrain-worker")
    wrong = {**found, "spec": {**found["spec"], "replicaz": 1}}
    assert list(_validator("Deployment", "apps/v1", VERSIONS[0]).iter_errors(wrong))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_pod_is_as_restricted_as_the_standard_of_that_name_asks(overlay: str) -> None:
    """The profile *restricted* of the Pod Security Standards, and a root that cannot be written."""
    (namespace,) = of_kind(overlay, "Namespace")
    enforced = namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
    assert "restricted" == enforced
    for template in templates(overlay):
        spec, security = template["spec"], template["spec"]["securityContext"]
        assert not {"hostNetwork", "hostPID", "hostIPC"} & spec.keys()
        assert security["runAsNonRoot"]
        assert 65_532 == security["runAsUser"]
        assert {"type": "RuntimeDefault"} == security["seccompProfile"]
        assert all({"secret", "emptyDir"} & volume.keys() for volume in spec["volumes"])
        for container in containers(template):
            assert {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            } == container["securityContext"]
            assert not [port for port in container["ports"] if "hostPort" in port]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_pod_may_speak_to_the_cluster_or_is_told_of_services_by_variables(overlay: str) -> None:
    """MEXTRAIN_WORKER_PORT and its like would be refused as settings that there are not."""
    for template in templates(overlay):
        assert template["spec"]["automountServiceAccountToken"] is False
        assert template["spec"]["enableServiceLinks"] is False
    for account in of_kind(overlay, "ServiceAccount"):
        assert account["automountServiceAccountToken"] is False


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_container_has_probes_a_share_and_a_limit_of_memory(overlay: str) -> None:
    for template in templates(overlay):
        for container in containers(template):
            assert {"cpu", "memory"} == container["resources"]["requests"].keys()
            assert {"memory"} == container["resources"]["limits"].keys()
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                asked = container[probe].get("httpGet") or container[probe].get("tcpSocket")
                assert asked is None or asked["port"] in ports(template)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_only_readiness_of_workers_depends_on_redis(overlay: str) -> None:
    (worker,) = containers(named(overlay, "Deployment", "mextrain-worker")["spec"]["template"])
    paths = [worker[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe")]
    assert ["/healthz", "/healthz"] == paths
    assert "/readyz" == worker["readinessProbe"]["httpGet"]["path"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_pods_get_the_time_that_draining_takes(overlay: str) -> None:
    found = settings(overlay)
    drain_s = float(found["MEXTRAIN_SERVER_DRAIN_DELAY_S"]) + float(
        found["MEXTRAIN_SERVER_GRACE_S"]
    )
    for name in ("mextrain-worker", "mextrain-front"):
        spec = named(overlay, "Deployment", name)["spec"]["template"]["spec"]
        assert drain_s + _STOP_MARGIN_S <= spec["terminationGracePeriodSeconds"]


def _chosen_by(overlay: str) -> Iterator[tuple[Object, dict[str, str]]]:
    """Return every object that chooses pods of the overlay, and by which labels."""
    for each in rendered(overlay):
        spec = each.get("spec", {})
        match each["kind"]:
            case "Service":
                yield each, spec["selector"]
            case "Deployment" | "PodDisruptionBudget":
                yield each, spec["selector"]["matchLabels"]
            case "NetworkPolicy":
                yield each, spec["podSelector"].get("matchLabels", {})


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_selector_chooses_pods_that_there_are(overlay: str) -> None:
    for each, labels in _chosen_by(overlay):
        found = chosen(overlay, labels)
        assert found, label(each)
        assert len(found) == 1 or each["kind"] == "NetworkPolicy", label(each)
    for monitor in of_kind(overlay, "ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        services = [
            service
            for service in of_kind(overlay, "Service")
            if wanted <= service["metadata"]["labels"].items()
        ]
        assert [monitor["metadata"]["name"]] == [each["metadata"]["name"] for each in services]
        named_ports = {port["name"] for port in services[0]["spec"]["ports"]}
        assert {each["port"] for each in monitor["spec"]["endpoints"]} <= named_ports


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_port_that_is_named_is_one_of_the_pod_that_it_is_of(overlay: str) -> None:
    for service in of_kind(overlay, "Service"):
        (template,) = chosen(overlay, service["spec"]["selector"])
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= set(ports(template))
    for policy in of_kind(overlay, "NetworkPolicy"):
        spec = policy["spec"]
        (template, *_) = chosen(overlay, spec["podSelector"].get("matchLabels", {}))
        for rule in spec.get("ingress", ()):
            assert {port["port"] for port in rule["ports"]} <= set(ports(template)), label(policy)
        for rule in spec.get("egress", ()):
            for peer in rule["to"]:
                if set(peer) == {"podSelector"}:
                    (target,) = chosen(overlay, peer["podSelector"]["matchLabels"])
                    asked = {port["port"] for port in rule["ports"]}
                    assert asked <= set(ports(target)), label(policy)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_no_policy_names_is_closed(overlay: str) -> None:
    closed = named(overlay, "NetworkPolicy", "mextrain-nothing-else")["spec"]
    assert ({}, ["Ingress", "Egress"]) == (closed["podSelector"], closed["policyTypes"])
    assert not {"ingress", "egress"} & closed.keys()
    for policy in of_kind(overlay, "NetworkPolicy"):
        for rule in policy["spec"].get("ingress", ()):
            assert rule["from"], label(policy)
        for rule in policy["spec"].get("egress", ()):
            assert rule["to"], label(policy)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_only_fronts_reach_the_port_of_a_worker(overlay: str) -> None:
    policies = [
        policy["spec"]
        for policy in of_kind(overlay, "NetworkPolicy")
        if policy["spec"]["podSelector"].get("matchLabels", {}).get(_COMPONENT) == "worker"
    ]
    rules = [rule for spec in policies for rule in spec.get("ingress", ())]
    let_in = [rule["from"] for rule in rules if {"port": "grpc"} in rule["ports"]]
    peers = [peer["podSelector"]["matchLabels"][_COMPONENT] for rule in let_in for peer in rule]
    assert ["front"] == peers
    for service in of_kind(overlay, "Service"):
        assert service["spec"].get("type", "ClusterIP") == "ClusterIP"


def test_production_spreads_scales_and_survives_the_drain_of_a_node() -> None:
    for name, least in (("mextrain-worker", 3), ("mextrain-front", 2)):
        deployment = named("prod", "Deployment", name)["spec"]
        assert "replicas" not in deployment, "the autoscaler says how many"
        assert 0 == deployment["strategy"]["rollingUpdate"]["maxUnavailable"]
        spread = deployment["template"]["spec"]["topologySpreadConstraints"]
        assert 2 == len({each["topologyKey"] for each in spread})
        scaler = named("prod", "HorizontalPodAutoscaler", name)["spec"]
        assert (name, least) == (scaler["scaleTargetRef"]["name"], scaler["minReplicas"])
        assert 1 == named("prod", "PodDisruptionBudget", name)["spec"]["maxUnavailable"]


def test_autoscaler_asks_for_what_the_adapter_offers_and_scales_before_streams_are_refused() -> (
    None
):
    scaler = named("prod", "HorizontalPodAutoscaler", "mextrain-worker")["spec"]
    asked = {
        each["pods"]["metric"]["name"]: each["pods"]["target"]["averageValue"]
        for each in scaler["metrics"]
        if each["type"] == "Pods"
    }
    adapter = (ROOT / "deploy" / "prometheus" / "adapter.yml").read_text("utf-8")
    assert all(f"name: {{as: {name}}}" in adapter for name in asked)
    assert WatchSettings().max_streams == 2 * int(asked["mextrain_watchers"])


def test_rules_in_kubernetes_are_those_of_prometheus() -> None:
    assert WRITTEN.read_text("utf-8") == prometheus_rule(), "run `make kubernetes-rules`"


def test_streams_are_not_cut_off_by_the_gateway() -> None:
    (route,) = of_kind("prod", "HTTPRoute")
    streams, others = route["spec"]["rules"]
    paths = {each["path"]["value"] for each in streams["matches"]}
    assert {method.path for method in methods() if method.streams} <= paths
    assert "0s" == streams["timeouts"]["request"]
    assert 35 < int(others["timeouts"]["request"].removesuffix("s"))
    (front,) = (each for each in of_kind("prod", "Service") if "front" in each["metadata"]["name"])
    assert 80 in {port["port"] for port in front["spec"]["ports"]}
