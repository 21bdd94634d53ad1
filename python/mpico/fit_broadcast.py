"""Eq. 10 of measured broadcasts, and what it lacks while a ring fills with packets.

A packet that follows another one costs the wire, and an interrupt with a DMA start of the node that holds the ring up. While there are
nodes between root and last that no packet has reached, that is one interrupt more a packet. So the time by size has a second break, at a
number of packets that grows with the nodes: G + G_fill a byte up to P - P_fill packets behind the first, and G beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from scipy.special import fdtri  # type: ignore[import-untyped]

from .fit_linear import CONFIDENCE, Fit, Row, fit
from .fit_pieces import COST_OF_PIECE
from .results import Measurement, Results
from .ring_terms import P_FILL, terms

FILL, L_NODE = "broadcast.G_fill", "broadcast.L_node"
SMALL = 1e-3
"""A G_fill below this share of G is rounding."""


@dataclass(frozen=True)
class BroadcastRows:
    """Rows of Eq. 10 with the P_fill that was found; no row has G_fill where the times do not show any."""

    pairs: tuple[tuple[Measurement, Row], ...]
    p_fill: int
    interval: tuple[int, int] | None
    """Of P_fill, 95 %; None without G_fill."""


def sigma(m: Measurement) -> float:
    """The weight of a time: 1 % of it, the model's own error, and its interval."""
    return float(np.hypot(0.01 * m.us, (m.high_us - m.low_us) / 4))


def _solve(fitting: Sequence[Measurement], w_max: int, p_fill: int | None) -> Fit:
    """Least squares with the break there, or none; o_node stands for o_node + L_node."""
    out = {L_NODE} if p_fill is not None else {L_NODE, FILL}
    rows = [{k: v for k, v in terms(m, w_max, p_fill=p_fill or 0).items() if k not in out} for m in fitting]
    names = sorted({name for row in rows for name in row})
    return fit(rows, [m.us for m in fitting], [sigma(m) for m in fitting], names)


def _pays(solved: Fit, plain: Fit) -> bool:
    """Is there a G_fill above 0, and does the break pay by Schwarz's criterion, as in fit_pieces.py?"""
    if FILL not in solved.estimates or solved.estimates[FILL] <= SMALL * solved.estimates["broadcast.G"]:
        return False
    points = len(plain.residuals)
    return points * log(plain.misfit / solved.misfit) > COST_OF_PIECE * log(points) if solved.misfit > 0 else True


def _likely(found: dict[int, Fit], best: int) -> tuple[int, int]:
    """The first and last P_fill whose misfit is not above the best one's by more than chance gives (an F test of one parameter)."""
    freedom = len(found[best].residuals) - len(found[best].names)
    most = found[best].misfit * (1 + float(fdtri(1, max(1, freedom), CONFIDENCE)) / max(1, freedom))
    likely = [p_fill for p_fill, one in found.items() if one.misfit <= most]
    return min(likely), max(likely)


def broadcast_rows(results: Results, w_max: int) -> BroadcastRows:
    """Eq. 10 of one packet or of full ones: what a packet costs by itself is in its G, spread over a full packet's bytes.

    P_fill is the whole number, from 0 to the most nodes measured, with which least squares leaves the least. `results` has "bcast"; `w_max` in bytes.
    """
    fitting = [m for m in results.of("bcast") if m.bytes <= w_max or m.bytes % w_max == 0]
    solved = {p_fill: _solve(fitting, w_max, p_fill) for p_fill in range(max(m.ranks for m in fitting))}
    plain = _solve(fitting, w_max, None)
    found = {p_fill: one for p_fill, one in solved.items() if not plain.unknown and _pays(one, plain)}
    if not found:
        rows = [(m, {k: v for k, v in terms(m, w_max).items() if k != FILL}) for m in fitting]
        return BroadcastRows(tuple(rows), P_FILL, None)
    best = min(found, key=lambda p_fill: found[p_fill].misfit)
    rows = [(m, terms(m, w_max, p_fill=best)) for m in fitting]
    return BroadcastRows(tuple(rows), best, _likely(found, best))
