"""Shortest periods on several MPI libraries: installing, compiling, and running each pattern on all of them in turn."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..libraries import OURS, RIVALS, LibraryError, Mpi, clean_environment, environment_of, installed, ours, run_job
from .report_records import GOOD, Record, environment, parse_lines
from .run import said
from .run_suite import ADJACENT_PAIR, corner_turn

SOURCES = "share/mpico/bench/realtime"
FLAGS = ("-std=c11", "-O2", "-Wl,--enable-new-dtags")
"""RUNPATH rather than RPATH: the library path of the run, and not of the link, chooses the library."""
COMPILE_LIMIT_S, RUN_LIMIT_S = 900.0, 90.0


@dataclass(frozen=True)
class Pattern:
    """What is measured: a run of `realtime`, whose record `record` has the shortest period."""

    name: str
    record: str
    ranks: int
    arguments: tuple[str, ...]
    """{file}: the path of `text`; {chains}: the folder of the shipped chains."""
    text: str = ""
    computes: bool = False
    """The ranks also compute."""


@dataclass(frozen=True)
class Outcome:
    """One run. No period: none was kept, or the run failed."""

    pattern: str
    library: str
    turn: int
    period_s: float | None
    work_s: float | None = None
    """The mean time from a period's start to the end of its work; None where a stage's work is not the library's."""
    trouble: str = ""


def patterns(duration_s: float) -> list[Pattern]:
    """What is compared; the run that proves a period takes duration_s."""
    proof = f"{duration_s:g}"
    found = [Pattern("adjacent pair", "pmp", 2, ("pmp", "{file}", "--duration", proof), ADJACENT_PAIR)]
    turns = [Pattern(f"corner turn, {n} nodes", "pmp", n, found[0].arguments, corner_turn(n)) for n in (2, 4)]
    hartstone = ("hartstone", "--tasks", "1", "--no-threads", "--seconds", proof)
    chain = ("chain", "{chains}/fft-ct.chain", "--seconds", proof)
    return [
        *found,
        *turns,
        Pattern("Hartstone, 1 task", "hartstone", 2, hartstone),
        Pattern("chain FFT+CT", "chain", 3, chain, computes=True),
    ]


# ---- installing and compiling ----


def find_libraries(
    build: Path, venvs: Path | None, install: bool, step: Callable[[str], None]
) -> tuple[list[Mpi], list[str]]:
    """mpico below the prefix `build` and those of the others that are there; and sentences about those that are not.

    Environments are looked for in venvs and build/bench; with `install`, made in build/bench. Raises LibraryError without mpico.
    """
    work = build / "bench" / "realtime"
    found, missing = [ours(build, work / OURS)], []
    for package, describe in RIVALS.items():
        step(f"looking for {package}")
        place: Path | str | None = installed(package, [p for p in (venvs, build / "bench") if p])
        if place is None and install:
            place = environment_of(package, build / "bench", venvs)
        if isinstance(place, Path):
            found.append(describe(place, work / package))
        else:
            way = "get it with --install, or name a folder with venv-" + package + " by --venvs"
            missing.append(place or f"{package} is not there; {way}")
    return found, missing


def compiler_of(mpi: Mpi, build: Path) -> Path:
    """The library's own mpicc. Intel MPI comes without one: it runs what mpico's mpicc compiles against the standard ABI."""
    own = Path(mpi.launcher[0]).parent / "mpicc"
    return own if own.exists() else build / "bin" / "mpicc"


def compile_suite(mpi: Mpi, build: Path) -> Path:
    """Compile the suite for a library where its sources are newer than the program. Raises LibraryError, OSError."""
    sources = build / SOURCES
    files = sorted([sources / "main.c", *sources.glob("*/*.c")])
    target = mpi.programs / "realtime"
    if not files[0].exists():
        raise LibraryError(f"there is no {files[0]}; build mpico first")
    newest = max(f.stat().st_mtime for f in [*files, *sources.glob("*/*.h")])
    if target.exists() and target.stat().st_mtime > newest:
        return target
    mpi.programs.mkdir(parents=True, exist_ok=True)
    command = [
        str(compiler_of(mpi, build)),
        *FLAGS,
        f"-I{sources}",
        *map(str, files),
        "-o",
        str(target),
        "-lm",
        "-lpthread",
    ]
    env = dict(os.environ) if compiler_of(mpi, build).parent == build / "bin" else clean_environment(mpi.env)
    done = run_job(command, env, COMPILE_LIMIT_S)
    if done.returncode:
        raise LibraryError(f"{mpi.name} does not compile the suite: {' | '.join(done.stderr.splitlines()[-3:])}")
    return target


def compiled(
    libraries: Sequence[Mpi], build: Path, step: Callable[[str], None]
) -> tuple[dict[str, tuple[Mpi, Path]], list[str]]:
    """Each library with its program, by name; and sentences about those that do not compile."""
    found, missing = {}, []
    for mpi in libraries:
        step(f"compiling for {mpi.name}")
        try:
            found[mpi.name] = (mpi, compile_suite(mpi, build))
        except (LibraryError, OSError, subprocess.TimeoutExpired) as error:
            missing.append(str(error))
    return found, missing


# ---- running ----


def found_in(records: Sequence[Record], kind: str) -> Record | None:
    """A run's record of the shortest period; None where even the longest was missed."""
    for r in records:
        if r.get("record") == kind and isinstance(r.get("period_s"), float):
            return r if r.get("missed") == 0 and r.get("wrong", 0) == 0 else None
    return None


def longest_pause(mpi: Mpi, program: Path, seconds: float) -> float | None:
    """For how long the system took a processor away at most, all of them watched; seconds. None where that run fails."""
    command = mpi.command(len(os.sched_getaffinity(0)), program, "pauses", "--seconds", f"{seconds:g}")
    try:
        records = parse_lines(run_job(command, clean_environment(mpi.env), RUN_LIMIT_S).stdout)
    except subprocess.TimeoutExpired:
        return None
    return max((float(r["longest_gap_s"]) for r in records if r.get("record") == "pauses"), default=None)


def run_pattern(mpi: Mpi, program: Path, pattern: Pattern, chains: Path, turn: int) -> Outcome:
    """One pattern on one library; what fails is told in the outcome."""
    file = program.parent / "pattern.pmp"
    file.write_text(pattern.text, encoding="utf-8")
    words = [w.replace("{file}", str(file)).replace("{chains}", str(chains)) for w in pattern.arguments]
    crowd = pattern.ranks > len(os.sched_getaffinity(0))
    outcome = Outcome(pattern.name, mpi.name, turn, None)
    command = mpi.command(pattern.ranks, program, *words, crowd=crowd)
    try:
        done = run_job(command, clean_environment(mpi.env), RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        return replace(outcome, trouble=f"ended after {RUN_LIMIT_S:.0f} s")
    records = parse_lines(done.stdout)
    library = str(environment(records).get("library", ""))
    if library and mpi.says not in library:
        return replace(outcome, trouble=f"ran on {library}")
    found = found_in(records, pattern.record)
    if found is None:
        text = said(done.stderr) or (
            f"status {done.returncode}" if done.returncode != GOOD else "no period in its records"
        )
        return replace(outcome, trouble=text)
    work = None if pattern.computes else float(found["mean_s"])
    return replace(outcome, period_s=float(found["period_s"]), work_s=work)


def measure(
    programs: Mapping[str, tuple[Mpi, Path]],
    todo: Sequence[Pattern],
    rounds: int,
    chains: Path,
    step: Callable[[str], None],
) -> tuple[list[Outcome], list[float]]:
    """Every pattern on every library, in turn, `rounds` times: what else the machine does falls on all alike.

    Also the machine's longest pause in a second of each round.
    """
    found, pauses = [], []
    for turn in range(rounds):
        if OURS in programs and (pause := longest_pause(*programs[OURS], 1.0)) is not None:
            pauses.append(pause)
        for pattern in todo:
            for mpi, program in programs.values():
                step(f"{pattern.name}, {mpi.name}")
                found.append(run_pattern(mpi, program, pattern, chains, turn))
    return found, pauses


class Times:
    """One of an outcome's times, by pattern and library; seconds."""

    def __init__(self, outcomes: Sequence[Outcome], what: Literal["period_s", "work_s"]) -> None:
        """Of which time this is."""
        self._outcomes, self._what = outcomes, what

    def of(self, pattern: str, library: str) -> list[float]:
        """Those found, in the order of the rounds."""
        those = [o for o in self._outcomes if (o.pattern, o.library) == (pattern, library)]
        return [time for o in those if (time := getattr(o, self._what)) is not None]

    def middle(self, pattern: str, library: str) -> float | None:
        """Their median over the rounds; None where most rounds found none."""
        found = self.of(pattern, library)
        rounds = sum((o.pattern, o.library) == (pattern, library) for o in self._outcomes)
        return statistics.median(found) if found and 2 * len(found) > rounds else None

    def advantage(self, pattern: str, libraries: Sequence[str]) -> float | None:
        """The best of the others' medians over ours; below 1 we are slower. None where one of both is not there."""
        own = self.middle(pattern, OURS)
        others = [m for n in libraries if n != OURS and (m := self.middle(pattern, n)) is not None]
        return min(others) / own if own and others else None
