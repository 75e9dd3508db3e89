"""The Universal Scalability Law, fitted to throughputs by least squares.

``X(n) = rate · n / (1 + contention · (n - 1) + coherency · n · (n - 1))``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

_TERMS = 3


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted curve.

    Attributes:
        rate: what one does by itself, per second.
        contention: the share of the work that only one at a time can do; 0 or more.
        coherency: what keeping pairs in step costs, as a share of the work; 0 or more.
        residuals: measured / fitted - 1, by how many there were.
    """

    rate: float
    contention: float
    coherency: float
    residuals: Mapping[int, float]

    def at(self, count: float) -> float:
        """Return the fitted throughput of so many."""
        return _law(self.rate, self.contention, self.coherency, count)

    @property
    def most(self) -> float:
        """How many there are when more make it slower; infinity if that never comes."""
        if self.coherency <= 0 or self.contention >= 1:
            return float("inf") if self.coherency <= 0 else 1.0
        return float(((1 - self.contention) / self.coherency) ** 0.5)


def fit(throughputs: Mapping[int, float]) -> Curve:
    """Return the curve that lies nearest, in relative squares, with no term below zero.

    Args:
        throughputs: per second, by how many shared the work; with three different ones or more all
            terms are fitted, with two no coherency, with one nothing but the rate.
    """
    wanted = min(len(throughputs), _TERMS)
    best: tuple[float, tuple[float, float, float]] | None = None
    for terms in range(wanted):
        for extra in combinations((1, 2), terms):
            found = _solved(throughputs, (0, *extra))
            if found is None or min(found) < 0 or found[0] <= 0:
                continue
            error = sum((x * _per_throughput(found, n) - 1) ** 2 for n, x in throughputs.items())
            if best is None or error < best[0] * (1 - 1e-9):
                best = error, found
    assert best is not None, "one term alone always fits"
    a, b, c = best[1]
    rate, contention, coherency = 1 / a, b / a, c / a
    return Curve(
        rate,
        contention,
        coherency,
        {n: x / _law(rate, contention, coherency, n) - 1 for n, x in sorted(throughputs.items())},
    )


def _law(rate: float, contention: float, coherency: float, count: float) -> float:
    return rate * count / (1 + contention * (count - 1) + coherency * count * (count - 1))


def _per_throughput(terms: tuple[float, float, float], count: int) -> float:
    """Return ``1 / X(n)``, which is linear in the terms a = 1/rate, b = a·contention, c = …."""
    return sum(term * factor for term, factor in zip(terms, _factors(count), strict=True))


def _factors(count: int) -> tuple[float, float, float]:
    return 1 / count, (count - 1) / count, float(count - 1)


def _solved(
    throughputs: Mapping[int, float], terms: tuple[int, ...]
) -> tuple[float, float, float] | None:
    """Solve the normal equations of ``x · (1/X fitted) = 1`` for these terms, the others zero."""
    rows = [[x * _factors(n)[term] for term in terms] for n, x in throughputs.items()]
    size = len(terms)
    matrix = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)] + [sum(row[i] for row in rows)]
        for i in range(size)
    ]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(matrix[row][at]))
        matrix[at], matrix[pivot] = matrix[pivot], matrix[at]
        if abs(matrix[at][at]) < 1e-12:
            return None
        for row in range(size):
            if row != at:
                factor = matrix[row][at] / matrix[at][at]
                matrix[row] = [x - factor * y for x, y in zip(matrix[row], matrix[at], strict=True)]
    found = [0.0, 0.0, 0.0]
    for at, term in enumerate(terms):
        found[term] = matrix[at][size] / matrix[at][at]
    return found[0], found[1], found[2]
