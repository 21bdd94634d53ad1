"""Traces as numbers: times of ranks and calls, and the critical path.

All times are microseconds. A rank computes when it is in no call of MPI; a wait is a part of a call. The critical path goes
back from the last event of the job: on a rank to the last packet that it has waited for, with that packet to
its sender at the time of sending, and so on to the beginning. So it has no waiting that another rank explains.
"""

from __future__ import annotations

import gc
import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("computing", "in calls", "waiting", "in flight")
_RANKS = 1  # "pid" of the ranks' tracks; the links have another


class TraceError(Exception):
    """A file that is no trace of mpiexec."""


@dataclass(slots=True)
class Arrival:
    """A packet that came: when, and from whom it left when."""

    at: float
    origin: int
    sent_at: float
    name: str


@dataclass
class Rank:
    """The events of one rank; each list is in the order of time."""

    calls: list[tuple[float, float, str, int]] = field(default_factory=list)  # from, until, name, how many
    computes: list[tuple[float, float]] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)  # bytes of each message
    received: list[int] = field(default_factory=list)
    first: float = float("inf")
    last: float = 0.0

    def saw(self, start: float, end: float) -> None:
        """There is an event from `start` to `end`."""
        self.first = min(self.first, start)
        self.last = max(self.last, end)


@dataclass
class Trace:
    """A whole trace."""

    clock: str
    ranks: dict[int, Rank]
    dropped: int = 0
    unfinished: int = 0


@dataclass
class CallSummary:
    """All calls of one function by one rank."""

    name: str
    count: int
    total_us: float
    share: float  # of the rank's time


@dataclass
class RankSummary:
    """One rank in numbers."""

    rank: int
    span_us: float
    computing_us: float
    calls_us: float
    waiting_us: float
    calls: list[CallSummary]
    sent_messages: int
    sent_bytes: int
    received_messages: int
    received_bytes: int


@dataclass(slots=True)
class Segment:
    """A piece of the critical path; a message's belongs to no rank, and rank is its receiver."""

    from_us: float
    until_us: float
    length_us: float
    rank: int
    kind: str
    what: str


@dataclass
class CriticalPath:
    """What made the job last as long as it did."""

    length_us: float
    hops: int
    by_rank_us: dict[int, float]
    by_kind_us: dict[str, float]
    longest: list[Segment]


@dataclass
class TraceSummary:
    """Everything that `mpico trace summary` shows."""

    clock: str
    ranks: int
    length_us: float
    dropped: int
    unfinished: int
    per_rank: list[RankSummary]
    critical_path: CriticalPath


# Reading


def _load(path: Path) -> list[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            events = json.load(file)
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(getattr(error, "strerror", None) or "is no text") from None
    except json.JSONDecodeError as error:
        raise TraceError(f"is no JSON (line {error.lineno})") from None
    if isinstance(events, dict):
        events = events.get("traceEvents")
    if not isinstance(events, list) or not all(isinstance(e, dict) for e in events):
        raise TraceError("is no list of events")
    return events


def _slice(trace: Trace, rank: Rank, e: dict[str, Any]) -> None:
    start, end = e["ts"], e["ts"] + e["dur"]
    kind, args = e.get("cat"), e.get("args", {})
    rank.saw(start, end)
    trace.unfinished += bool(args.get("unfinished"))
    if kind == "call":
        rank.calls.append((start, end, e["name"], args.get("calls", 1)))
    elif kind == "compute":
        rank.computes.append((start, end))
    elif kind == "wait":
        rank.waits.append((start, end))


def _arrow(trace: Trace, rank: Rank, e: dict[str, Any], sends: dict[str, tuple[int, float]]) -> None:
    """The start of an arrow: its time is kept for its end, which may stand before it."""
    args = e.get("args", {})
    rank.saw(e["ts"], e["ts"])
    sends[e["id"]] = (e["tid"] - 1, e["ts"])
    trace.unfinished += bool(args.get("unfinished"))
    if e.get("cat") == "message":
        rank.sent.append(args.get("bytes", 0))


def _arrow_end(rank: Rank, e: dict[str, Any], sends: dict[str, tuple[int, float]]) -> None:
    rank.saw(e["ts"], e["ts"])
    if e.get("cat") == "message":
        rank.received.append(e.get("args", {}).get("bytes", 0))
    if e["id"] in sends:
        origin, sent_at = sends[e["id"]]
        rank.arrivals.append(Arrival(e["ts"], origin, sent_at, e["name"]))


def _sort_out(trace: Trace, events: list[dict[str, Any]]) -> None:
    """Each event to its rank; ends of arrows last, when all beginnings are known."""
    ends: list[dict[str, Any]] = []
    sends: dict[str, tuple[int, float]] = {}
    for e in events:
        phase = e.get("ph")
        if phase == "i":
            trace.dropped += e.get("args", {}).get("dropped", 0)
        elif phase == "M" and e.get("name") == "mpico_trace":
            trace.clock = e["args"]["clock"]
        if e.get("pid") != _RANKS or phase not in ("X", "s", "f"):
            continue
        rank = trace.ranks.setdefault(e["tid"] - 1, Rank())
        if phase == "X":
            _slice(trace, rank, e)
        elif phase == "s":
            _arrow(trace, rank, e, sends)
        else:
            ends.append(e)
    for e in ends:
        _arrow_end(trace.ranks.setdefault(e["tid"] - 1, Rank()), e, sends)


def read_trace(path: Path) -> Trace:
    """The trace in a file that mpiexec --trace has written. Raises TraceError."""
    trace = Trace(clock="real", ranks={})
    searching = gc.isenabled()
    gc.disable()  # millions of events, none of them garbage: looking for some would take half of the time
    try:
        _sort_out(trace, _load(path))
    except (KeyError, TypeError) as error:
        raise TraceError(f"has an event that mpiexec does not write ({error})") from None
    finally:
        if searching:
            gc.enable()
    if not trace.ranks:
        raise TraceError("has no event of any rank")
    for rank in trace.ranks.values():
        rank.calls.sort()
        rank.computes.sort()
        rank.waits.sort()
        rank.arrivals.sort(key=lambda a: a.at)
    return trace


# Ranks


def _calls(rank: Rank, span: float) -> list[CallSummary]:
    count: dict[str, int] = {}
    total: dict[str, float] = {}
    for start, end, name, times in rank.calls:
        count[name] = count.get(name, 0) + times
        total[name] = total.get(name, 0.0) + end - start
    result = [CallSummary(n, count[n], total[n], total[n] / span if span > 0 else 0.0) for n in count]
    return sorted(result, key=lambda c: (-c.total_us, c.name))


def _rank_summary(number: int, rank: Rank) -> RankSummary:
    span = rank.last - rank.first
    in_calls = sum(end - start for start, end, _, _ in rank.calls)
    return RankSummary(
        rank=number,
        span_us=span,
        computing_us=span - in_calls,
        calls_us=in_calls,
        waiting_us=sum(end - start for start, end in rank.waits),
        calls=_calls(rank, span),
        sent_messages=len(rank.sent),
        sent_bytes=sum(rank.sent),
        received_messages=len(rank.received),
        received_bytes=sum(rank.received),
    )


# The critical path


class _Walk:
    """One rank, made ready for questions about times."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank
        self.wait_ends = [end for _, end in rank.waits]
        self.call_ends = [end for _, end, _, _ in rank.calls]
        self.ending = [a for a in rank.arrivals if a.sent_at < a.at and self._waits_at(a.at)]
        self.ending_times = [a.at for a in self.ending]

    def _waits_at(self, time: float) -> bool:
        i = bisect_left(self.wait_ends, time)
        return i < len(self.wait_ends) and self.rank.waits[i][0] <= time

    def last_awaited(self, time: float) -> Arrival | None:
        """The last packet up to `time` that the rank has waited for."""
        i = bisect_right(self.ending_times, time)
        return self.ending[i - 1] if i else None

    def _call_backwards(self, start: float, end: float, waits_from: float) -> Iterator[tuple[float, str]]:
        """The pieces of a call up to `end`, the latest first: where each starts and its kind. Waits that began before
        `waits_from` have been ended by a message."""
        at = end
        for i in range(min(bisect_left(self.wait_ends, end), len(self.wait_ends) - 1), -1, -1):
            since, until = self.rank.waits[i]
            if until <= start:
                break
            if since >= at or since < waits_from:
                continue
            if until < at:
                yield until, "in calls"
            yield since, "waiting"
            at = since
        yield start, "in calls"

    def _backwards(self, start: float, end: float) -> Iterator[tuple[float, str, str]]:
        """All pieces from `end` back to `start` or before."""
        at = end
        for i in range(min(bisect_left(self.call_ends, end), len(self.call_ends) - 1), -1, -1):
            since, until, name, _ = self.rank.calls[i]
            if until <= start:
                break
            if since >= at:
                continue
            if until < at:
                yield until, "computing", ""
            for piece, kind in self._call_backwards(since, min(until, at), start):
                yield piece, kind, name
            at = since
        yield start, "computing", ""

    def pieces(self, number: int, start: float, end: float) -> list[Segment]:
        """What the rank did from `start` to `end`, the latest first."""
        found: list[Segment] = []
        at = end
        for since, kind, name in self._backwards(start, end):
            since = max(since, start)
            if since < at:
                found.append(Segment(since, at, at - since, number, kind, f"rank {number}{': ' if name else ''}{name}"))
                at = since
        return found


def _path(trace: Trace) -> tuple[list[Segment], int]:
    """The segments from the end to the beginning, and how many messages they follow."""
    walks = {n: _Walk(r) for n, r in trace.ranks.items()}
    number = max(trace.ranks, key=lambda n: (trace.ranks[n].last, -n))
    time = trace.ranks[number].last
    segments: list[Segment] = []
    hops = 0
    while True:
        walk = walks[number]
        arrival = walk.last_awaited(time)
        if arrival is None:
            segments += walk.pieces(number, walk.rank.first, time)
            return segments, hops
        segments += walk.pieces(number, arrival.at, time)
        flight = arrival.at - arrival.sent_at
        what = f"rank {arrival.origin} to {number}" + ("" if arrival.name == "message" else f": {arrival.name}")
        segments.append(Segment(arrival.sent_at, arrival.at, flight, number, "in flight", what))
        number, time = arrival.origin, arrival.sent_at
        hops += 1


def critical_path(trace: Trace, longest: int) -> CriticalPath:
    """The critical path with its `longest` longest segments."""
    segments, hops = _path(trace)
    by_rank: dict[int, float] = {}
    by_kind = dict.fromkeys(KINDS, 0.0)
    for s in segments:
        by_kind[s.kind] += s.length_us
        if s.kind != "in flight":
            by_rank[s.rank] = by_rank.get(s.rank, 0.0) + s.length_us
    return CriticalPath(
        length_us=sum(s.length_us for s in segments),
        hops=hops,
        by_rank_us=by_rank,
        by_kind_us=by_kind,
        longest=sorted(segments, key=lambda s: (-s.length_us, s.from_us))[:longest],
    )


def summarise(trace: Trace, longest: int = 10) -> TraceSummary:
    """All numbers of a trace."""
    ranks = [_rank_summary(n, r) for n, r in sorted(trace.ranks.items())]
    first = min(r.first for r in trace.ranks.values())
    last = max(r.last for r in trace.ranks.values())
    return TraceSummary(
        clock=trace.clock,
        ranks=len(ranks),
        length_us=last - first,
        dropped=trace.dropped,
        unfinished=trace.unfinished,
        per_rank=ranks,
        critical_path=critical_path(trace, longest),
    )
