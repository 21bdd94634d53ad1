"""Runs of `realtime grid`, the mapping of section 6 of the report, and what they print."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..places import PlaceError, program

PROGRAM = "lib/mpico/bench/realtime"
TIMEOUT_S = 1800.0


class GridError(Exception):
    """A run cannot be, or what it printed cannot be understood; the text is a sentence."""


@dataclass(frozen=True)
class Where:
    """Where to run: a simulated machine, fibers, or processes; with mpico's launcher and program or others."""

    machine: str | None = None
    fibers: bool = False
    mpiexec: Path | None = None
    program: Path | None = None

    @property
    def name(self) -> str:
        """For titles."""
        return self.machine or ("fibers" if self.fibers else "processes")

    def _launcher(self, built: str) -> list[str]:
        """A file as it is, else a command with options."""
        if self.mpiexec is None or self.mpiexec.is_file():
            return [str(self.mpiexec or program("bin/mpiexec", built))]
        try:
            return shlex.split(str(self.mpiexec))
        except ValueError as error:
            raise GridError(f"--mpiexec {self.mpiexec}: {str(error).lower()}; close it or leave it out") from None

    def command(self, ranks: int) -> list[str]:
        """Launcher, its options, and the program. Raises PlaceError when they are not there, GridError."""
        if self.machine and self.fibers:
            raise GridError("a simulated machine and fibers are two places; give --machine or --fibers")
        built = "build it first: make build"
        words = self._launcher(built)
        words += ["--machine", self.machine] if self.machine else ["--fibers"] if self.fibers else []
        if self.program and not self.program.is_file():
            raise PlaceError(f"there is no {self.program}; give the program `realtime` as it was built for this MPI")
        return [*words, "-n", str(ranks), str(self.program.resolve() if self.program else program(PROGRAM, built))]


@dataclass(frozen=True)
class Grid:
    """A grid and its matrix."""

    lines: int
    rows: int
    columns: int
    stages: int = 3
    chain: str = "fft2d"
    turn: str = "alltoall"
    sink: bool = False

    @property
    def ranks(self) -> int:
        """How many it takes; images always have a sink."""
        return self.stages * self.lines + (self.sink or self.chain == "sar")

    def words(self) -> list[str]:
        """The program's arguments."""
        given = {"lines": self.lines, "rows": self.rows, "columns": self.columns, "stages": self.stages}
        words = [w for name, value in given.items() for w in (f"--{name}", str(value))]
        words += ["--chain", self.chain, *(["--turn", self.turn] if self.stages == 3 else [])]
        return [*words, "--sink"] if self.sink else words


@dataclass(frozen=True)
class Stage:
    """A stage of a run; times in seconds."""

    name: str
    places: int
    flops: float
    """Of one place in a period."""
    bytes_sent: float
    work_mean_s: float
    work_worst_s: float
    """From the period's start until the block has been handed on, in the whole grid."""
    alone_period_s: float | None
    """The shortest period without the other stages and without messages from or to them; None: not measured or not found."""


@dataclass(frozen=True)
class GridRun:
    """The outcome of a run; times in seconds."""

    grid: Grid
    kept: bool
    period_s: float
    latency_worst_s: float
    latency_mean_s: float
    mflops: float
    """NaN where the period is not kept."""
    periods: int
    missed: int
    miss_bound: float
    results_wrong: int
    stages: tuple[Stage, ...]
    environment: Mapping[str, Any]
    sar: Mapping[str, Any] | None

    @property
    def alone(self) -> tuple[Stage, ...]:
        """The stages whose own shortest period is known."""
        return tuple(stage for stage in self.stages if stage.alone_period_s is not None)

    @property
    def limit(self) -> Stage | None:
        """The stage that takes longest by itself."""
        return max(self.alone, key=lambda stage: stage.alone_period_s or 0.0, default=None)

    @property
    def over_limit(self) -> float | None:
        """The grid's period over that of the slowest stage alone: what flowing blocks cost."""
        limit = self.limit
        return self.period_s / limit.alone_period_s if limit and limit.alone_period_s else None

    def as_json(self) -> dict[str, Any]:
        """For --json."""
        stages = [vars(stage) for stage in self.stages]
        limit = self.limit
        own = {key: value for key, value in vars(self).items() if key not in ("grid", "stages", "environment", "sar")}
        return {**vars(self.grid), **own, "limit": limit.name if limit else None, "stage": stages}


def _stage(record: Mapping[str, Any]) -> Stage:
    alone = record["alone_period_s"] if record.get("alone_kept") else None
    times = (float(record["work_mean_s"]), float(record["work_worst_s"]), None if alone is None else float(alone))
    return Stage(record["name"], int(record["places"]), float(record["flops"]), float(record["bytes_sent"]), *times)


def parse(grid: Grid, text: str) -> GridRun:
    """The outcome from the JSON lines of a run. Raises GridError when they are not what a whole run prints."""
    try:
        records = [json.loads(line) for line in text.splitlines() if line.strip()]
        by_kind = {record["record"]: record for record in records}
        whole = by_kind["grid"]
        return GridRun(
            grid=grid,
            kept=bool(whole["kept"]),
            period_s=float(whole["period_s"]),
            latency_worst_s=float(whole["latency_worst_s"]),
            latency_mean_s=float(whole["latency_mean_s"]),
            mflops=math.nan if whole["mflops"] is None else float(whole["mflops"]),
            periods=int(whole["periods"]),
            missed=int(whole["missed"]),
            miss_bound=float(whole["miss_bound"]),
            results_wrong=int(whole["results_wrong"]),
            stages=tuple(_stage(record) for record in records if record["record"] == "grid-stage"),
            environment=by_kind["environment"],
            sar=by_kind.get("sar"),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise GridError(
            f"a run of the grid did not print what it should ({error!r}); build the program again"
        ) from None


def run(where: Where, grid: Grid, options: Sequence[str]) -> GridRun:
    """One run with further `options` of the program.

    Raises PlaceError when a program is missing, GridError when the run refuses (with its sentence) or fails. Deadlines missed or
    a wrong result are no error: the outcome has them.
    """
    words = [*where.command(grid.ranks), "grid", *grid.words(), *options]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    except OSError as error:
        raise GridError(f"cannot start {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise GridError(f"no end after {TIMEOUT_S:.0f} s: {' '.join(words)}") from None
    if done.returncode not in (0, 1) or '"record": "grid"' not in done.stdout:
        said = done.stderr.strip().splitlines()
        raise GridError(
            said[0].removeprefix("realtime grid: ") if said else f"status {done.returncode}: {' '.join(words)}"
        )
    return parse(grid, done.stdout)
