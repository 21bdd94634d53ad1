"""What messages and collectives cost on an emulated chip, in instructions.

Builds ``bench/chip.c`` with ``mpicc --board``, runs it with ``mpiexec --board`` on 4, 16 and 64 harts, each twice: the numbers
must be identical. Prints a table and writes ``bench/chip.json`` below the build folder. With ``--budget``, fails when a number exceeds
its budget; a number without a budget, or a budget without a number, fails as well.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

import counts

BOARD = "virt-riscv64"
RANKS = (4, 16, 64)
RUN_LIMIT_S = 60


def compile_program(build: Path, folder: Path) -> Path:
    """The path of the benchmark, built for the chip."""
    elf = folder / "chip.elf"
    board = build / "lib/mpico/board" / BOARD
    command = [build / "bin/mpicc", "--board", BOARD, f"-I{board}", counts.HERE / "chip.c", "-o", elf]
    subprocess.run([str(word) for word in command], check=True)
    return elf


def run(build: Path, elf: Path, ranks: int) -> counts.Counts:
    """One run's numbers, of all harts together. Raises CalledProcessError when the job fails, ValueError when it prints anything else."""
    command = [build / "bin/mpiexec", "--board", BOARD, "-n", str(ranks), elf]
    done = subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, timeout=RUN_LIMIT_S
    )
    numbers = {}
    for line in done.stdout.splitlines():
        name, of, size, instructions = line.split()
        if int(of) != ranks:
            raise ValueError(f"{of} ranks instead of {ranks}: {line}")
        numbers[f"{name} {size} B, {of} ranks"] = int(instructions)
    return numbers


def measure(build: Path) -> counts.Counts:
    """All numbers. Raises ValueError when two runs differ."""
    numbers: counts.Counts = {}
    with tempfile.TemporaryDirectory(prefix="mpico-chip-") as folder:
        elf = compile_program(build, Path(folder))
        for ranks in RANKS:
            once = functools.partial(run, build, elf, ranks)
            numbers.update(counts.same_twice(once, f"on {ranks} harts"))
    return numbers


if __name__ == "__main__":
    sys.exit(counts.main(__doc__, BOARD, measure, "chip"))
