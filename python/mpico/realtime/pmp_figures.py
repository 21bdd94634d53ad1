"""Pictures of patterns: growth of contention (`mpico pmp contention`), and when each node was done (report of a suite)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .contention import CONSTRUCTIONS, Contention
from .pmp_text import Record, name_of, runs

STYLES = {"recursive": "s--", "balanced": "o-"}


def _lines(axes: Axes, rows: Sequence[Contention], field: str, least: str, label: str) -> None:
    for name in CONSTRUCTIONS:
        mine = sorted((r for r in rows if r.construction == name), key=lambda r: r.nodes)
        if mine:
            axes.plot([r.nodes for r in mine], [getattr(r, field) for r in mine], STYLES[name], label=name)
    bound = sorted({(r.nodes, getattr(r, least)) for r in rows})
    axes.plot([n for n, _ in bound], [value for _, value in bound], ":", color="0.4", label=label)
    axes.set_xlabel("nodes on the line")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    ticks = [n for n, _ in bound]
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend()


def draw(rows: Sequence[Contention], path: Path) -> None:
    """Worst link beside the sum over stages, both against the least possible. Raises OSError, ValueError for the file."""
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    worst, total = figure.subplots(1, 2)
    _lines(worst, rows, "worst", "bound", "least possible on the middle link")
    worst.set_ylabel("messages on the worst link, a stage and direction")
    _lines(total, rows, "sum_of_worst", "least_sum", "least possible")
    total.set_ylabel("sum over stages of the worst link")
    figure.savefig(path, dpi=150)


def _nodes(record: Record) -> Figure:
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    worst = [1e3 * s for s in record["node_worst_s"]]
    axes.bar(range(len(worst)), worst, color=["C3" if missed else "C0" for missed in record["node_missed"]])
    axes.axhline(1e3 * record["period_s"], color="0.3", linestyle="--", label="the period")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("node (red: deadlines missed)")
    axes.set_ylabel("latest end of its work (ms)")
    figure.legend(loc="outside upper right")
    return figure


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """A picture a pattern: the latest moment of a period at which each node was done."""
    return [(f"Nodes of {name_of(record)}", _nodes(record)) for record in runs(records)]
