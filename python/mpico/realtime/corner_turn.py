"""The corner turn on a line of n = 2^k nodes by section 6.3 of RL-TR-95-103: swap, quad, step and their recursion.

The stages of swap and quad are those that Figure 6.4 shows. In that figure the step with the larger skip comes first: step(8, 2), then
step(8, 0), where the text names them the other way round. The order of the figure is kept, for all n.
"""

from __future__ import annotations

from .patterns import MB, Stage, moved, together


def swap(i: int, j: int) -> list[Stage]:
    """Nodes i and j exchange messages: two stages."""
    return [((i, j),), ((j, i),)]


def quad(i: int, j: int) -> list[Stage]:
    """Nodes i, i + 1 exchange messages with j, j + 1: four stages, in each of which one of each two sends across."""
    return [
        ((i + 1, j), (j + 1, i)),
        ((i, j + 1), (j, i + 1)),
        ((i + 1, j + 1), (j, i)),
        ((i, j), (j + 1, i + 1)),
    ]


def step(n: int, s: int) -> list[Stage]:
    """quad(i, n/2 + (s + i) mod n/2) for i = 0, 2, ... n/2 - 2 at the same time; n a multiple of 4, s even.

    Raises ValueError for others.
    """
    if n < 4 or n % 4 or s % 2:
        raise ValueError(f"step({n}, {s}) wants a multiple of 4 nodes and an even skip")
    half = n // 2
    return together(*(quad(i, half + (s + i) % half) for i in range(0, half, 2)))


def recursive(n: int) -> list[Stage]:
    """The corner turn on nodes 0 to n - 1, n = 2^k: 2 (n - 1) stages of n/2 messages. Raises ValueError for another n."""
    if n < 2 or n & (n - 1):
        hint = "the balanced construction takes any even number"
        raise ValueError(f"the recursive corner turn wants a power of two from 2, not {n} nodes; {hint}")
    if n == 2:
        return swap(0, 1)
    across = [stage for s in range(n // 2 - 2, -1, -2) for stage in step(n, s)]
    half = recursive(n // 2)
    return across + together(half, moved(half, n // 2))


def message_bytes(n: int) -> int:
    """Bytes of a message of Table 6.1, in which each node holds 1 MB: n = 4 sends 1/4 MB. Rounded down for other n."""
    return MB // n
