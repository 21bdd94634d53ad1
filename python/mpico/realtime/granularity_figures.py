"""Picture of `mpico realtime granularity`."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from .granularity import Grain


def figure(grains: Sequence[Grain], title: str) -> Figure:
    """Shortest period of a block beside latency and the age of the oldest row, by rows a message. At least one grain."""
    picture = Figure(figsize=(10, 4), layout="constrained")
    left, right = picture.subplots(1, 2)
    rows = [grain.rows for grain in grains]
    left.plot(rows, [1e3 * grain.period_s for grain in grains], marker="o", color="black")
    left.set_ylabel("shortest period of a block (ms)")
    right.plot(rows, [1e3 * grain.latency_s for grain in grains], marker="o", label="latency of a block")
    right.plot(rows, [1e3 * grain.age_s for grain in grains], marker="s", linestyle="--", label="age of its first row")
    right.set_ylabel("at that period (ms)")
    right.legend(fontsize="small")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xticks(rows, [str(n) for n in rows])
        axes.set_xlabel("rows a message")
        axes.set_ylim(0, 1.08 * axes.get_ylim()[1])
    picture.suptitle(title)
    return picture
