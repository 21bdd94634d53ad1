"""The picture of `mpico bench --figure`: times with their intervals, and bandwidths, over message size."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot as plt

from .bench_report import bandwidth
from .results import Measurement, Results

STYLES = ("o-", "s--", "^:", "v-.", "D-", "x--", "+:", "*-.")
"""Of the runs and pairs within a pattern, which has one colour."""


def _curves(results: Results) -> dict[tuple[str, str], list[Measurement]]:
    """Measurements by pattern, and by ranks and pair, in ascending size."""
    curves: dict[tuple[str, str], list[Measurement]] = defaultdict(list)
    for m in sorted(results.measurements, key=lambda m: m.bytes):
        if m.bytes > 0 and m.us > 0:
            pair = "" if m.source is None else f", {m.source} to {m.destination}"
            curves[m.pattern, f"{m.ranks} ranks{pair}"].append(m)
    return curves


def draw(results: Results, path: Path) -> None:
    """Two panels with logarithmic axes as a PNG file: microseconds with the intervals shaded, and MB/s by Eqs. 1 and 2.

    Raises OSError when the file cannot be written.
    """
    figure, (times, rates) = plt.subplots(1, 2, figsize=(14, 6))
    curves = _curves(results)
    patterns = list(dict.fromkeys(pattern for pattern, _ in curves))
    seen: Counter[str] = Counter()
    for (pattern, run), curve in curves.items():
        colour, style = plt.get_cmap("tab20")(patterns.index(pattern) % 20), STYLES[seen[pattern] % len(STYLES)]
        seen[pattern] += 1
        sizes = [m.bytes for m in curve]
        times.plot(sizes, [m.us for m in curve], style, color=colour, markersize=3, label=f"{pattern}, {run}")
        times.fill_between(sizes, [m.low_us for m in curve], [m.high_us for m in curve], color=colour, alpha=0.2)
        pairs = [(m.bytes, rate) for m in curve if (rate := bandwidth(m))]
        if pairs:
            rates.plot(*zip(*pairs, strict=True), style, color=colour, markersize=3)
    for axes, what in ((times, "time (microseconds)"), (rates, "bandwidth (MB/s)")):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel("message size (bytes)")
        axes.set_ylabel(what)
        axes.grid(True, alpha=0.3)
    if times.get_lines():
        rates.legend(handles=times.get_lines(), fontsize="x-small", loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle(f"{results.environment.machine} ({results.environment.place})")
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)
