"""LogGP of a host (or of any machine) out of its ping-pong, its ends' overheads and its stream of messages.

Half a ping-pong is o_s + L + k G + o_r (D. Culler et al., "LogP Performance Assessment of Fast Network Interfaces", 1996); the
overheads are measured by themselves; g is the time a message in a saturated stream (ibid.); G and the size-dependent overheads
are slopes by size (A. Alexandrov et al., 1995; T. Hoefler et al., "Low-Overhead LogGP Parameter Assessment for Modern
Interconnection Networks", 2007), in pieces, as protocols and caches change with the message (fit_pieces.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from statistics import median
from typing import Any

from . import fit_checks as checks
from . import fit_costs as costs
from .fit_checks import FitError, Refusal
from .fit_costs import SIZES, processors_of
from .fit_pieces import Line, Piece, fit_pieces, fit_shares
from .parameter_types import Interval, LogGP, Parameters, Segment
from .results import Measurement, Results

NEEDED = ("pingpong",)
WANTED = ("pingpong", "send-overhead", "recv-overhead", "gap", "once", "barrier", "copy", "combine")
SIZES_LEAST = 6


@dataclass(frozen=True)
class LogGPFit:
    """A fitted LogGP, and what these measurements do not tell."""

    parameters: Parameters
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]

    @property
    def model(self) -> LogGP:
        """The parameters' model."""
        assert isinstance(self.parameters.model, LogGP)
        return self.parameters.model


def bench_command(results: Results) -> str:
    """The call that measures all that the fit can use."""
    return checks.command(results.environment, WANTED, (2,), SIZES)


@dataclass(frozen=True)
class _Ends:
    """What the two ends take of a piece's constant and of its time a byte, as shares; and of it all, as measured."""

    send: tuple[float, float]
    recv: tuple[float, float]
    measured: float


def _share_of(results: Results, pattern: str, line: Line, low: int, high: float) -> tuple[tuple[float, float], float]:
    """Shares of `line` that the overhead `pattern` takes at sizes from low up to, without, high; and its median share."""
    found = [m for m in results.uncrowded(pattern) if low <= m.bytes < high and m.us > 0]
    if not found:
        return (0.0, 0.0), 0.0
    shares = fit_shares([m.bytes for m in found], [m.us for m in found], line)
    return shares, median(m.us / line.at(m.bytes) for m in found)


def _ends(results: Results, line: Line, low: int, high: float) -> _Ends:
    send, of_send = _share_of(results, "send-overhead", line, low, high)
    recv, of_recv = _share_of(results, "recv-overhead", line, low, high)
    # More than the whole is no share: both in proportion.
    most = [max(1.0, send[i] + recv[i]) for i in (0, 1)]
    return _Ends((send[0] / most[0], send[1] / most[1]), (recv[0] / most[0], recv[1] / most[1]), of_send + of_recv)


def _rest(share: float) -> float:
    """What is left of a whole; what is only rounding is 0."""
    return 1 - share if share < 1 - 1e-9 else 0.0


def _overlap(index: int, ends: _Ends) -> Refusal | None:
    """Why L or G of a piece is refused; None: it is not."""
    names = [
        f"loggp.segment[{index}].{name}"
        for name, i in (("L_us", 0), ("G_us_per_byte", 1))
        if _rest(ends.send[i] + ends.recv[i]) == 0
    ]
    if not names or ends.measured <= 1:
        return None
    return Refusal(
        tuple(names),
        f"would be below 0: by themselves the ends take {ends.measured:.2f} times as long as half a ping-pong, so that they overlap "
        "there, or were disturbed when measured alone; 0 stands for it, and the ends share the whole in proportion",
        "the overheads, measured again with nothing beside them, settle whether they overlap",
    )


def _scaled(interval: Interval, share: float) -> Interval:
    return (max(0.0, interval[0] * share), interval[1] * share)


def _segment(piece: Piece, ends: _Ends, rendezvous: bool) -> tuple[Segment, dict[str, Interval]]:
    """A piece of the ping-pong shared among way and ends. The intervals are of the whole, times the share."""
    line, way = piece.line, [_rest(ends.send[i] + ends.recv[i]) for i in (0, 1)]
    shares = {
        "L_us": (line.a, line.a_interval, way[0]),
        "o_s_us": (line.a, line.a_interval, ends.send[0]),
        "o_s_us_per_byte": (line.b, line.b_interval, ends.send[1]),
        "o_r_us": (line.a, line.a_interval, ends.recv[0]),
        "o_r_us_per_byte": (line.b, line.b_interval, ends.recv[1]),
        "G_us_per_byte": (line.b, line.b_interval, way[1]),
    }
    values: dict[str, Any] = {name: value * share for name, (value, _, share) in shares.items()}
    known = {name: _scaled(interval, share) for name, (_, interval, share) in shares.items() if interval[1] < inf}
    low, high = piece.start_interval
    return Segment(piece.start, rendezvous, **values), {"from_bytes": (low, high)} | known


def _over_the_wire(segment: Segment, eager: Segment) -> Segment:
    """A piece by rendezvous whose time a byte is shared as a wire shares it, whose rate no protocol changes: G of `eager`, the rest the receiver's.

    A receive that asks waits for the wire in the call that is measured, and no overhead tells the two apart.
    """
    whole = segment.o_r_us_per_byte + segment.G_us_per_byte
    way = min(eager.G_us_per_byte, whole)
    return replace(segment, G_us_per_byte=way, o_r_us_per_byte=whole - way)


def fit_loggp(
    results: Results, source: str = "", rendezvous_from: int | None = None, keep_dips: bool = False
) -> LogGPFit:
    """LogGP of the results. Needs "pingpong" of at least six sizes; what else is missing is refused, and left out.

    `rendezvous_from`: the size from which the library asks before it sends, which no time tells; `keep_dips`: fit where
    a longer message is faster, too. Raises FitError.
    """
    call = bench_command(results)
    checks.require_patterns(results, NEEDED, call)
    checks.require_positive([m for m in results.measurements if m.pattern in ("pingpong", "gap")])
    curve = results.uncrowded("pingpong")
    checks.require_sizes(curve, "pingpong", SIZES_LEAST, call)
    if not keep_dips:
        checks.require_no_dips(results.environment, curve)
    return _fit(results, curve, source, rendezvous_from)


def _at_rendezvous(piece: Piece, rendezvous_from: int | None) -> Piece:
    """The piece, from the size that is known to be a break where that lies within its interval."""
    low, high = piece.start_interval
    if rendezvous_from is None or not low <= rendezvous_from <= high:
        return piece
    return replace(piece, start=rendezvous_from)


def _fit(results: Results, curve: list[Measurement], source: str, rendezvous_from: int | None) -> LogGPFit:
    e = results.environment
    processors = processors_of(results)
    pieces = fit_pieces([m.bytes for m in curve], [m.us for m in curve], [(m.high_us - m.low_us) / 2 for m in curve])
    pieces = [_at_rendezvous(piece, rendezvous_from) for piece in pieces]
    ends = [*(piece.start for piece in pieces[1:]), inf]
    segments, intervals, refused = [], {}, []
    eager: Segment | None = None
    for index, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
        asks = rendezvous_from is not None and piece.start >= rendezvous_from
        shared = _ends(results, piece.line, piece.start, end)
        segment, known = _segment(piece, shared, asks)
        if asks and eager and not costs.shares_processors(results):
            segment = _over_the_wire(segment, eager)
            known = {name: ends for name, ends in known.items() if name not in ("G_us_per_byte", "o_r_us_per_byte")}
        eager = eager if asks else segment
        segments.append(segment)
        intervals[f"loggp.segment.{index}"] = known
        refused += [refusal for refusal in (_overlap(index, shared),) if refusal]
    scalars = costs.scalars(results, processors, ends[0])
    settles = costs.settles(results, processors)
    for name, scalar in scalars.items():
        if scalar.value is None or scalar.value < 0:
            why = "was not measured" if scalar.value is None else f"comes out as {scalar.value:.4g}, below 0"
            refused.append(Refusal((f"loggp.{name}",), why + " and is left out", f"measure it: {settles[name]}"))
    intervals["loggp"] = {
        name: (max(0.0, s.interval[0]), s.interval[1])
        for name, s in scalars.items()
        if s.interval and s.interval[1] < inf
    }
    values = {name: s.value for name, s in scalars.items() if s.value is not None and s.value >= 0}
    model = LogGP(processors, tuple(segments), **{"hop_us": None} | values)
    wire = (ONE_WIRE,) if eager and segments[-1].rendezvous and not costs.shares_processors(results) else ()
    notes = (WAY_IS_A_REST, *wire, *(() if rendezvous_from is not None else (NO_RENDEZVOUS,)))
    parameters = Parameters(model, e.machine, e.place, e.date, source, intervals)
    return LogGPFit(parameters, tuple(refused + _no_overheads(results)), notes)


WAY_IS_A_REST = (
    "by themselves are told the whole of half a ping-pong in each piece, g, and the slopes of copies and combinations; o_s and o_r are shares of that "
    "whole, L and G what they leave of it, and their intervals the whole's"
)
ONE_WIRE = "G of the pieces by rendezvous is that of the piece before: a receive that asks waits for the wire, and no overhead tells the two apart"
NO_RENDEZVOUS = "no time tells from where messages wait for their receiver; --rendezvous-from BYTES says it"


def _no_overheads(results: Results) -> list[Refusal]:
    missing = [p for p in ("send-overhead", "recv-overhead") if not results.of(p)]
    if not missing:
        return []
    names = tuple({"send-overhead": "loggp.o_s_us", "recv-overhead": "loggp.o_r_us"}[p] for p in missing)
    call = checks.command(results.environment, missing, (2,), SIZES)
    return [Refusal(names, "not measured: they are within L and G here, and 0 by themselves", f"measure it: {call}")]


__all__ = ["FitError", "LogGPFit", "bench_command", "fit_loggp"]
