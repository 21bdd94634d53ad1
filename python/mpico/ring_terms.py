"""The ring paper's equations as sums of parameter times factor: Eqs. 7, 10 and 11 for one measurement.

A row is {parameter: factor}, with the names of parameter_types.py and the table's in front, as "unicast.o_s". The packet size
w_max and P_fill are no factors and are given. What fits and what predicts uses these same rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

from .parameter_types import RingService
from .results import Measurement
from .ring_model import fill_bytes

P_FILL = RingService().broadcast.P_fill
W_MIN = 4
"""The least payload, a word: the paper's convention, from which L_s counts; a measurement of time cannot tell it."""

Form = Literal["after-first", "floor", "overlap"]
"""How Eq. 7 is read. "floor" is the paper's: floor(k / w_max) additional packets, one too many where k is an exact multiple.
"after-first" counts the packets that follow the first, ceil(k / w_max) - 1. "overlap" also lets a short last packet travel
behind the one before: see overlapped_us."""
FORMS: tuple[Form, ...] = ("after-first", "floor", "overlap")

PATTERNS = ("once", "send-overhead", "recv-overhead", "bcast", "allgather", "allgather-in-place")
"""Patterns that the equations are of."""


def additional_packets(size: int, w_max: int, form: Form) -> int:
    """How often a message of `size` bytes pays o_ap."""
    if size <= w_max:
        return 0
    return size // w_max if form == "floor" else -(-size // w_max) - 1


@dataclass(frozen=True)
class _Given:
    """What is in the equations and is no factor of a row."""

    w_max: int
    form: Form
    p_fill: int


def _once(m: Measurement, given: _Given) -> dict[str, float]:
    """Eq. 7, with h_s of the measurement and h_rts the rest of the ring."""
    hops, w_max = m.hops if m.hops is not None else 1, given.w_max
    return {
        "unicast.o_s": 1,
        "unicast.o_r": 1,
        "unicast.L_s": hops,
        "unicast.L_rts": m.ranks - hops,
        "unicast.g": (hops + 1) * max(0, min(m.bytes, w_max) - W_MIN),
        "unicast.o_ap": additional_packets(m.bytes, w_max, given.form),
        "unicast.G": max(0, m.bytes - w_max),
    }


def _broadcast(m: Measurement, given: _Given) -> dict[str, float]:
    """Eq. 10, and what it lacks while the ring fills."""
    w_max = given.w_max
    return {
        "broadcast.o": 1,
        "broadcast.o_node": m.ranks - 2,
        "broadcast.L_node": m.ranks - 2,
        "broadcast.g": (m.ranks - 1) * max(0, min(m.bytes, w_max) - W_MIN),
        "broadcast.G": max(0, m.bytes - w_max),
        "broadcast.G_fill": fill_bytes(m.bytes, m.ranks, w_max, given.p_fill),
    }


def _allgather(m: Measurement, _given: _Given) -> dict[str, float]:
    """Eq. 11."""
    return {
        "allgather.o": 1,
        "allgather.o_node": m.ranks - 2,
        "allgather.g": (m.ranks - 1) * m.bytes,
        "allgather.o_mm": m.bytes if m.pattern == "allgather" else 0,
    }


_TERMS: dict[str, Callable[[Measurement, _Given], dict[str, float]]] = {
    "once": _once,
    "send-overhead": lambda _m, _given: {"unicast.o_s": 1},
    "recv-overhead": lambda _m, _given: {"unicast.o_r": 1},
    "bcast": _broadcast,
    "allgather": _allgather,
    "allgather-in-place": _allgather,
}


def terms(m: Measurement, w_max: int, form: Form = "after-first", p_fill: int = P_FILL) -> dict[str, float]:
    """The row of one measurement, of a pattern of PATTERNS. o_s and o_r are of a message of one packet."""
    return {name: factor for name, factor in _TERMS[m.pattern](m, _Given(w_max, form, p_fill)).items() if factor}


def values(model: RingService) -> dict[str, float]:
    """All parameters by the rows' names."""
    tables = {name: asdict(getattr(model, name)) for name in ("unicast", "broadcast", "allgather")}
    return {f"{name}.{key}": value for name, table in tables.items() for key, value in table.items()}


def overlapped_us(model: RingService, m: Measurement) -> float:
    """What the additional packets of a "once" measurement take beyond Eq. 5, microseconds, by a pipeline of packets.

    The last packet either passes all hops by itself after the full ones have left, (h_s + 1) g a byte, or it stays behind
    the one before, which keeps its way, and adds G a byte: the later counts. With a full last packet both are Eq. 6 with the
    packets that follow the first. Not the paper's: it has one G for all bytes beyond the first packet.
    """
    u = model.unicast
    more = additional_packets(m.bytes, u.w_max, "after-first")
    if not more:
        return 0.0
    last = m.bytes - more * u.w_max
    full = u.o_ap + u.G * u.w_max
    wires = ((m.hops or 1) + 1) * u.g
    return max(more * full - wires * (u.w_max - last), (more - 1) * full + u.G * last)


def predict(model: RingService, m: Measurement, form: Form = "after-first") -> float:
    """Microseconds that the model gives for what was measured (its us is not looked at)."""
    known, w_max = values(model), model.unicast.w_max
    row = terms(m, w_max, form, model.broadcast.P_fill)
    if m.pattern == "once" and form == "overlap":
        row = {name: factor for name, factor in row.items() if name not in ("unicast.o_ap", "unicast.G")}
        return sum(factor * known[name] for name, factor in row.items()) + overlapped_us(model, m)
    return sum(factor * known[name] for name, factor in row.items())
