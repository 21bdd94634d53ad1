"""Draw what mft found: ambiguity surfaces and the track over the logged one.

Reads the JSON file that ``mft --output`` writes and makes one PNG.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage
except ImportError as error:
    sys.exit(f"plot.py: {error}; install it with: python3 -m pip install numpy matplotlib")

FOUND = "#ff7f0e"
TRUE = "#1f77b4"
LOWEST_DB = -10.0
Findings = dict[str, Any]


def read(path: Path) -> Findings:
    """Read the findings in ``path``; exit with status 2 and a sentence when there are none."""
    try:
        findings = json.loads(path.read_text(encoding="utf-8"))
        for key in ("track", "corners", "surfaces", "phones", "search_s"):
            findings[key]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"plot.py: {path} holds no findings of mft ({error}); run mft first.", file=sys.stderr)
        sys.exit(2)
    return findings


def tracks(findings: Findings) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times in minutes, shape (n,); found and true positions in metres, shape (n, 3)."""
    rows = findings["track"]
    minutes = np.array([row["t_s"] for row in rows]) / 60
    return minutes, np.array([row["found"] for row in rows]), np.array([row["true"] for row in rows])


def decibels(surface: Findings) -> np.ndarray:
    """Scale the surface relative to its peak in dB, shape (rows, columns)."""
    value = np.asarray(surface["value"], dtype=float)
    return 10 * np.log10(np.maximum(value, 1e-6) / max(float(value.max()), 1e-6))


def show_surface(axes: Axes, surface: Findings, x_unit: float, y_unit: float) -> AxesImage:
    """Draw a surface; the units are metres for one on each axis."""
    (x0, x1), (y0, y1) = surface["x"], surface["y"]
    extent = (x0 / x_unit, x1 / x_unit, y0 / y_unit, y1 / y_unit)
    return axes.imshow(
        decibels(surface), origin="lower", extent=extent, aspect="auto", cmap="viridis", vmin=LOWEST_DB, vmax=0.0
    )


def draw_range_depth(axes: Axes, surface: Findings, findings: Findings) -> AxesImage:
    """Range-depth ambiguity of one snapshot, with the true and the found source."""
    minutes, found, true = tracks(findings)
    i = int(np.argmin(np.abs(minutes * 60 - surface["t_s"])))
    image = show_surface(axes, surface, 1e3, 1.0)
    for at, marker, colour, size, label in ((true, "o", "white", 15, "true"), (found, "+", "red", 13, "found")):
        axes.plot(
            np.hypot(at[i, 0], at[i, 1]) / 1e3,
            at[i, 2],
            marker,
            color=colour,
            markersize=size,
            markerfacecolor="none",
            markeredgewidth=1.8,
            linestyle="none",
            label=label,
        )
    axes.invert_yaxis()
    axes.set_title(f"minute {surface['t_s'] / 60:.0f}, along the found bearing", fontsize=10)
    axes.set_xlabel("range [km]")
    axes.set_ylabel("depth [m]")
    axes.legend(loc="lower right", fontsize=8, framealpha=0.85, markerscale=0.6, facecolor="lightgrey")
    return image


def draw_plan(axes: Axes, findings: Findings) -> AxesImage | None:
    """Draw the whole track from above, over the ambiguity of one snapshot at the found depth."""
    _, found, true = tracks(findings)
    plans = [surface for surface in findings["surfaces"] if surface["kind"] == "plan"]
    image = show_surface(axes, plans[0], 1e3, 1e3) if plans else None
    corners = np.array([[c["x_m"], c["y_m"]] for c in findings["corners"]]) / 1e3
    axes.plot(true[:, 0] / 1e3, true[:, 1] / 1e3, color="white", linewidth=5.0, label="logged track")
    axes.plot(found[:, 0] / 1e3, found[:, 1] / 1e3, color="red", linewidth=1.3, label="found track")
    axes.plot(corners[:, 0], corners[:, 1], ".", color="red", markersize=5)
    axes.plot(0, 0, "^", color="orange", markersize=10, markeredgecolor="black", label="array")
    axes.set_aspect("equal")
    axes.set_xlabel("east of the array [km]")
    axes.set_ylabel("north of the array [km]")
    when = f"; ambiguity of minute {plans[0]['t_s'] / 60:.0f}" if plans else ""
    axes.set_title(f"track from above{when}", fontsize=10)
    axes.legend(loc="lower left", fontsize=8, framealpha=0.85, facecolor="lightgrey")
    return image


def draw_errors(axes: Axes, findings: Findings) -> None:
    """Error against the log over time: position, range, depth."""
    minutes, found, true = tracks(findings)
    position = np.hypot(*(found - true)[:, :2].T)
    spread = np.abs(np.hypot(found[:, 0], found[:, 1]) - np.hypot(true[:, 0], true[:, 1]))
    depth = np.abs(found[:, 2] - true[:, 2])
    for values, label, colour in ((position, "position", "black"), (spread, "range", TRUE), (depth, "depth", FOUND)):
        rms = float(np.sqrt(np.mean(values**2)))
        axes.semilogy(
            minutes, np.maximum(values, 0.01), color=colour, label=f"{label} (rms {rms:.2g} m)", linewidth=1.4
        )
    axes.set_ylim(0.01, None)
    axes.set_xlabel("time in event S5 [min]")
    axes.set_ylabel("error [m]")
    axes.set_title("error against the logged track", fontsize=10)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8)


def draw(findings: Findings, path: Path) -> None:
    """Write the whole picture to ``path``."""
    figure = plt.figure(figsize=(14, 9), layout="constrained")
    grid = figure.add_gridspec(3, 3, width_ratios=(1.25, 1.0, 1.0))
    image = draw_plan(figure.add_subplot(grid[:, 0]), findings)
    vertical = [surface for surface in findings["surfaces"] if surface["kind"] == "range-depth"][:3]
    for row, surface in enumerate(vertical):
        image = draw_range_depth(figure.add_subplot(grid[row, 1]), surface, findings)
    draw_errors(figure.add_subplot(grid[:2, 2]), findings)
    notes = figure.add_subplot(grid[2, 2])
    notes.axis("off")
    notes.text(0.0, 0.95, summary(findings), va="top", fontsize=10, linespacing=1.5)
    if image is not None:
        figure.colorbar(image, ax=notes, location="bottom", label="Bartlett power below the peak [dB]", fraction=0.12)
    figure.suptitle("Matched-field tracking of the deep source, SWellEx-96 event S5", fontsize=14)
    figure.savefig(path, dpi=110)


def summary(findings: Findings) -> str:
    """Say what the run was, for the caption."""
    mismatch = (
        "another sound-speed profile than the data's" if findings["mismatch"] else "the data's sound-speed profile"
    )
    return (
        f"13 tones, {len(findings['phones'])} phones; data synthesised at\n"
        f"{findings['snr_db']:g} dB per phone and tone (source at {findings['snr_range_m'] / 1e3:g} km);\n"
        f"array leans {findings['tilt_deg']:g}° and bows {findings['bow_m']:g} m, both known;\n"
        f"search with {mismatch}.\n"
        f"{findings['ranks']} ranks, {findings['allgathers']} Allgathers of 40 bytes:\n"
        f"computing {findings['computing_s']:.1f} s, communicating {findings['communicating_s']:.1f} s"
    )


def main() -> None:
    """Command line: the findings' file, the picture's file."""
    parser = argparse.ArgumentParser(description="Draws the findings of mft.")
    parser.add_argument("findings", type=Path, help="JSON file of mft --output")
    parser.add_argument("picture", type=Path, help="PNG file to write")
    arguments = parser.parse_args()
    draw(read(arguments.findings), arguments.picture)
    print(f"picture: {arguments.picture.resolve()}")


if __name__ == "__main__":
    main()
