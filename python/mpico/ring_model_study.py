"""What `mpico reproduce ring-model` runs, and the cells that follow. Microseconds, bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import fit_ring
from .crossover import by_nodes, by_size
from .parameter_types import RingService
from .results import Environment, Measurement, Results
from .ring_model import PAPER
from .ring_model_cells import (
    TABLE_11,
    Cell,
    Slope,
    crossing_cells,
    cycle_cells,
    parameter_cells,
    scalability_cells,
)
from .ring_model_errors import NODES, ODD_BYTES, error_cells
from .ring_model_runs import OURS, PAPERS, PATTERN, Measured, Task
from .ring_paper import SIZES
from .ring_systems import ENHANCED_CLOCK, ENHANCED_RATE, LARGE_BYTES, SHARC, SMALL_BYTES, SYSTEMS, System

FIT_PATTERNS = (*fit_ring.NEEDED, "send-overhead")
"""o_s from the sender's engagement; o_r is what remains of o_s + o_r in Eq. 5."""
BY_SIZE_NODES = 8
BEYOND = (20480, 32768)
"""Sizes beyond the paper's: the allgather's crossover lies there."""
QUICK_BY_SIZE = (4, 128, 512, 1024, 2048, 4096, 16384, *BEYOND)
BY_NODES, QUICK_BY_NODES = (2, 4, 8, 12, 16), (2, 16)

Run = Callable[[Task], list[Measurement]]


@dataclass(frozen=True)
class Tasks:
    """The runs, by what they serve."""

    fit: tuple[Task, ...]
    by_size: tuple[Task, ...]
    by_nodes: tuple[Task, ...]

    def every(self) -> list[Task]:
        """All of them, the slow ones first."""
        return sorted({*self.fit, *self.by_size, *self.by_nodes}, key=lambda task: -task.nodes * len(task.sizes))


def tasks(quick: bool) -> Tasks:
    """Fit and Figure 11: the SHARC on 2 to 4 nodes. Figure 12: four systems over sizes. Table 11, Figure 13: over nodes."""
    sizes = tuple(sorted({*fit_ring.SIZES, *SIZES, ODD_BYTES}))
    functions, both = tuple(PATTERN.values()), (SMALL_BYTES, LARGE_BYTES)
    across = QUICK_BY_SIZE if quick else (*SIZES, *BEYOND)
    return Tasks(
        tuple(Task(SHARC, PAPERS, nodes, FIT_PATTERNS, sizes, farthest=False) for nodes in NODES),
        tuple(Task(system, PAPERS, BY_SIZE_NODES, functions, across) for system in SYSTEMS),
        tuple(
            Task(system, discipline, nodes, functions, both)
            for system in SYSTEMS
            for discipline in (PAPERS, OURS)
            for nodes in (QUICK_BY_NODES if quick else BY_NODES)
        ),
    )


def fitted(wanted: Tasks, measured: Measured) -> RingService:
    """The parameters of the simulated SHARC. Raises fit_checks.FitError."""
    seen = [m for task in wanted.fit for m in measured[task] if m.bytes in fit_ring.SIZES]
    return fit_ring.fit_ring(Results(Environment("machine", "sharc-ring", PAPERS), tuple(seen))).model


def slopes(wanted: Tasks, measured: Measured, discipline: str) -> Slope:
    """Microseconds a node between the least and the greatest number of nodes that were run."""

    def slope(name: str, size: int, system: System) -> float:
        us = {
            task.nodes: m.us
            for task in wanted.by_nodes
            if (task.system, task.discipline) == (system, discipline)
            for m in measured[task]
            if (m.pattern, m.bytes) == (PATTERN[name], size)
        }
        return (us[max(us)] - us[min(us)]) / (max(us) - min(us))

    return slope


def _gains(run: Run, name: str, nodes: int, sizes: Sequence[int]) -> list[float]:
    """By size: time with the enhanced clock less that with the enhanced data rate."""
    first, second = (
        {m.bytes: m.us for m in run(Task(system, PAPERS, nodes, (PATTERN[name],), tuple(sizes)))}
        for system in (ENHANCED_CLOCK, ENHANCED_RATE)
    )
    return [first[size] - second[size] for size in sizes]


def first_change(
    gains: Callable[[Sequence[int]], Sequence[float]], low: int, high: int, parts: int = 32
) -> float | None:
    """Where `gains` first passes from below 0 to above: `parts` (2 or more) at a time down to two neighbours, then interpolated.

    `gains` gives as many values as it is given whole numbers. None when it nowhere does.
    """
    while True:
        grid = sorted({low + (high - low) * i // parts for i in range(parts + 1)})
        values = gains(grid)
        around = [i for i in range(len(grid) - 1) if values[i] < 0 <= values[i + 1]]
        if not around:
            return None
        i = around[0]
        low, high = grid[i], grid[i + 1]
        if high - low == 1:
            return low + values[i] / (values[i] - values[i + 1])


def simulated_crossings(run: Run) -> dict[str, float]:
    """Simulated crossovers: sizes on eight nodes by function, and "nodes" of the allgather of 4 KB."""

    def by_nodes_run(nodes: Sequence[int]) -> list[float]:
        return [_gains(run, "allgather", count, (LARGE_BYTES,))[0] for count in nodes]

    found = {
        name: first_change(partial(_gains, run, name, BY_SIZE_NODES), SMALL_BYTES, BEYOND[-1]) for name in TABLE_11
    }
    found["nodes"] = first_change(by_nodes_run, 2, BY_NODES[-1], parts=4)
    return {name: at for name, at in found.items() if at is not None}


def model_crossings() -> dict[str, float]:
    """The same of Eqs. 7, 10 and 11 with Tables 7 to 9; the first of each, which is the only one."""
    found = {name: by_size(name, BY_SIZE_NODES, PAPER)[0].at for name in TABLE_11}
    return found | {"nodes": by_nodes("allgather", LARGE_BYTES, PAPER)[0].at}


def cells(wanted: Tasks, measured: Measured, crossings: dict[str, float]) -> list[Cell]:
    """All cells in the order of the paper. Raises fit_checks.FitError."""
    service = fitted(wanted, measured)
    return [
        *parameter_cells(service),
        *error_cells(m for task in wanted.fit for m in measured[task]),
        *cycle_cells(service),
        *crossing_cells(model_crossings(), crossings),
        *scalability_cells(slopes(wanted, measured, PAPERS), slopes(wanted, measured, OURS)),
    ]


def draw(wanted: Tasks, measured: Measured, folder: Path) -> list[Path]:
    """Figures 11, 12 and 13 as PNG files in `folder`."""
    from . import ring_model_figures as figures  # matplotlib takes a second to load
    from .ring_model_panels import panels

    name_of = {pattern: name for name, pattern in PATTERN.items()}
    over_size: dict[tuple[str, str], dict[float, float]] = {}
    for task in wanted.by_size:
        for m in measured[task]:
            if m.bytes <= SIZES[-1]:
                over_size.setdefault((name_of[m.pattern], task.system.name), {})[m.bytes] = m.us
    over_nodes: dict[int, dict[tuple[str, str], dict[float, float]]] = {SMALL_BYTES: {}, LARGE_BYTES: {}}
    for task in (task for task in wanted.by_nodes if task.discipline == PAPERS):
        for m in measured[task]:
            over_nodes[m.bytes].setdefault((name_of[m.pattern], task.system.name), {})[m.ranks] = m.us
    return [
        figures.validation(panels([m for task in wanted.fit for m in measured[task]]), folder),
        figures.by_size(over_size, BY_SIZE_NODES, folder),
        figures.by_nodes(over_nodes, BY_NODES[-1], folder),
    ]
