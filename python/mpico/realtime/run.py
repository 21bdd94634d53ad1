"""Runs the benchmarks of a suite, one after the other; one that fails is noted, the rest goes on."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from ..libraries import run_job
from ..places import PlaceError, machine_file, prefix, program
from .report_records import REFUSED, Run, Suite, parse_lines, write_index, write_lines
from .run_suite import Benchmark

PROGRAM = "lib/mpico/bench/realtime"
CHAINS = "share/mpico/bench/realtime/chain"
LIMIT_S = 900.0
"""A benchmark that takes longer is ended."""
NOISE = re.compile(r"^(mpiexec: rank \d+ .* exited with code|=+$|\s*$)")
"""Lines of launchers that say no more than the exit status does."""


class RunError(Exception):
    """The suite cannot be run at all; the text says why and what to do."""


@dataclass(frozen=True)
class Place:
    """How jobs are started."""

    launcher: tuple[str, ...]
    program: Path
    chains: Path
    machine: str | None = None
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def command(self, ranks: int, arguments: Sequence[str]) -> list[str]:
        """Command line of a job."""
        return [*self.launcher, "-n", str(ranks), str(self.program), *arguments]


def place_of(machine: str | None, mpiexec: str | None, given: Path | None) -> Place:
    """How to start jobs: on a simulated machine, by another launcher (a command with options), with another build of the program.

    Raises PlaceError, RunError.
    """
    if machine and mpiexec:
        raise RunError("a simulated machine needs mpico's mpiexec; give --machine or --mpiexec")
    if mpiexec and not given:
        raise RunError("--mpiexec of another library needs the program compiled with its mpicc; name it by --program")
    if machine:
        machine_file(machine)
    try:
        launcher = shlex.split(mpiexec) if mpiexec else [str(program("bin/mpiexec", "build mpico first"))]
    except ValueError as error:
        raise RunError(f"--mpiexec {mpiexec}: {str(error).lower()}; close the quotation or leave it out") from None
    options = ["--machine", machine] if machine else []
    found = given or program(PROGRAM, "build mpico first")
    if not os.access(found, os.X_OK):
        raise PlaceError(f"there is no program {found}; compile share/mpico/bench/realtime as docs/realtime.md says")
    return Place((*launcher, *options), found, _chains(found, bool(given)), machine)


def _chains(found: Path, another: bool) -> Path:
    """The shipped chains: beside another build of the program if they are there, else below the prefix."""
    beside = found.resolve().parent / "chain"
    try:
        return beside if another and beside.is_dir() else prefix() / CHAINS
    except PlaceError:
        return beside


def offered(place: Place) -> set[str]:
    """Subcommands that the program has. Raises RunError when it does not run."""
    try:
        done = run_job(place.command(1, ["--help"]), place.env, 60.0)
    except OSError as error:
        raise RunError(f"cannot start {place.launcher[0]}: {error.strerror}; name a launcher by --mpiexec") from None
    except subprocess.TimeoutExpired:
        raise RunError(f"{place.program} --help did not end within 60 s; start it by hand to see why") from None
    if done.returncode:
        raise RunError(f"the program does not start: {said(done.stderr) or f'status {done.returncode}'}")
    known = set(re.findall(r"^  ([a-z]+) ", done.stdout, re.MULTILINE))
    if not known:
        raise RunError(f"{place.program} names no benchmarks; --program is the suite's program `realtime`, compiled")
    return known


def said(text: str) -> str:
    """What standard error says, without the launcher's lines about exit statuses; at most 10 lines."""
    lines = [line for line in text.splitlines() if not NOISE.match(line)]
    return "\n".join(lines[-10:])


def _arguments(benchmark: Benchmark, place: Place, folder: Path) -> list[str]:
    pattern = folder / f"{benchmark.name}.pmp"
    if benchmark.text:
        pattern.write_text(benchmark.text, encoding="utf-8")
    words = {"{file}": str(pattern), "{chains}": str(place.chains)}
    found = [benchmark.subcommand]
    for argument in benchmark.arguments:
        for word, value in words.items():
            argument = argument.replace(word, value)
        found.append(argument)
    return found


def run_one(benchmark: Benchmark, place: Place, folder: Path, limit_s: float = LIMIT_S) -> Run:
    """Run one benchmark and write its records to the folder. Raises OSError when they cannot be written."""
    command = place.command(benchmark.ranks, _arguments(benchmark, place, folder))
    begin = time.perf_counter()
    run = Run(benchmark.name, benchmark.subcommand, benchmark.ranks, tuple(command), None, 0.0)
    try:
        done = run_job(command, place.env, limit_s)
        run = replace(run, status=done.returncode, message=said(done.stderr), records=tuple(parse_lines(done.stdout)))
    except subprocess.TimeoutExpired:
        run = replace(run, message=f"ended after {limit_s:.0f} s")
    except OSError as error:
        run = replace(run, status=127, message=str(error))
    write_lines(folder / f"{run.name}.jsonl", run.records)
    return replace(run, seconds=time.perf_counter() - begin)


def absent(benchmark: Benchmark) -> Run:
    """What stands in the results for a benchmark that this build of the program does not have."""
    message = f"this build of the program has no subcommand {benchmark.subcommand}"
    return Run(benchmark.name, benchmark.subcommand, benchmark.ranks, (), REFUSED, 0.0, message)


def processor() -> str:
    """The processor's name as the kernel tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def run_all(
    benchmarks: Sequence[Benchmark], place: Place, folder: Path, suite: str, step: Callable[[str], None]
) -> Suite:
    """Run all of them into a folder, which is made; `step` is told each name before its run. The index is written after each.

    Raises RunError when the program does not start at all, OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = offered(place)
    load = None if place.machine else os.getloadavg()[0]
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    where = place.machine or processor()
    found = Suite(suite, where, place.launcher, date, load, len(os.sched_getaffinity(0)), ())
    for benchmark in benchmarks:
        step(benchmark.name)
        run = run_one(benchmark, place, folder) if benchmark.subcommand in known else absent(benchmark)
        found = replace(found, runs=(*found.runs, run))
        write_index(folder, found)
    return found
