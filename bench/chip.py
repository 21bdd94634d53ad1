"""What messages and collectives cost on an emulated chip, in instructions.

Builds ``bench/chip.c`` with ``mpicc --board``, runs it with ``mpiexec --board`` on 4, 16 and 64 harts, each twice: the numbers
must be identical. Prints a table and writes ``bench/chip.json`` below the build folder. With ``--budget``, fails when a number exceeds
its budget; a number without a budget, or a budget without a number, fails as well.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOARD = "virt-riscv64"
RANKS = (4, 16, 64)
RUN_LIMIT_S = 60

Counts = dict[str, int]
"""Instructions of one operation, all harts together, under names such as ``allgather 1024 B, 16 ranks``."""


def compile_program(build: Path, folder: Path) -> Path:
    """The path of the benchmark, built for the chip."""
    elf = folder / "chip.elf"
    board = build / "lib/mpico/board" / BOARD
    command = [build / "bin/mpicc", "--board", BOARD, f"-I{board}", HERE / "chip.c", "-o", elf]
    subprocess.run([str(word) for word in command], check=True)
    return elf


def run(build: Path, elf: Path, ranks: int) -> Counts:
    """One run's numbers. Raises CalledProcessError when the job fails, ValueError when it prints anything else."""
    command = [build / "bin/mpiexec", "--board", BOARD, "-n", str(ranks), elf]
    done = subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, timeout=RUN_LIMIT_S
    )
    counts = {}
    for line in done.stdout.splitlines():
        name, of, size, instructions = line.split()
        if int(of) != ranks:
            raise ValueError(f"{of} ranks instead of {ranks}: {line}")
        counts[f"{name} {size} B, {of} ranks"] = int(instructions)
    return counts


def measure(build: Path) -> Counts:
    """All numbers. Raises ValueError when two runs differ."""
    counts: Counts = {}
    with tempfile.TemporaryDirectory(prefix="mpico-chip-") as folder:
        elf = compile_program(build, Path(folder))
        for ranks in RANKS:
            first, second = run(build, elf, ranks), run(build, elf, ranks)
            if first != second:
                raise ValueError(f"two runs on {ranks} harts differ: {first} and {second}")
            counts.update(first)
    return counts


def over(counts: Counts, budget: Counts) -> list[str]:
    """What is wrong: one sentence a number."""
    sentences = [
        f"{name}: {counts[name]} instructions, the budget is {budget[name]}"
        for name in counts
        if name in budget and counts[name] > budget[name]
    ]
    sentences += [f"{name}: has no budget" for name in counts if name not in budget]
    sentences += [f"{name}: was not measured" for name in budget if name not in counts]
    return sentences


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build", help="a build with MPICO_BOARDS=" + BOARD)
    parser.add_argument("--out", type=Path, help="where the numbers go (default: bench/chip.json of the build)")
    parser.add_argument("--budget", type=Path, help="a file of the same form that no number may exceed")
    options = parser.parse_args()
    counts = measure(options.build.resolve())
    for name, count in counts.items():
        print(f"{name:30} {count:10}")
    out = options.out or options.build / "bench/chip.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    if not options.budget:
        return 0
    wrong = over(counts, json.loads(options.budget.read_text(encoding="utf-8")))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
