"""The table in the browser is served as it was built, and may ask nobody but its own service."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from tests.front.rest import Rest
from tests.project.tree import ROOT

PAGES = ROOT / "service/mextrain_service/front/pages/table"
ASSETS = sorted((PAGES / "assets").iterdir())
GAME = "/game/R6d1nC5sQkqJv0T2bWm3xA"
NAMES_OF_FORMATS = {"http://www.w3.org"}


@pytest.mark.parametrize("path", ["/", f"{GAME}/0", f"{GAME}/watch", f"{GAME}/13/replay"])
def test_page_is_served_at_each_of_its_addresses(nobody: Rest, path: str) -> None:
    answer = nobody.get(path)
    assert 200 == answer.status
    assert "text/html; charset=utf-8" == answer.headers["content-type"]
    assert "no-cache" == answer.headers["cache-control"]
    assert (PAGES / "index.html").read_bytes() == answer.raw


def test_page_names_only_files_that_are_served(nobody: Rest) -> None:
    needed = re.findall(r'(?:src|href)="([^"]+)"', (PAGES / "index.html").read_text("utf-8"))
    assert needed
    assert not [each for each in needed if not each.startswith("/assets/")]
    assert [200] * len(needed) == [nobody.get(each).status for each in needed]


@pytest.mark.parametrize("asset", ASSETS, ids=lambda each: re.sub(r"-.*\.", ".", each.name))
def test_asset_is_kept_for_ever_under_a_name_that_changes_with_it(
    nobody: Rest, asset: Path
) -> None:
    answer = nobody.get(f"/assets/{asset.name}")
    assert asset.read_bytes() == answer.raw
    assert "public, max-age=31536000, immutable" == answer.headers["cache-control"]
    assert re.fullmatch(r"[\w-]+-[\w-]{8}\.\w+", asset.name)


def test_asset_is_sent_packed_to_those_who_unpack_it(nobody: Rest) -> None:
    (script,) = (each for each in ASSETS if re.fullmatch(r"index-.*\.js", each.name))
    answer = nobody.get(f"/assets/{script.name}", accept_encoding="gzip")
    assert "gzip" == answer.headers["content-encoding"]
    assert script.read_bytes() == gzip.decompress(answer.raw)
    assert len(answer.raw) < len(script.read_bytes()) / 2


def test_page_may_load_and_call_its_own_service_only(nobody: Rest) -> None:
    policy = nobody.get("/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert "'none'" == rules.pop("default-src")
    assert {"'self'", "'none'", "'script'"} == set(rules.values())
    assert "no-referrer" == nobody.get("/").headers["referrer-policy"]


@pytest.mark.parametrize("asset", ASSETS, ids=lambda each: re.sub(r"-.*\.", ".", each.name))
def test_asset_names_no_other_host(asset: Path) -> None:
    hosts = set(re.findall(r"https?://[\w.-]+", asset.read_text("utf-8")))
    assert set() == hosts - NAMES_OF_FORMATS


def test_asset_that_is_not_there_is_not_found(nobody: Rest) -> None:
    assert 404 == nobody.get("/assets/index-00000000.js").status
