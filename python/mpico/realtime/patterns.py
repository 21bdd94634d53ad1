"""Patterns of messages in stages, and the text of a `pmp` program that performs them.

A stage is a set of messages, each a pair (from, to), whose nodes are all different: no node does two things in a stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

Stage = tuple[tuple[int, int], ...]
MB = 1 << 20
"""Bytes of a MB of message size, as 1/4 MB are the 262,144 bytes of section 4.3.2."""


def together(*patterns: Sequence[Stage]) -> list[Stage]:
    """Patterns of equally many stages at the same time. Raises ValueError where their lengths differ."""
    return [tuple(message for stage in stages for message in stage) for stages in zip(*patterns, strict=True)]


def moved(pattern: Iterable[Stage], by: int) -> list[Stage]:
    """The pattern on nodes whose numbers are higher by that much."""
    return [tuple((a + by, b + by) for a, b in stage) for stage in pattern]


def actions(stages: Iterable[Stage], n: int) -> list[list[int | None]]:
    """What each of n nodes does, in order: the node to send to, or None to receive.

    Raises ValueError where a node does two things in a stage.
    """
    rows: list[list[int | None]] = [[] for _ in range(n)]
    for number, stage in enumerate(stages):
        busy = [node for message in stage for node in message]
        if len(set(busy)) < len(busy):
            raise ValueError(f"a node does two things in stage {number}")
        for a, b in stage:
            rows[a].append(b)
            rows[b].append(None)
    return rows


def size_words(size_bytes: int) -> str:
    """A size as in the header of Figure 6.4: "1/8 MB", "2 MB", or "100 bytes" where it is no plain part of a MB."""
    part = Fraction(size_bytes, MB)
    if size_bytes > 0 and (part.numerator == 1 or part.denominator == 1):
        return f"{part} MB"
    return f"{size_bytes} bytes"


def abbreviated(stages: Iterable[Stage], n: int, size_bytes: int) -> str:
    """The program as Figure 6.4 prints it: a header with the size, then a row a node, separated by tabs, sends as S7."""
    rows = [
        "\t".join([f"{node}:", *("R" if to is None else f"S{to}" for to in row), "E"])
        for node, row in enumerate(actions(stages, n))
    ]
    return "\n".join(["pmp program input", f"(messages size {size_words(size_bytes)})", "", *rows, ""])


def in_full(stages: Iterable[Stage], n: int, size_bytes: int) -> str:
    """The program in the notation of section 4.3.2, with the size in every send."""
    rows = [
        " ".join([f"{node}:", *("R" if to is None else f"S {to} {size_bytes}" for to in row), "E"])
        for node, row in enumerate(actions(stages, n))
    ]
    return "\n".join([*rows, ""])
