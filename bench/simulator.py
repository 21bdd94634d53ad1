#!/usr/bin/env python3
"""How large a machine the simulator takes, and how fast: wall time and memory against what is required.

    python bench/simulator.py --build build [--json]

Each row runs in a process of its own; time and peak memory are those of the whole job (mpiexec and its runner).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

LIMIT_S = 30.0
LIMIT_GB = 4.0
LIMIT_EVENTS_PER_S = 1e6
ROWS = (
    ("barrier, broadcast, 8-byte allreduce", "cluster", 10_000, (), {}),
    ("barrier, broadcast, 8-byte allreduce", "scmp-mesh", 64, (), {}),
    ("ring allgather of 8 bytes", "cluster", 1_000, ("--ring",), {"MPICO_COLL": "allgather=ring"}),
)


def run(build: Path, machine: str, ranks: int, words: tuple[str, ...], environment: dict[str, str]) -> dict:
    """One job: wall seconds, peak resident GB of its largest process, and what it printed."""
    command = [build / "bin/mpiexec", "--machine", machine, "-n", str(ranks), build / "bench/bin/scale", *words]
    start = time.monotonic()
    child = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, env={**os.environ, **environment})
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    if status:
        sys.exit(f"{' '.join(map(str, command))} failed with exit status {os.waitstatus_to_exitcode(status)}")
    peak = usage.ru_maxrss / 1e6
    return {"seconds": seconds, "gb": peak, **json.loads(out)}


def events(build: Path) -> list[tuple[int, float]]:
    """Events a second of the queue by itself, for each number of waiting events."""
    out = subprocess.run([build / "bench/bin/engine"], stdout=subprocess.PIPE, check=True, text=True).stdout
    rows = [re.match(r" *(\d+) waiting: +([\d.]+) million", line) for line in out.splitlines()]
    return [(int(row[1]), float(row[2]) * 1e6) for row in rows if row]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    arguments = parser.parse_args()
    missed = False
    for name, machine, ranks, words, environment in ROWS:
        result = run(arguments.build.resolve(), machine, ranks, words, environment)
        fine = result["seconds"] <= LIMIT_S and result["gb"] <= LIMIT_GB
        missed |= not fine
        if arguments.json:
            print(json.dumps({"what": name, "machine": machine, **result, "met": fine}))
        else:
            print(
                f"{name:38} {machine:10} {ranks:6} ranks {result['seconds']:7.2f} s {result['gb']:6.2f} GB"
                f"   at most {LIMIT_S:.0f} s, {LIMIT_GB:.0f} GB: {'met' if fine else 'MISSED'}"
            )
    for waiting, rate in events(arguments.build.resolve()):
        fine = rate >= LIMIT_EVENTS_PER_S
        missed |= not fine
        if arguments.json:
            print(json.dumps({"what": "events a second", "waiting": waiting, "rate": rate, "met": fine}))
        else:
            print(
                f"{waiting:8} events waiting: {rate / 1e6:.1f} million a second   at least 1: {'met' if fine else 'MISSED'}"
            )
    sys.exit(missed)


if __name__ == "__main__":
    main()
