"""The largest payload of one packet, w_max, found in the times of single messages ("once") of a one-way ring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from .fit_linear import fit
from .results import Measurement
from .ring_terms import W_MIN, terms

LEAVES = 0.01
"""Eq. 5 holds up to a size when the median error up to there, and all errors of that size, are within this share."""
SAME = 0.03
"""An estimate of w_max this near above the longest message that is known to be one packet is that message's size."""
ONE_PACKET = ("unicast.o_s", "unicast.L_s", "unicast.L_rts", "unicast.g")
"""Parameters of Eq. 5, o_s standing for o_s + o_r, which no time of a message tells apart."""


@dataclass(frozen=True)
class Packet:
    """w_max and what is sure of it."""

    w_max: int
    least: int
    """The longest measured message that is one packet."""
    below: int
    """The shortest that is more."""


def line(measurements: Sequence[Measurement]) -> Mapping[str, float]:
    """Eq. 5 fitted to messages of one packet; empty when these do not tell all of ONE_PACKET."""
    rows = [{k: v for k, v in terms(m, m.bytes).items() if k != "unicast.o_r"} for m in measurements]
    times = [m.us for m in measurements]
    return fit(rows, times, times, ONE_PACKET).estimates


def _off(measurement: Measurement, known: Mapping[str, float]) -> float:
    """How far a time is from Eq. 5, as a share of it."""
    row = terms(measurement, measurement.bytes)
    fitted = sum(row.get(name, 0.0) * known[name] for name in ONE_PACKET)
    return abs(measurement.us / fitted - 1)


def _is_one_packet(of_size: Mapping[int, list[Measurement]], last: int) -> bool:
    """Does Eq. 5 hold up to the size `last`? Single shorter sizes may be off: not all that costs time is in Eq. 5."""
    up_to = [m for size, found in of_size.items() if size <= last for m in found]
    known = line(up_to)
    if not known:
        return False
    return max(median(_off(m, known) for m in up_to), *(_off(m, known) for m in of_size[last])) <= LEAVES


def _bracket(of_size: Mapping[int, list[Measurement]]) -> tuple[int, int] | None:
    """The longest size up to which Eq. 5 holds, and the next one; None: it holds to the end, or nowhere."""
    sizes = sorted(of_size)
    for index in range(len(sizes) - 1, 0, -1):
        if _is_one_packet(of_size, sizes[index]):
            return (sizes[index], sizes[index + 1]) if index + 1 < len(sizes) else None
    return None


def _by_hops(longer: Sequence[Measurement], known: Mapping[str, float]) -> float | None:
    """w_max of what one hop more costs a long message: L_s - L_rts + (w_max - w_min) g, whatever follows the first packet."""
    times: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for m in longer:
        times[m.ranks, m.bytes, m.hops or 1].append(m.us)
    steps = [
        median(us) - median(times[ranks, size, hops - 1])
        for (ranks, size, hops), us in times.items()
        if (ranks, size, hops - 1) in times
    ]
    if not steps or known["unicast.g"] <= 0:
        return None
    return W_MIN + (median(steps) - known["unicast.L_s"] + known["unicast.L_rts"]) / known["unicast.g"]


def find_packet(measurements: Sequence[Measurement]) -> Packet | None:
    """w_max from "once" of several sizes, hops and numbers of ranks; None when no message is longer than a packet.

    w_max lies between the longest size up to which Eq. 5 holds, and the next one measured. There it is the size at which a hop's share of the time stops to grow (only the first packet is stored and forwarded by
    itself), to a word, where that is clearly above the lower end; else the lower end.
    """
    of_size: dict[int, list[Measurement]] = defaultdict(list)
    for m in measurements:
        of_size[m.bytes].append(m)
    bracket = _bracket(of_size)
    if bracket is None:
        return None
    least, below = bracket
    known = line([m for m in measurements if m.bytes <= least])
    estimate = _by_hops([m for m in measurements if m.bytes > least], known)
    word = W_MIN * round((estimate or least) / W_MIN)
    apart = least * (1 + SAME) < word < below
    return Packet(word if apart else least, least, below)
