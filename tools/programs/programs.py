#!/usr/bin/env python3
"""Build programs that people know, unmodified, with our wrapper; run them; believe their own checks.

The sources come from Debian's packages. Prints a table: program, ranks, checks passed, seconds. Status 1 when a program
does not build, does not run, or finds its results wrong; its name is told. With --docs the table goes to docs/programs.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import fftw
import hpcc
import hypre
import scotch
import source
from job import Failed, Place, Program, say

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "programs.md"
MARK = "<!-- What stands below is written by `tools/programs/programs.py --docs`. -->"
PROGRAMS = (hpcc.PROGRAM, fftw.PROGRAM, scotch.PROGRAM, hypre.PROGRAM)

Row = dict[str, Any]
"""program, what, ranks, checks (how many passed), seconds, and error where the run failed."""


# ---- Building and running ----


def made_with(build: Path) -> str:
    """What a program has to be built anew for: another wrapper or another header. The library itself may change below it."""
    return f"{build} {source.sum_of(build / 'include' / 'mpi.h')}\n"


def built(program: Program, work: Path, place: Place, build: Path) -> float:
    """Unpack and build, unless that has been done. Seconds."""
    wanted = made_with(build)
    stamp = work / f"{program.folder}.built"
    if stamp.exists() and stamp.read_text() == wanted:
        return 0.0
    stamp.unlink(missing_ok=True)
    for command in program.needs:
        if not shutil.which(command):
            raise Failed(f"{command} is missing: tools/setup.sh programs")
    say(f"Building {program.name} {program.version}")
    started = time.monotonic()
    source.unpack(program, work)
    program.build(place)
    stamp.write_text(wanted)
    return time.monotonic() - started


def run(program: Program, place: Place) -> list[Row]:
    """All its runs; one that fails does not end the others."""
    rows = []
    for one in program.runs:
        say(f"Running {program.name}: {one.what}, {one.ranks} ranks")
        row: Row = {"program": program.name, "what": one.what, "ranks": one.ranks, "checks": 0}
        started = time.monotonic()
        try:
            row["checks"] = one.work(place)
        except Failed as why:
            row["error"] = str(why)
            say(f"    failed: {why}")
        row["seconds"] = round(time.monotonic() - started, 1)
        rows.append(row)
    return rows


def do(program: Program, work: Path, build: Path, jobs: int) -> list[Row]:
    """Build and run one program."""
    logs, tools = work / "logs", build / "bin"
    place = Place(work / program.folder, logs, tools / "mpicc", tools / "mpiexec", jobs)
    try:
        took = built(program, work, place, build)
    except Failed as why:
        say(f"    failed: {why}")
        return [{"program": program.name, "what": "build", "ranks": "", "checks": 0, "seconds": 0.0, "error": str(why)}]
    if took:
        say(f"    built in {took:.0f} s")
    return run(program, place)


# ---- Telling ----


def table(rows: list[Row]) -> str:
    """As Markdown, which reads well on a terminal too."""
    lines = [("program", "run", "ranks", "checks passed", "seconds")]
    for row in rows:
        checks = "FAILED" if "error" in row else str(row["checks"])
        lines.append((row["program"], row["what"], row["ranks"], checks, f"{row['seconds']:.1f}"))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join("| " + " | ".join(line[i].ljust(widths[i]) for i in range(5)) + " |" for line in lines)


def page(rows: list[Row]) -> str:
    """The generated part of docs/programs.md."""
    kinds = "\n".join(f"- **{p.name}** {p.version}: {p.about}." for p in PROGRAMS)
    machine = f"On {os.cpu_count()} CPUs; more ranks than that share them."
    return f"{MARK}\n\n{kinds}\n\n{machine}\n\n{table(rows)}\n"


def write_page(rows: list[Row]) -> None:
    """Replace what stands below the mark."""
    head = PAGE.read_text().partition(MARK)[0]
    PAGE.write_text(head + page(rows))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder with bin/mpicc (build)")
    parser.add_argument("--work", type=Path, help="sources, objects and logs go here (programs, in the build folder)")
    names = [p.name for p in PROGRAMS]
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}; repeatable"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there")
    parser.add_argument("--docs", action="store_true", help="write the table to docs/programs.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time (as many as CPUs)")
    parser.add_argument("--mirror", default=source.MIRROR, help="of Debian (%(default)s)")
    options = parser.parse_args()
    if options.docs and options.only:
        parser.error("--docs needs all programs: leave --only out")
    return options


def main() -> int:
    """Status 1 when something failed."""
    options = arguments()
    build = options.build.resolve()
    work = (options.work or build / "programs").resolve()
    if not (build / "bin" / "mpicc").exists():
        say(f"{build}/bin/mpicc does not exist: build first, or name the folder with --build")
        return 1
    chosen = [p for p in PROGRAMS if not options.only or p.name in options.only]
    try:
        source.fetch(chosen, work, options.mirror)
    except Failed as why:
        say(str(why))
        return 1
    rows = [row for program in chosen for row in do(program, work, build, options.jobs)]
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    failed = [row for row in rows if "error" in row]
    for row in failed:
        print(f"FAILED: {row['program']}, {row['what']}, {row['ranks']} ranks: {row['error']}")
    if options.docs and not failed:
        write_page(rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
