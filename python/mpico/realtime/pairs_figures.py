"""Picture of `realtime pairs`: the rate of each pair. Imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from .pairs_text import pairs_of
from .report_records import Record


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """A bar a pair; nothing where there is one pair alone."""
    pairs = pairs_of(records)
    if len(pairs) < 2:
        return []
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.bar(range(len(pairs)), [p["MBps"] for p in pairs], color="C0")
    axes.set_xticks(range(len(pairs)), [f"{p['from']} to {p['to']}" for p in pairs])
    axes.set_xlabel("ranks of the pair")
    axes.set_ylabel("MB/s")
    return [("Rate of each pair", figure)]
