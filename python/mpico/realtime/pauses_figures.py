"""Pictures of `realtime pauses`: pauses over time, and how many there are of each length. Imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .pauses_text import watches
from .report_records import Record


def _over_time(axes: Axes, watch: Record, pauses: Record) -> None:
    axes.plot(pauses["at_s"], [1e6 * s for s in pauses["length_s"]], ".", markersize=3)
    axes.axhline(1e6 * watch["threshold_s"], color="0.6", linewidth=0.8, label="threshold")
    axes.set_xlim(0, watch["seconds_s"])
    axes.set_yscale("log")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("length of the pause (us)")
    cut = f", {watch['not_kept']} more not shown" if watch["not_kept"] else ""
    axes.set_title(f"rank {watch['rank']}: {watch['pauses']} pauses{cut}", fontsize="medium")
    axes.legend(loc="lower right", fontsize="small")
    axes.grid(True, alpha=0.3)


def _histogram(axes: Axes, bins: Record) -> None:
    left = [1e6 * s for s in bins["from_s"]]
    width = [1e6 * (b - a) for a, b in zip(bins["from_s"], bins["to_s"], strict=True)]
    axes.bar(left, bins["count"], width=width, align="edge", edgecolor="white", linewidth=0.3)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.7)
    axes.set_xlabel("length of the pause (us)")
    axes.set_ylabel("pauses")
    axes.grid(True, alpha=0.3)


def _of(records: Sequence[Record], kind: str, rank: int) -> Record | None:
    return next((r for r in records if r.get("record") == kind and r["rank"] == rank), None)


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """A picture a rank that had pauses."""
    found = []
    for watch in watches(records):
        rank = int(watch["rank"])
        pauses, bins = _of(records, "pause-list", rank), _of(records, "pause-histogram", rank)
        if not pauses or not bins or not pauses["at_s"]:
            continue
        figure = Figure(figsize=(10, 3.6), layout="constrained")
        over_time, histogram = figure.subplots(1, 2, width_ratios=(3, 2))
        _over_time(over_time, watch, pauses)
        _histogram(histogram, bins)
        found.append((f"Pauses of rank {rank}", figure))
    return found
