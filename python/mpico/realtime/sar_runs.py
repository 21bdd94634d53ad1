"""Images of point targets by `realtime grid --chain sar`, and what is known of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grid_runs import Grid, GridError, GridRun, Where, run
from .sar_quality import Response, cut, sampled_theory, theory

WIDTH_TOLERANCE = 0.02
"""Relative, without noise."""
SIDELOBE_TOLERANCE_DB = 0.5
SIGMAS = 3.0
"""Of the noise in the image, on top of the tolerances."""
SLOPE_PER_CELL = 1.36
"""Of sinc at half power, where its width is measured."""
ERROR_MOST_CELLS = 0.5
SAMPLING = 1.25
"""Pixels of range, and of azimuth unless the scene's range says otherwise, for a cell of 1/bandwidth."""
RANGE, AZIMUTH = 0, 1


@dataclass(frozen=True)
class Target:
    """A target as it is and as it was found; metres, amplitudes, and cells of resolution (3 dB) for the error."""

    true_range_m: float
    true_azimuth_m: float
    true_amplitude: float
    range_m: float | None
    azimuth_m: float | None
    amplitude: float | None
    error_cells: float | None
    responses: tuple[Response, Response] | None
    """In range, in azimuth; None when it was not found or has no clear cut."""
    ideal: tuple[Response, Response]
    """What the pulses make of a target there, without noise and without neighbours."""


@dataclass(frozen=True)
class SarImage:
    """An image with what it should show."""

    run: GridRun
    record: Mapping[str, Any]
    pixels: NDArray[np.complex64]
    """rows (range) x columns (azimuth)"""
    targets: tuple[Target, ...]
    textbook: tuple[Response, Response]
    """Of compressed chirps that were not sampled."""

    @property
    def focused(self) -> bool:
        """All targets are within half a resolution cell of where they are."""
        return all(t.error_cells is not None and t.error_cells < ERROR_MOST_CELLS for t in self.targets)

    def tolerances(self, target: Target) -> tuple[float, float]:
        """Of the width (relative) and of the sidelobe (dB): the constants, and what noise may add to them."""
        gain = self.record["chirp"] * self.record["aperture"]
        noise = SIGMAS * self.record["noise"] / gain**0.5 / target.true_amplitude
        lobe = 10 ** (min(response.sidelobe_db for response in target.ideal) / 20)
        width = 2**0.5 * noise / SLOPE_PER_CELL / min(response.width_cells for response in target.ideal)
        return WIDTH_TOLERANCE + width, SIDELOBE_TOLERANCE_DB + 20 * log10(1 + noise / lobe)

    def sharpness(self) -> list[str]:
        """Sentences on the targets whose width or sidelobes are not those of the theory; none: all are."""
        return [text for number, target in enumerate(self.targets, 1) for text in self._blurs(number, target)]

    def _blurs(self, number: int, target: Target) -> Iterator[str]:
        if not target.responses:
            yield f"target {number} has no clear cut"
            return
        width, lobe = self.tolerances(target)
        for name, got, ideal in zip(("range", "azimuth"), target.responses, target.ideal, strict=True):
            if abs(got.width_cells / ideal.width_cells - 1) > width:
                yield f"target {number}: {name} width {got.width_cells:.3f}, not {ideal.width_cells:.3f} cells"
            if abs(got.sidelobe_db - ideal.sidelobe_db) > lobe:
                yield f"target {number}: {name} sidelobe {got.sidelobe_db:.2f}, not {ideal.sidelobe_db:.2f} dB"

    def as_json(self) -> dict[str, Any]:
        """For --json, without the pixels."""
        textbook = dict(zip(("range", "azimuth"), map(asdict, self.textbook), strict=True))
        targets = [asdict(target) for target in self.targets]
        good = {"focused": self.focused, "sharpness": self.sharpness()}
        return {
            "grid": self.run.as_json(),
            "scene": dict(self.record),
            "targets": targets,
            "textbook": textbook,
            **good,
        }


def cells_of(record: Mapping[str, Any], beyond_m: float = 0.0) -> tuple[float, float]:
    """Pixels for 1/bandwidth in range and in azimuth, for a target so far beyond the first range bin.

    The bandwidth in azimuth, in cycles a metre, is 2 aperture / (wavelength range).
    """
    aperture_m = record["aperture"] * record["spacing_m"]
    range_m = record["range_m"] + beyond_m
    return SAMPLING, record["wavelength_m"] * range_m / (2 * aperture_m) / record["spacing_m"]


def _textbook(record: Mapping[str, Any]) -> tuple[Response, Response]:
    """Of products of duration and bandwidth."""
    cells = cells_of(record)
    return theory(record["chirp"] / cells[RANGE]), theory(record["aperture"] / cells[AZIMUTH])


def _ideal(record: Mapping[str, Any], range_m: float, azimuth_m: float) -> tuple[Response, Response]:
    cells = cells_of(record, range_m)
    in_range = sampled_theory(record["chirp"], cells[RANGE], range_m / record["bin_m"] % 1)
    return in_range, sampled_theory(record["aperture"], cells[AZIMUTH], azimuth_m / record["spacing_m"] % 1)


def _responses(pixels: NDArray[np.complex64], record: Mapping[str, Any], i: int) -> tuple[Response, Response] | None:
    cells = cells_of(record, record["found_range_m"][i])
    at = (record["found_range_m"][i] / record["bin_m"], record["found_azimuth_m"][i] / record["spacing_m"])
    try:
        return cut(pixels, RANGE, at, cells[RANGE]), cut(pixels, AZIMUTH, at, cells[AZIMUTH])
    except ValueError:
        return None


def _target(pixels: NDArray[np.complex64], record: Mapping[str, Any], i: int) -> Target:
    return Target(
        true_range_m=record["true_range_m"][i],
        true_azimuth_m=record["true_azimuth_m"][i],
        true_amplitude=record["true_amplitude"][i],
        range_m=record["found_range_m"][i],
        azimuth_m=record["found_azimuth_m"][i],
        amplitude=record["found_amplitude"][i],
        error_cells=record["error_cells"][i],
        responses=_responses(pixels, record, i) if record["found_range_m"][i] is not None else None,
        ideal=_ideal(record, record["true_range_m"][i], record["true_azimuth_m"][i]),
    )


def image_of(grid_run: GridRun, pixels: NDArray[np.complex64]) -> SarImage:
    """The image with its targets. Raises GridError when the run printed no record of them."""
    record = grid_run.sar
    if record is None:
        raise GridError("the run printed nothing about its image; build the program again")
    targets = [_target(pixels, record, i) for i in range(record["targets"])]
    return SarImage(grid_run, record, pixels, tuple(targets), _textbook(record))


def take(where: Where, grid: Grid, options: Sequence[str], keep: Path | None) -> SarImage:
    """Runs the grid and reads its image, which stays in the file `keep` when there is one.

    Raises PlaceError, GridError.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = keep or Path(folder) / "image.npy"
        outcome = run(where, grid, [*options, "--npy", str(file)])
        try:
            pixels = np.load(file)
        except (OSError, ValueError) as error:
            raise GridError(f"cannot read the image {file}: {error}") from None
    return image_of(outcome, pixels)
