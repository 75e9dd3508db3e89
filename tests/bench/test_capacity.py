"""The page on capacity is the model's, and the model agrees with what was measured."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from benchmarks.capacity.checks import Check, checks
from benchmarks.capacity.costs import kept, measured_costs
from benchmarks.capacity.limits import LIMITS, Limit, met_at, scaled
from benchmarks.capacity.model import Load, Terms, game_bytes, needs
from benchmarks.capacity.page import DECADES, LIVE, SLOW, page
from tests.project.tree import ROOT

OFF_AT_MOST = 0.5
"""Machines are noisy, and those that measure are busy; a model that is wrong is off by more."""


def test_page_says_what_the_model_says() -> None:
    committed = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")
    assert committed == page(), "run `make docs-capacity`"


@pytest.mark.parametrize("check", checks(kept()), ids=lambda check: check.measured_by)
def test_model_predicts_what_was_measured(check: Check) -> None:
    assert abs(check.off) < OFF_AT_MOST


@pytest.mark.parametrize("per_game", [LIVE, SLOW])
def test_more_games_never_need_less(per_game: Load) -> None:
    costs, terms = measured_costs(kept()), Terms()
    found = [needs(scaled(per_game, games), costs, terms) for games in DECADES]
    for fewer, more in pairwise(found):
        assert fewer.workers <= more.workers
        assert fewer.shards <= more.shards
        assert fewer.redis_bytes < more.redis_bytes


def test_workers_stay_below_their_share_when_a_load_has_what_it_needs() -> None:
    terms = Terms()
    found = needs(scaled(LIVE, 1e6), measured_costs(kept()), terms)
    assert found.worker_cores / found.workers <= terms.worker_share
    assert found.streams / found.workers <= terms.streams_per_worker
    assert found.redis_cores / found.shards <= terms.redis_share


def test_leading_the_streams_of_a_game_to_one_worker_never_costs_more() -> None:
    costs, load = measured_costs(kept()), scaled(LIVE, 1e6)
    apart, together = (
        needs(load, costs, replace(Terms(), followed_together=each)) for each in (False, True)
    )
    assert together.workers <= apart.workers
    assert together.rereads_per_s < apart.rereads_per_s


def test_game_of_a_number_of_players_that_was_not_measured_lies_between_its_neighbours() -> None:
    costs = measured_costs(kept())
    assert game_bytes(costs, 4) < game_bytes(costs, 6) < game_bytes(costs, 8)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.what[:30])
def test_limit_is_full_where_it_is_said_to_be_met(limit: Limit) -> None:
    costs, terms = measured_costs(kept()), Terms()
    games = met_at(limit, LIVE, costs, terms)
    load = scaled(LIVE, games)
    assert limit.fullness(load, needs(load, costs, terms), costs, terms) >= 1
