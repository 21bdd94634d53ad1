"""Times by message size in straight pieces, the breaks found from the data.

Residuals are relative to the time, since a message of 8 bytes and one of a megabyte matter alike. Lines are a + b k with
neither below 0. Breaks: dynamic programming over their positions (R. Bellman, 1961), as many as Schwarz's criterion pays for
(Y.-C. Yao, "Estimating the number of change-points via Schwarz' criterion", 1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear, nnls  # type: ignore[import-untyped]
from scipy.special import stdtrit  # type: ignore[import-untyped]

Vector = NDArray[np.float64]
Interval = tuple[float, float]

PIECES_MOST = 4
"""As many as the library's own reader of parameters takes."""
NOISE = 0.03
"""Share of a time that counts as noise at least: differences below it are no reason for a break."""
COST_OF_PIECE = 3
"""Parameters that a further piece adds: two of the line, one of the break."""


@dataclass(frozen=True)
class Line:
    """us = a + b k. The intervals are of 95 %, without the bound at 0; infinite where nothing tells the scatter."""

    a: float
    b: float
    a_interval: Interval
    b_interval: Interval

    def at(self, size: float) -> float:
        """Microseconds of `size` bytes."""
        return self.a + self.b * size


@dataclass(frozen=True)
class Piece:
    """A line from `start` bytes on; the break lies within `start_interval`, between two sizes that were measured."""

    start: int
    start_interval: tuple[int, int]
    line: Line


def fit_line(sizes: Sequence[float] | Vector, us: Sequence[float] | Vector) -> Line:
    """Least squares of the relative residuals, a and b at least 0. One size gives a constant."""
    k, t = np.asarray(sizes, dtype=np.float64), np.asarray(us, dtype=np.float64)
    if len(set(k)) == 1:
        return Line(float(np.median(t)), 0.0, (-inf, inf), (-inf, inf))
    scale = float(k.max())
    design = np.stack([1 / t, k / scale / t], axis=1)
    (a, b), misfit = nnls(design, np.ones_like(t))
    freedom = len(t) - 2
    if freedom > 0:
        inverse = np.linalg.inv(design.T @ design)
        half = np.sqrt(np.diag(inverse)) * misfit / sqrt(freedom) * float(stdtrit(freedom, 0.975))
    else:
        half = np.full(2, inf)
    return Line(float(a), float(b) / scale, (a - half[0], a + half[0]), ((b - half[1]) / scale, (b + half[1]) / scale))


def fit_shares(sizes: Sequence[int], us: Sequence[float], line: Line) -> tuple[float, float]:
    """The shares of a and of b in `line` that make up the times `us`, by relative residuals, each from 0 to 1."""
    k, t = np.asarray(sizes, dtype=np.float64), np.asarray(us, dtype=np.float64)
    design = np.stack([line.a / t, line.b * k / t], axis=1)
    shares = lsq_linear(design, np.ones_like(t), bounds=(0, 1)).x
    return float(shares[0]), float(shares[1])


def _cost(sizes: Vector, us: Vector, sigma: Vector) -> float:
    line = fit_line(sizes, us)
    return float(np.sum((((line.a + line.b * sizes) / us - 1) / sigma) ** 2))


def _breaks(sizes: Vector, us: Vector, sigma: Vector, most: int) -> list[int]:
    """Index of the first point of each piece, by the least of misfit + COST_OF_PIECE log(points) a piece."""
    n = len(sizes)
    cost = np.full((n, n + 1), inf)
    for i in range(n):
        for j in range(i + 2, n + 1):
            cost[i, j] = _cost(sizes[i:j], us[i:j], sigma[i:j])
    best = np.full((most + 1, n + 1), inf)
    best[0, 0] = 0
    came = np.zeros((most + 1, n + 1), dtype=int)
    for pieces in range(1, most + 1):
        for end in range(1, n + 1):
            whole = best[pieces - 1, :end] + cost[:end, end]
            came[pieces, end] = int(np.argmin(whole))
            best[pieces, end] = whole[came[pieces, end]]
    pieces = min(range(1, most + 1), key=lambda m: best[m, n] + COST_OF_PIECE * m * log(n))
    starts, end = [], n
    for m in range(pieces, 0, -1):
        end = int(came[m, end])
        starts.append(end)
    return starts[::-1]


def _start(before: Line, after: Line, low: int, high: int) -> int:
    """Where one line goes over into the next, between two sizes: where they meet, else half way by ratio."""
    if before.b != after.b:
        meet = (after.a - before.a) / (before.b - after.b)
        if low < meet <= high:
            return ceil(meet)
    return ceil(sqrt(max(low, 1) * high))


def fit_pieces(
    sizes: Sequence[int], us: Sequence[float], interval: Sequence[float], most: int = PIECES_MOST
) -> list[Piece]:
    """The pieces of times `us` at ascending `sizes`; `interval` is the half width of each time's own, microseconds.

    At least two sizes; each piece has at least two.
    """
    k, t = np.asarray(sizes, dtype=np.float64), np.asarray(us, dtype=np.float64)
    sigma = np.hypot(NOISE, np.asarray(interval, dtype=np.float64) / t)
    starts = _breaks(k, t, sigma, min(most, len(sizes) // 2))
    ends = [*starts[1:], len(sizes)]
    lines = [fit_line(k[i:j], t[i:j]) for i, j in zip(starts, ends, strict=True)]
    pieces = [Piece(0, (0, 0), lines[0])]
    for at, (before, after) in zip(starts[1:], pairwise(lines), strict=True):
        low, high = sizes[at - 1], sizes[at]
        pieces.append(Piece(_start(before, after, low, high), (low + 1, high), after))
    return pieces
