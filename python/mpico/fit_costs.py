"""What LogGP's pieces do not hold: g, the steps of the library, a processor that goes from rank to rank, copies, and combining."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from statistics import median

from . import fit_checks as checks
from .fit_pieces import Line, fit_line
from .parameter_types import Interval
from .results import Measurement, Results

SIZES = tuple(sorted({(4 << i) * j // 2 for i in range(19) for j in (2, 3)} - {3 << 20 >> 1}))
"""4 B to 1 MB, each power of two and half as much again."""
COPIES_LEAST = 3
"""Sizes of which an allgather and one in place tell what copies cost."""
SHORT = 1024
"""What is called the time of a short message is the median up to so many bytes."""


def line_of(results: Results, pattern: str, low: int, high: float) -> Line | None:
    """A line through the pattern's sizes from low up to, without, high; None where there are none."""
    found = [m for m in results.uncrowded(pattern) if low <= m.bytes < high]
    return fit_line([m.bytes for m in found], [m.us for m in found]) if found else None


def shares_processors(results: Results) -> bool:
    """Do ranks share the processors of a host? A simulated machine and boards have one for each rank."""
    return results.environment.place in ("processes", "fibers")


def processors_of(results: Results) -> int:
    """Processors that the ranks share: the host's; a simulated machine and boards have one for each rank."""
    if shares_processors(results):
        return int(results.environment.host.get("cpus") or 1)
    return max(m.ranks for m in results.measurements)


def _hop(results: Results) -> float | None:
    """What each hop beyond the first takes, of the shortest "once"; 0 where ranks share a memory, None where it was not measured."""
    if shares_processors(results):
        return 0.0
    found = [m for m in results.of("once") if m.hops]
    least = min((m.bytes for m in found), default=0)
    times = {(m.ranks, m.hops or 1): m.us for m in found if m.bytes == least}
    slopes = [(us - times[n, 1]) / (hops - 1) for (n, hops), us in times.items() if hops > 1 and (n, 1) in times]
    return median(slopes) if slopes else None


def _short(measurements: Sequence[Measurement]) -> float:
    """The time of a short message: the median of those up to SHORT bytes."""
    us = sorted(m.us for m in measurements if m.bytes <= SHORT) or [measurements[0].us]
    return us[len(us) // 2]


def _step(results: Results, processors: int) -> float | None:
    """(barrier / rounds - once) / 2: a round of a barrier is one message with a send and a receive step on each rank.

    Both start together, so that what the common start costs cancels.
    """
    barriers = [m for m in results.of("barrier") if 1 < m.ranks <= processors]
    once = [m for m in results.of("once") if m.ranks <= processors]
    if not barriers or not once:
        return None
    m = min(barriers, key=lambda m: m.ranks)
    return (m.us / ceil(log2(m.ranks)) - min(o.us for o in once)) / 2


def _switch(results: Results, processors: int) -> float | None:
    """What a short message takes longer, for each further rank that shares a processor; 0 where none do."""
    if not shares_processors(results):
        return 0.0
    for pattern in ("adjacent", "pingpong"):
        found = results.of(pattern)
        free, crowded = ([m for m in found if (m.ranks > processors) == many] for many in (False, True))
        if free and crowded:
            ranks = min(m.ranks for m in crowded)
            longer = _short([m for m in crowded if m.ranks == ranks]) - _short(free)
            return longer / (ceil(ranks / processors) - 1)
    return None


@dataclass(frozen=True)
class Scalar:
    """A number beside the segments: its value, its interval, why it is not known."""

    value: float | None
    interval: Interval | None = None


def _slope(results: Results, pattern: str) -> Scalar:
    line = line_of(results, pattern, 0, float("inf"))
    return Scalar(line.b, line.b_interval) if line and line.b > 0 else Scalar(None)


def _copy(results: Results) -> Scalar:
    """A byte copied: of "copy", else (a simulated machine's memory costs the library's copies alone) what an allgather takes longer than in place."""
    if results.of("copy"):
        return _slope(results, "copy")
    alone = {(m.ranks, m.bytes): m.us for m in results.of("allgather-in-place")}
    found = [(m.bytes, m.us - alone[m.ranks, m.bytes]) for m in results.of("allgather") if (m.ranks, m.bytes) in alone]
    found = [(size, us) for size, us in found if size and us > 0]
    if len({size for size, _ in found}) < COPIES_LEAST:
        return Scalar(None)
    line = fit_line([size for size, _ in found], [us for _, us in found])
    return Scalar(line.b, line.b_interval)


def scalars(results: Results, processors: int, first_end: float) -> dict[str, Scalar]:
    """The numbers of LogGP beside its pieces. `first_end`: bytes at which the first piece ends, up to which g is a short message's."""
    gap = line_of(results, "gap", 0, first_end)
    return {
        "g_us": Scalar(gap.a, gap.a_interval) if gap and gap.a > 0 else Scalar(None),
        "step_us": Scalar(_step(results, processors)),
        "switch_us": Scalar(_switch(results, processors)),
        "hop_us": Scalar(_hop(results)),
        "copy_us_per_byte": _copy(results),
        "combine_us_per_byte": _slope(results, "combine"),
    }


def settles(results: Results, processors: int) -> Mapping[str, str]:
    """The call that settles each scalar."""
    e, crowd = results.environment, (2, 2 * processors)
    copies = ("allgather", "allgather-in-place") if e.place == "machine" else ("copy",)
    return {
        "g_us": checks.command(e, ("gap",), (2,), SIZES),
        "step_us": checks.command(e, ("once", "barrier"), (2,), (4,)),
        "switch_us": checks.command(e, ("adjacent",), crowd, (4, 64, 1024)),
        "hop_us": checks.command(e, ("once",), (2, 4), (4,)),
        "copy_us_per_byte": checks.command(e, copies, (2,), SIZES),
        "combine_us_per_byte": checks.command(e, ("combine",), (2,), SIZES),
    }
