"""A median with a confidence interval that assumes nothing of how the samples are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Median:
    """A median with its interval, in the unit of the samples."""

    value: float
    low: float
    high: float
    confidence: float
    """The probability that the interval holds the true median; less than asked for where there are too few samples."""


def median_interval(samples: Sequence[float], confidence: float = 0.95) -> Median:
    """Median and its nonparametric confidence interval, by order statistics.

    Of n sorted samples the j-th from below and from above bound the true median with probability
    1 - 2 P(B < j), B binomial of n and 1/2 (Le Boudec, Performance Evaluation of Computer and Communication Systems,
    section 2.2): j is the largest that gives `confidence`. Where even j = 1 gives less (95 % need six samples),
    the bounds are the extremes, and `confidence` of the result says what they are worth.
    Raises ValueError without samples.
    """
    ordered = sorted(samples)
    n = len(ordered)
    if n == 0:
        raise ValueError("a median needs samples")
    below, term, j = 0, 1, 0  # 2^n P(B < j), 2^n P(B = j)
    while (j == 0 or 1 - 2 * (below + term) / 2**n >= confidence) and j < (n + 1) // 2:
        below += term
        j += 1
        term = term * (n - j + 1) // j
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    return Median(middle, ordered[j - 1], ordered[n - j], 1 - 2 * below / 2**n)
