"""Pictures of `mpico reproduce realtime`: published and simulated side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from .paragon_tables import Cell


def _pick(found: Sequence[Cell], table: str, column: str) -> list[Cell]:
    return [c for c in found if c.table == table and c.column == column and c.row != "Sum"]


def _both(cells: Sequence[Cell], labels: tuple[str, str], title: str, path: Path, is_log: bool) -> Path:
    figure, axes = plt.subplots(figsize=(6, 4))
    rows = range(len(cells))
    axes.plot(rows, [c.published for c in cells], "ko", label="published")
    axes.plot(rows, [c.simulated for c in cells], "C0x-", label="simulated")
    others = [c.otherwise for c in cells if c.otherwise is not None]
    if len(others) == len(cells):
        axes.plot(rows, others, "C0+--", label=f"simulated, {cells[0].other}")
    axes.set_xticks(list(rows), [c.row.removeprefix("n = ") for c in cells])
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(title)
    if is_log:
        axes.set_yscale("log", base=2)
    else:
        axes.set_ylim(bottom=0)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path


def draw(found: Sequence[Cell], folder: Path) -> list[Path]:
    """Rates of the pairs of both layouts, and the period of the corner turn against n, as PNG files in `folder`."""
    pair = ("pair", "MB/s")
    return [
        _both(_pick(found, "Table 4.5", "Rate"), pair, "Symmetric pairs", folder / "pairs-symmetric.png", True),
        _both(_pick(found, "Table 4.6", "Rate"), pair, "Asymmetric pairs", folder / "pairs-asymmetric.png", True),
        _both(
            _pick(found, "Table 6.1", "Period"),
            ("nodes", "ms"),
            "Corner turn on a line",
            folder / "corner-turn.png",
            False,
        ),
    ]
