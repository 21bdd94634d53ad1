"""Figures of the ring paper's model study (its Figures 11, 12, 13), of sweeps, and of energy against time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from .energy import Technology, volts_at
from .optimum import Objective, Point, Work, cost, point
from .ring_model import FUNCTIONS
from .ring_systems import LARGE_BYTES, SMALL_BYTES, SYSTEMS, scaled_to

TITLES = {
    "unicast": "unicast to the farthest node",
    "unicast-mean": "unicast, mean of all pairs",
    "bcast": "broadcast",
    "allgather": "allgather",
    "allgather-in-place": "in-place allgather",
}
STYLES = dict(
    zip(
        (system.name for system in SYSTEMS),
        (("k", "o"), ("tab:red", "s"), ("tab:blue", "^"), ("tab:green", "D")),
        strict=True,
    )
)
DENSE = 400

Points = Mapping[tuple[str, str], Mapping[float, float]]
"""Simulated microseconds over the figure's axis, by function and system."""


def _save(path: Path) -> Path:
    plt.savefig(path, dpi=150, bbox_inches="tight")
    plt.close()
    return path


def _finish(axes: Axes, title: str, across: str, up: str = "time (microseconds)") -> None:
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="x-small")


def _four_systems(axes: Axes, name: str, over: str, held: float, ends: tuple[float, float], points: Points) -> None:
    """Lines of the model and, where there are any, marks of the simulation."""
    across = [ends[0] + (ends[1] - ends[0]) * i / DENSE for i in range(DENSE + 1)]
    for system in SYSTEMS:
        service, (colour, mark) = scaled_to(system), STYLES[system.name]
        function = FUNCTIONS[name]
        line = [function(x, held, service) if over == "bytes" else function(held, x, service) for x in across]
        axes.plot(across, line, "-", color=colour, linewidth=1, label=f"{system.name}, model")
        marks = points.get((name, system.name), {})
        axes.plot(list(marks), list(marks.values()), mark, color=colour, markersize=4, label="simulated")


def by_size(points: Points, nodes: int, folder: Path) -> Path:
    """Figure 12 (a to d): the four systems over message size. `points` holds microseconds by size."""
    _, panels = plt.subplots(2, 2, figsize=(11, 8))
    names = ("unicast", "bcast", "allgather", "allgather-in-place")
    for letter, name, axes in zip("abcd", names, panels.flat, strict=True):
        _four_systems(axes, name, "bytes", nodes, (4, 16384), points)
        _finish(axes, f"12{letter}: {TITLES[name]}, {nodes} nodes", "message size (bytes)")
    plt.tight_layout()
    return _save(folder / "figure-12.png")


def by_nodes(points: Mapping[int, Points], most: int, folder: Path) -> Path:
    """Figure 13 (a to d): the four systems over nodes. `points` by message size, then microseconds by nodes."""
    _, panels = plt.subplots(2, 2, figsize=(11, 8))
    drawn = [("unicast", SMALL_BYTES), ("unicast", LARGE_BYTES), ("allgather", SMALL_BYTES), ("allgather", LARGE_BYTES)]
    for letter, (name, size), axes in zip("abcd", drawn, panels.flat, strict=True):
        _four_systems(axes, name, "nodes", size, (2, most), points.get(size, {}))
        _finish(axes, f"13{letter}: {TITLES[name]}, {size} bytes", "nodes")
    plt.tight_layout()
    return _save(folder / "figure-13.png")


def validation(
    panels: Sequence[tuple[str, str, Mapping[str, Mapping[float, tuple[float, float]]]]], folder: Path
) -> Path:
    """Figure 11: per panel title, axis, and {curve: {x: (model, simulated)}} in microseconds; errors below."""
    _, grid = plt.subplots(2, len(panels), figsize=(5.5 * len(panels), 7), squeeze=False)
    for column, (title, across, curves) in enumerate(panels):
        above, below = grid[0][column], grid[1][column]
        for label, values in curves.items():
            xs = list(values)
            (line,) = above.plot(xs, [values[x][0] for x in xs], "-", label=f"{label}, model")
            above.plot(
                xs, [values[x][1] for x in xs], "o", color=line.get_color(), markersize=4, label=f"{label}, simulated"
            )
            errors = [100 * (values[x][0] - values[x][1]) / values[x][1] for x in xs]
            below.plot(xs, errors, "o-", color=line.get_color(), markersize=4, label=label)
        _finish(above, title, across)
        _finish(below, "model against simulation", across, "error (%)")
    plt.tight_layout()
    return _save(folder / "figure-11.png")


def sweep(rows: Sequence[Mapping[str, float | int | str]], path: Path) -> Path:
    """Times of a sweep's rows over the option with most values, a line for each combination of the others."""
    keys = ("bytes", "nodes", "clock_mhz", "link_mb_s")
    across = max(keys, key=lambda key: len({row[key] for row in rows}))
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        label = ", ".join([str(row["function"]), *(f"{row[key]:g} {key}" for key in keys if key != across)])
        lines.setdefault(label, []).append((float(row[across]), float(row["us"])))
    _, axes = plt.subplots(figsize=(8, 5.5))
    for label, values in lines.items():
        axes.plot(*zip(*sorted(values), strict=True), "o-", markersize=3, label=label)
    _finish(axes, "The ring service's model", across)
    return _save(path)


def front(
    technology: Technology,
    work: Work,
    points: Sequence[Point],
    best: Point | None,
    objective: Objective,
    scaling: bool,
    path: Path,
) -> Path:
    """Energy (or mean power) against time: the front, and for "energy" a grid of other choices behind it."""
    _, axes = plt.subplots(figsize=(8, 5.5))
    if objective == "energy":
        others = _grid(technology, work, scaling)
        axes.plot([p.us for p in others], [p.energy_uj for p in others], ".", color="lightgrey", label="other choices")
    axes.plot([p.us for p in points], [cost(p, objective) for p in points], "ko-", markersize=4, label="Pareto front")
    for p in points[:: max(1, len(points) // 6)]:
        axes.annotate(f"{p.clock_mhz:.0f} MHz, {p.link_mb_s:.0f} MB/s", (p.us, cost(p, objective)), fontsize="x-small")
    if best:
        axes.plot([best.us], [cost(best, objective)], "r*", markersize=12, label="least within the deadline")
    axes.set_xscale("log")
    what = f"{TITLES[work.function]}, {work.size:g} bytes, {work.nodes} nodes, {technology.name}"
    up = "energy of all nodes (microjoules)" if objective == "energy" else "mean power of all nodes (watts)"
    _finish(axes, what, "time (microseconds)", up)
    return _save(path)


def _grid(technology: Technology, work: Work, scaling: bool, steps: int = 24) -> list[Point]:
    t, found = technology, []
    for i in range(steps + 1):
        clock = t.clock_least_mhz + (t.clock_most_mhz - t.clock_least_mhz) * i / steps
        volts = volts_at(t, clock, scaling)
        for j in range(steps + 1):
            rate = t.link_least_mb_s + (t.link_most_mb_s - t.link_least_mb_s) * j / steps
            found.append(point(t, work, clock, rate, volts))
    return found
