"""Picture of `mpico realtime scaling`: periods of each stage alone and of the grid, and throughput, by length of the line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .grid_runs import GridRun


def _periods(axes: Axes, runs: Sequence[GridRun]) -> None:
    lines = [run.grid.lines for run in runs]
    for i, stage in enumerate(runs[0].stages):
        alone = [run.stages[i].alone_period_s for run in runs]
        if stage.name != "sink" and None not in alone:
            axes.plot(lines, [1e3 * (s or 0) for s in alone], marker="o", linestyle="--", label=f"{stage.name} alone")
    axes.plot(lines, [1e3 * run.period_s for run in runs], marker="s", color="black", label="the grid")
    axes.set_ylabel("shortest period (ms)")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")


def _throughput(axes: Axes, runs: Sequence[GridRun]) -> None:
    lines = [run.grid.lines for run in runs]
    steady = [run.mflops * run.period_s / runs[0].period_s for run in runs]
    axes.plot(lines, steady, color="0.7", label="at the first period")
    axes.plot(lines, [run.mflops for run in runs], marker="s", color="black", label="the grid")
    axes.set_ylabel("throughput (MFLOPS)")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")


def draw(runs: Sequence[GridRun], place: str, path: Path) -> None:
    """Periods beside throughput; at least one run, all of the same stages.

    Raises OSError when the file cannot be written, ValueError when its ending names no kind of picture.
    """
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for axes, what in zip(panels, (_periods, _throughput), strict=True):
        what(axes, runs)
        axes.set_xscale("log", base=2)
        axes.set_xticks([run.grid.lines for run in runs], [f"{run.grid.lines}\n{run.grid.columns}" for run in runs])
        axes.set_xlabel("places of a stage\ncolumns of the matrix")
    figure.suptitle(f"The doubled mapping on {place}: {runs[0].grid.chain}, {runs[0].grid.rows} rows")
    figure.savefig(path, dpi=150)
    plt.close(figure)
