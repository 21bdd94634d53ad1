"""Runs for `mpico reproduce ring-model`: the measuring program of `mpico bench` on the paper's four systems, simulated.

A system's machine is the SHARC's file with another clock and link rate: the costs in cycles stay (section 6). Microseconds, bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from .places import PlaceError
from .results import Measurement, ResultsError, measurement_of
from .ring_runs import Job, Place, RunError, launch
from .ring_systems import System

PAPERS, OURS = "stop-and-wait", "windowed"
PATTERN = {"unicast": "once", "bcast": "bcast", "allgather": "allgather", "allgather-in-place": "allgather-in-place"}
"""What is measured for a function of the model: "once" is the situation of Eq. 5."""


@dataclass(frozen=True)
class Task:
    """One run of the measuring program."""

    system: System
    discipline: str
    nodes: int
    patterns: tuple[str, ...]
    sizes: tuple[int, ...]
    farthest: bool = True
    """Messages from rank 0 go to the farthest node only; else to every one."""


Measured = dict[Task, list[Measurement]]


def machine_of(system: System, base: Path, folder: Path) -> Path:
    """The file of `base` with the system's clock and link rate, written into `folder`. Raises PlaceError."""
    try:
        text = base.read_text(encoding="utf-8")
    except OSError as error:
        raise PlaceError(f"cannot read the machine file {base}: {error.strerror}") from None
    for key, value in (("clock_hz", system.clock_mhz), ("bytes_per_second", system.link_mb_s)):
        text, found = re.subn(rf"(?m)^{key}\s*=\s*[0-9.eE+]+", f"{key} = {value:g}e6", text)
        if found != 1:
            raise PlaceError(f"{base} has {found} lines '{key} = ...', and must have one: take a machine with a ring")
    path = folder / f"{base.stem}-{system.clock_mhz:g}-{system.link_mb_s:g}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def read_measurements(text: str, task: Task) -> list[Measurement]:
    """The measuring program's lines. Raises RunError when they are of something else."""
    found = []
    for line in text.splitlines():
        try:
            record = json.loads(line)
            if record["record"] == "measurement":
                found.append(measurement_of(record))
        except (ValueError, KeyError, TypeError, ResultsError) as error:
            raise RunError(f"measure on {task.nodes} nodes printed an unexpected line ({error}): {line}") from None
    told = {(m.pattern, m.bytes) for m in found if m.ranks == task.nodes}
    missing = {(pattern, size) for pattern in task.patterns for size in task.sizes} - told
    if missing:
        raise RunError(f"measure on {task.nodes} nodes did not tell {sorted(missing)}")
    return found


def run(place: Place, machines: dict[System, Path], task: Task) -> list[Measurement]:
    """The measurements of one task. Raises RunError."""
    there = replace(place, machine=str(machines[task.system]))
    words = [str(place.bench / "measure"), "--patterns", ",".join(task.patterns)]
    words += ["--sizes", ",".join(map(str, task.sizes))]
    words += ["--pairs", f"0-{task.nodes - 1}" if task.farthest else "from-0"]
    return read_measurements(launch(there, Job("measure", task.discipline, task.nodes), words), task)


def table(measured: Iterable[Measurement]) -> dict[tuple[str, int, int, int], float]:
    """Microseconds by pattern, nodes, bytes and hops (0 where a pattern has none)."""
    return {(m.pattern, m.ranks, m.bytes, m.hops or 0): m.us for m in measured}
