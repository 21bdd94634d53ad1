"""How sharp an image of point targets is, beside the theory of its pulses.

The transmitted pulse is a linear chirp, and so is the echo's phase along the flight; each is compressed by its matched filter, so
that a target becomes the chirp's autocorrelation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FINE = 32
"""Points from sample to sample of a cut."""
REACH_CELLS = 5.0
"""A cut goes so far from its target; sidelobes are looked for there."""


@dataclass(frozen=True)
class Response:
    """A target's cut in one direction."""

    width_cells: float
    """Between the points 3 dB below the top, in units of light_speed/(2 bandwidth) or its like: 1/bandwidth."""
    sidelobe_db: float
    """Highest sidelobe, from the top; -inf where there is none in reach."""


def chirp_response(product: float, cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Magnitude of a compressed chirp with this product of duration and bandwidth, at times in units of 1/bandwidth.

    (1 - |t|/T) sinc(B t (1 - |t|/T)): Levanon, Mozeson, Radar signals (2004), equation 4.6 at zero Doppler.
    """
    left = np.clip(1 - np.abs(cells) / product, 0, None)
    return np.asarray(np.abs(left * np.sinc(cells * left)))


def response_of(cells: NDArray[np.float64], magnitude: NDArray[np.float64]) -> Response:
    """Width and sidelobe of a cut whose top is at or next to cell 0; `cells` ascends evenly.

    Raises ValueError when the main lobe does not end within the cut.
    """
    top = int(np.argmax(np.where(np.abs(cells) < 0.7, magnitude, 0)))
    relative = magnitude / magnitude[top]

    def walk(step: int) -> tuple[float, int]:
        half, i = None, top
        while 0 <= i + step < len(cells):
            if half is None and relative[i + step] < np.sqrt(0.5):
                share = (relative[i] - np.sqrt(0.5)) / (relative[i] - relative[i + step])
                half = cells[i] + share * (cells[i + step] - cells[i])
            if half is not None and relative[i + step] > relative[i]:
                return float(half), i
            i += step
        raise ValueError("the main lobe does not end within the cut")

    (left, first_null), (right, second_null) = walk(-1), walk(1)
    beside = np.concatenate([relative[: first_null + 1], relative[second_null:]])
    highest = float(beside.max(initial=0.0))
    return Response(right - left, 20 * np.log10(highest) if highest > 0 else -np.inf)


def theory(product: float) -> Response:
    """Of a compressed chirp in the textbook, which has no samples."""
    cells = np.arange(-REACH_CELLS, REACH_CELLS, 1 / 512)
    return response_of(cells, chirp_response(product, cells))


def sampled_theory(samples: int, cell: float, fraction: float) -> Response:
    """Of a compressed chirp of so many samples, `cell` samples for 1/bandwidth, that arrives `fraction` of a sample late.

    What of its spectrum lies beyond half the sampling rate is folded back, which widens short chirps by some per cent.
    """
    points = 4 * samples
    time = np.arange(points) - points // 2

    def chirp(late: float) -> NDArray[np.complex128]:
        t = time - late
        inside = (t >= -samples / 2) & (t < samples / 2)
        return np.asarray(np.where(inside, np.exp(1j * np.pi * t * t / (cell * samples)), 0))

    spectrum = np.fft.fft(chirp(fraction)) * np.conj(np.fft.fft(chirp(0.0)))
    cells = np.arange(-REACH_CELLS, REACH_CELLS, 1 / (FINE * cell))
    shift = np.exp(2j * np.pi * np.outer(fraction + cells * cell, np.fft.fftfreq(points)))
    return response_of(cells, np.abs(shift @ spectrum))


def cut(image: NDArray[np.complex64], axis: int, at: tuple[float, float], cell: float) -> Response:
    """Along `axis` through the place `at` (row, column; may lie between pixels); a cell is `cell` pixels.

    Exact interpolation by Fourier series: the image's spectrum has room to both sides. Raises ValueError as response_of() does.
    """
    along, across = image.shape[axis], image.shape[1 - axis]
    turned = np.moveaxis(image, axis, 0).astype(np.complex128)
    ramp = np.exp(2j * np.pi * np.fft.fftfreq(across) * at[1 - axis])
    line = np.fft.fft(turned, axis=1) @ ramp / across
    spectrum = np.fft.fft(line)
    cells = np.arange(-REACH_CELLS, REACH_CELLS, 1 / (FINE * cell))
    places = at[axis] + cells * cell
    shift = np.exp(2j * np.pi * np.outer(places, np.fft.fftfreq(along)))
    return response_of(cells, np.abs(shift @ spectrum) / along)
