"""The study that the ring paper leaves to others: the clock and link rate that cost least within a deadline.

An operation takes a/f + b/B (section 6: a cycles of the processor, b bytes of a link). For each clock the energy is convex in the link's
rate, so the search is one bounded minimisation inside another, the outer one started from a grid. The Pareto front is
that minimum for a row of deadlines (the epsilon-constraint method, Haimes 1971). Units as in energy.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .energy import Technology, draw, energy_uj, volts_at
from .parameter_types import RingService
from .ring_model import FUNCTIONS, traffic
from .ring_systems import SHARC, System, shares

Objective = Literal["energy", "power"]
GRID = 48
SLACK = 1e-9


@dataclass(frozen=True)
class Work:
    """One operation, apart from clock and rate."""

    function: str
    size: float
    nodes: int
    cycles: float
    """Clock-bound: microseconds times MHz."""
    link_bytes: float
    """Link-bound: microseconds times MB/s."""

    def us(self, clock_mhz: float, link_mb_s: float) -> float:
        """Microseconds at this clock and rate."""
        return self.cycles / clock_mhz + self.link_bytes / link_mb_s


@dataclass(frozen=True)
class Point:
    """A choice of clock and rate with what follows from it."""

    clock_mhz: float
    link_mb_s: float
    volts: float
    us: float
    energy_uj: float
    """Of one operation, all nodes."""
    power_w: float
    """Of all nodes: while an operation lasts, or averaged over the period when there is one."""


def work_of(function: str, size: float, nodes: int, service: RingService, measured: System = SHARC) -> Work:
    """The operation by the model's parameters, which were measured on a system of `measured`'s clock and rate."""
    clock_us, link_us = shares(FUNCTIONS[function], size, nodes, service)
    return Work(function, size, nodes, clock_us * measured.clock_mhz, link_us * measured.link_mb_s)


def point(
    technology: Technology, work: Work, clock_mhz: float, link_mb_s: float, volts: float, period_us: float | None = None
) -> Point:
    """Time, energy and mean power at this clock, rate and voltage.

    With `period_us` the operation repeats in that time, and the nodes wait between.
    """
    drawn = draw(technology, clock_mhz, link_mb_s, volts)
    clock_us, link_us = work.cycles / clock_mhz, work.link_bytes / link_mb_s
    us = clock_us + link_us
    energy = energy_uj(drawn, work.nodes, clock_us, link_us, traffic(work.function, work.size, work.nodes))
    waiting = work.nodes * drawn.waiting_w * max(0.0, period_us - us) if period_us else 0.0
    return Point(clock_mhz, link_mb_s, volts, us, energy, (energy + waiting) / (period_us or us))


def _least(value: Callable[[float], float], low: float, high: float) -> float:
    """Where `value`, with one minimum, is least between the bounds, which themselves are tried."""
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]  # takes a while to load

    if high - low < SLACK * high:
        return high
    inside = minimize_scalar(value, bounds=(low, high), method="bounded", options={"xatol": 1e-6 * high})
    return min((low, float(inside.x), high), key=value)


def cost(found: Point, objective: Objective) -> float:
    """Microjoules or watts: what is minimised."""
    return found.energy_uj if objective == "energy" else found.power_w


def least_us(technology: Technology, work: Work) -> float:
    """The shortest deadline that can be kept, microseconds."""
    return work.us(technology.clock_most_mhz, technology.link_most_mb_s)


def _at_clock(
    technology: Technology, work: Work, clock_mhz: float, deadline_us: float, objective: Objective, scaling: bool
) -> Point:
    """The cheapest link rate that keeps the deadline at this clock, which some rate does."""
    t, volts = technology, volts_at(technology, clock_mhz, scaling)
    left_us = deadline_us - work.cycles / clock_mhz
    needed = work.link_bytes / left_us if left_us > 0 else t.link_most_mb_s
    low = min(max(t.link_least_mb_s, needed), t.link_most_mb_s)
    period = deadline_us if objective == "power" else None

    def at_rate(link_mb_s: float) -> Point:
        return point(t, work, clock_mhz, link_mb_s, volts, period)

    return at_rate(_least(lambda rate: cost(at_rate(rate), objective), low, t.link_most_mb_s))


def optimum(
    technology: Technology, work: Work, deadline_us: float, objective: Objective = "energy", scaling: bool = True
) -> Point | None:
    """The cheapest clock and rate with which the operation ends within the deadline; None when no choice does.

    "energy" is that of one operation; "power" is the mean when one operation starts every `deadline_us`. Without `scaling` the
    voltage is the nominal one.
    """
    if least_us(technology, work) > deadline_us * (1 + SLACK):
        return None
    until_us, most = deadline_us * (1 + 2 * SLACK), technology.clock_most_mhz
    needed = work.cycles / (until_us - work.link_bytes / technology.link_most_mb_s)
    low = min(max(technology.clock_least_mhz, needed), most)

    def at_clock(clock_mhz: float) -> Point:
        return _at_clock(technology, work, clock_mhz, until_us, objective, scaling)

    grid = [at_clock(low * (most / low) ** (i / GRID)) for i in range(GRID + 1)]
    best = min(range(GRID + 1), key=lambda i: cost(grid[i], objective))
    around = grid[max(0, best - 1)].clock_mhz, grid[min(GRID, best + 1)].clock_mhz
    refined = at_clock(_least(lambda clock: cost(at_clock(clock), objective), *around))
    return min(grid[best], refined, key=lambda found: cost(found, objective))


def pareto(
    technology: Technology,
    work: Work,
    points: int = 24,
    objective: Objective = "energy",
    scaling: bool = True,
    done: Callable[[], None] = lambda: None,
) -> list[Point]:
    """The front of energy (or mean power) against time: from the fastest choice to the cheapest, none dominated.

    `done` is called `points` times.
    """
    fastest = least_us(technology, work)
    slowest = work.us(technology.clock_least_mhz, technology.link_least_mb_s)
    if objective == "energy":
        cheapest = optimum(technology, work, slowest, objective, scaling)
        slowest = cheapest.us if cheapest else slowest
    front: list[Point] = []
    for i in range(points):
        deadline = fastest * (slowest / fastest) ** (i / max(1, points - 1))
        found = optimum(technology, work, deadline, objective, scaling)
        done()
        if found and (not front or cost(found, objective) < cost(front[-1], objective) * (1 - 1e-6)):
            front.append(found)
    return front
