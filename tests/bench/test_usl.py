"""The scalability law is found again in throughputs that follow it."""

from __future__ import annotations

import math

import pytest

from benchmarks.usl import fit


def _throughputs(rate: float, contention: float, coherency: float) -> dict[int, float]:
    return {
        n: rate * n / (1 + contention * (n - 1) + coherency * n * (n - 1)) for n in (1, 2, 3, 4, 8)
    }


@pytest.mark.parametrize(
    ("rate", "contention", "coherency"),
    [(1_000.0, 0.0, 0.0), (1_400.0, 0.05, 0.0), (900.0, 0.1, 0.02), (50.0, 0.0, 0.01)],
)
def test_fit_finds_the_terms_when_throughputs_follow_the_law(
    rate: float, contention: float, coherency: float
) -> None:
    curve = fit(_throughputs(rate, contention, coherency))
    found = (curve.rate, curve.contention, curve.coherency)
    assert (rate, contention, coherency) == pytest.approx(found, abs=1e-6)
    assert [0.0] * 5 == pytest.approx(list(curve.residuals.values()), abs=1e-6)


def test_fit_has_no_term_below_zero_when_more_workers_do_more_than_their_share() -> None:
    curve = fit({1: 100.0, 2: 230.0, 3: 360.0, 4: 500.0})
    assert curve.contention >= 0
    assert curve.coherency >= 0


def test_fit_of_one_throughput_is_its_rate() -> None:
    curve = fit({1: 100.0})
    assert (100.0, 0.0, 0.0) == (curve.rate, curve.contention, curve.coherency)


def test_curve_has_its_most_where_one_more_makes_it_slower() -> None:
    curve = fit(_throughputs(1_000.0, 0.1, 0.01))
    best = round(curve.most)
    assert curve.at(best) > max(curve.at(best - 2), curve.at(best + 2))
    assert math.inf == fit({1: 100.0, 2: 200.0}).most
