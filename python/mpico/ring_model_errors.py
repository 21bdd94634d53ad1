"""Figure 11 and section 5.4: the paper's model, with the paper's parameters, against the simulated machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .results import Measurement
from .ring_model import allgather, broadcast, unicast
from .ring_model_cells import LARGEST_ERROR, Cell
from .ring_paper import SIZES
from .ring_systems import LARGE_BYTES, SMALL_BYTES

ODD_BYTES = 5120
"""Where the paper saw its unicast model diverge: two packets and a half."""
NODES = (2, 3, 4)
"""System sizes whose measurements gave the paper its parameters."""
BY_SIZE_NODES = 4


def predicted(m: Measurement, counted: bool = True) -> float:
    """Microseconds by Eqs. 7, 10 and 11 for what was measured; `counted` as in ring_model.additional_packets."""
    if m.pattern == "once":
        return unicast(m.bytes, m.hops or 1, m.ranks, counted=counted)
    if m.pattern == "bcast":
        return broadcast(m.bytes, m.ranks)
    return allgather(m.bytes, m.ranks, m.pattern == "allgather-in-place")


def error_percent(m: Measurement, counted: bool = True) -> float:
    """Of the model against the measurement."""
    return 100 * (predicted(m, counted) - m.us) / m.us


@dataclass(frozen=True)
class Panel:
    """A set of measurements with the largest error that the paper states for it."""

    row: str
    patterns: tuple[str, ...]
    nodes: tuple[int, ...]
    sizes: tuple[int, ...]
    bound: float
    counted: bool = True


_ALL = ("allgather", "allgather-in-place")
PANELS = (
    Panel("Unicast by message size, four nodes", ("once",), (BY_SIZE_NODES,), SIZES, 2.25),
    Panel("the same, floor of Eq. 7 as printed", ("once",), (BY_SIZE_NODES,), SIZES, 2.25, counted=False),
    Panel("the same, at 5,120 bytes", ("once",), (BY_SIZE_NODES,), (ODD_BYTES,), 2.25),
    Panel("Unicast by system size, 128 bytes", ("once",), NODES, (SMALL_BYTES,), 1.42),
    Panel("Unicast by system size, 4 KB", ("once",), NODES, (LARGE_BYTES,), 3.00),
    Panel("Broadcast by message size, four nodes", ("bcast",), (BY_SIZE_NODES,), SIZES, 2.52),
    Panel("Broadcast by system size", ("bcast",), NODES, (SMALL_BYTES, LARGE_BYTES), 2.90),
    Panel("All-to-all by message size, four nodes", _ALL, (BY_SIZE_NODES,), SIZES, 2.62),
    Panel("All-to-all by system size", _ALL, NODES, (SMALL_BYTES, LARGE_BYTES), 2.68),
)


def of_panel(panel: Panel, measured: Iterable[Measurement]) -> list[Measurement]:
    """The panel's measurements."""
    return [m for m in measured if m.pattern in panel.patterns and m.ranks in panel.nodes and m.bytes in panel.sizes]


def error_cells(measured: Iterable[Measurement]) -> list[Cell]:
    """The largest error of each panel beside the paper's: shown, not judged, for the paper's is of its model against hardware."""
    seen = list(measured)
    cells = []
    for panel in PANELS:
        largest = max(abs(error_percent(m, panel.counted)) for m in of_panel(panel, seen))
        cells.append(Cell("Section 5.4", panel.row, LARGEST_ERROR, "%", panel.bound, None, largest, None, panel.bound))
    return cells
