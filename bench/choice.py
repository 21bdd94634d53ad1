#!/usr/bin/env python3
"""Does the library choose the right algorithms? Every one that fits is measured, beside the price by which it chooses.

For each collective, number of ranks and length: the algorithms are timed in one run, turn by turn (bench/choice.c), and the penalty is the
time of the chosen one over that of the quickest, less one. Prints a table a collective, the mean penalty over all cells, and what always
taking the first or the last algorithm would cost; writes every number to ``--out``. Exit status 1 when the mean is over ``--most``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

CALLS = "barrier bcast reduce allreduce gather scatter allgather alltoall reduce_scatter_block scan".split()
WHOLE = ("allgather", "reduce_scatter_block")
"""Collectives whose bytes the library counts over all ranks, and the benchmark for one."""
TIMEOUT_S = 600


@dataclass(frozen=True)
class Cell:
    """One call: microseconds by algorithm, measured and priced, and which the library chooses."""

    call: str
    ranks: int
    bytes: int
    chosen: str
    measured: dict[str, float]
    priced: dict[str, float]

    @property
    def best(self) -> str:
        """The quickest as measured."""
        return min(self.measured, key=lambda name: self.measured[name])

    def penalty(self, name: str) -> float:
        """What `name` costs over the quickest, as a share of it."""
        return self.measured[name] / self.measured[self.best] - 1


class Wrong(Exception):
    """A run failed; the text says which and why."""


def run(words: Sequence[str]) -> str:
    """What the command prints. Raises Wrong."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(words)} ended with status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


def explain(build: Path, model: list[str], call: str, ranks: int, size: int) -> tuple[str, dict[str, float]]:
    """The algorithm that the library would choose, and the prices of all that fit, in microseconds."""
    whole = size * ranks if call in WHOLE else size
    command = [str(build / "bin/mpiexec"), *model, "-n", "1", str(build / "lib/mpico/explain")]
    told = json.loads(run([*command, call, str(ranks), str(whole)]))
    return told["chosen"], {c["algorithm"]: c["us"] for c in told["candidates"] if c["us"] is not None}


def cells(arguments: argparse.Namespace) -> Iterator[Cell]:
    """Measure, cell by cell."""
    build, model = arguments.build, ["--model", str(arguments.model)] if arguments.model else []
    for call in arguments.calls:
        for ranks in arguments.ranks:
            for size in arguments.sizes[:1] if call == "barrier" else arguments.sizes:
                chosen, priced = explain(build, model, call, ranks, size)
                launch = [str(build / "bin/mpiexec"), "-n", str(ranks), str(build / "bench/bin/choice"), "--call", call]
                options = [
                    "--algorithms",
                    ",".join(priced),
                    "--blocks",
                    str(arguments.blocks),
                    "--ms",
                    str(arguments.ms),
                ]
                lines = run([*launch, *options, str(size)]).splitlines()
                measured = {line["algorithm"]: line["us"] for line in map(json.loads, lines)}
                yield Cell(call, ranks, size, chosen, measured, priced)


def line(cell: Cell) -> str:
    """A cell for people: measured times, priced ones in brackets, the chosen one marked."""
    parts = [
        f"{'>' if name == cell.chosen else ' '}{name} {us:.1f} ({cell.priced[name]:.1f})"
        for name, us in sorted(cell.measured.items(), key=lambda item: item[1])
    ]
    return f"{cell.call:20} {cell.ranks:2} ranks {cell.bytes:8} B  {cell.penalty(cell.chosen):7.1%}  {'  '.join(parts)}"


def summary(found: Sequence[Cell]) -> str:
    """Mean penalties: by collective, of all, and of choices that look at nothing."""
    lines = []
    for call in dict.fromkeys(cell.call for cell in found):
        lines.append(f"{call:20} {fmean(c.penalty(c.chosen) for c in found if c.call == call):7.1%}")
    several = [c for c in found if len(c.measured) > 1]
    mean = fmean(c.penalty(c.chosen) for c in found)
    worst = fmean(max(map(c.penalty, c.measured)) for c in several)
    random = fmean(fmean(map(c.penalty, c.measured)) for c in several)
    lines.append(f"mean penalty of the chosen algorithm, {len(found)} cells: {mean:.1%}")
    lines.append(f"of one at random, where there are several: {random:.1%}; of the worst: {worst:.1%}")
    return "\n".join(lines)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), help="a build of the library")
    parser.add_argument("--model", type=Path, help="a parameter file (default: the one that is shipped)")
    parser.add_argument("--calls", nargs="+", default=CALLS, choices=CALLS, metavar="CALL")
    parser.add_argument("--ranks", nargs="+", type=int, default=[2, 3, 4, 6, 8])
    parser.add_argument("--sizes", nargs="+", type=int, default=[8, 64, 512, 4096, 32768, 262144, 1048576])
    parser.add_argument("--blocks", type=int, default=11)
    parser.add_argument("--ms", type=int, default=10, help="how long a block of calls takes")
    parser.add_argument("--most", type=float, default=5.0, help="mean penalty in percent")
    parser.add_argument(
        "--out", type=Path, help="where the numbers go, as JSON (default: bench/choice.json of the build)"
    )
    arguments = parser.parse_args()
    found = []
    try:
        for cell in cells(arguments):
            found.append(cell)
            print(line(cell), flush=True)
    except (Wrong, OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        print(f"choice: {error}", file=sys.stderr)
        return 2
    print(summary(found))
    out = arguments.out or arguments.build / "bench/choice.json"
    out.write_text(json.dumps([asdict(cell) for cell in found], indent=1) + "\n", encoding="utf-8")
    return int(100 * fmean(c.penalty(c.chosen) for c in found) > arguments.most)


if __name__ == "__main__":
    sys.exit(main())
