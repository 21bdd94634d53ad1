"""Runs of the measuring program (bench/measure) in the places that `mpico bench` knows, line by line as it prints them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .machine import describe
from .places import PlaceError, machine_file, prefix, program
from .results import PATTERNS, Environment, Measurement, ResultsError, measurement_of

SILENCE_S = 300.0
"""A run that prints nothing for so long is ended."""
BOARD_PATTERNS = ("pingpong", "send-overhead", "recv-overhead", "adjacent", "bcast", "allgather", "reduce", "barrier")
PAIRED = ("pingpong", "once", "send-overhead", "recv-overhead", "gap", "exchange")
UNSIZED = ("barrier", "barriers")
"""Patterns between two ranks; "once" goes from rank 0 to each other one unless told otherwise."""


class RunError(Exception):
    """A run failed; the text holds its command and what it said."""


@dataclass(frozen=True)
class Where:
    """Where to measure. At most one of machine, fibers and board; none of them: processes."""

    machine: str | None = None
    fibers: bool = False
    board: str | None = None
    mpiexec: Path | None = None
    discipline: str | None = None

    @property
    def place(self) -> str:
        """One of results.PLACES."""
        return "machine" if self.machine else "board" if self.board else "fibers" if self.fibers else "processes"


@dataclass(frozen=True)
class Plan:
    """What to measure: one run for each number of ranks (on boards, whose programs take few arguments, and each pattern)."""

    ranks: tuple[int, ...]
    patterns: tuple[str, ...]
    sizes: tuple[int, ...]
    pairs: str | None
    options: tuple[str, ...]
    """Further arguments of the program."""

    def pairs_of(self, pattern: str, ranks: int) -> int:
        """How many pairs of ranks are measured."""
        if pattern not in PAIRED:
            return 1
        pairs = self.pairs or ("from-0" if pattern == "once" else "0-1")
        return {"all": ranks * (ranks - 1), "from-0": ranks - 1}.get(pairs, pairs.count(",") + 1)

    @property
    def total(self) -> int:
        """How many measurements that makes."""
        of_one = (
            1 if p in UNSIZED else len(self.sizes) * self.pairs_of(p, n) for p in self.patterns for n in self.ranks
        )
        return sum(of_one)

    def arguments(self, patterns: tuple[str, ...]) -> list[str]:
        """The program's, of a run of these patterns."""
        words = ["--patterns", ",".join(patterns), "--sizes", ",".join(map(str, self.sizes)), *self.options]
        return [*words, "--pairs", self.pairs] if self.pairs else words


def default_patterns(where: Where) -> tuple[str, ...]:
    """What is measured unless told otherwise: all; without a memcpy, which no simulated machine counts; few on a board."""
    if where.board:
        return BOARD_PATTERNS
    return tuple(p for p in PATTERNS if p != "copy" or not where.machine)


def launcher(where: Where) -> list[str]:
    """The launcher with the options of the place. Raises PlaceError."""
    words = [str(where.mpiexec or program("bin/mpiexec", "build it first: make build"))]
    if where.machine:
        words += ["--machine", where.machine]
    if where.discipline:
        words += ["--discipline", where.discipline]
    if where.board:
        words += ["--board", where.board]
    return [*words, "--fibers"] if where.fibers else words


def _compile(command: list[str], folder: Path) -> Path:
    """The measuring program for another compiler. Raises PlaceError, RunError."""
    sources = sorted((prefix() / "share" / "mpico" / "bench" / "measure").glob("*.c"))
    if not sources:
        raise PlaceError(f"there are no sources of the measuring program below {prefix()}; build it first: make build")
    built = folder / "measure.elf"
    words = [*command, "-std=c11", "-O2", *map(str, sources), "-lm", "-o", str(built)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RunError(f"cannot start {words[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)} cannot build the measuring program:\n{done.stderr.strip()}")
    return built


def measuring_program(where: Where, folder: Path) -> Path:
    """The program for this place; compiled into `folder` for a board, and for another MPI by the mpicc beside its launcher.

    Raises PlaceError, RunError.
    """
    if where.board:
        return _compile([str(program("bin/mpicc", "build it first: make build")), "--board", where.board], folder)
    if where.mpiexec:
        compiler = where.mpiexec.with_name("mpicc")
        if compiler.exists() and compiler.resolve() != (prefix() / "bin" / "mpicc").resolve():
            return _compile([str(compiler)], folder)
    return program("lib/mpico/bench/measure", "build it first: make build")


def _processor() -> str:
    """The processor's model, as the kernel or Python knows it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def environment(where: Where) -> Environment:
    """What is known before the first run. Raises PlaceError, DescriptionError."""
    discipline = where.discipline
    if where.machine and not discipline and not where.mpiexec:
        discipline = describe(machine_file(where.machine))["network"].get("discipline")
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    host = {
        "system": f"{platform.system()} {platform.release()}",
        "cpu": _processor(),
        "cpus": cpus,
        "load": round(os.getloadavg()[0], 2),
    }
    machine = Path(where.machine).stem if where.machine else Path(where.board).name if where.board else _processor()
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Environment(where.place, machine, discipline, launcher=tuple(launcher(where)), host=host, date=date)


def _lines(command: list[str]) -> Iterator[str]:
    """What the command prints, line by line. Raises RunError when it fails or is silent for long."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, stdin=subprocess.DEVNULL, text=True)
        except OSError as error:
            raise RunError(f"cannot start {command[0]}: {error.strerror}") from None
        watch = _watch(run)
        try:
            assert run.stdout is not None
            for line in run.stdout:
                watch.cancel()
                yield line
                watch = _watch(run)
            status = run.wait()
        finally:
            silent = watch.finished.is_set()
            watch.cancel()
            if run.poll() is None:
                run.terminate()
                run.wait()
        if silent:
            raise RunError(f"{' '.join(command)} said nothing for {SILENCE_S:.0f} s")
        if status != 0:
            said.seek(0)
            raise RunError(f"{' '.join(command)} ended with status {status}:\n{said.read().strip()}")


def _watch(run: subprocess.Popen[str]) -> threading.Timer:
    """Ends the run after a silence, unless it is cancelled."""
    watch = threading.Timer(SILENCE_S, run.terminate)
    watch.daemon = True
    watch.start()
    return watch


def _read(line: str) -> tuple[dict[str, Any] | None, Measurement | None]:
    """The program's first line, or a measurement. Raises RunError when it is of something else."""
    try:
        record = json.loads(line)
        if record["record"] == "run":
            return record, None
        return None, measurement_of(record)
    except (ValueError, KeyError, TypeError, ResultsError):
        raise RunError(f"the measuring program printed an unexpected line: {line.strip()}") from None


def run_plan(
    where: Where,
    plan: Plan,
    begin: Callable[[Environment], None],
    each: Callable[[Measurement], None],
) -> None:
    """All runs, one after the other: `begin` with the environment when the first has started, `each` with every measurement.

    Raises PlaceError, DescriptionError, RunError.
    """
    known, begun = environment(where), False
    with tempfile.TemporaryDirectory() as folder:
        built = measuring_program(where, Path(folder))
        for ranks in plan.ranks:
            for patterns in [(p,) for p in plan.patterns] if where.board else [plan.patterns]:
                command = [*launcher(where), "-n", str(ranks), str(built), *plan.arguments(patterns)]
                for line in _lines(command):
                    run, measurement = _read(line)
                    if measurement:
                        each(measurement)
                    if run and not begun:
                        begun = True
                        resolution = float(run["clock_resolution_us"])
                        begin(replace(known, library=str(run["library"]), clock_resolution_us=resolution))
