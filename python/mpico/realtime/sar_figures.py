"""An image of point targets as a picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from .sar_runs import SarImage

SHOWN_DB = 50.0


def draw(image: SarImage, path: Path) -> None:
    """Magnitude in decibels below the highest, with circles at the true places and crosses at those found.

    Raises OSError when the file cannot be written, ValueError when its ending names no kind of picture.
    """
    record, grid = image.record, image.run.grid
    magnitude = np.abs(image.pixels)
    shown = 20 * np.log10(np.maximum(magnitude / max(float(magnitude.max()), 1e-30), 1e-10))
    bin_m, spacing_m = record["bin_m"], record["spacing_m"]
    extent = (-spacing_m / 2, (grid.columns - 0.5) * spacing_m, (grid.rows - 0.5) * bin_m, -bin_m / 2)
    figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
    drawn = axes.imshow(
        shown, extent=extent, aspect="auto", cmap="gray", vmin=-SHOWN_DB, vmax=0, interpolation="nearest"
    )
    figure.colorbar(drawn, label="dB below the highest")
    true_x, true_y = [t.true_azimuth_m for t in image.targets], [t.true_range_m for t in image.targets]
    axes.scatter(true_x, true_y, s=180, facecolors="none", edgecolors="C1", label="true")
    found_x = [t.azimuth_m for t in image.targets if t.azimuth_m is not None]
    found_y = [t.range_m for t in image.targets if t.range_m is not None]
    axes.scatter(found_x, found_y, s=50, marker="x", color="C0", label="found")
    axes.set_xlabel("along the flight (m)")
    axes.set_ylabel(f"range from {record['range_m']:.0f} m (m)")
    period = f"period {1e3 * image.run.period_s:.3g} ms, worst error {record['worst_error_cells'] or np.inf:.3f} cells"
    axes.set_title(f"{grid.rows} x {grid.columns} on {grid.ranks} ranks: {period}")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=150)
    plt.close(figure)
