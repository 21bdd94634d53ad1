"""Results files out of a model, for the tests of what fits models to them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from mpico.parameters import RingService
from mpico.results import Environment, Measurement, Results
from mpico.ring_terms import predict

RING = Environment("machine", "sharc-ring", "stop-and-wait")
HOST = Environment("processes", "a processor", host={"cpus": 2})
SIZES = (4, 16, 64, 256, 1024, 2048, 2112, 2240, 2432, 4096, 8192, 16384)


def measurement(
    pattern: str, ranks: int, size: int, us: float, hops: int | None = None, width: float = 0.0
) -> Measurement:
    """One line, from rank 0 over `hops`; the interval has that share of the time on either side."""
    ends = (None, None) if hops is None else (0, hops)
    low, high = us * (1 - width), us * (1 + width)
    return Measurement(pattern, ranks, size, us, low, high, 0.95, 30, 0, low, high, *ends, hops)


def ring(
    model: RingService, ranks: Iterable[int] = (2, 3, 4), sizes: Sequence[int] = SIZES, noise: float = 0.0
) -> Results:
    """What the equations give, with normal noise of that share."""
    chance, found = random.Random(1), []

    def add(pattern: str, n: int, size: int, hops: int | None = None) -> None:
        exact = measurement(pattern, n, size, 1.0, hops)
        us = predict(model, exact) * (1 + chance.gauss(0, noise))
        found.append(measurement(pattern, n, size, us, hops, 2 * noise))

    for n in ranks:
        for size in sizes:
            for hops in range(1, n):
                add("once", n, size, hops)
            for pattern in ("bcast", "allgather", "allgather-in-place"):
                add(pattern, n, size)
        add("send-overhead", n, 4, 1)
    return Results(RING, tuple(found))


def host(time: Callable[[int], float], sizes: Iterable[int], noise: float = 0.0) -> Results:
    """A ping-pong whose half takes time(size), microseconds, with normal noise of that share."""
    chance = random.Random(2)
    return Results(
        HOST,
        tuple(measurement("pingpong", 2, k, time(k) * (1 + chance.gauss(0, noise)), 1, 2 * noise) for k in sizes),
    )


def without(results: Results, *patterns: str) -> Results:
    """The results less these patterns."""
    return Results(results.environment, tuple(m for m in results.measurements if m.pattern not in patterns))


def with_more(results: Results, *more: Measurement) -> Results:
    """The results and these."""
    return Results(results.environment, (*results.measurements, *more))
