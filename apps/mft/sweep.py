"""Runs mft for several rank counts and prints time, its split, and parallel efficiency.

Parallel efficiency is measured speedup over ideal speedup, speedup being the time on one rank over the time on n.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """One run of mft: times in seconds, corners of the found track as written."""

    ranks: int
    search_s: float
    computing_s: float
    communicating_s: float
    corners: str


def run(command: list[str], ranks: int, output: Path) -> Run:
    """Run mft once, exit with status 2 and a sentence when it fails."""
    full = [command[0], "-n", str(ranks), *command[1:], "--output", str(output)]
    try:
        done = subprocess.run(full, capture_output=True, text=True, check=False)
    except OSError as error:
        print(f"sweep.py: cannot start {command[0]} ({error}); name a launcher with --mpiexec.", file=sys.stderr)
        sys.exit(2)
    if done.returncode != 0:
        print(f"sweep.py: {' '.join(full)} ended with status {done.returncode}:\n{done.stderr}", file=sys.stderr)
        sys.exit(2)
    found = json.loads(output.read_text(encoding="utf-8"))
    return Run(ranks, found["search_s"], found["computing_s"], found["communicating_s"], json.dumps(found["corners"]))


def table(runs: list[Run]) -> str:
    """Lay the runs out as lines; efficiency is relative to the first run, scaled by its ranks."""
    first = runs[0]
    lines = [" ranks  search [s]  computing [s]  communicating [s]  speedup  efficiency  same track"]
    for one in runs:
        speedup = first.search_s * first.ranks / one.search_s
        same = "yes" if one.corners == first.corners else "NO"
        lines.append(
            f"{one.ranks:6d}  {one.search_s:10.2f}  {one.computing_s:13.2f}  {one.communicating_s:17.2f}"
            f"  {speedup:7.2f}  {speedup / one.ranks:10.1%}  {same:>10}"
        )
    return "\n".join(lines)


def rank_list(text: str) -> list[int]:
    """Rank counts from ``1,2,4``; raises argparse's error when one is no positive number."""
    try:
        ranks = [int(part) for part in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list like 1,2,4") from error
    if not ranks or min(ranks) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} holds a count below 1")
    return ranks


def main() -> None:
    """Command line: launcher, program, rank counts; what follows ``--`` goes to mft."""
    parser = argparse.ArgumentParser(description="Parallel efficiency of mft.")
    parser.add_argument("--mpiexec", default="mpiexec", help="launcher that takes -n RANKS (default mpiexec)")
    parser.add_argument("--mft", type=Path, required=True, help="the program")
    parser.add_argument(
        "--ranks", type=rank_list, default=[1, 2], help="rank counts, the first is the base (default 1,2)"
    )
    parser.add_argument("options", nargs="*", help="options of mft, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.mpiexec, str(arguments.mft.resolve()), *arguments.options]
        runs = [run(command, ranks, Path(folder) / f"mft-{ranks}.json") for ranks in arguments.ranks]
    print(table(runs))
    sys.exit(0 if all(one.corners == runs[0].corners for one in runs) else 1)


if __name__ == "__main__":
    main()
