"""What the ring paper's eleven functions cost a node of a ring of emulated boards, in instructions.

Builds ``bench/board.c`` with ``mpicc --board``, as it is and with ``--bare``, runs each with ``mpiexec --board`` on rings of 1, 2 and 4
nodes, each twice: the numbers must be identical. What is counted, ``bench/board.c`` says. Prints a table and writes
``bench/board.json`` below the build folder. With ``--budget``, fails when a number exceeds its budget; a number without a budget, or a
budget without a number, fails as well.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import counts

BOARD = "mps2-an385"
RANKS = (1, 2, 4)
KINDS = {"full": [], "bare": ["--bare"]}
TAKEN = ("board_sleep", "board_now_ns", "mpico_board_turn")
"""Functions for which the benchmark stands in."""
RUN_LIMIT_S = 200


def compile_program(build: Path, folder: Path, kind: str) -> Path:
    """The path of the benchmark, built for the board."""
    elf = folder / f"board-{kind}.elf"
    options = [*KINDS[kind], f"-I{counts.HERE.parent / 'src'}", *(f"-Wl,--wrap={name}" for name in TAKEN)]
    command = [build / "bin/mpicc", "--board", BOARD, *options, counts.HERE / "board.c", "-o", elf]
    subprocess.run([str(word) for word in command], check=True)
    return elf


def counting_board(build: Path, folder: Path) -> Path:
    """A folder of the same board, whose emulator counts instructions."""
    made = folder / BOARD
    shutil.copytree(build / "lib/mpico/board" / BOARD, made)
    conf = (made / "board.conf").read_text(encoding="utf-8")
    changed = conf.replace(" -nodefaults ", " -nodefaults -icount shift=7 ")
    if changed == conf:
        raise ValueError(f"the emulator of {BOARD} has another command line")
    (made / "board.conf").write_text(changed, encoding="utf-8")
    return made


def run(build: Path, board: Path, elf: Path, kind: str, ranks: int) -> counts.Counts:
    """One run's numbers. Raises CalledProcessError when the job fails, ValueError when it prints anything else."""
    command = [build / "bin/mpiexec", "--board", board, "-n", str(ranks), elf]
    done = subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True, timeout=RUN_LIMIT_S
    )
    numbers = {}
    for line in sorted(done.stdout.splitlines()):
        name, of, node, instructions = line.split()
        if int(of) != ranks:
            raise ValueError(f"{of} nodes instead of {ranks}: {line}")
        numbers[f"{kind} {name}, node {node} of {of}"] = int(instructions)
    return numbers


def measure(build: Path) -> counts.Counts:
    """All numbers. Raises ValueError when two runs differ."""
    numbers: counts.Counts = {}
    with tempfile.TemporaryDirectory(prefix="mpico-board-") as name:
        folder = Path(name)
        board = counting_board(build, folder)
        for kind in KINDS:
            elf = compile_program(build, folder, kind)
            for ranks in RANKS:
                once = functools.partial(run, build, board, elf, kind, ranks)
                numbers.update(counts.same_twice(once, f"on {ranks} nodes"))
    return numbers


if __name__ == "__main__":
    sys.exit(counts.main(__doc__, BOARD, measure, "board"))
