"""Contention for the links of a line: how many messages of a stage cross each link in each direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .balanced import balanced, lower_bound
from .corner_turn import recursive
from .patterns import Stage

CONSTRUCTIONS: dict[str, Callable[[int], Sequence[Stage]]] = {"recursive": recursive, "balanced": balanced}
"""Name -> function of the number of nodes that gives the stages of a corner turn; ValueError where it has none."""


@dataclass(frozen=True)
class Contention:
    """Of one corner turn on n nodes. Messages a stage, link and direction."""

    construction: str
    nodes: int
    stages: int
    worst: int
    """Of any link in any stage."""
    middle: int
    """Of the middle link in any stage."""
    bound: int
    """Least that any arrangement in 2 (n - 1) stages can have on its middle link."""
    sum_of_worst: int
    """Over stages of the worst of its links: the time of all stages in units of a message, if links are shared."""
    least_sum: int
    """What that sum is at least: n^2/4 messages cross the middle link in each direction, one message a stage elsewhere."""


def loads(stages: Sequence[Stage], n: int) -> NDArray[np.int64]:
    """Messages by stage, direction (0 right, 1 left) and link (0 between nodes 0 and 1): shape (stages, 2, n - 1)."""
    steps = np.zeros((len(stages), 2, n), dtype=np.int64)
    for number, stage in enumerate(stages):
        for a, b in stage:
            direction = int(a > b)
            steps[number, direction, min(a, b)] += 1
            steps[number, direction, max(a, b)] -= 1
    return np.cumsum(steps, axis=2)[:, :, :-1]


def faults(stages: Sequence[Stage], n: int) -> list[str]:
    """What makes the stages no corner turn without contention at the nodes: sentences, none if it is one.

    Every ordered pair must occur once, and every stage must pair all n nodes.
    """
    found = []
    for number, stage in enumerate(stages):
        if sorted(node for message in stage for node in message) != list(range(n)):
            found.append(f"stage {number} does not pair each of the {n} nodes once")
    sent = sorted(message for stage in stages for message in stage)
    if sent != [(a, b) for a in range(n) for b in range(n) if a != b]:
        found.append(f"the messages are not the {n * (n - 1)} pairs of different nodes, each once")
    return found


def corner_turn(construction: str, n: int) -> list[Stage]:
    """The stages of a corner turn. Raises ValueError for an unknown construction, or a number of nodes that it does not allow."""
    if construction not in CONSTRUCTIONS:
        raise ValueError(f"there is no construction '{construction}'; there are {' and '.join(CONSTRUCTIONS)}")
    return list(CONSTRUCTIONS[construction](n))


def summary(construction: str, n: int) -> Contention:
    """Contention of a construction. Raises ValueError as corner_turn() does."""
    stages = corner_turn(construction, n)
    by_link = loads(stages, n)
    worst = by_link.max(axis=(1, 2))
    crossing = (n // 2) * (n - n // 2)
    return Contention(
        construction=construction,
        nodes=n,
        stages=len(stages),
        worst=int(worst.max()),
        middle=int(by_link[:, :, n // 2 - 1].max()),
        bound=lower_bound(n),
        sum_of_worst=int(worst.sum()),
        least_sum=max(crossing, 2 * (n - 1)),
    )
