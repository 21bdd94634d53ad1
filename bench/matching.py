"""What comes of bench/matching.c: figures for the table, and a picture of a match's cost over what waits ahead."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Records = Mapping[str, Sequence[Mapping[str, Any]]]
"""What matching.c printed, by library: keys side, any, ahead (how many wait), ns (of a match), ratio (to none ahead)."""

CASES = (("posted", 0), ("posted", 1), ("unexpected", 0), ("unexpected", 1))
MOST_AHEAD = 10000


def case_name(side: str, wild: int) -> str:
    """A case as the table calls it."""
    return f"{side}, half of any source" if wild else side


def curve(records: Sequence[Mapping[str, Any]], case: tuple[str, int], key: str) -> dict[int, float]:
    """Median of a key over runs, by the number ahead, ascending."""
    found: dict[int, list[float]] = {}
    for record in records:
        if (record["side"], record["any"]) == case:
            found.setdefault(int(record["ahead"]), []).append(float(record[key]))
    return {ahead: statistics.median(values) for ahead, values in sorted(found.items())}


def figures(records: Records, key: str, ahead: int = MOST_AHEAD) -> dict[str, dict[str, float | None]]:
    """For each case by name, each library's ``key`` with so many ahead; None where it was not measured."""
    return {
        case_name(*case): {mpi: curve(found, case, key).get(ahead) for mpi, found in records.items()} for case in CASES
    }


def draw(records: Records, path: Path) -> bool:
    """Write the picture: a panel for each case, nanoseconds a match over the number ahead. False without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(2, 2, figsize=(10, 7), sharex=True, sharey=True)
    for axes, case in zip(panels.flat, CASES, strict=True):
        for marker, (mpi, found) in zip("os^Dv", records.items(), strict=False):
            points = curve(found, case, "ns")
            axes.plot(list(points), list(points.values()), f"{marker}-", label=mpi, markersize=4)
        axes.set_title(case_name(*case))
        axes.set_xscale("symlog", linthresh=10)
        axes.set_yscale("log")
        axes.grid(True, alpha=0.3)
    for axes in panels[-1]:
        axes.set_xlabel("waiting ahead")
    for axes in panels[:, 0]:
        axes.set_ylabel("a match (nanoseconds)")
    panels[0][0].legend(fontsize="small")
    figure.suptitle("Matching by exact source and tag")
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)
    return True
