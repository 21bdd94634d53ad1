"""Where two predictions change places: roots of differences that are continuous but for known breaks.

Between breaks the root is found by Brent's method (Brent 1973, scipy's brentq); at a break the sign may change by a jump.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, nextafter

from .parameter_types import RingService
from .ring_model import FUNCTIONS
from .ring_systems import ENHANCED_CLOCK, ENHANCED_RATE, System, scaled_to

MOST_BYTES = 1 << 20
MOST_NODES = 1024


@dataclass(frozen=True)
class Crossing:
    """A place where the sign of a difference changes; `jump` when it does so without passing zero."""

    at: float
    jump: bool
    falls: bool
    """The difference is positive before and negative behind."""


def crossings(difference: Callable[[float], float], breaks: Sequence[float]) -> list[Crossing]:
    """Sign changes of `difference` between the first and the last of `breaks`, which ascend.

    It must be continuous between neighbours and monotone there, and each piece holds its own left end: a piece has one
    crossing at most, and none is missed. Raises ValueError with fewer than two breaks.
    """
    from scipy.optimize import brentq  # type: ignore[import-untyped]  # takes a while to load

    if len(breaks) < 2:
        raise ValueError("a range has two ends")
    found: list[Crossing] = []
    before = difference(breaks[0])
    for low, high in pairwise(breaks):
        left, end = difference(low), nextafter(high, -inf)
        right = difference(end)
        if before * left < 0:
            found.append(Crossing(low, True, left < 0))
        if left * right < 0:
            found.append(Crossing(float(brentq(difference, low, end, xtol=1e-9)), False, right < 0))
        before = right or left or before
    return found


def _difference(name: str, first: System, second: System, service: RingService) -> Callable[[float, float], float]:
    """Time on `first` less that on `second`, by size and nodes."""
    function, one, other = FUNCTIONS[name], scaled_to(first, service), scaled_to(second, service)
    return lambda size, nodes: function(size, nodes, one) - function(size, nodes, other)


def size_breaks(service: RingService, most: float = MOST_BYTES) -> list[float]:
    """Sizes where the slope of Eqs. 7 and 10 changes or Eq. 7 jumps: w_min, and every packet's end to `most`.

    On a whole number of nodes the end of G_fill is such an end too.

    Eq. 7's first additional packet comes with the first byte beyond w_max, so that size is there twice.
    """
    packet = service.unicast.w_max
    ends = [float(size) for size in range(packet, int(most), packet)]
    after_first = [nextafter(ends[0], inf)] if ends else []
    return [float(service.unicast.w_min), *ends[:1], *after_first, *ends[1:], float(most)]


def node_breaks(service: RingService, size: float, most: float = MOST_NODES) -> list[float]:
    """Numbers of nodes where the slope over P changes: the ends of the range, and where a broadcast's last packet just fills the ring."""
    full = service.broadcast.P_fill + size / service.unicast.w_max - 1
    return [2.0, *([full] if service.broadcast.G_fill and 2 < full < most else []), float(most)]


def by_size(
    name: str,
    nodes: float,
    service: RingService,
    first: System = ENHANCED_CLOCK,
    second: System = ENHANCED_RATE,
    most: float = MOST_BYTES,
) -> list[Crossing]:
    """Message sizes (bytes, to `most`) at which `first` and `second` change places, for one of FUNCTIONS on so many nodes."""
    difference = _difference(name, first, second, service)
    return crossings(lambda size: difference(size, nodes), size_breaks(service, most))


def by_nodes(
    name: str,
    size: float,
    service: RingService,
    first: System = ENHANCED_CLOCK,
    second: System = ENHANCED_RATE,
    most: float = MOST_NODES,
) -> list[Crossing]:
    """Numbers of nodes (from 2 to `most`, fractions) at which `first` and `second` change places at one message size."""
    difference = _difference(name, first, second, service)
    return crossings(lambda nodes: difference(size, nodes), node_breaks(service, size, most))
