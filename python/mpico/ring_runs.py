"""Runs of the ring paper's programs on the simulated ring: bench/ring/*.c, and apps/mft for Figure 9."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .machine import describe
from .places import PlaceError, machine_file, prefix, program
from .ring_paper import Curve

DISCIPLINES = ("stop-and-wait", "windowed")
"""The paper's protocol, and ours."""
TIMEOUT_S = 600.0

PROGRAMS: dict[str, tuple[str, ...]] = {
    "unicast": ("ring_unicast",),
    "multi-unicast": ("ring_bcast", "--multi"),
    "bcast": ("ring_bcast",),
    "allgather": ("ring_allgather",),
    "allgather-in-place": ("ring_allgather", "--in-place"),
}
"""Program of bench/ring and its options, by function."""


class RunError(Exception):
    """A run failed; the text holds its command and what it said."""


@dataclass(frozen=True)
class Place:
    """Where runs take place: the launcher, the machine, the folder of the measuring programs, and mft."""

    mpiexec: Path
    machine: str
    bench: Path
    mft: Path


def ring_place(machine: str, mpiexec: Path | None, figures: Path | None, needed: Iterable[tuple[str, str]]) -> Place:
    """Launcher, programs and machine, a ring; the folder of the figures is made.

    Unless another launcher is given, the programs `needed` must be there: paths below the prefix, and what to do where they are
    not. Raises PlaceError, DescriptionError.
    """
    home = prefix()
    if not mpiexec:
        kind = describe(machine_file(machine))["network"]["kind"]
        if kind != "ring":
            raise PlaceError(f"the network of machine '{machine}' is no ring (it is {kind})")
        for path, hint in needed:
            program(path, hint)
    if figures:
        try:
            figures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PlaceError(f"cannot make the folder {figures}: {error.strerror}") from None
    launcher = mpiexec or program("bin/mpiexec", "build it first: make build")
    return Place(launcher, machine, home / "lib" / "mpico" / "bench", home / "bin" / "mft")


@dataclass(frozen=True)
class Job:
    """One run: a function of PROGRAMS, or "mft"."""

    function: str
    discipline: str
    nodes: int


Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


def launch(place: Place, job: Job, words: Iterable[str]) -> str:
    """Run on the simulated machine; what it printed. Raises RunError."""
    command = [str(place.mpiexec), "--machine", place.machine, "--discipline", job.discipline, "-n", str(job.nodes)]
    command += words
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except OSError as error:
        raise RunError(f"cannot start {command[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise RunError(f"{' '.join(command)} did not end within {TIMEOUT_S:.0f} s") from None
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


def read_curve(text: str, job: Job) -> Curve:
    """Microseconds by message size from a program's JSON lines. Raises RunError when they are of something else."""
    curve = {}
    for line in text.splitlines():
        try:
            record = json.loads(line)
            if (record["function"], record["ranks"]) != (job.function, job.nodes):
                raise ValueError
            curve[int(record["bytes"])] = float(record["microseconds"])
        except (ValueError, KeyError, TypeError):
            raise RunError(f"{job.function} on {job.nodes} nodes printed an unexpected line: {line}") from None
    return curve


def measure(place: Place, job: Job, sizes: Iterable[int]) -> Curve:
    """The function's times at these sizes. Raises RunError."""
    name, *options = PROGRAMS[job.function]
    wanted = [str(size) for size in sizes]
    curve = read_curve(launch(place, job, [str(place.bench / name), *options, *wanted]), job)
    if [str(size) for size in curve] != wanted:
        raise RunError(f"{job.function} on {job.nodes} nodes told sizes {list(curve)}, not {', '.join(wanted)}")
    return curve


def track(place: Place, job: Job, steps: int) -> float:
    """Seconds that mft's search of so many steps takes in simulated time. Raises RunError."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "mft.json"
        launch(place, job, [str(place.mft), "--paper", "--steps", str(steps), "--output", str(output)])
        return float(json.loads(output.read_text(encoding="utf-8"))["search_s"])


def run_all(
    jobs: Iterable[Key], one: Callable[[Key], Result], workers: int, done: Callable[[], None]
) -> dict[Key, Result]:
    """`one` of each job, some at a time; `done` is called after each. Raises the first RunError."""
    results: dict[Key, Result] = {}
    with ThreadPoolExecutor(workers) as pool:
        future_of: dict[Future[Result], Key] = {pool.submit(one, job): job for job in jobs}
        try:
            for future in as_completed(future_of):
                results[future_of[future]] = future.result()
                done()
        except RunError:
            pool.shutdown(cancel_futures=True)
            raise
    return results
