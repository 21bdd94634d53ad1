"""The curves of Figure 11: the unicast model against the simulated ring, over message size and over system size."""

from __future__ import annotations

from collections.abc import Sequence

from .results import Measurement
from .ring_model_errors import BY_SIZE_NODES, NODES, ODD_BYTES, predicted
from .ring_paper import SIZES
from .ring_systems import LARGE_BYTES, SMALL_BYTES

Curve = dict[float, tuple[float, float]]
"""Microseconds by the model and simulated, over the axis."""
Panel = tuple[str, str, dict[str, Curve]]
"""Title, axis, curves by name."""


def panels(measured: Sequence[Measurement]) -> list[Panel]:
    """Two panels: sizes on four nodes by hops, and two sizes to the farthest node over system size."""
    seen = sorted((m for m in measured if m.pattern == "once"), key=lambda m: m.bytes)
    by_size: dict[str, Curve] = {}
    by_system: dict[str, Curve] = {}
    for m in seen:
        both = predicted(m), m.us
        if m.ranks == BY_SIZE_NODES and m.bytes in (*SIZES, ODD_BYTES):
            by_size.setdefault(f"{m.hops} {'hop' if m.hops == 1 else 'hops'}", {})[m.bytes] = both
        if m.ranks in NODES and m.hops == m.ranks - 1 and m.bytes in (SMALL_BYTES, LARGE_BYTES):
            by_system.setdefault(f"{m.bytes} bytes", {})[m.ranks] = both
    return [
        (f"11: unicast on {BY_SIZE_NODES} nodes", "message size (bytes)", by_size),
        ("11: unicast to the farthest node", "nodes", {name: dict(sorted(c.items())) for name, c in by_system.items()}),
    ]
