"""Pictures of the grid: periods and throughput by length of the line (`mpico realtime scaling`), and what its stages took (report)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .grid_runs import GridRun
from .grid_text import name_of
from .report_records import Record


def _periods(axes: Axes, runs: Sequence[GridRun]) -> None:
    lines = [run.grid.lines for run in runs]
    for i, stage in enumerate(runs[0].stages):
        alone = [run.stages[i].alone_period_s for run in runs]
        if stage.name != "sink" and None not in alone:
            axes.plot(lines, [1e3 * (s or 0) for s in alone], marker="o", linestyle="--", label=f"{stage.name} alone")
    axes.plot(lines, [1e3 * run.period_s for run in runs], marker="s", color="black", label="the grid")
    axes.set_ylabel("shortest period (ms)")
    axes.set_ylim(0, 1.08 * axes.get_ylim()[1])
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


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """For each grid what the work of its stages took of a period, mean and worst, in milliseconds. records: those of one run."""
    found: list[tuple[str, Figure]] = []
    stages: list[Record] = []
    for record in records:
        if record.get("record") == "grid-stage":
            stages.append(record)
        elif record.get("record") == "grid" and stages:
            found.append((f"Stages of {name_of(record)}", _stages(record, stages)))
            stages = []
    return found


def _stages(grid: Record, stages: Sequence[Record]) -> Figure:
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes = figure.subplots()
    for place, (key, label, colour) in enumerate((("work_mean_s", "mean", "0.75"), ("work_worst_s", "worst", "C0"))):
        at = [i + 0.4 * (place - 0.5) for i in range(len(stages))]
        axes.bar(at, [1e3 * (s[key] or 0) for s in stages], width=0.38, label=label, color=colour)
    axes.axhline(1e3 * grid["period_s"], color="0.3", linestyle="--", label="the period")
    axes.set_xticks(range(len(stages)), [s["name"] for s in stages])
    axes.set_xlabel("stage")
    axes.set_ylabel("work in a period (ms)")
    figure.legend(loc="outside upper center", ncols=3, fontsize="small")
    return figure
