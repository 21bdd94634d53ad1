"""Pictures of `mpico model validate`: residuals by message size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from .validate import Summary

STYLES = ("-", "--", ":", "-.")
"""Of the numbers of ranks of one pattern, in their order."""


def _place(groups: Sequence[Summary], group: Summary) -> int:
    """Which of its pattern's groups it is."""
    return [other.ranks for other in groups if other.what == group.what].index(group.ranks)


def residuals(groups: Sequence[Summary], target: float, title: str, path: Path) -> None:
    """Errors in per cent by message size, a line a pattern and number of ranks; `target` is a share, drawn as a band.

    Raises OSError when the file cannot be written, ValueError when its ending names no kind of picture.
    """
    figure, axes = plt.subplots(figsize=(10, 5), layout="constrained")
    axes.axhspan(-100 * target, 100 * target, color="0.92", label=f"within {100 * target:g} %")
    axes.axhline(0, color="0.5", linewidth=0.8)
    kinds = list(dict.fromkeys(group.what for group in groups))
    for group in groups:
        order = kinds.index(group.what)
        color, dashes = f"C{order % 10}", STYLES[_place(groups, group) % len(STYLES)]
        sizes = [check.bytes for check in group.checks]
        name = f"{group.what}, {group.ranks} ranks"
        errors = [100 * check.error for check in group.checks]
        axes.plot(sizes, errors, marker="o", markersize=3, label=name, color=color, linestyle=dashes)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("message size (bytes)")
    axes.set_ylabel("predicted against measured (%)")
    axes.set_title(title)
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=150)
    plt.close(figure)
