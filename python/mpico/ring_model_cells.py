"""What the ring paper published of its model (Tables 7 to 11, section 5.4, Figure 13d), beside ours.

Microseconds, bytes; Table 10 in cycles, Table 11 in percent of the SHARC's slope. A cell says which of our two numbers, the
model's or the simulation's, is judged, and by what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from .parameter_types import BEYOND_PAPER, SUMS, RingService
from .ring_model import PAPER
from .ring_systems import (
    ENHANCED_CLOCK,
    ENHANCED_RATE,
    LARGE_BYTES,
    SHARC,
    SMALL_BYTES,
    TIGERSHARC,
    System,
    relative_scalability,
)

PARAMETERS_PERCENT = 3.0
"""Target of Tables 7 to 10, simulated against published."""
SCALABILITY_POINTS = 0.5
"""Target of Table 11, model against published, in percentage points."""
CROSSING_PERCENT = 5.0

TABLES = {"unicast": "Table 7", "broadcast": "Table 8", "allgather": "Table 9"}

TABLE_10 = {"o_r": 1166.8, "o_s": 1145.2, "o_ap": 1932.0, "L_s": 616.0, "L_rts": 357.0}
"""Cycles of the clock."""

_ALLGATHER = {SMALL_BYTES: (34.3, 92.4, 26.7), LARGE_BYTES: (84.5, 42.2, 26.7)}
TABLE_11 = {
    "unicast": {SMALL_BYTES: (39.0, 87.7, 26.7), LARGE_BYTES: (83.0, 43.7, 26.7)},
    "bcast": {SMALL_BYTES: (35.1, 91.6, 26.7), LARGE_BYTES: (76.1, 50.6, 26.7)},
    "allgather": _ALLGATHER,
    "allgather-in-place": _ALLGATHER,
}
"""By function and message size: enhanced clock rate, enhanced data rate, TigerSHARC."""
TABLE_11_SYSTEMS = (ENHANCED_CLOCK, ENHANCED_RATE, TIGERSHARC)
NAMES = {
    "unicast": "Unicast",
    "bcast": "Broadcast",
    "allgather": "Allgather",
    "allgather-in-place": "In-Place Allgather",
}

CROSSING_NODES = 11
"""Figure 13d: an allgather of 4 KB."""
CROSSING_RATIO = 11
"""Section 6: how much higher the message size of the allgather's crossover on eight nodes is than the in-place allgather's."""


@dataclass(frozen=True)
class Cell:
    """One number with what was published, and ours. None is what there is not."""

    table: str
    row: str
    column: str
    unit: str
    published: float | None
    model: float | None
    simulated: float | None
    ours: float | None = None
    target_percent: float | None = None
    judged: Literal["model", "simulated", "nothing"] = "nothing"
    judged_by: Literal["published", "model"] = "published"

    @property
    def error_percent(self) -> float | None:
        """Of the judged number (else the simulated) in percent of its reference; in points where the unit is percent.

        Of a bound on errors (section 5.4): the error itself.
        """
        if self.column == LARGEST_ERROR:
            return self.simulated
        found = self.model if self.judged == "model" else self.simulated
        reference = self.model if self.judged_by == "model" else self.published
        if found is None or reference is None:
            return None
        return found - reference if self.unit == "%" else 100 * (found - reference) / reference

    @property
    def good(self) -> bool:
        """Within the target; always so where there is none."""
        error = self.error_percent
        return self.target_percent is None or (error is not None and abs(error) <= self.target_percent)

    def as_json(self) -> dict[str, object]:
        """One object of `mpico reproduce ring-model --json`: the keys of ring-paper's, and "judged"."""
        return {**asdict(self), "error_percent": self.error_percent, "good": self.good}


LARGEST_ERROR = "largest error"


def _value(service: RingService, table: str, names: Iterable[str]) -> float:
    values: dict[str, float] = asdict(getattr(service, table))
    return sum(values[name] for name in names)


def _parameters(service: RingService, table: str) -> list[tuple[str, ...]]:
    """Names of a table's parameters, as published; of what the fit knows as a sum, both together."""
    joint: list[tuple[str, ...]] = [pair for pair in SUMS.get(table, ()) if f"{table}.{'+'.join(pair)}" in service.sums]
    merged = {name for pair in joint for name in pair}
    left_out = merged | BEYOND_PAPER.get(table, set()) | {"w_min"}
    alone = [(name,) for name in asdict(getattr(service, table)) if name not in left_out]
    return joint + alone


def parameter_cells(fitted: RingService) -> list[Cell]:
    """Tables 7, 8 and 9 from parameters fitted to simulated runs of 2 to 4 nodes."""
    return [
        Cell(
            TABLES[table],
            table,
            " + ".join(names),
            "bytes" if names == ("w_max",) else "us",
            _value(PAPER, table, names),
            None,
            _value(fitted, table, names),
            target_percent=PARAMETERS_PERCENT,
            judged="simulated",
        )
        for table in TABLES
        for names in _parameters(fitted, table)
    ]


def cycle_cells(fitted: RingService) -> list[Cell]:
    """Table 10: the clock-bound parameters in cycles; the model's are Table 7's times 40 MHz."""
    cells = []
    for names in _parameters(fitted, "unicast"):
        if all(name in TABLE_10 for name in names):
            ours, papers = (SHARC.clock_mhz * _value(service, "unicast", names) for service in (fitted, PAPER))
            published = sum(TABLE_10[name] for name in names)
            column = " + ".join(names)
            told = Cell("Table 10", "unicast", column, "cycles", published, papers, ours)
            cells.append(replace(told, target_percent=PARAMETERS_PERCENT, judged="simulated"))
    return cells


Slope = Callable[[str, int, System], float]
"""Measured microseconds a node by function, size, system."""


def scalability_cells(simulated: Slope, ours: Slope) -> list[Cell]:
    """Table 11: the model's 24 cells, judged, and slopes of the simulated systems."""
    cells = []
    for name, sizes in TABLE_11.items():
        for size, published in sizes.items():
            for system, value in zip(TABLE_11_SYSTEMS, published, strict=True):
                theirs, own = (100 * f(name, size, system) / f(name, size, SHARC) for f in (simulated, ours))
                row = f"{NAMES[name]} - {'small' if size == SMALL_BYTES else 'large'} message"
                model = relative_scalability(name, size, system)
                column, target = system.name, SCALABILITY_POINTS
                cells.append(Cell("Table 11", row, column, "%", value, model, theirs, own, target, judged="model"))
    return cells


def crossing_cells(model: Mapping[str, float], simulated: Mapping[str, float]) -> list[Cell]:
    """Where the enhanced clock and the enhanced data rate change places. Keys: "nodes" and functions (bytes, eight nodes).

    The ratio of sizes that the paper states contradicts its Eq. 11, so it is judged by that.
    """
    nodes, (standard, in_place) = "nodes", ("allgather", "allgather-in-place")
    cells = [
        Cell(
            "Figure 13d",
            "Allgather - 4 KB",
            "crossover",
            "nodes",
            CROSSING_NODES,
            model[nodes],
            simulated.get(nodes),
            target_percent=CROSSING_PERCENT,
            judged="model",
        )
    ]
    for name in TABLE_11:
        cells.append(
            Cell(
                "Figure 12",
                NAMES[name],
                "crossover",
                "bytes",
                None,
                model[name],
                simulated.get(name),
                judged_by="model",
            )
        )
    ratio = model[standard] / model[in_place]
    measured = simulated[standard] / simulated[in_place] if {standard, in_place} <= simulated.keys() else None
    row = "Allgather over in-place"
    told = Cell("Section 6", row, "crossover ratio", "times", CROSSING_RATIO, ratio, measured)
    return [*cells, replace(told, target_percent=CROSSING_PERCENT, judged="simulated", judged_by="model")]
