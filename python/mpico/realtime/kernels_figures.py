"""Pictures of `realtime kernels`: rates against size, ours beside FFTW and plain C, for each place of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .kernels_text import size

Record = Mapping[str, Any]
PROGRAMS = (("ours", "ours", "#2f6f9f"), ("fftw", "FFTW", "#d98c3f"), ("plain", "plain C", "#8f8f8f"))
TITLES = {"fft": "Block FFT", "foldfft": "foldfft", "turn": "Corner turn in memory"}
SIZES = {"fft": "points", "foldfft": "points x length of the transform", "turn": "rows x columns"}


def _bars(axes: Axes, records: Sequence[Record]) -> None:
    """Groups of three bars a size; rates in GFLOPS or GB/s."""
    for place, (key, label, color) in enumerate(PROGRAMS):
        at = [i + 0.27 * (place - 1) for i in range(len(records))]
        axes.bar(at, [r[key] / 1e3 for r in records], 0.27, label=label, color=color)
    axes.set_xticks(range(len(records)), [size(r) for r in records])
    axes.set_ylabel("GFLOPS" if records[0]["unit"] == "MFLOPS" else "GB/s")
    axes.set_title(f"data: {records[0]['set']}", fontsize=10)
    axes.grid(axis="y", alpha=0.3)


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """A picture a kernel, a panel a working set. records: those of one run; others than "kernel" are left aside."""
    found: list[tuple[str, Figure]] = []
    for kernel, title in TITLES.items():
        chosen = [r for r in records if r["record"] == "kernel" and r["kernel"] == kernel]
        sets = list(dict.fromkeys(r["set"] for r in chosen))
        if not chosen:
            continue
        figure = Figure(figsize=(8, 2.8 * len(sets)), layout="constrained")
        panels = figure.subplots(len(sets), 1, squeeze=False)
        for axes, name in zip(panels[:, 0], sets, strict=True):
            _bars(axes, [r for r in chosen if r["set"] == name])
        panels[-1, 0].set_xlabel(SIZES[kernel])
        panels[0, 0].legend(ncols=3, fontsize=9)
        found.append((title, figure))
    return found
