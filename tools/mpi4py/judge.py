#!/usr/bin/env python3
"""mpi4py as a judge of the library: build it as an ABI module with our mpicc and run its own test suite on ours.

Everything comes from mpi4py's source package on PyPI, pinned by version and checksum, and lands below ``--work``: a virtual
environment, the unpacked package, the built wheels (kept by version, ``mpi.h``, Python and flags) and a log a run.
Tests about files and dynamic processes, which mpico does not have, are left out by name (``EXCLUDED`` in suite.py); every other skip is
by mpi4py's own rules. Ends with 0 when all passed, 1 on any failure, 77 when the packages cannot be had.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from module import build_module, fetch, install, library_in_use, mpich, prepare_environment
from place import ROOT, Failed, Place, Unavailable
from suite import Run, count_excluded, run_extras, run_suite

SKIPPED = 77
FOREIGN_RANKS = 2


def report(run: Run) -> None:
    """Print a line about a run, and the names of what failed."""
    print(
        f"{run.name}, {run.ranks or 'no launcher, 1'} rank{'s' * (run.ranks > 1)}: {run.tests()} tests, {len(run.failed)} failed,"
        f" {run.seconds:.1f} s",
        flush=True,
    )
    for name in run.failed:
        print(f"    failed: {name}", flush=True)


def table(runs: Sequence[Run]) -> str:
    """Return all runs, a line each."""
    lines = [f"{'run':44} ranks  tests passed failed skipped excluded seconds"]
    for r in runs:
        numbers = (
            f"{r.ranks:5} {r.tests():6} {r.passed:6} {len(r.failed):6} {r.skipped:7} {r.excluded:8} {r.seconds:7.1f}"
        )
        lines.append(f"{r.name[:44]:44} {numbers}")
    return "\n".join(lines)


def judge(place: Place, arguments: argparse.Namespace) -> list[Run]:
    """Build, run everything that was asked for, and return the runs."""
    place.work.mkdir(parents=True, exist_ok=True)
    prepare_environment(place)
    archive = fetch(place)
    runs: list[Run] = []

    def suite(name: str, ranks: Iterable[int]) -> None:
        excluded = count_excluded(place, arguments.only)
        for n in ranks:
            runs.append(run_suite(place, name, n, arguments.only, arguments.limit))
            runs[-1].excluded = excluded
            report(runs[-1])

    def module(wrapper: Path) -> None:
        install(place, build_module(place, archive, wrapper, "-O0 -g0" if arguments.quick else ""))
        # Whatever it was built with, it finds our library when it starts.
        if "mpico" not in (says := library_in_use(place)):
            raise Failed(f"the module has not loaded mpico: {says}")

    module(place.build / "bin" / "mpicc")
    suite("suite", arguments.ranks)
    if arguments.extras:
        for run in run_extras(place, arguments.limit):
            runs.append(run)
            report(run)
    if arguments.foreign:
        module(mpich(place) / "bin" / "mpicc_abi")
        suite("suite, module built with MPICH", [FOREIGN_RANKS])
    return runs


def parse() -> argparse.Namespace:
    """Return the command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=Path, default=ROOT / "build", help="where mpico is built (build)")
    p.add_argument("--work", type=Path, help="where everything is kept (mpi4py below the build directory)")
    p.add_argument("--ranks", default="0,1,2,3,5", help="numbers of ranks; 0: without mpiexec (0,1,2,3,5)")
    p.add_argument("--only", default="", metavar="PATTERN", help="test modules whose file name the expression fits")
    p.add_argument("--limit", type=float, default=1800.0, metavar="SECONDS", help="for each run (1800)")
    p.add_argument("--quick", action="store_true", help="build the module without optimising: a tenth of the time")
    p.add_argument("--extras", action="store_true", help="also mpi4py.bench and the futures demo")
    p.add_argument("--foreign", action="store_true", help="also a module that was built with MPICH, unchanged")
    p.add_argument("--json", type=Path, metavar="FILE", help="write the runs here")
    arguments = p.parse_args()
    arguments.ranks = [int(n) for n in arguments.ranks.split(",")]
    return arguments


def main() -> int:
    """Judge; return the exit code."""
    arguments = parse()
    build = arguments.build.resolve()
    if not (build / "bin" / "mpicc").exists():
        raise SystemExit(f"mpico is not built in {build}")
    place = Place(build, (arguments.work or build / "mpi4py").resolve())
    try:
        runs = judge(place, arguments)
    except Unavailable as why:
        print(f"skipped: {why}", file=sys.stderr)
        return SKIPPED
    except Failed as why:
        print(f"failed: {why}", file=sys.stderr)
        return 1
    print(table(runs))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(r) for r in runs], indent=1) + "\n")
    failed = [name for run in runs for name in run.failed]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
