"""The ring paper's Figures 8a, 8b and 9 with our curves beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import ring_model
from .ring_paper import OTHER_NETWORKS_8A, SIZES, Curve, model_curve
from .ring_runs import DISCIPLINES

Curves = Mapping[tuple[str, int], Curve]
NAMES = {"stop-and-wait": "simulated, the paper's protocol", "windowed": "simulated, ours"}
STYLES = {"stop-and-wait": "o-", "windowed": "s-"}
COLOURS = {"stop-and-wait": "tab:blue", "windowed": "tab:orange"}

Fill = Literal["full", "none"]
FILLS: dict[str, Fill] = {"bcast": "full", "multi-unicast": "none"}


def _draw(axes: Axes, curve: Curve, style: str, label: str, color: str | None = None, fill: Fill = "full") -> None:
    axes.plot(list(curve), list(curve.values()), style, label=label, markersize=4, color=color, fillstyle=fill)


def _finish(axes: Axes, title: str, path: Path) -> Path:
    figure = axes.figure
    assert isinstance(figure, Figure)
    axes.set_title(title)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)
    return path


def _other_networks(axes: Axes) -> None:
    """Their two values of Table 4: least time, drawn at 4 B; greatest bandwidth, drawn at 16 KB as time by Eq. 1."""
    for marker, (name, (latency_us, bandwidth)) in zip("^vDX", OTHER_NETWORKS_8A.items(), strict=True):
        times = [latency_us, SIZES[-1] * 7 / bandwidth]
        axes.plot([SIZES[0], SIZES[-1]], times, marker, color="grey", fillstyle="none", label=f"{name}, from Table 4")


def broadcast_by_size(curves: Mapping[str, Curves], folder: Path) -> Path:
    """Figure 8a: broadcast time over message size, eight nodes. `curves` by discipline, then by (function, nodes)."""
    _, axes = plt.subplots(figsize=(7, 5))
    _draw(axes, model_curve("bcast", 8, SIZES), "k--", "published model, Eq. 10")
    for discipline in DISCIPLINES:
        _draw(axes, curves[discipline]["bcast", 8], STYLES[discipline], NAMES[discipline], color=COLOURS[discipline])
    _other_networks(axes)
    axes.set_xlabel("message size (bytes)")
    axes.set_ylabel("time (microseconds)")
    axes.set_ylim(0, 2000)  # the slow networks' 16 KB lie far above
    return _finish(axes, "Broadcast on eight nodes (Figure 8a)", folder / "figure-8a.png")


def broadcast_or_unicasts(curves: Mapping[str, Curves], folder: Path) -> Path:
    """Figure 8b: true broadcast and multi-unicast on four nodes, up to 8 KB."""
    sizes = [size for size in SIZES if size <= 8192]
    _, axes = plt.subplots(figsize=(7, 5))
    _draw(axes, model_curve("bcast", 4, sizes), "k--", "broadcast, published model, Eq. 10")
    _draw(axes, model_curve("multi-unicast", 4, sizes), "k:", "multi-unicast, sum of Eq. 7 (a bound)")
    for discipline in DISCIPLINES:
        for function, fill in FILLS.items():
            curve = {size: us for size, us in curves[discipline][function, 4].items() if size <= 8192}
            name = "broadcast" if function == "bcast" else "multi-unicast"
            label = f"{name}, {NAMES[discipline]}"
            _draw(axes, curve, STYLES[discipline], label, color=COLOURS[discipline], fill=fill)
    axes.set_xlabel("message size (bytes)")
    axes.set_ylabel("time (microseconds)")
    return _finish(axes, "True broadcast and multi-unicast on four nodes (Figure 8b)", folder / "figure-8b.png")


def parallel_efficiency(search_s: Mapping[str, Mapping[int, float]], steps: int, folder: Path) -> Path:
    """Figure 9: efficiency of mft over nodes, from seconds by discipline and nodes, 1 among them.

    The model's line divides the time on one node evenly and adds `steps` allgathers of 40 bytes by Eq. 11.
    """
    _, axes = plt.subplots(figsize=(7, 5))
    alone = search_s[DISCIPLINES[0]][1]
    model = {1: 1.0}
    for nodes in range(2, 9):
        parallel = alone / nodes + steps * ring_model.allgather(40, nodes) * 1e-6
        model[nodes] = ring_model.efficiency(alone, parallel, nodes)
    axes.plot(list(model), [100 * value for value in model.values()], "k--", label="Eq. 11, even shares")
    for discipline in DISCIPLINES:
        times = dict(sorted(search_s[discipline].items()))
        percent = [100 * ring_model.efficiency(times[1], time, nodes) for nodes, time in times.items()]
        axes.plot(list(times), percent, STYLES[discipline], label=NAMES[discipline], color=COLOURS[discipline])
    axes.set_xlabel("nodes")
    axes.set_ylabel("parallel efficiency (%)")
    axes.set_ylim(0, 105)
    return _finish(axes, f"mft, {steps} allgathers of 40 bytes (Figure 9)", folder / "figure-9.png")
