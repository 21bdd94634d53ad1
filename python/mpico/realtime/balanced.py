"""A corner turn on a line whose contention for links grows as slowly as it can.

Two facts carry it. First, the direction. In a stage where all n nodes are paired, let one of each two neighbours (0, 1), (2, 3), ... send
and the other receive. Pairs and neighbours together form circles of even length, so that this is always possible; then as many
messages cross each odd link to the right as to the left, and each even link at most one more: a link that m pairs straddle
carries ceil(m / 2) messages at most in either direction. Each set of pairs is used twice, the second time the other way round.

Second, the sets. The n (n - 1) / 2 pairs are split into n - 1 sets in which every node occurs once (a 1-factorisation of K_n). The
middle link is straddled by n^2/4 pairs in all, so by n/4 and a little of each set, if all are alike. Two sets together form circles
too, and exchanging the pairs of a circle gives two other sets. Starting from the sets i, i xor a, whose circles are short,
circles are exchanged between the worst set and others, always for the better, until no link of any set is straddled more often
than the bound. All choices are drawn from a generator with a fixed seed: the same n gives the same sets.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .patterns import Stage

Mates = list[int]
Loads = NDArray[np.int64]
STARTS, TRIES = 4, 2000
"""Labellings tried where a start does not reach the bound, and exchanges tried of each."""
KICKS = 0.1
"""Share of exchanges that start with a circle for the worse."""


def lower_bound(n: int) -> int:
    """Messages that some stage sends over the middle link in one direction, at least: n^2/4 in 2 (n - 1) stages."""
    return -(-(n // 2) * (n - n // 2) // (2 * (n - 1)))


def _near_sets(m: int) -> list[tuple[list[tuple[int, int]], int]]:
    """All pairs of an odd number of nodes in m sets, each with the node that it leaves alone: i + j = r mod m."""
    sets = []
    for r in range(m):
        pairs = [(i, (r - i) % m) for i in range(m) if i < (r - i) % m]
        sets.append((pairs, r * (m + 1) // 2 % m))
    return sets


def _first_sets(n: int) -> list[list[tuple[int, int]]]:
    """A 1-factorisation of K_n, n even: of both halves at the same time, then across; i, i xor a for n = 2^k."""
    m = n // 2
    if n == 2:
        return [[(0, 1)]]
    if m % 2:
        sets = [pairs + [(i + m, j + m) for i, j in pairs] + [(alone, alone + m)] for pairs, alone in _near_sets(m)]
        return sets + [[(i, m + (i + s) % m) for i in range(m)] for s in range(1, m)]
    if n & (n - 1) == 0:
        return [[(i, i ^ a) for i in range(n) if i < i ^ a] for a in range(1, n)]
    sets = [pairs + [(i + m, j + m) for i, j in pairs] for pairs in _first_sets(m)]
    return sets + [[(i, m + (i + s) % m) for i in range(m)] for s in range(m)]


def _mates(pairs: Iterable[tuple[int, int]], labels: list[int]) -> Mates:
    mates = [0] * len(labels)
    for i, j in pairs:
        mates[labels[i]], mates[labels[j]] = labels[j], labels[i]
    return mates


def _circles(one: Mates, other: Mates) -> list[list[int]]:
    """The nodes of each circle of two sets, those of a pair of `one` side by side."""
    seen, circles = [False] * len(one), []
    for start in range(len(one)):
        circle, node = [], start
        while not seen[node]:
            mate = one[node]
            seen[node] = seen[mate] = True
            circle += [node, mate]
            node = other[mate]
        if circle:
            circles.append(circle)
    return circles


def _straddled(mates: Mates, nodes: Iterable[int]) -> Loads:
    """How many pairs of these nodes straddle each link."""
    steps = np.zeros(len(mates), dtype=np.int64)
    for node in nodes:
        steps[node] += 1 if node < mates[node] else -1
    return np.cumsum(steps)[:-1]


def _excess(loads: Loads, most: int) -> int:
    """Zero where no link is straddled more often than that."""
    return int((np.maximum(0, loads - most) ** 2).sum())


class _Sets:
    """n - 1 sets of pairs, and how often each straddles each link."""

    def __init__(self, n: int, labels: list[int], most: int, rng: random.Random) -> None:
        self.mates = [_mates(pairs, labels) for pairs in _first_sets(n)]
        self.loads = [_straddled(mates, range(n)) for mates in self.mates]
        self.excess = [_excess(loads, most) for loads in self.loads]
        self.most, self.rng = most, rng

    def improve(self) -> None:
        """Exchanges circles between the worst set and another one, as long as each makes the two better."""
        rng = self.rng
        a = max(range(len(self.mates)), key=lambda i: (self.excess[i], rng.random()))
        b = rng.randrange(len(self.mates))
        if a == b:
            return
        circles = _circles(self.mates[a], self.mates[b])
        rng.shuffle(circles)
        gains = [_straddled(self.mates[a], c) - _straddled(self.mates[b], c) for c in circles]
        self._exchange(a, b, [c for c, flip in zip(circles, self._choose(a, b, gains), strict=True) if flip])

    def _choose(self, a: int, b: int, gains: list[Loads]) -> list[bool]:
        flips = [False] * len(gains)
        one, other = self.loads[a], self.loads[b]
        if self.rng.random() < KICKS:
            k = self.rng.randrange(len(gains))
            flips[k] = True
            one, other = one - gains[k], other + gains[k]
        best, better = _excess(one, self.most) + _excess(other, self.most), True
        while better:
            better = False
            for k, gain in enumerate(gains):
                sign = -1 if flips[k] else 1
                now = _excess(one - sign * gain, self.most) + _excess(other + sign * gain, self.most)
                if now < best:
                    best, better, flips[k] = now, True, not flips[k]
                    one, other = one - sign * gain, other + sign * gain
        return flips

    def _exchange(self, a: int, b: int, circles: list[list[int]]) -> None:
        one, other = self.mates[a], self.mates[b]
        for node in (node for circle in circles for node in circle):
            one[node], other[node] = other[node], one[node]
        for i in (a, b):
            self.loads[i] = _straddled(self.mates[i], range(len(one)))
            self.excess[i] = _excess(self.loads[i], self.most)


def _search(n: int, start: int) -> _Sets:
    """The sets after the search from one labelling of the nodes; the first keeps their order."""
    rng = random.Random(start)
    labels = list(range(n))
    if start:
        rng.shuffle(labels)
    sets = _Sets(n, labels, 2 * lower_bound(n), rng)
    best = (sum(sets.excess), [list(mates) for mates in sets.mates])
    for _ in range(TRIES):
        if best[0] == 0:
            break
        sets.improve()
        best = min(best, (sum(sets.excess), [list(mates) for mates in sets.mates]), key=lambda pair: pair[0])
    sets.mates = best[1]
    sets.excess = [best[0]]
    return sets


def _directed(mates: Mates) -> Stage:
    """The set as messages: of the nodes 2k and 2k + 1 one sends and the other receives."""
    sends: dict[int, bool] = {}
    for start in range(len(mates)):
        node = start
        while node not in sends:
            sends[node], sends[mates[node]] = True, False
            node = mates[node] ^ 1
    return tuple((node, mates[node]) for node in range(len(mates)) if sends[node])


@cache
def balanced(n: int) -> tuple[Stage, ...]:
    """The corner turn on nodes 0 to n - 1, n even: 2 (n - 1) stages of n/2 messages.

    At n = 2^k to 64 no link carries more than lower_bound(n) messages a stage and direction; contention.summary() says how many
    for another n. Raises ValueError for an odd n.
    """
    if n < 2 or n % 2:
        raise ValueError(f"the balanced corner turn wants an even number of nodes from 2, not {n}")
    best = _search(n, 0)
    for start in range(1, STARTS):
        if sum(best.excess) > 0:
            best = min(best, _search(n, start), key=lambda sets: sum(sets.excess))
    stages = [_directed(mates) for mates in best.mates]
    return tuple(s for stage in stages for s in (stage, tuple((b, a) for a, b in stage)))
