"""What the ring paper published for its own machine (Tables 3, 4, 5), and how a measurement is held against it.

Bytes, microseconds, MB/s (10^6 bytes), as in ring_model.py. A curve is {message size: microseconds}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from . import ring_model

Curve = dict[int, float]

SIZES = tuple(4 << i for i in range(13))
"""4 B to 16 KB, the range of the paper's measurements."""
QUICK_SIZES = (4, 2048, 8192, 16384)

MODEL: dict[str, Callable[[int, int], float]] = {
    "unicast": ring_model.unicast_mean,
    "multi-unicast": ring_model.multi_unicast,
    "bcast": ring_model.broadcast,
    "allgather": ring_model.allgather,
    "allgather-in-place": lambda size, nodes: ring_model.allgather(size, nodes, in_place=True),
}
"""Time of a function by message size and nodes."""

BANDWIDTH: dict[str, Callable[[int, int, float], float]] = {
    "unicast": lambda size, _nodes, latency_us: size / latency_us,
    "bcast": ring_model.broadcast_bandwidth,
    "allgather": ring_model.alltoall_bandwidth,
    "allgather-in-place": ring_model.alltoall_bandwidth,
}
"""Bandwidth that the paper states for it, by message size, nodes, time."""

OTHER_NETWORKS_8A = {
    "Fast Ethernet": (257.48, 27.10),
    "Gigabit Ethernet": (260.61, 40.56),
    "SCI": (20.77, 150.06),
    "Myrinet": (44.54, 122.89),
}
"""Table 4, eight nodes: minimum latency, maximum bandwidth."""


@dataclass(frozen=True)
class Cell:
    """One number of the paper's tables."""

    table: str
    row: str
    column: str
    function: str  # a key of MODEL
    nodes: int
    published: float
    target_percent: float
    doubted: bool = False  # contradicts the paper's own model: judged by that

    @property
    def is_bandwidth(self) -> bool:
        """MB/s, else microseconds."""
        return "bandwidth" in self.column.lower()

    def read(self, curve: Curve) -> float:
        """The cell's number of a measured or computed curve: its least time or its greatest bandwidth."""
        if not self.is_bandwidth:
            return min(curve.values())
        return max(BANDWIDTH[self.function](size, self.nodes, us) for size, us in curve.items())


@dataclass(frozen=True)
class Verdict:
    """A cell with what the model and the simulations say. `ours` is another protocol on the same machine."""

    cell: Cell
    model: float
    simulated: float
    ours: float

    @property
    def error_percent(self) -> float:
        """Of the simulated number against the published one; against the model's where the published is doubted."""
        reference = self.model if self.cell.doubted else self.cell.published
        return 100 * (self.simulated - reference) / reference

    @property
    def good(self) -> bool:
        """Within the target."""
        return abs(self.error_percent) <= self.cell.target_percent

    def as_json(self) -> dict[str, object]:
        """One object of `mpico reproduce ring-paper --json`."""
        return {
            "table": self.cell.table,
            "row": self.cell.row,
            "column": self.cell.column,
            "unit": "MB/s" if self.cell.is_bandwidth else "us",
            "published": self.cell.published,
            "model": self.model,
            "simulated": self.simulated,
            "error_percent": self.error_percent,
            "target_percent": self.cell.target_percent,
            "judged_by": "model" if self.cell.doubted else "published",
            "good": self.good,
            "ours": self.ours,
        }


LATENCY, BANDWIDTH_COLUMN = "Minimum latency", "Maximum bandwidth"


def _unicast(nodes: int, row: str, latency: float, bandwidth: float) -> list[Cell]:
    return [
        Cell("Table 3", row, LATENCY, "unicast", nodes, latency, 10),
        Cell("Table 3", row, BANDWIDTH_COLUMN, "unicast", nodes, bandwidth, 18),
    ]


def _collective(
    table: str, row: str, function: str, published: tuple[float, float, float, float], doubted: bool = False
) -> list[Cell]:
    """Latency and bandwidth of four nodes, then of eight, as the tables list them; `doubted` is of the last."""
    columns = [(4, "Four-node", LATENCY), (4, "Four-node", BANDWIDTH_COLUMN)]
    columns += [(8, "Eight-node", LATENCY), (8, "Eight-node", BANDWIDTH_COLUMN)]
    return [
        Cell(table, row, f"{system} {what.lower()}", function, nodes, value, 5, doubted and column == 3)
        for column, ((nodes, system, what), value) in enumerate(zip(columns, published, strict=True))
    ]


# The eight-node bandwidth of the broadcast, 150.06, also stands in SCI's row of the same table. Eq. 10 with Table 8 gives 121,
# and section 5.4 says that model and measurement differ by 2.9 % at most.
CELLS = (
    *_unicast(4, "Four-Node SHARC", 81.38, 19.05),
    *_unicast(8, "Eight-Node SHARC", 129.98, 16.95),
    *_collective("Table 4", "SHARC", "bcast", (110.35, 75.99, 212.43, 150.06), doubted=True),
    *_collective("Table 5", "SHARC", "allgather", (147.75, 48.74, 260.33, 157.25)),
    *_collective("Table 5", "SHARC In-place", "allgather-in-place", (147.28, 143.39, 258.78, 288.09)),
)


def model_curve(function: str, nodes: int, sizes: Iterable[int]) -> Curve:
    """The paper's model at these sizes."""
    return {size: MODEL[function](size, nodes) for size in sizes}


def judge(simulated: dict[tuple[str, int], Curve], ours: dict[tuple[str, int], Curve]) -> list[Verdict]:
    """Verdicts on all cells, from curves by (function, nodes): of the paper's protocol, and of ours."""
    verdicts = []
    for cell in CELLS:
        curve = simulated[cell.function, cell.nodes]
        model = cell.read(model_curve(cell.function, cell.nodes, curve))
        verdicts.append(Verdict(cell, model, cell.read(curve), cell.read(ours[cell.function, cell.nodes])))
    return verdicts


def _slope(curve: Curve, low: int, high: int) -> float:
    return (curve[high] - curve[low]) / (high - low)


def claims(curves: dict[tuple[str, int], Curve]) -> list[str]:
    """What the paper's text says of Figures 8a and 8b beside what `curves` say; sentences, not judged."""
    four, multi, eight = curves["bcast", 4], curves["multi-unicast", 4], curves["bcast", 8]
    steeper = _slope(eight, 4, 2048) / _slope(eight, 8192, 16384)
    return [
        f"Figure 8a: beyond 2 KB the broadcast's slope falls by {100 * (steeper - 1):.0f} % (published: 558 %)",
        f"Figure 8b: at 4 B the broadcast takes {100 * four[4] / multi[4]:.0f} % of the multi-unicast's time "
        "(published: 45 %)",
        f"Figure 8b: at 8 KB the multi-unicast takes {multi[8192] / four[8192]:.2f} times as long (published: over 3)",
    ]
