"""The ring paper's parameters (Tables 7, 8 and 9) out of measurements of a one-way ring, by least squares on Eqs. 7, 10 and 11.

The model is a superset of LogGP (A. Alexandrov et al., "LogGP: Incorporating Long Messages into the LogP Model", 1995); o_s and
o_r are told apart by measuring a processor's engagement (D. Culler et al., "LogP Performance Assessment of Fast Network
Interfaces", 1996; T. Hoefler et al., "Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks", 2007).
Errors count relative to the time measured: the paper states its model's errors so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from . import fit_checks as checks
from . import fit_told
from .fit_broadcast import broadcast_rows, sigma
from .fit_checks import FitError, Refusal
from .fit_linear import Fit, Row, fit
from .parameter_types import SUMS, Allgather, Broadcast, Interval, Parameters, RingService, Unicast
from .results import Measurement, Results
from .ring_packets import Packet, find_packet
from .ring_terms import terms

NEEDED = ("once", "bcast", "allgather", "allgather-in-place")
OVERHEAD = "send-overhead"
"""What tells o_s from o_r. "recv-overhead" does not: it counts all that the receiver's processor does, its request and its
interrupts too, of which most overlaps with the way, while Eq. 7's o_r is only what stands between arrival and end."""
RANKS = (2, 3, 4)
SIZES = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 2112, 2240, 2432, 4096, 8192, 16384)
"""Sizes that tell all parameters where packets carry 2,048 bytes: two beyond it are multiples, three a little longer."""
SIZES_LEAST = 3
SHORT_SECOND = 0.25
"""A second packet of at most this share of w_max travels close behind the first and adds G a byte."""
TAIL = "unicast.o_tail"
"""What a short second packet costs beside its bytes; fitted so that nothing of it gets into other parameters, and dropped."""
EXACT = 1e-3
"""Intervals narrower than this share are of a clock that repeats: a simulated machine's."""
CLAIM = 0.03
"""The paper's bound of its model's error (section 5.4)."""


@dataclass(frozen=True)
class RingFit:
    """A fitted ring service; `errors` are fitted against measured, a share, by table and largest first in size."""

    parameters: Parameters
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]
    worst: Mapping[str, float]
    told: Mapping[str, str]
    """By "table.parameter": by itself, or with what (fit_told.py)."""

    @property
    def model(self) -> RingService:
        """The parameters' model."""
        assert isinstance(self.parameters.model, RingService)
        return self.parameters.model


def bench_command(results: Results) -> str:
    """The call that measures all that the fit wants."""
    return checks.command(results.environment, (*NEEDED, OVERHEAD), RANKS, SIZES)


def _require(results: Results, keep_dips: bool) -> None:
    call = bench_command(results)
    checks.require_patterns(results, NEEDED, call)
    used = [m for m in results.measurements if m.pattern in (*NEEDED, OVERHEAD)]
    checks.require_positive(used)
    for pattern in NEEDED:
        checks.require_ranks(results, pattern, 2, call)
        checks.require_sizes(results.of(pattern), pattern, SIZES_LEAST, call)
    for m in results.of("once"):
        if m.hops is None or not 0 < m.hops < m.ranks:
            raise FitError(f"once of {m.bytes} bytes on {m.ranks} ranks does not say between which ranks: {call}")
    if not keep_dips:
        checks.require_no_dips(results.environment, [m for m in used if m.pattern in NEEDED])


def _once_row(m: Measurement, packet: Packet) -> Row | None:
    """Eq. 7 of one message, where the parameters are to be had from it: of one packet, of full ones, or with a short second.

    A short last packet overlaps with the one before in ways that Eq. 7 does not tell (docs/model.md), so that other lengths
    say nothing certain of o_ap and G.
    """
    w_max = packet.w_max
    row = terms(m, w_max)
    if m.bytes <= w_max or m.bytes % w_max == 0:
        return row
    hops = m.hops or 1
    if hops >= 2 and m.bytes <= w_max * (1 + SHORT_SECOND):
        return {name: factor for name, factor in row.items() if name != "unicast.o_ap"} | {TAIL: 1.0}
    return None


def _solve(pairs: Sequence[tuple[Measurement, Row]], table: str) -> tuple[Fit, set[str]]:
    """Least squares, with the pairs of SUMS that these rows do not tell apart as one; and which of them are."""
    names = sorted({name for _, row in pairs for name in row})
    times, weights = [m.us for m, _ in pairs], [sigma(m) for m, _ in pairs]
    rows = [row for _, row in pairs]
    solved, sums = fit(rows, times, weights, names), set()
    for first, second in SUMS.get(table, ()):
        if {f"{table}.{first}", f"{table}.{second}"} in map(set, solved.unknown):
            names.remove(f"{table}.{second}")
            sums.add(f"{table}.{first}+{second}")
    return (fit(rows, times, weights, names) if sums else solved), sums


def _reason(name: str, value: float, interval: Interval) -> str | None:
    """Why an estimate is no parameter; None: it is one."""
    if not np.isfinite(value):
        return f"{name} comes out as {value}"
    if value < 0:
        low, high = interval
        beyond = "below 0 with its whole interval" if high < 0 else "which its interval does not tell from 0"
        return f"{name} comes out as {value:.4g} ({low:.4g} to {high:.4g}), {beyond}"
    return None


def _accept(solved: Fit, table: str, call: str) -> None:
    """Raises FitError when parameters are not told, negative, or no numbers."""
    groups = [group for group in solved.unknown if TAIL not in group]
    if solved.unknown:
        said = " and ".join(" with ".join(group) for group in groups or solved.unknown)
        raise FitError(
            f"unidentifiable: {said} only occur together in these measurements of the {table}; other sizes (some a little "
            f"longer than a packet and some of several full ones) on other numbers of ranks tell them apart: {call}"
        )
    for name, value in solved.estimates.items():
        reason = _reason(name, value, solved.intervals[name])
        if reason and name != TAIL:
            raise FitError(f"refused: {reason}; the {table} does not follow the paper's equation here: {call}")


def _worst(pairs: Sequence[tuple[Measurement, Row]], solved: Fit) -> float:
    """The largest error of the fit, a share of the time measured."""
    return max(abs(sum(row[name] * solved.estimates.get(name, 0.0) for name in row) / m.us - 1) for m, row in pairs)


def _allgather_pairs(results: Results, w_max: int) -> list[tuple[Measurement, Row]]:
    return [(m, terms(m, w_max)) for pattern in ("allgather", "allgather-in-place") for m in results.of(pattern)]


def _unicast_pairs(results: Results, packet: Packet) -> list[tuple[Measurement, Row]]:
    rows = [(m, _once_row(m, packet)) for m in results.of("once")]
    pairs = [(m, row) for m, row in rows if row]
    return pairs + [(m, terms(m, packet.w_max)) for m in results.of(OVERHEAD) if m.bytes <= packet.w_max]


SETTLED_BY = {
    "unicast.o_s+o_r": "the time that the sender's processor is engaged settles it",
    "broadcast.o_node+L_node": (
        "the time that the processor of a node between root and last is engaged settles it (o_node), and mpico bench has no "
        "pattern for that; the paper does not say how it told 23.10 and 1.6 apart; both are bound to the clock, so that no "
        "prediction needs more than the sum"
    ),
}


def _refusals(sums: Iterable[str], results: Results) -> list[Refusal]:
    found = []
    for joint in sorted(sums):
        table, pair = joint.split(".")
        mend = SETTLED_BY[joint]
        if table == "unicast":
            mend += f": {checks.command(results.environment, (OVERHEAD,), RANKS, (4,))}"
        names = tuple(f"{table}.{name}" for name in pair.split("+"))
        found.append(Refusal(names, "only their sum occurs in the times measured, and only it is written", mend))
    return found


def _values(solved: Fit, table: str, sums: set[str]) -> dict[str, float]:
    """Estimates by the table's own keys; the second of a sum is 0."""
    values = {name.split(".")[1]: value for name, value in solved.estimates.items() if name != TAIL}
    return values | {joint.split("+")[1]: 0.0 for joint in sums if joint.startswith(f"{table}.")}


def _intervals(solved: Fit) -> dict[str, Interval]:
    return {name.split(".")[1]: ends for name, ends in solved.intervals.items() if name != TAIL}


def fit_ring(results: Results, source: str = "", keep_dips: bool = False) -> RingFit:
    """Tables 7, 8 and 9 of measurements of "once", "bcast", "allgather" and "allgather-in-place" on two numbers of ranks or more.

    With "send-overhead" and "recv-overhead" o_s and o_r, else their sum. `source` names the results file; `keep_dips`: fit where a longer
    message is faster, too. Raises FitError where something is missing or wrong, with the call that measures it.
    """
    _require(results, keep_dips)
    call = bench_command(results)
    packet = find_packet(results.of("once"))
    if packet is None:
        raise FitError(
            f"no break was found in once up to {max(m.bytes for m in results.of('once'))} bytes, so that w_max, "
            f"o_ap and G are not told: measure longer messages: {call}"
        )
    broadcast = broadcast_rows(results, packet.w_max)
    tables = {
        "unicast": _unicast_pairs(results, packet),
        "broadcast": list(broadcast.pairs),
        "allgather": _allgather_pairs(results, packet.w_max),
    }
    solved, sums = {}, set()
    for table, pairs in tables.items():
        solved[table], joint = _solve(pairs, table)
        _accept(solved[table], table, call)
        sums |= joint
    values = {table: _values(one, table, sums) for table, one in solved.items()}
    model = RingService(
        Unicast(**values["unicast"], w_max=packet.w_max),  # type: ignore[arg-type]
        Broadcast(**values["broadcast"], P_fill=broadcast.p_fill),
        Allgather(**values["allgather"]),
        frozenset(sums),
    )
    intervals = {table: _intervals(one) for table, one in solved.items()}
    intervals["unicast"]["w_max"] = (packet.least, packet.below - 1)
    if broadcast.interval:
        intervals["broadcast"]["P_fill"] = broadcast.interval
    e = results.environment
    worst = {table: _worst(pairs, solved[table]) for table, pairs in tables.items()}
    together = [note for table, one in solved.items() for note in fit_told.notes(table, one, {TAIL})]
    return RingFit(
        Parameters(model, e.machine, e.place, e.date, source, intervals),
        tuple(_refusals(sums, results)),
        tuple(together + _notes(results, worst)),
        worst,
        {key: how for table, one in solved.items() for key, how in fit_told.told(table, one, sums, {TAIL}).items()},
    )


def _notes(results: Results, worst: Mapping[str, float]) -> list[str]:
    notes = ["w_min is the paper's word of 4 bytes: it only says from where L_s counts, and no time tells it"]
    if all(m.high_us - m.low_us <= EXACT * m.us for m in results.measurements):
        notes.append("all times repeat exactly: the intervals tell how well the equations fit, and no noise")
    notes += [
        f"the {table}'s equation misses a measurement by {100 * error:.1f} %"
        for table, error in worst.items()
        if error > CLAIM
    ]
    return notes
