"""LogGP of shared memory, for choosing among algorithms: what each message costs the processors of both ends.

There, the way of a message is the work of its ends. Half a ping-pong is all of it, one end after the other, o_s + L + k G + o_r; an
exchange (both send at once) keeps each processor busy with one send and one receive, o_s + o_r, and hides L. So the ends' sum is the exchange,
and what the ping-pong takes longer is the way (after D. Culler et al., 1996, where the saturated stream plays that part). Protocols
change where the library says, so a line is fitted for each, and more only where short messages bend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from . import fit_checks as checks
from .fit_checks import FitError
from .fit_pieces import Line, Piece, fit_line, fit_pieces
from .parameter_types import LogGP, Parameters, Segment
from .results import Measurement, Results

EAGER_PIECES = 2
SIZES_LEAST = 3
DISTURBED = 20
"""A barrier of so many times half a ping-pong is none that two processors had."""
LONG = 65536
"""Bytes from which a block leaves the first cache."""


@dataclass(frozen=True)
class Protocols:
    """From which sizes the library asks the receiver first, and from which both ends copy."""

    rendezvous_from: int
    shared_from: int


@dataclass(frozen=True)
class _Zone:
    """Sizes of one protocol."""

    start: int
    end: float
    rendezvous: bool
    copiers: int

    def of(self, curve: Sequence[Measurement]) -> list[Measurement]:
        return [m for m in curve if self.start <= m.bytes < self.end]


def _zones(protocols: Protocols) -> tuple[_Zone, _Zone, _Zone]:
    asks, shares = protocols.rendezvous_from, protocols.shared_from
    return _Zone(0, asks, False, 1), _Zone(asks, shares, True, 1), _Zone(shares, float("inf"), True, 2)


def _pieces(zone: _Zone, curve: Sequence[Measurement]) -> list[Piece]:
    """Lines through the ping-pong within the zone. Raises FitError."""
    found = zone.of(curve)
    if len(found) < SIZES_LEAST:
        raise FitError(
            f"{len(found)} sizes of pingpong from {zone.start} bytes: {SIZES_LEAST} are needed; give more --sizes"
        )
    sizes, us = [m.bytes for m in found], [m.us for m in found]
    if zone.rendezvous:
        return [Piece(zone.start, (zone.start, zone.start), fit_line(sizes, us))]
    return fit_pieces(sizes, us, [(m.high_us - m.low_us) / 2 for m in found], EAGER_PIECES)


def _segment(zone: _Zone, piece: Piece, start: int, exchange: Line) -> Segment:
    """The ping-pong's line shared out: what an exchange takes to the ends, evenly, the rest to the way.

    By rendezvous the receiver copies: the time a byte is its own; where both copy it is twice what the ping-pong shows.
    """
    whole = piece.line
    ends, ends_byte = min(whole.a, exchange.a), min(whole.b, exchange.b)
    constants = Segment(start, zone.rendezvous, L_us=whole.a - ends, o_s_us=ends / 2, o_r_us=ends / 2)
    if zone.rendezvous:
        return replace(constants, o_r_us_per_byte=whole.b * zone.copiers, copiers=zone.copiers)
    half = ends_byte / 2
    return replace(constants, o_s_us_per_byte=half, o_r_us_per_byte=half, G_us_per_byte=whole.b - ends_byte)


def _segments(
    curve: Sequence[Measurement], exchange: Sequence[Measurement], protocols: Protocols
) -> tuple[Segment, ...]:
    segments = []
    for zone in _zones(protocols):
        pieces = _pieces(zone, curve)
        ends = [*(piece.start for piece in pieces[1:]), zone.end]
        for index, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
            start = zone.start if index == 0 else piece.start
            found = [m for m in exchange if start <= m.bytes < end]
            if not found:
                raise FitError(
                    f"no exchange was measured between {start} and {end} bytes; measure the same sizes as of pingpong"
                )
            segments.append(_segment(zone, piece, start, fit_line([m.bytes for m in found], [m.us for m in found])))
    return tuple(segments)


def _step(results: Results, half_us: float) -> float:
    """A barrier of two ranks is half a ping-pong and a step of sending and one of receiving; 0 where it is no longer than that."""
    found = [m.us for m in results.of("barriers", 2)]
    if not found:
        raise FitError("barriers on two ranks were not measured")
    if min(found) > DISTURBED * half_us:
        raise FitError(
            f"a barrier of two ranks takes {min(found):.3g} us, and half a ping-pong {half_us:.3g}: something else ran on this "
            "machine; measure again"
        )
    return max(0.0, (min(found) - half_us) / 2)


def _switch(results: Results, processors: int, half_us: float) -> float:
    """A barrier's rank is scheduled once a barrier at least: the time of one over the ranks of a processor.

    `half_us`: half a short ping-pong, which is far below that where both ends have processors. Raises FitError where it is not.
    """
    crowded = [m for m in results.of("barriers") if m.ranks > processors]
    if not crowded:
        raise FitError(f"barriers on more than {processors} ranks were not measured, which share processors")
    switch_us = median(m.us / -(-m.ranks // processors) for m in crowded) / 2
    if half_us >= switch_us:
        raise FitError(
            f"half a short ping-pong takes {half_us:.3g} us, and a processor goes from one rank to another in {switch_us:.3g}: both ends "
            "shared a processor, because something else ran on this machine; measure again, with nothing beside it"
        )
    return switch_us


def _per_byte(results: Results, pattern: str) -> float:
    """Of long blocks: what a collective copies or combines has seldom just been in the first cache."""
    found = [m.us / m.bytes for m in results.of(pattern) if m.bytes >= LONG]
    if not found or min(found) <= 0:
        raise FitError(f"{pattern} of {LONG} bytes and more was not measured, or takes no time")
    return median(found)


def fit_shared(results: Results, source: str, protocols: Protocols) -> Parameters:
    """The model of processes that share memory and `processors` of this host. Raises FitError."""
    for pattern in ("pingpong", "exchange"):
        checks.require_positive(list(results.of(pattern)))
    curve, exchange = results.uncrowded("pingpong"), results.uncrowded("exchange")
    processors = int(results.environment.host["cpus"])
    segments = _segments(curve, exchange, protocols)
    half_us = min(m.us for m in curve)
    model = LogGP(
        processors,
        segments,
        g_us=0.0,
        step_us=_step(results, half_us),
        switch_us=_switch(results, processors, half_us),
        copy_us_per_byte=_per_byte(results, "copy"),
        combine_us_per_byte=_per_byte(results, "combine"),
        hop_us=0.0,
    )
    e = results.environment
    return Parameters(model, e.machine, e.place, e.date, source)
