"""Weighted least squares of models that are linear in named parameters, and what the data cannot tell.

A row is one measurement: {parameter: factor}, the terms of one equation. Intervals are of 95 %, by Student's t with the scatter
of the residuals; on a deterministic simulated machine that scatter is the model's misfit and no noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit  # type: ignore[import-untyped]

Row = Mapping[str, float]
Interval = tuple[float, float]
Vector = NDArray[np.float64]

CONFIDENCE = 0.95
RANK_TOLERANCE = 1e-9
"""A singular value below this share of the largest counts as none: columns are scaled to the same length first."""
NAMED = 1e-6
"""A parameter takes part in a null vector when its entry is larger."""


@dataclass(frozen=True)
class Fit:
    """Least squares of one system of rows. Where `unknown` is not empty there are no estimates."""

    names: tuple[str, ...]
    estimates: Mapping[str, float]
    intervals: Mapping[str, Interval]
    residuals: Vector
    """Observed less fitted, in units of sigma, one a row."""
    unknown: tuple[tuple[str, ...], ...]
    """Groups of parameters that occur only in a fixed combination, or not at all."""
    spread: Vector = field(default_factory=lambda: np.zeros((0, 0)))
    """Covariance of the estimates, (names, names), times the square of Student's quantile."""

    def half(self, factors: Row) -> float:
        """Half the interval of a sum of factor times parameter."""
        vector = np.array([factors.get(name, 0.0) for name in self.names])
        return float(np.sqrt(vector @ self.spread @ vector))

    def correlation(self, first: str, second: str) -> float:
        """Of the errors of two estimates, from -1 to 1; 0 where nothing tells them."""
        i, j = self.names.index(first), self.names.index(second)
        scale = float(np.sqrt(self.spread[i, i] * self.spread[j, j]))
        return float(self.spread[i, j]) / scale if 0 < scale < np.inf else 0.0

    @property
    def misfit(self) -> float:
        """Sum of the squared residuals."""
        return float(self.residuals @ self.residuals)


def matrix(rows: Sequence[Row], names: Sequence[str]) -> Vector:
    """The design matrix, (rows, names)."""
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=np.float64).reshape(-1, len(names))


def unidentified(design: Vector, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of parameters that the design (rows, names) cannot tell apart: its null space by singular values.

    Columns are scaled to length 1. The null space is brought to echelon form, so that each group is as small as it can be.
    """
    length = np.linalg.norm(design, axis=0)
    absent = tuple((name,) for name, size in zip(names, length, strict=True) if size == 0)
    left = [index for index, size in enumerate(length) if size > 0]
    if not left:
        return absent
    _, singular, basis = np.linalg.svd(design[:, left] / length[left], full_matrices=True)
    rank = int(np.sum(singular > RANK_TOLERANCE * singular[0]))
    null = _echelon(basis[rank:].copy())
    return absent + tuple(tuple(names[left[i]] for i in np.flatnonzero(np.abs(vector) > NAMED)) for vector in null)


def _echelon(null: Vector) -> Vector:
    """Rows of the same span, reduced: each has a pivot where all others have 0."""
    for row in range(len(null)):
        pivot = int(np.argmax(np.abs(null[row])))
        null[row] /= null[row, pivot]
        for other in range(len(null)):
            if other != row:
                null[other] -= null[other, pivot] * null[row]
    return null


def fit(rows: Sequence[Row], observed: Sequence[float], sigma: Sequence[float], names: Sequence[str]) -> Fit:
    """The parameters `names` that minimise the sum of ((observed - row) / sigma)^2, with intervals.

    `observed` and `sigma` are in the unit of the product of factor and parameter. With as many rows as parameters nothing is
    left to tell the scatter, and the intervals are infinite.
    """
    scale = 1 / np.asarray(sigma, dtype=np.float64)
    design = matrix(rows, names) * scale[:, None]
    unknown = unidentified(design, names)
    if unknown:
        return Fit(tuple(names), {}, {}, np.zeros(0), unknown)
    length = np.linalg.norm(design, axis=0)
    q, r = np.linalg.qr(design / length)
    target = np.asarray(observed, dtype=np.float64) * scale
    estimate = np.linalg.solve(r, q.T @ target) / length
    residuals = target - design @ estimate
    freedom = len(rows) - len(names)
    if freedom > 0:
        inverse = np.linalg.inv(r) / length[:, None]
        quantile = float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
        spread = inverse @ inverse.T * (residuals @ residuals / freedom * quantile**2)
    else:
        spread = np.diag(np.full(len(names), np.inf))
    half = np.sqrt(np.diag(spread))
    values = {name: float(value) for name, value in zip(names, estimate, strict=True)}
    ends = {name: (values[name] - float(h), values[name] + float(h)) for name, h in zip(names, half, strict=True)}
    return Fit(tuple(names), values, ends, residuals, (), spread)
