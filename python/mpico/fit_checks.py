"""What must hold of measurements before anything is fitted to them, and the command that would measure what is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .results import Environment, Measurement, Results

DIP = 0.1
"""A longer message may be faster by this share of its time: another way through the library, or what differs between runs."""


class FitError(Exception):
    """Nothing can be fitted; the text says why, and what to measure."""


@dataclass(frozen=True)
class Refusal:
    """Parameters that these measurements do not tell, why, and what would settle them."""

    names: tuple[str, ...]
    reason: str
    mend: str

    def __str__(self) -> str:
        return f"{', '.join(self.names)}: {self.reason}; {self.mend}"


def command(
    environment: Environment,
    patterns: Iterable[str],
    ranks: Iterable[int] = (),
    sizes: Iterable[int] = (),
) -> str:
    """The call of `mpico bench` that measures this where the results come from."""
    place = {
        "machine": ["--machine", environment.machine],
        "fibers": ["--fibers"],
        "board": ["--board", environment.machine],
    }.get(environment.place, [])
    words = ["mpico", "bench", *place]
    words += ["--discipline", environment.discipline] if environment.discipline else []
    words += ["--patterns", ",".join(patterns)]
    for option, values in (("--ranks", ranks), ("--sizes", sizes)):
        if text := ",".join(map(str, values)):
            words += [option, text]
    return " ".join([*words, "--output", "results.jsonl"])


def require_patterns(results: Results, patterns: Iterable[str], call: str) -> None:
    """Raises FitError when the results lack one of them."""
    missing = [name for name in patterns if not results.of(name)]
    if missing:
        raise FitError(f"the results have no {', '.join(missing)}; measure with: {call}")


def require_ranks(results: Results, pattern: str, least: int, call: str) -> None:
    """Raises FitError when the pattern was taken on fewer than `least` different numbers of ranks."""
    counts = sorted({m.ranks for m in results.of(pattern)})
    if len(counts) < least:
        raise FitError(
            f"{pattern} was measured on {', '.join(map(str, counts))} ranks only, so that nothing tells how it grows with "
            f"them; {least} numbers of ranks are needed: {call}"
        )


def require_sizes(measurements: Iterable[Measurement], what: str, least: int, call: str) -> None:
    """Raises FitError when fewer than `least` different sizes were measured."""
    sizes = sorted({m.bytes for m in measurements})
    if len(sizes) < least:
        raise FitError(
            f"too few sizes: {what} has {len(sizes)} ({', '.join(map(str, sizes)) or 'none'}), and {least} are needed; "
            f"measure with: {call}"
        )


def require_positive(measurements: Iterable[Measurement]) -> None:
    """Raises FitError when a time is 0 or below, which no clock that was fine enough gives."""
    for m in measurements:
        if m.us <= 0:
            raise FitError(
                f"{m.pattern} of {m.bytes} bytes on {m.ranks} ranks took {m.us:g} us, which is no time: the clock is too "
                "coarse or the overhead could not be told; leave the pattern out, or measure with more repetitions"
            )


def curves(measurements: Iterable[Measurement]) -> Mapping[tuple[object, ...], list[Measurement]]:
    """Measurements of one pattern, number of ranks and pair, by ascending size."""
    found: dict[tuple[object, ...], list[Measurement]] = defaultdict(list)
    for m in sorted(measurements, key=lambda m: m.bytes):
        found[m.pattern, m.ranks, m.source, m.destination].append(m)
    return found


def dips(measurements: Iterable[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """Pairs of one curve where the longer message is faster by more than both intervals and DIP allow."""
    found = []
    for curve in curves(measurements).values():
        before = highest = curve[0]
        for m in curve[1:]:
            if m.bytes > highest.bytes:
                before = highest
            if m.bytes > before.bytes and m.high_us * (1 + DIP) < before.low_us:
                found.append((before, m))
            if m.low_us > highest.low_us:
                highest = m
    return found


def say_dip(environment: Environment, pair: tuple[Measurement, Measurement]) -> str:
    """A sentence of one pair of dips()."""
    slow, fast = pair
    call = command(environment, [slow.pattern], [slow.ranks], [slow.bytes, fast.bytes])
    return (
        f"{slow.pattern} on {slow.ranks} ranks takes {slow.us:.4g} us for {slow.bytes} bytes (at least {slow.low_us:.4g}) and "
        f"{fast.us:.4g} us for {fast.bytes} (at most {fast.high_us:.4g}): something else disturbed it; measure again, with "
        f"nothing beside it: {call}"
    )


def require_no_dips(environment: Environment, measurements: Iterable[Measurement]) -> None:
    """Raises FitError when a longer message is faster beyond the intervals."""
    found = dips(measurements)
    if found:
        more = f" (and {len(found) - 1} more such pairs)" if len(found) > 1 else ""
        raise FitError(say_dip(environment, found[0]) + more)
